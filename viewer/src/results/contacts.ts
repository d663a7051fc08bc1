// Contact rows, turned into vectors in space. /contacts of docs/formats/results.md
import type { ContactFrame } from "./protocol";
import { sampleFrames, type RunFile } from "./run_file";
import { cross } from "./shapes";

const manyRows = 200_000;
const impact = 3;

export class Contacts {
  private readonly firstRow: Float64Array;
  constructor(private readonly run: RunFile) {
    this.firstRow = run.hdf5.rows("/contacts/first_row", 0, run.frames);
  }

  /** First row of a frame, and the one behind its last. */
  range(frame: number): [number, number] {
    return [this.firstRow[frame]!, frame + 1 < this.run.frames ? this.firstRow[frame + 1]! : this.run.contactRows];
  }

  frame(index: number): ContactFrame {
    const [begin, end] = this.range(index);
    const rows = (name: string) => this.run.hdf5.rows(`/contacts/${name}`, begin, end);
    const [normal, tangent] = [rows("normal"), rows("tangent")];
    return {
      count: end - begin,
      point: Float32Array.from(rows("point")),
      normal: Float32Array.from(normal),
      force: inSpace(rows("force"), normal, tangent),
      impulse: inSpace(rows("impulse"), normal, tangent),
      status: Uint8Array.from(rows("status")),
    };
  }

  /** Largest force [N], and largest impulse of an impact [N s]; of very many rows only some frames are looked at. */
  largest(): { force: number; impulse: number } {
    const ranges: [number, number][] =
      this.run.contactRows <= manyRows ? [[0, this.run.contactRows]] : sampleFrames(this.run.frames, 24).map((k) => this.range(k));
    const longest = (name: string, isShown: (status: number) => boolean) => {
      let most = 0;
      for (const [begin, end] of ranges) {
        const rows = this.run.hdf5.rows(`/contacts/${name}`, begin, end);
        const status = this.run.hdf5.rows("/contacts/status", begin, end);
        for (let i = 0; i < rows.length; i += 3)
          if (isShown(status[i / 3]!)) most = Math.max(most, Math.hypot(rows[i]!, rows[i + 1]!, rows[i + 2]!));
      }
      return most;
    };
    return { force: longest("force", () => true), impulse: longest("impulse", (status) => status === impact) };
  }
}

/** N n + T1 t + T2 (n x t). Contacts without a normal (stops, dry joints) stay where they are: zero. */
function inSpace(parts: Float64Array, normal: Float64Array, tangent: Float64Array): Float32Array {
  const result = new Float32Array(parts.length);
  for (let i = 0; i < parts.length; i += 3) {
    const n = [normal[i]!, normal[i + 1]!, normal[i + 2]!];
    const t = [tangent[i]!, tangent[i + 1]!, tangent[i + 2]!];
    const b = cross(n, t);
    for (let axis = 0; axis < 3; ++axis)
      result[i + axis] = parts[i]! * n[axis]! + parts[i + 1]! * t[axis]! + parts[i + 2]! * b[axis]!;
  }
  return result;
}
