import { Vector3 } from "three";
import { colourOf } from "./plots/card";
import { PlotPanel } from "./plots/panel";
import { Player, speeds } from "./player";
import type { Results } from "./results/client";
import type { Colouring, FrameWish, RunInfo } from "./results/protocol";
import { Stage, type ViewName } from "./scene/stage";
import { byId } from "./ui/dom";
import { download } from "./ui/download";
import { showLegend } from "./ui/legend";
import { Picker } from "./ui/picker";

const prefetched = 4;
const pictureTime = 1000 / 30; // ms

/** How long drawing takes, for tests and for the curious: window.percussViewer.statistics. */
export interface Statistics {
  framesShown: number;
  drawMilliseconds: number[];
}

/** One open run: the picture, the plots, and the controls between them. */
export class Session {
  readonly player: Player;
  readonly statistics: Statistics = { framesShown: 0, drawMilliseconds: [] };
  private readonly stage: Stage;
  private readonly plots: PlotPanel;
  private readonly picker: Picker;
  private shown = -1;
  private isLoading = false;
  private mustReload = false;
  private followed: Float32Array | null = null;
  private traceStride = 1;
  private readMilliseconds = 0;
  private isOver = false;

  constructor(readonly results: Results, readonly info: RunInfo, private readonly onError: (error: Error) => void) {
    this.player = new Player(info.times);
    this.stage = new Stage(freshCanvas(), info);
    this.plots = new PlotPanel(byId("cards"), results, info, (time) => this.player.seekTime(time));
    this.picker = new Picker(results, (column) => this.guard(this.plots.toggle(column)));
    this.wireView();
    this.wirePlayer();
    this.wirePlots();
    this.restyle();
    this.guard(this.plots.showFirst());
    requestAnimationFrame(this.loop);
  }

  close(): void {
    this.isOver = true;
    this.stage.dispose();
    this.results.close();
  }

  /** After a change of the theme. */
  restyle(): void {
    this.stage.setBackground(colourOf("--back"));
    this.plots.rebuild();
  }

  look(view: ViewName): void {
    this.stage.look(view);
  }
  fit(): void {
    this.stage.fit();
  }
  search(): void {
    this.picker.focus();
  }
  changeSpeed(by: number): void {
    const at = speeds.indexOf(this.player.speed);
    this.player.speed = speeds[Math.min(Math.max(at + by, 0), speeds.length - 1)]!;
    byId<HTMLSelectElement>("speed").value = String(this.player.speed);
  }
  reload(): void {
    this.mustReload = true;
  }

  private readonly loop = (now: number): void => {
    if (this.isOver) return;
    requestAnimationFrame(this.loop);
    this.player.tick(now);
    if (!this.isLoading && (this.player.frame !== this.shown || this.mustReload)) void this.load(this.player.frame);
    const start = performance.now();
    if (this.stage.draw()) this.statistics.drawMilliseconds.push(performance.now() - start);
    if (this.statistics.drawMilliseconds.length > 1000) this.statistics.drawMilliseconds.shift();
  };

  private async load(frame: number): Promise<void> {
    this.isLoading = true;
    this.mustReload = false;
    const wish = this.wish();
    try {
      const loading = this.results.frame(frame, wish);
      // Frames that take longer than a picture may would only keep the one that is needed waiting.
      if (this.player.isPlaying && this.readMilliseconds < pictureTime)
        for (const next of this.player.ahead(prefetched, pictureTime)) void this.results.frame(next, wish).catch(() => {});
      const loaded = await loading;
      this.readMilliseconds = loaded.readMilliseconds;
      this.stage.contacts.visible = checked("contacts");
      this.stage.contacts.forces.visible = checked("forces");
      this.stage.contacts.impulses.visible = checked("impulses");
      this.stage.contacts.arrowScale = 10 ** Number(byId<HTMLInputElement>("arrows").value);
      this.stage.show(loaded, wish.colouring);
      this.shown = frame;
      this.statistics.framesShown++;
      this.showTime(frame);
    } catch (error) {
      this.player.isPlaying = false;
      this.shown = frame;
      this.onError(error as Error);
    }
    this.isLoading = false;
  }

  private wish(): FrameWish {
    return { colouring: byId<HTMLSelectElement>("colouring").value as Colouring, contacts: this.info.contactCount > 0 && checked("contacts") };
  }

  private showTime(frame: number): void {
    const { times } = this.info;
    byId<HTMLInputElement>("slider").value = String(frame);
    byId("clock").textContent = `t = ${times[frame]!.toPrecision(6)} s · frame ${frame + 1} of ${times.length}`;
    const play = byId("play");
    play.textContent = this.player.isPlaying ? "❚❚" : "▶";
    play.ariaLabel = this.player.isPlaying ? "Pause" : "Play";
    this.plots.showTime(times[frame]!);
    if (this.followed) this.stage.follow(new Vector3().fromArray(this.followed, 3 * Math.floor(frame / this.traceStride)));
  }

  private wireView(): void {
    const colouring = byId<HTMLSelectElement>("colouring");
    const hasFlexibles = this.info.flexibles.length > 0;
    colouring.hidden = !hasFlexibles;
    colouring.value = hasFlexibles ? "stress" : "none";
    for (const id of ["colouring", "contacts", "forces", "impulses", "arrows"])
      byId<HTMLInputElement>(id).oninput = () => {
        this.reload();
        this.updateLegend();
      };
    byId<HTMLInputElement>("edges").oninput = () => this.stage.showEdges(checked("edges"));
    (byId("edges").parentElement as HTMLElement).hidden = !this.info.flexibles.some((body) => body.kind === "surface");
    byId("fit").onclick = () => this.fit();
    byId("picture").onclick = () => this.savePicture();
    for (const button of document.querySelectorAll<HTMLElement>("[data-view]")) button.onclick = () => this.look(button.dataset.view as ViewName);
    this.wireBodies();
    this.updateLegend();
  }

  private wireBodies(): void {
    const body = byId<HTMLInputElement>("body");
    const [follow, trace] = [byId("follow"), byId("trace")];
    body.value = "";
    follow.ariaPressed = trace.ariaPressed = "false";
    const suggest = async () => fill("bodies", await this.results.findBodies(body.value, 40));
    body.oninput = () => this.guard(suggest());
    this.guard(suggest());
    const canvas = byId<HTMLCanvasElement>("canvas");
    let pressed = [0, 0];
    canvas.onpointerdown = (event) => (pressed = [event.clientX, event.clientY]);
    canvas.onclick = (event) => {
      if (Math.hypot(event.clientX - pressed[0]!, event.clientY - pressed[1]!) > 4) return; // was a drag
      body.value = this.stage.pick(event.clientX, event.clientY) ?? body.value;
    };
    const toggle = (button: HTMLElement, action: (places: Float32Array | null) => void) => async () => {
      const isOn = button.ariaPressed !== "true";
      const places = isOn ? await this.results.trace(body.value) : null;
      this.traceStride = places ? Math.ceil(this.info.times.length / (places.length / 3)) : 1;
      button.ariaPressed = String(isOn);
      action(places);
      this.reload();
    };
    const startFollowing = toggle(follow, (places) => {
      this.followed = places;
      this.stage.follow(null);
    });
    const startTracing = toggle(trace, (places) => this.stage.showTrace(places));
    follow.onclick = () => this.guard(startFollowing());
    trace.onclick = () => this.guard(startTracing());
  }

  private wirePlayer(): void {
    const slider = byId<HTMLInputElement>("slider");
    slider.max = String(this.info.times.length - 1);
    slider.oninput = () => this.player.seek(Number(slider.value));
    byId("play").onclick = () => {
      this.player.toggle();
      this.reload();
    };
    byId("first").onclick = () => this.player.seek(0);
    byId("last").onclick = () => this.player.seek(this.player.frameCount - 1);
    byId("back").onclick = () => this.player.step(-1);
    byId("forward").onclick = () => this.player.step(1);
    byId<HTMLInputElement>("loop").oninput = () => (this.player.loops = checked("loop"));
    const speed = byId<HTMLSelectElement>("speed");
    speed.replaceChildren(...speeds.map((value) => new Option(value === 1 ? "real time" : `${value} ×`, String(value))));
    speed.value = String(this.player.speed);
    speed.oninput = () => (this.player.speed = Number(speed.value));
  }

  private wirePlots(): void {
    byId("add-energy").onclick = () => this.guard(this.plots.addEnergy());
    const [x, y] = [byId<HTMLInputElement>("orbit-x"), byId<HTMLInputElement>("orbit-y")];
    for (const input of [x, y]) input.oninput = () => this.guard(this.suggestColumns(input.value));
    this.guard(this.suggestColumns(""));
    byId("add-orbit").onclick = () => this.guard(this.plots.addOrbit(x.value, y.value));
  }

  private async suggestColumns(text: string): Promise<void> {
    fill("columns", (await this.results.search(text, 40)).map(({ id }) => id));
  }

  private updateLegend(): void {
    const { colouring } = this.wish();
    showLegend(this.info, { colouring, contacts: checked("contacts"), forces: checked("forces"), impulses: checked("impulses"), cell: this.stage.walls.cell });
  }

  private savePicture(): void {
    byId<HTMLCanvasElement>("canvas").toBlob((blob) => blob && download(blob, `${this.info.fileName.replace(/\.h5$/, "")}_${this.shown}.png`));
  }

  private guard(work: Promise<unknown>): void {
    work.catch((error: Error) => this.onError(error));
  }
}

function checked(id: string): boolean {
  return byId<HTMLInputElement>(id).checked;
}

function fill(list: string, names: string[]): void {
  byId(list).replaceChildren(...names.map((name) => new Option(name)));
}

/** A canvas keeps the WebGL context of the run before; a new one starts clean. */
function freshCanvas(): HTMLCanvasElement {
  const old = byId<HTMLCanvasElement>("canvas");
  const canvas = old.cloneNode() as HTMLCanvasElement;
  old.replaceWith(canvas);
  return canvas;
}
