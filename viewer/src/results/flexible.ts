// Deformable bodies: surfaces of solids, and bars, beams and shafts as tubes. /flexible of docs/formats/results.md
import { stick, type Shape } from "./shapes";
import { surfaceOf, type CellBlock, type Surface } from "./surface";
import type { Colouring, FlexibleFrame, FlexibleInfo } from "./protocol";
import { flexibleNames, type RunFile } from "./run_file";

const dataset = { displacement: "displacement", speed: "velocity", stress: "stress" } as const;

export class Flexible {
  readonly info: FlexibleInfo;
  readonly rest: Float64Array;
  private readonly surface: Surface | null = null;
  private readonly segments: Float64Array = new Float64Array(0);

  constructor(private readonly run: RunFile, name: string, private readonly radius: number) {
    const { hdf5 } = run;
    this.rest = hdf5.all(`/flexible/${name}/nodes`);
    const blocks: CellBlock[] = hdf5
      .strings(`/flexible/${name}/blocks`)
      .map((kind, i) => ({ kind, nodes: hdf5.all(`/flexible/${name}/cells${i}`) }));
    const nodeCount = this.rest.length / 3;
    const isLine = blocks.every((block) => block.kind === "line2");
    if (isLine) this.segments = blocks[0]?.nodes ?? this.segments;
    else this.surface = surfaceOf(blocks, nodeCount);
    this.info = {
      name,
      kind: isLine ? "line" : "surface",
      nodeCount,
      triangles: this.surface?.triangles ?? new Uint32Array(0),
      edges: this.surface?.edges ?? new Uint32Array(0),
      count: this.surface?.nodes.length ?? this.segments.length / 2,
      stressName: isLine ? "largest normal stress" : "von Mises stress, mean of the cells at a node",
    };
  }

  frame(index: number, colouring: Colouring): FlexibleFrame {
    const displacement = this.read("displacement", index);
    return {
      places: this.surface ? this.surfacePlaces(displacement, this.surface) : this.tubes(displacement),
      values: colouring === "none" ? new Float32Array(0) : this.values(colouring, index, displacement),
    };
  }

  /** Smallest and largest coordinates, and the largest value of each kind, of one frame. */
  survey(index: number, grow: (x: number, y: number, z: number, reach: number) => void): Record<"displacement" | "speed" | "stress", number> {
    const displacement = this.read("displacement", index);
    for (let i = 0; i < displacement.length; i += 3)
      grow(this.rest[i]! + displacement[i]!, this.rest[i + 1]! + displacement[i + 1]!, this.rest[i + 2]! + displacement[i + 2]!, this.radius);
    const largest = (colouring: Exclude<Colouring, "none">) =>
      this.values(colouring, index, displacement).reduce((a, b) => Math.max(a, b), 0);
    return { displacement: largest("displacement"), speed: largest("speed"), stress: largest("stress") };
  }

  /** Place of one node in frames 0, stride, ... */
  trace(node: number, stride: number): Float32Array {
    const all = this.run.hdf5.nodeRows(`/flexible/${this.info.name}/displacement`, node, this.run.frames, stride);
    return Float32Array.from(all, (u, i) => this.rest[3 * node + (i % 3)]! + u);
  }

  private read(name: string, frame: number): Float64Array {
    return this.run.hdf5.rows(`/flexible/${this.info.name}/${name}`, frame, frame + 1);
  }

  private surfacePlaces(displacement: Float64Array, surface: Surface): Float32Array {
    const places = new Float32Array(3 * surface.nodes.length);
    for (let i = 0; i < surface.nodes.length; ++i) {
      const from = 3 * surface.nodes[i]!;
      for (let axis = 0; axis < 3; ++axis) places[3 * i + axis] = this.rest[from + axis]! + displacement[from + axis]!;
    }
    return places;
  }

  private tubes(displacement: Float64Array): Float32Array {
    const matrices = new Float32Array(16 * this.info.count);
    const place = (node: number) => [0, 1, 2].map((axis) => this.rest[3 * node + axis]! + displacement[3 * node + axis]!);
    for (let s = 0; s < this.info.count; ++s) {
      const local = stick(place(this.segments[2 * s]!), place(this.segments[2 * s + 1]!), this.radius);
      for (let column = 0; column < 3; ++column)
        for (let row = 0; row < 3; ++row) matrices[16 * s + 4 * column + row] = local[3 + 3 * column + row]!;
      for (let row = 0; row < 3; ++row) matrices[16 * s + 12 + row] = local[row]!;
      matrices[16 * s + 15] = 1;
    }
    return matrices;
  }

  private values(colouring: Exclude<Colouring, "none">, frame: number, displacement: Float64Array): Float32Array {
    const source = colouring === "displacement" ? displacement : this.read(dataset[colouring], frame);
    if (colouring === "stress") return this.surface ? nodalMeans(source, this.surface) : Float32Array.from(source);
    const length = (node: number) => Math.hypot(source[3 * node]!, source[3 * node + 1]!, source[3 * node + 2]!);
    if (this.surface) return Float32Array.from(this.surface.nodes, length);
    return Float32Array.from({ length: this.info.count }, (_, s) => (length(this.segments[2 * s]!) + length(this.segments[2 * s + 1]!)) / 2);
  }
}

function nodalMeans(stress: Float64Array, surface: Surface): Float32Array {
  const means = new Float32Array(surface.nodes.length);
  for (let i = 0; i < means.length; ++i) {
    let sum = 0;
    for (let c = surface.first[i]!; c < surface.first[i + 1]!; ++c) sum += stress[surface.cells[c]!]!;
    means[i] = sum / (surface.first[i + 1]! - surface.first[i]!);
  }
  return means;
}

/** Tubes thinner than this part of the scene could not be seen. */
const thinnest = 0.003;

export function readFlexibles(run: RunFile, shapes: Shape[]): Flexible[] {
  return flexibleNames(run).map((name) => {
    const line = shapes.find((shape) => shape.name === name && shape.kind === "line");
    const rest = run.hdf5.all(`/flexible/${name}/nodes`);
    let length = 0;
    for (let i = 3; i < rest.length; ++i) length = Math.max(length, Math.abs(rest[i]! - rest[i % 3]!));
    const radius = line ? Math.max((line.size[0] + line.size[1]) / 2, thinnest * length) : 0;
    return new Flexible(run, name, radius);
  });
}
