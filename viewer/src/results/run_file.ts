// Opens a results file and says in plain words what is wrong with it. docs/formats/results.md
import { Hdf5 } from "./hdf5";
import { DroppedFile, ServedFile } from "./lazy_file";
import type { FileSource, RunInfo } from "./protocol";

/** Version 7 has all its contacts from the beginning, and no poses. */
const formatVersion = 8;
const oldestVersion = 7;
const statuses = ["running", "finished", "stopped", "failed"] as const;

/** Columns of `coordinates` for each body. */
export const coordinatesOfBody = 12;

/** What every part of the reader needs. */
export interface RunFile {
  hdf5: Hdf5;
  name: string;
  frames: number;
  contactRows: number;
  impacts: number;
  times: Float64Array;
  bodyNames: string[];
  bodyKinds: string[];
  /** Columns of q, `coordinatesOfBody` for each body; -1 where there is none. */
  coordinates: Float64Array;
}

export async function openRun(source: FileSource): Promise<RunFile> {
  const name = source.kind === "file" ? source.file.name : source.name;
  try {
    const hdf5 = await Hdf5.open(source.kind === "file" ? new DroppedFile(source.file) : new ServedFile(source.url));
    checkFormat(hdf5);
    return readTables(hdf5, name);
  } catch (error) {
    throw new Error(`Cannot show ${name}: ${explain(error)}`);
  }
}

function explain(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  if (text === "it is empty" || text === "it is not an HDF5 file")
    return `${text}. Give a results file of percuss: what \`percuss run scene.yaml\` writes.`;
  if (text.endsWith(".")) return text;
  // HDF5 reports a whole stack of functions; its first line says what it was about.
  return `it is damaged or cut off (${text.split("\n")[0]!.trim()}). Copy it again, or run the scene again.`;
}

function checkFormat(hdf5: Hdf5): void {
  if (hdf5.attribute("format") !== "percuss-results")
    throw new Error("it is an HDF5 file, but not a results file of percuss.");
  const version = Number(hdf5.attribute("format_version"));
  const program = hdf5.attribute("percuss_version");
  if (version > formatVersion)
    throw new Error(
      `its format version is ${version}, this viewer knows ${formatVersion}. Use the viewer of percuss ${program} or later.`,
    );
  if (version < oldestVersion)
    throw new Error(
      `its format version is ${version}, the oldest that this viewer knows is ${oldestVersion}. ` +
        `Use the viewer of percuss ${program}, or run the scene again.`,
    );
}

function readTables(hdf5: Hdf5, name: string): RunFile {
  // First, because the datasets of a run that goes on can only be longer than it says.
  const saved = hdf5.all("/run/saved");
  const frames = Math.min(saved[0]!, hdf5.shape("/time")[0]!);
  if (frames < 1)
    throw new Error("the run has no frame: it was stopped before its first step, or has only just begun.");
  return {
    hdf5,
    name,
    frames,
    contactRows: saved[1]!,
    impacts: saved[2]!,
    times: hdf5.rows("/time", 0, frames),
    bodyNames: hdf5.strings("/bodies/names"),
    bodyKinds: hdf5.strings("/bodies/kind"),
    coordinates: hdf5.all("/bodies/coordinates"),
  };
}

/** Everything but what is drawn. */
export type RunDescription = Omit<RunInfo, "groups" | "walls" | "flexibles" | "box" | "largest">;

export function describeRun(run: RunFile): RunDescription {
  const { hdf5 } = run;
  const nodes = nodeRanges(run).reduce((sum, range) => sum + range.count, 0);
  return {
    fileName: run.name,
    title: String(hdf5.attribute("title") ?? ""),
    scheme: String(hdf5.attribute("scheme") ?? ""),
    version: String(hdf5.attribute("percuss_version") ?? ""),
    timeStep: Number(hdf5.attribute("time_step")),
    timeEnd: Number(hdf5.attribute("time_end")),
    status: statuses[hdf5.all("/run/status")[0]!] ?? "running",
    message: hdf5.text("/run/message"),
    times: run.times,
    contactCount: hdf5.shape("/contacts/pairs/body")[0] ?? 0,
    probes: hdf5.strings("/probes/names"),
    bodyCount: run.bodyNames.length - nodes,
    isPlanar: movesInPlane(run),
  };
}

/** Everything that moves does so in planes z = constant, and along both other axes. */
function movesInPlane(run: RunFile): boolean {
  let planar = 0;
  for (const [body, kind] of run.bodyKinds.entries()) {
    if (kind === "frame" || kind === "flexible") continue;
    const canMove = (axis: number) => run.coordinates[coordinatesOfBody * body + axis]! >= 0;
    if (kind !== "planar" && !(kind === "translating" && canMove(0) && canMove(1) && !canMove(2))) return false;
    ++planar;
  }
  return planar > 0;
}

/** Where the nodes of a flexible body stand among the bodies. */
export interface NodeRange {
  body: string;
  first: number;
  count: number;
}

const rangesOf = new WeakMap<RunFile, NodeRange[]>();

export function nodeRanges(run: RunFile): NodeRange[] {
  let ranges = rangesOf.get(run);
  if (ranges) return ranges;
  ranges = [];
  const index = new Map(run.bodyNames.map((name, i) => [name, i]));
  for (const body of flexibleNames(run)) {
    const first = index.get(`${body}.0`);
    if (first !== undefined) ranges.push({ body, first, count: run.hdf5.shape(`/flexible/${body}/nodes`)[0]! });
  }
  rangesOf.set(run, ranges);
  return ranges;
}

export function flexibleNames(run: RunFile): string[] {
  return run.hdf5.has("/flexible") ? run.hdf5.members("/flexible") : [];
}

/** At most `count` frames, evenly spread, with the first and the last. */
export function sampleFrames(frames: number, count: number): number[] {
  if (frames <= count) return Array.from({ length: frames }, (_, i) => i);
  return Array.from({ length: count }, (_, i) => Math.round((i * (frames - 1)) / (count - 1)));
}
