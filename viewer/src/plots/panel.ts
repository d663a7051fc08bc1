import type { Results } from "../results/client";
import type { Column, RunInfo, Series } from "../results/protocol";
import type { Card } from "./card";
import { OrbitCard } from "./orbit_card";
import { TimeCard } from "./time_card";

const stored = ["kinetic", "potential", "strain"];
const lost = ["loss_dampers", "loss_impacts", "loss_friction", "loss_rolling", "loss_spinning", "loss_algorithmic"];

/** The plots at the side. */
export class PlotPanel {
  private readonly cards: Card[] = [];
  private time = 0;

  constructor(
    private readonly parent: HTMLElement,
    private readonly results: Results,
    private readonly info: RunInfo,
    private readonly onSeek: (time: number) => void,
  ) {
    parent.replaceChildren();
  }

  /** A few probes and the energies. */
  async showFirst(): Promise<void> {
    const probes = await this.results.search("probe", 4);
    for (const column of probes.filter(({ group }) => group === "probe")) await this.toggle(column);
    await this.addEnergy();
  }

  /** Adds a curve to the plot of its unit, or to a new one; a curve that is there is taken away. */
  async toggle(column: Column): Promise<void> {
    const series = await this.results.series(column.id);
    const card = this.cards.find((c): c is TimeCard => c instanceof TimeCard && !c.isStacked && c.unit === column.unit);
    if (!card) return this.add(new TimeCard([series], this.info.times, false, this.onSeek, this.close));
    card.toggle(series);
    if (card.series.length === 0) this.close(card);
    else card.element.scrollIntoView({ block: "nearest" });
  }

  /** Energies and losses on top of each other: together what there was at the start and what was put in. */
  async addEnergy(): Promise<void> {
    const read = (name: string) => this.results.series(`energy.${name}`);
    const known = await this.results.search("energy.", Infinity);
    const isKnown = (name: string) => known.some(({ id }) => id === `energy.${name}`); // older files have fewer columns
    const parts = await Promise.all([...stored, ...lost].filter(isKnown).map(read));
    const isMoved = (s: Series) => s.values.some((value) => value !== 0);
    const series = parts.filter(isMoved).map((s) => (s.column.id === "energy.potential" ? aboveItsMinimum(s) : s));
    if (series.length === 0) return;
    this.add(new TimeCard(series, this.info.times, true, this.onSeek, this.close, "energy and losses"));
  }

  async addOrbit(x: string, y: string): Promise<void> {
    const [across, up] = await Promise.all([this.results.series(x), this.results.series(y)]);
    this.add(new OrbitCard(across, up, this.info.times, this.close));
  }

  showTime(time: number): void {
    this.time = time;
    for (const card of this.cards) card.showTime(time);
  }

  rebuild(): void {
    for (const card of this.cards) card.build();
  }

  private add(card: Card): void {
    this.cards.push(card);
    this.parent.append(card.element);
    card.build();
    card.showTime(this.time);
  }

  private readonly close = (card: Card): void => {
    this.cards.splice(this.cards.indexOf(card), 1);
    card.element.remove();
  };
}

/** Where potential energy is zero is a convention; areas need a sign. */
function aboveItsMinimum(series: Series): Series {
  const least = series.values.reduce((a, b) => Math.min(a, b), Infinity);
  return { ...series, column: { ...series.column, id: "energy.potential above its minimum" }, values: series.values.map((value) => value - least) };
}
