// Where bodies are: x and the columns of R, from the coordinates q of a frame. docs/formats/results.md, /bodies
import { slots, type RunFile } from "./run_file";

/** x, then R column by column. */
export const placementSize = 12;

/** The rows of a frame from which bodies are placed, read when they are needed: nodes have places of their own. */
export class PlacedFrame {
  private rowOfStates: Float64Array | null = null;
  private rowOfFrames: Float64Array | null = null;

  constructor(private readonly run: RunFile, private readonly frame: number) {}

  get q(): Float64Array {
    return (this.rowOfStates ??= this.run.hdf5.rows("/states/q", this.frame, this.frame + 1));
  }
  get frames(): Float64Array {
    return (this.rowOfFrames ??= this.run.hdf5.rows("/bodies/frame_placement", this.frame, this.frame + 1));
  }
}

export class Placements {
  private readonly frameNumber: Int32Array; // among the frames, -1 for bodies

  constructor(private readonly run: RunFile) {
    let frames = 0;
    this.frameNumber = Int32Array.from(run.bodyKinds, (kind) => (kind === "frame" ? frames++ : -1));
  }

  load(frame: number): PlacedFrame {
    return new PlacedFrame(this.run, frame);
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

  place(body: number, at: PlacedFrame, out: Float64Array): void {
    out.fill(0);
    out[3] = out[7] = out[11] = 1;
    if (body < 0) return;
    const { coordinates, fixed, bodyKinds } = this.run;
    const first = slots * body;
    const kind = bodyKinds[body];
    if (kind === "frame") {
      const row = 7 * this.frameNumber[body]!;
      for (let axis = 0; axis < 3; ++axis) out[axis] = at.frames[row + axis]!;
      rotate(at.frames[row + 3]!, at.frames[row + 4]!, at.frames[row + 5]!, at.frames[row + 6]!, out);
      return;
    }
    for (let axis = 0; axis < 3; ++axis) {
      const column = coordinates[first + axis]!;
      out[axis] = column < 0 ? fixed[3 * body + axis]! : at.q[column]!;
    }
    if (kind === "planar") {
      const angle = at.q[coordinates[first + 5]!]!;
      out[3] = out[7] = Math.cos(angle);
      out[4] = Math.sin(angle);
      out[6] = -out[4];
    } else if (kind === "spatial") {
      const quaternion = (slot: number) => at.q[coordinates[first + slot]!]!;
      rotate(quaternion(3), quaternion(4), quaternion(5), quaternion(6), out);
    } else if (kind === "natural") {
      for (let slot = 3; slot < slots; ++slot) out[slot] = at.q[coordinates[first + slot]!]!;
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
