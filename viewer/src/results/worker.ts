// Reads a results file. Everything that waits for bytes happens here, so that the page never does.
import { Contacts } from "./contacts";
import { readFlexibles, type Flexible } from "./flexible";
import { compose, poseSize, posesOf, type Poses } from "./poses";
import type { Answer, FileSource, Frame, FrameWish, Request, ResultsService, RunInfo } from "./protocol";
import { describeRun, nodeRanges, openRun, sampleFrames, type RunFile } from "./run_file";
import { SeriesReader } from "./series";
import { Pieces, reach, readShapes, stick, type Shape } from "./shapes";

const surveyedFrames = 8;
const maxTrace = 4000;

class Reader {
  private readonly poses: Poses;
  private readonly contacts: Contacts;
  private readonly series: SeriesReader;
  private readonly shapes: Shape[];
  private readonly walls: { name: string; carrier: number; local: Float64Array }[];
  private readonly flexibles: Flexible[];
  private readonly pieces: Pieces;
  readonly info: RunInfo;

  constructor(private readonly run: RunFile) {
    this.poses = posesOf(run);
    this.contacts = new Contacts(run);
    this.series = new SeriesReader(run, this.contacts);
    this.shapes = readShapes(run);
    this.flexibles = readFlexibles(run, this.shapes);
    this.walls = wallsOf(this.shapes);
    const { box, largest } = this.survey();
    this.pieces = new Pieces(this.shapes, Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]));
    this.info = {
      ...describeRun(run),
      groups: this.pieces.groups,
      walls: this.walls.map(({ name }) => ({ name })),
      flexibles: this.flexibles.map(({ info }) => info),
      box,
      largest: { ...largest, ...this.contacts.largest() },
    };
  }

  frame(index: number, wish: FrameWish): Frame {
    const start = performance.now();
    const at = this.poses.load(index);
    const pose = new Float64Array(poseSize);
    const walls = new Float32Array(16 * this.walls.length);
    this.walls.forEach((wall, i) => {
      at.place(wall.carrier, pose);
      compose(pose, wall.local, walls, 16 * i);
    });
    const frame = {
      index,
      instances: this.pieces.matrices(at),
      walls,
      flexibles: this.flexibles.map((body) => body.frame(index, wish.colouring)),
      contacts: wish.contacts ? this.contacts.frame(index) : null,
    };
    return { ...frame, readMilliseconds: performance.now() - start };
  }

  search(text: string, limit: number) {
    return this.series.search(text, limit);
  }
  readSeries(id: string) {
    return this.series.read(id);
  }

  findBodies(text: string, limit: number): string[] {
    const wanted = text.toLowerCase();
    const found: string[] = [];
    for (const name of this.run.bodyNames) {
      if (name.toLowerCase().includes(wanted)) found.push(name);
      if (found.length >= limit) break;
    }
    return found;
  }

  trace(name: string): Float32Array {
    const body = this.run.bodyNames.indexOf(name);
    if (body < 0) throw new Error(`There is no body ${name}.`);
    const stride = Math.ceil(this.run.frames / maxTrace);
    const range = nodeRanges(this.run).find(({ first, count }) => body >= first && body < first + count);
    if (range) {
      const flexible = this.flexibles.find(({ info }) => info.name === range.body)!;
      return flexible.trace(body - range.first, stride);
    }
    return this.poses.trace(body, stride);
  }

  /** Looks at some frames: how far everything reaches, and how large values become. */
  private survey(): Pick<RunInfo, "box"> & { largest: Record<"displacement" | "speed" | "stress", number> } {
    const box: RunInfo["box"] = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    const grow = (x: number, y: number, z: number, r: number) => {
      [x, y, z].forEach((value, axis) => {
        box[axis] = Math.min(box[axis]!, value - r);
        box[axis + 3] = Math.max(box[axis + 3]!, value + r);
      });
    };
    const largest = { displacement: 0, speed: 0, stress: 0 };
    const pose = new Float64Array(poseSize);
    for (const frame of sampleFrames(this.run.frames, surveyedFrames)) {
      const at = this.poses.load(frame);
      for (const shape of this.shapes) {
        if (shape.kind === "half_space" || shape.kind === "line" || shape.kind === "plate") continue;
        at.place(shape.carrier, pose);
        grow(pose[0]!, pose[1]!, pose[2]!, reach(shape));
      }
      for (const body of this.flexibles) {
        const values = body.survey(frame, grow);
        for (const key of ["displacement", "speed", "stress"] as const) largest[key] = Math.max(largest[key], values[key]);
      }
    }
    if (!(box[3] - box[0] >= 0)) grow(0, 0, 0, 1);
    if (Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]) < 1e-9) grow(box[0], box[1], box[2], 0.5);
    return { box, largest };
  }
}

/** Half-spaces of the ground and of frames; those that bodies carry are their own faces. */
function wallsOf(shapes: Shape[]): { name: string; carrier: number; local: Float64Array }[] {
  const bodies = new Set(shapes.filter((shape) => shape.kind !== "half_space").map((shape) => shape.carrier));
  return shapes
    .filter((shape) => shape.kind === "half_space" && !bodies.has(shape.carrier))
    .map((shape) => {
      const local = stick([0, 0, 0], shape.axis, 1); // two directions across the normal, and the normal
      local.set(shape.place);
      return { name: shape.name, carrier: shape.carrier, local };
    });
}

let reader: Reader | null = null;

const service: { [M in keyof ResultsService]: (...args: Parameters<ResultsService[M]>) => ReturnType<ResultsService[M]> | Promise<ReturnType<ResultsService[M]>> } = {
  async open(source: FileSource) {

    const run = await openRun(source);
    try {
      reader = new Reader(run);
    } catch (error) {
      const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
      throw new Error(`Cannot show ${run.name}: it is damaged or cut off (${reason}). Copy it again, or run the scene again.`);
    }
    return reader.info;
  },
  frame: (index, wish) => reader!.frame(index, wish),
  search: (text, limit) => reader!.search(text, limit),
  series: (id) => reader!.readSeries(id),
  trace: (body) => reader!.trace(body),
  findBodies: (text, limit) => reader!.findBodies(text, limit),
};

/** Large arrays are handed over instead of copied. */
function transfers(result: unknown): Transferable[] {
  if (!result || typeof result !== "object" || !("instances" in result)) return [];
  const frame = result as Frame;
  const arrays = [...frame.instances, ...frame.flexibles.flatMap((body) => [body.places, body.values])];
  return [...new Set(arrays.map((array) => array.buffer as ArrayBuffer))];
}

self.onmessage = async ({ data }: MessageEvent<Request>) => {
  let answer: Answer;
  try {
    const method = service[data.method] as (...args: unknown[]) => unknown;
    answer = { id: data.id, result: await method(...data.args) };
  } catch (error) {
    answer = { id: data.id, error: error instanceof Error ? error.message : String(error) };
  }
  self.postMessage(answer, { transfer: "result" in answer ? transfers(answer.result) : [] });
};
