import "uplot/dist/uPlot.min.css";
import { Results } from "./results/client";
import type { FileSource, RunInfo } from "./results/protocol";
import { Session } from "./session";
import { byId } from "./ui/dom";
import { listenToKeys } from "./ui/keyboard";

let session: Session | null = null;
let opened = 0;
const longReading = 15_000; // ms

/** For tests, and for people who look at the console. */
declare global {
  interface Window {
    percussViewer: { session: Session | null };
  }
}
window.percussViewer = { session: null };

function say(text: string): void {
  const message = byId("message");
  const box = document.createElement("div");
  box.textContent = text;
  message.replaceChildren(box);
  message.hidden = text === "";
}

/** What everyone who looks at the run should know. */
function noticeOf(info: RunInfo): string {
  const last = info.times[info.times.length - 1]!;
  const frames = `${info.times.length} frames up to t = ${last} s are shown`;
  if (info.status === "running") return `This run has not ended, or was killed: ${frames}.`;
  if (info.status === "stopped") return `This run was stopped before its end at ${info.timeEnd} s: ${frames}.`;
  if (info.status === "failed") return `This run failed: ${info.message} — ${frames}.`;
  if (info.groups.length === 0 && info.flexibles.length === 0) return "There is nothing to draw in this run; its plots are at the side.";
  return "";
}

function describe(info: RunInfo): void {
  document.title = `${info.title || info.fileName} · percuss`;
  byId("title").textContent = info.title || info.fileName;
  byId("facts").textContent =
    `${info.fileName} · ${info.bodyCount} ${info.bodyCount === 1 ? "body" : "bodies"} · ${info.contactCount} contacts · ` +
    `${info.scheme}, h = ${info.timeStep} s · percuss ${info.version}`;
  const notice = byId("notice");
  notice.textContent = noticeOf(info);
  notice.hidden = notice.textContent === "";
}

async function open(source: FileSource): Promise<void> {
  const number = ++opened;
  session?.close();
  session = window.percussViewer.session = null;
  say("Reading …");
  const name = source.kind === "file" ? source.file.name : source.name;
  const patience = setTimeout(() => {
    if (number === opened)
      say(`Still reading ${name}. A very large file may take a minute; a damaged one can keep the reader busy for ever: then copy it again, or open another.`);
  }, longReading);
  try {
    const { results, info } = await Results.open(source);
    if (number !== opened) return results.close(); // another file was opened meanwhile
    describe(info);
    session = window.percussViewer.session = new Session(results, info, (error) => {
      byId("notice").textContent = error.message;
      byId("notice").hidden = false;
    });
    say("");
  } catch (error) {
    if (number === opened) say((error as Error).message);
  } finally {
    clearTimeout(patience);
  }
}

function setTheme(theme: string): void {
  document.documentElement.dataset.theme = theme;
  session?.restyle();
}
function toggleTheme(): void {
  setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
}

/** A file may be dropped anywhere. */
function listenToDrops(): void {
  const stage = byId("stage");
  const set = (isDropping: boolean) => stage.classList.toggle("dropping", isDropping);
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    set(true);
  });
  document.addEventListener("dragleave", (event) => event.relatedTarget === null && set(false));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    set(false);
    const file = event.dataTransfer?.files[0];
    if (file) void open({ kind: "file", file });
  });
}

async function start(): Promise<void> {
  setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  byId("theme").onclick = toggleTheme;
  byId("help").onclick = () => byId<HTMLDialogElement>("keys").showModal();
  const input = byId<HTMLInputElement>("open");
  input.onchange = () => input.files?.[0] && void open({ kind: "file", file: input.files[0] });
  listenToDrops();
  listenToKeys(() => session, toggleTheme);
  // `percuss view` names the file it serves; a page from a disk has none.
  const served = document.querySelector<HTMLMetaElement>('meta[name="percuss-results"]')?.content;
  // The token in the address of the page opens the file too.
  if (served) await open({ kind: "url", url: new URL(`results.h5${location.search}`, location.href).href, name: served });
  else say("Drop a results file of percuss here, or open one with the button above. It stays on your computer.");
}

void start();
