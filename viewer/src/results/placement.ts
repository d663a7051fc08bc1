// Where bodies are: x and the columns of R, from the coordinates q of a frame. docs/formats/results.md, /bodies
import { slots, type RunFile } from "./run_file";

/** x, then R column by column. */
export const placementSize = 12;

export class Placements {
  private readonly frameNumber: Int32Array; // among the frames, -1 for bodies

  constructor(private readonly run: RunFile) {
    let frames = 0;
    this.frameNumber = Int32Array.from(run.bodyKinds, (kind) => (kind === "frame" ? frames++ : -1));
  }

  /** The rows of a frame from which bodies are placed. */
  load(frame: number): { q: Float64Array; frames: Float64Array } {
    const { hdf5 } = this.run;
    return {
      q: hdf5.rows("/states/q", frame, frame + 1),
      frames: hdf5.rows("/bodies/frame_placement", frame, frame + 1),
    };
  }

  /** Place of a body in frames 0, stride, ...; only its own columns are read. */
  trace(body: number, stride: number): Float32Array {
    const { hdf5, frames, coordinates, fixed, bodyKinds } = this.run;
    const out = new Float32Array(3 * Math.ceil(frames / stride));
    for (let axis = 0; axis < 3; ++axis) {
      const isFrame = bodyKinds[body] === "frame";
      const column = isFrame ? 7 * this.frameNumber[body]! + axis : coordinates[slots * body + axis]!;
      const values = column < 0 ? null : hdf5.column(isFrame ? "/bodies/frame_placement" : "/states/q", column, frames, stride);
      for (let i = axis; i < out.length; i += 3) out[i] = values ? values[(i - axis) / 3]! : fixed[3 * body + axis]!;
    }
    return out;
  }

  place(body: number, at: { q: Float64Array; frames: Float64Array }, out: Float64Array): void {
    out.set([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
    if (body < 0) return;
    const { coordinates, fixed, bodyKinds } = this.run;
    const column = (slot: number) => coordinates[slots * body + slot]!;
    const kind = bodyKinds[body];
    if (kind === "frame") {
      const first = 7 * this.frameNumber[body]!;
      for (let axis = 0; axis < 3; ++axis) out[axis] = at.frames[first + axis]!;
      rotate(at.frames[first + 3]!, at.frames[first + 4]!, at.frames[first + 5]!, at.frames[first + 6]!, out);
      return;
    }
    for (let axis = 0; axis < 3; ++axis)
      out[axis] = column(axis) < 0 ? fixed[3 * body + axis]! : at.q[column(axis)]!;
    if (kind === "planar") {
      const angle = at.q[column(5)]!;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      out.set([c, s, 0, -s, c, 0], 3);
    } else if (kind === "spatial") {
      rotate(at.q[column(3)]!, at.q[column(4)]!, at.q[column(5)]!, at.q[column(6)]!, out);
    } else if (kind === "natural") {
      for (let slot = 3; slot < slots; ++slot) out[slot] = at.q[column(slot)]!;
    }
  }
}

/** The matrix of a unit quaternion. */
function rotate(x: number, y: number, z: number, w: number, out: Float64Array): void {
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
export function compose(placement: Float64Array, local: Float64Array, out: Float32Array, at: number): void {
  for (let column = 0; column < 4; ++column) {
    const source = column < 3 ? 3 + 3 * column : 0; // columns of the matrix first, then its place
    const isPlace = column === 3 ? 1 : 0;
    for (let row = 0; row < 3; ++row)
      out[at + 4 * column + row] =
        placement[3 + row]! * local[source]! +
        placement[6 + row]! * local[source + 1]! +
        placement[9 + row]! * local[source + 2]! +
        isPlace * placement[row]!;
    out[at + 4 * column + 3] = isPlace;
  }
}
