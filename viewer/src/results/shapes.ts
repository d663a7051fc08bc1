// From /shapes to pieces of a few forms, each with a matrix in the axes of the body that carries it.
import { compose, poseSize, type SampledPoses } from "./poses";
import type { Form, InstanceGroup } from "./protocol";
import type { RunFile } from "./run_file";

export interface Shape {
  name: string;
  kind: string;
  carrier: number;
  size: [number, number, number];
  place: [number, number, number];
  axis: [number, number, number];
  vertices: Float64Array;
  triangles: Float64Array;
}

export function readShapes(run: RunFile): Shape[] {
  const { hdf5 } = run;
  const names = hdf5.strings("/shapes/names");
  const kinds = hdf5.strings("/shapes/kind");
  const [carriers, ranges] = [hdf5.all("/shapes/carrier"), hdf5.all("/shapes/ranges")];
  const [size, place, axis] = [hdf5.all("/shapes/size"), hdf5.all("/shapes/place"), hdf5.all("/shapes/axis")];
  const [vertices, triangles] = [hdf5.all("/shapes/vertices"), hdf5.all("/shapes/triangles")];
  const three = (list: Float64Array, i: number) => [list[3 * i]!, list[3 * i + 1]!, list[3 * i + 2]!] as [number, number, number];
  return names.map((name, i) => {
    const [firstVertex, vertexCount, firstTriangle, triangleCount] = ranges.subarray(4 * i, 4 * i + 4) as unknown as number[];
    return {
      name,
      kind: kinds[i]!,
      carrier: carriers[i]!,
      size: three(size, i),
      place: three(place, i),
      axis: three(axis, i),
      vertices: vertices.subarray(3 * firstVertex!, 3 * (firstVertex! + vertexCount!)),
      triangles: triangles.subarray(3 * firstTriangle!, 3 * (firstTriangle! + triangleCount!)),
    };
  });
}

/** How far a shape reaches from the origin of its carrier [m]. */
export function reach(shape: Shape): number {
  const [a, b, c] = shape.size;
  const offset = Math.hypot(...shape.place);
  switch (shape.kind) {
    case "sphere":
    case "disc":
      return offset + a;
    case "box":
      return offset + Math.hypot(a, b, c) / 2;
    case "rectangle":
      return offset + Math.hypot(a, b) / 2;
    case "cylinder":
      return offset + Math.hypot(a, b / 2);
    case "capsule":
      return offset + a + b / 2;
    case "cone":
      return offset + Math.max(a, b);
    case "ellipsoid":
      return offset + Math.max(a, b, c);
    default: {
      let farthest = 0;
      for (let i = 0; i < shape.vertices.length; i += 3)
        farthest = Math.max(farthest, Math.hypot(shape.vertices[i]!, shape.vertices[i + 1]!, shape.vertices[i + 2]!));
      return offset + farthest;
    }
  }
}

interface Piece {
  carrier: number;
  local: Float64Array; // place, then three columns
}

/** A matrix that scales along the axes, placed somewhere. */
function scaled(place: readonly number[], x: number, y: number, z: number): Float64Array {
  return Float64Array.of(place[0]!, place[1]!, place[2]!, x, 0, 0, 0, y, 0, 0, 0, z);
}

/** A unit cylinder along z, turned and stretched so that it leads from one place to another. */
export function stick(from: readonly number[], to: readonly number[], radius: number): Float64Array {
  const d = [to[0]! - from[0]!, to[1]! - from[1]!, to[2]! - from[2]!] as const;
  const length = Math.hypot(...d) || 1e-300;
  const z = d.map((x) => x / length);
  const helper = Math.abs(z[0]!) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  const x = cross(helper, z);
  const norm = Math.hypot(...x);
  const ex = x.map((v) => v / norm);
  const ey = cross(z, ex);
  return Float64Array.of(
    ...from.map((p, i) => (p + to[i]!) / 2),
    ...ex.map((v) => v * radius),
    ...ey.map((v) => v * radius),
    ...d,
  );
}

export function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];
}

/** Everything rigid that is drawn, in groups of the same form. */
export class Pieces {
  readonly groups: InstanceGroup[] = [];
  private readonly pieces: Piece[][] = [];
  private readonly index = new Map<string, number>();

  /** Bodies without extent are drawn with marks of a size that fits the scene. */
  constructor(shapes: Shape[], private readonly sceneSize: number) {
    for (const shape of shapes) this.add(shape);
  }

  matrices(at: SampledPoses): Float32Array[] {
    const pose = new Float64Array(poseSize);
    return this.pieces.map((pieces) => {
      const out = new Float32Array(16 * pieces.length);
      pieces.forEach((piece, i) => {
        at.place(piece.carrier, pose);
        compose(pose, piece.local, out, 16 * i);
      });
      return out;
    });
  }

  private add(shape: Shape): void {
    const [a, b, c] = shape.size;
    const put = (form: Form, local: Float64Array, role: InstanceGroup["role"] = "body") =>
      this.push(`${form} ${role}`, { form, role, names: [] }, shape, local);
    const thin = (extent: number) => Math.min(c, 0.12 * extent); // of planar bodies: 1 m unless given
    switch (shape.kind) {
      case "sphere":
        return put("sphere", scaled(shape.place, a, a, a));
      case "ellipsoid":
        return put("sphere", scaled(shape.place, a, b, c));
      case "box":
        return put("box", scaled(shape.place, a, b, c));
      case "rectangle":
        return put("box", scaled(shape.place, a, b, thin(Math.max(a, b))));
      case "disc":
        return put("cylinder", scaled(shape.place, a, a, thin(2 * a)));
      case "cylinder":
        return put("cylinder", scaled(shape.place, a, a, b));
      case "cone":
        return put("cone", scaled(shape.place, a, a, b));
      case "capsule":
        put("cylinder", scaled(shape.place, a, a, b));
        for (const end of [-b / 2, b / 2])
          put("sphere", scaled([shape.place[0], shape.place[1], shape.place[2] + end], a, a, a));
        return;
      case "polyhedron":
      case "mesh":
        return this.addMesh(shape, Float32Array.from(shape.vertices), Uint32Array.from(shape.triangles));
      case "polygon":
        return this.addMesh(shape, ...prism(shape.vertices, thin(2 * reach(shape))));
      case "point":
        return put("sphere", scaled(shape.place, ...this.mark(0.012)), "mark");
      case "points":
        for (let i = 0; i < shape.vertices.length; i += 3) {
          const end = shape.vertices.subarray(i, i + 3) as unknown as number[];
          const point = [end[0]!, end[1]!, end[2]!];
          if (Math.hypot(...point) > 1e-9 * this.sceneSize)
            put("cylinder", stick([0, 0, 0], point, 0.005 * this.sceneSize), "stick");
          put("sphere", scaled(point, ...this.mark(0.008)), "stick");
        }
        return put("sphere", scaled([0, 0, 0], ...this.mark(0.012)), "mark");
    }
  }

  private mark(part: number): [number, number, number] {
    const radius = part * this.sceneSize;
    return [radius, radius, radius];
  }

  /** Small meshes that are the same are drawn together. */
  private addMesh(shape: Shape, vertices: Float32Array, triangles: Uint32Array): void {
    const key = vertices.length < 300 ? `${vertices.join()} ${triangles.join()}` : shape.name;
    const group: InstanceGroup = { form: "mesh", role: "body", names: [], vertices, triangles };
    this.push(key, group, shape, scaled(shape.place, 1, 1, 1));
  }

  private push(key: string, group: InstanceGroup, shape: Shape, local: Float64Array): void {
    let number = this.index.get(key);
    if (number === undefined) {
      number = this.groups.push(group) - 1;
      this.pieces.push([]);
      this.index.set(key, number);
    }
    this.groups[number]!.names.push(shape.name);
    this.pieces[number]!.push({ carrier: shape.carrier, local });
  }
}

/** A polygon in the plane, made thick. */
function prism(corners: Float64Array, thickness: number): [Float32Array, Uint32Array] {
  const n = corners.length / 3;
  const vertices = new Float32Array(6 * n);
  for (let i = 0; i < 3 * n; ++i) {
    const isZ = i % 3 === 2;
    vertices[i] = isZ ? -thickness / 2 : corners[i]!;
    vertices[3 * n + i] = isZ ? thickness / 2 : corners[i]!;
  }
  const triangles: number[] = [];
  for (let i = 1; i + 1 < n; ++i) triangles.push(0, i + 1, i, n, n + i, n + i + 1);
  for (let i = 0; i < n; ++i) {
    const j = (i + 1) % n;
    triangles.push(i, j, n + j, i, n + j, n + i);
  }
  return [vertices, Uint32Array.from(triangles)];
}
