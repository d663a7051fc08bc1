// Where bodies are: x and the columns of R. docs/formats/results.md, /bodies
import { OldPoses } from "./old_poses";
import type { RunFile } from "./run_file";

/** x, then R column by column. */
export const poseSize = 12;

/** The rows of one output sample, read when they are needed: nodes have places of their own. */
export interface SampledPoses {
  /** Of the ground if body < 0. */
  place(body: number, out: Float64Array): void;
}

export interface Poses {
  load(frame: number): SampledPoses;
  /** Place of a body in frames 0, stride, ...; only its own columns are read. */
  trace(body: number, stride: number): Float32Array;
}

export function posesOf(run: RunFile): Poses {
  return run.hdf5.has("/bodies/place") ? new StoredPoses(run) : new OldPoses(run);
}

class StoredPoses implements Poses {
  /** Two for each body: its place among the positions and among the rotations, -1 if it has none. */
  private readonly table: Float64Array;

  constructor(private readonly run: RunFile) {
    this.table = run.hdf5.all("/bodies/place");
    const count = [run.hdf5.shape("/bodies/position")[1]! / 3, run.hdf5.shape("/bodies/rotation")[1]! / 4];
    if (this.table.length !== 2 * run.bodyNames.length || this.table.some((place, i) => place < -1 || place >= count[i % 2]!))
      throw new Error("/bodies/place does not fit");
  }

  load(frame: number): SampledPoses {
    let positions: Float64Array | null = null;
    let rotations: Float64Array | null = null;
    const row = (name: string) => this.run.hdf5.rows(name, frame, frame + 1);
    return {
      place: (body, out) => {
        setGround(out);
        if (body < 0) return;
        const position = this.table[2 * body]!;
        const rotation = this.table[2 * body + 1]!;
        if (position >= 0) {
          positions ??= row("/bodies/position");
          for (let axis = 0; axis < 3; ++axis) out[axis] = positions[3 * position + axis]!;
        }
        if (rotation >= 0) {
          rotations ??= row("/bodies/rotation");
          setRotation(rotations, 4 * rotation, out);
        }
      },
    };
  }

  trace(body: number, stride: number): Float32Array {
    const { hdf5, frames } = this.run;
    const out = new Float32Array(3 * Math.ceil(frames / stride));
    const position = this.table[2 * body]!;
    if (position < 0) return out;
    for (let axis = 0; axis < 3; ++axis) {
      const values = hdf5.column("/bodies/position", 3 * position + axis, frames, stride);
      for (let i = axis; i < out.length; i += 3) out[i] = values[(i - axis) / 3]!;
    }
    return out;
  }
}

export function setGround(out: Float64Array): void {
  out.fill(0);
  out[3] = out[7] = out[11] = 1;
}

/** The matrix of the unit quaternion x, y, z, w at values[at...]. */
export function setRotation(values: Float64Array, at: number, out: Float64Array): void {
  const [x, y, z, w] = [values[at]!, values[at + 1]!, values[at + 2]!, values[at + 3]!];
  out[3] = 1 - 2 * (y * y + z * z);
  out[4] = 2 * (x * y + w * z);
  out[5] = 2 * (x * z - w * y);
  out[6] = 2 * (x * y - w * z);
  out[7] = 1 - 2 * (x * x + z * z);
  out[8] = 2 * (y * z + w * x);
  out[9] = 2 * (x * z + w * y);
  out[10] = 2 * (y * z - w * x);
  out[11] = 1 - 2 * (x * x + y * y);
}

/** The 4 x 4 matrix (column by column) of a local 3 x 4 one that moves with a body, into out[at...]. */
export function compose(pose: Float64Array, local: Float64Array, out: Float32Array, at: number): void {
  for (let column = 0; column < 4; ++column) {
    const source = column < 3 ? 3 + 3 * column : 0; // columns of the matrix first, then its place
    const isPlace = column === 3 ? 1 : 0;
    for (let row = 0; row < 3; ++row)
      out[at + 4 * column + row] =
        pose[3 + row]! * local[source]! +
        pose[6 + row]! * local[source + 1]! +
        pose[9 + row]! * local[source + 2]! +
        isPlace * pose[row]!;
    out[at + 4 * column + 3] = isPlace;
  }
}
