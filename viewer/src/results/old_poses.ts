// Poses in files of version 7, which have none: from the coordinates q of a frame, by the kind of body.
import { setGround, setRotation, type Poses, type SampledPoses } from "./poses";
import { coordinatesOfBody, type RunFile } from "./run_file";

export class OldPoses implements Poses {
  private readonly frameNumber: Int32Array; // among the prescribed frames, -1 for bodies
  private readonly fixed: Float64Array;

  constructor(private readonly run: RunFile) {
    let frames = 0;
    this.frameNumber = Int32Array.from(run.bodyKinds, (kind) => (kind === "frame" ? frames++ : -1));
    this.fixed = run.hdf5.all("/bodies/fixed");
  }

  load(frame: number): SampledPoses {
    let states: Float64Array | null = null;
    let prescribed: Float64Array | null = null;
    const row = (name: string) => this.run.hdf5.rows(name, frame, frame + 1);
    return {
      place: (body, out) => {
        setGround(out);
        if (body < 0) return;
        if (this.run.bodyKinds[body] === "frame") {
          prescribed ??= row("/bodies/frame_placement");
          const first = 7 * this.frameNumber[body]!;
          for (let axis = 0; axis < 3; ++axis) out[axis] = prescribed[first + axis]!;
          setRotation(prescribed, first + 3, out);
        } else {
          states ??= row("/states/q");
          this.placeBody(body, states, out);
        }
      },
    };
  }

  private placeBody(body: number, q: Float64Array, out: Float64Array): void {
    const columns = this.run.coordinates.subarray(coordinatesOfBody * body, coordinatesOfBody * (body + 1));
    for (let axis = 0; axis < 3; ++axis)
      out[axis] = columns[axis]! < 0 ? this.fixed[3 * body + axis]! : q[columns[axis]!]!;
    const kind = this.run.bodyKinds[body];
    if (kind === "planar") {
      const angle = q[columns[5]!]!;
      out[3] = out[7] = Math.cos(angle);
      out[4] = Math.sin(angle);
      out[6] = -out[4];
    } else if (kind === "spatial") {
      setRotation(Float64Array.from(columns.subarray(3, 7), (column) => q[column]!), 0, out);
    } else if (kind === "natural") {
      for (let i = 3; i < coordinatesOfBody; ++i) out[i] = q[columns[i]!]!;
    }
  }

  trace(body: number, stride: number): Float32Array {
    const { hdf5, frames, coordinates, bodyKinds } = this.run;
    const out = new Float32Array(3 * Math.ceil(frames / stride));
    for (let axis = 0; axis < 3; ++axis) {
      const isFrame = bodyKinds[body] === "frame";
      const column = isFrame ? 7 * this.frameNumber[body]! + axis : coordinates[coordinatesOfBody * body + axis]!;
      const values = column < 0 ? null : hdf5.column(isFrame ? "/bodies/frame_placement" : "/states/q", column, frames, stride);
      for (let i = axis; i < out.length; i += 3) out[i] = values ? values[(i - axis) / 3]! : this.fixed[3 * body + axis]!;
    }
    return out;
  }
}
