// What the page and the worker that reads the file say to each other.

/** A file that was dropped on the page, or the address of one that a server hands out in pieces. */
export type FileSource = { kind: "file"; file: File } | { kind: "url"; url: string; name: string };

export type Colouring = "none" | "displacement" | "speed" | "stress";

/** Forms that are drawn many times with different matrices; `mesh` brings its own triangles. */
export type Form = "sphere" | "box" | "cylinder" | "cone" | "mesh";

/** Pieces of the same form. `names` are those of bodies or obstacles, by instance. */
export interface InstanceGroup {
  form: Form;
  role: "body" | "stick" | "mark";
  names: string[];
  /** Of a mesh only. */
  vertices?: Float32Array;
  triangles?: Uint32Array;
}

/** A half-space; its matrix moves with its carrier and has the normal as third column. */
export interface WallInfo {
  name: string;
}

/** A deformable body: the surface of its cells, or the tubes of its line elements. */
export interface FlexibleInfo {
  name: string;
  kind: "surface" | "line";
  nodeCount: number;
  /** Into the nodes of the surface. */
  triangles: Uint32Array;
  /** Edges of the cells on the surface, pairs of nodes. */
  edges: Uint32Array;
  /** Nodes of the surface, or segments of the line. */
  count: number;
  /** What `stress` is for its elements. */
  stressName: string;
}

export interface RunInfo {
  fileName: string;
  title: string;
  scheme: string;
  version: string;
  timeStep: number;
  timeEnd: number;
  status: "running" | "finished" | "stopped" | "failed";
  message: string;
  times: Float64Array;
  groups: InstanceGroup[];
  walls: WallInfo[];
  flexibles: FlexibleInfo[];
  contactCount: number;
  /** Bodies that a person would name: no nodes. */
  bodyCount: number;
  /** Everything moves in planes z = constant. */
  isPlanar: boolean;
  /** Of a sample of frames, without walls: smallest and largest coordinates [m]. */
  box: [number, number, number, number, number, number];
  /** Largest values in a sample of frames. */
  largest: { force: number; impulse: number; displacement: number; speed: number; stress: number };
  probes: string[];
}

export interface FrameWish {
  colouring: Colouring;
  contacts: boolean;
}

export interface FlexibleFrame {
  /** Of the nodes of a surface, 3 each; of a line: matrices of its segments, 16 each. */
  places: Float32Array;
  /** One for each node or segment; empty without colouring. */
  values: Float32Array;
}

export interface ContactFrame {
  count: number;
  point: Float32Array;
  normal: Float32Array;
  force: Float32Array;
  impulse: Float32Array;
  /** 0 open, 1 stick, 2 slip, 3 impact. */
  status: Uint8Array;
}

export interface Frame {
  /** How long it took to read it. */
  readMilliseconds: number;
  index: number;
  instances: Float32Array[];
  walls: Float32Array;
  flexibles: FlexibleFrame[];
  contacts: ContactFrame | null;
}

/** Something with one number for each frame. */
export interface Column {
  id: string;
  unit: string;
  group: "probe" | "energy" | "contact" | "report" | "coordinate" | "velocity";
}

export interface Series {
  column: Column;
  /** Frame numbers; every one unless the run is very long. */
  stride: number;
  values: Float64Array;
}

/** Everything the worker can be asked; each call answers with a promise on the side of the page. */
export interface ResultsService {
  open(source: FileSource): RunInfo;
  frame(index: number, wish: FrameWish): Frame;
  search(text: string, limit: number): Column[];
  series(id: string): Series;
  /** Places of a body or node in all frames, 3 each. */
  trace(body: string): Float32Array;
  /** Names of bodies and nodes. */
  findBodies(text: string, limit: number): string[];
}

export type Request = { [M in keyof ResultsService]: { id: number; method: M; args: Parameters<ResultsService[M]> } }[keyof ResultsService];
export type Answer = { id: number; result: unknown } | { id: number; error: string };
