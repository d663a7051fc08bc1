import {
  BufferAttribute, BufferGeometry, Color, CylinderGeometry, DoubleSide, DynamicDrawUsage, Group, InstancedBufferAttribute,
  InstancedMesh, LineBasicMaterial, LineSegments, Mesh, MeshStandardMaterial,
} from "three";
import type { FlexibleFrame, FlexibleInfo } from "../results/protocol";
import { okabeIto, ramp } from "./colours";

/** A deformable body in one frame after the other. */
interface Drawing {
  show(frame: FlexibleFrame, largest: number): void;
}

/** Colours of all values, or one colour for all if there are none. */
function paint(values: Float32Array, largest: number, plain: Color, out: Float32Array): void {
  if (values.length === 0) {
    for (let i = 0; i < out.length; i += 3) plain.toArray(out, i);
    return;
  }
  const scale = largest > 0 ? 1 / largest : 0;
  for (let i = 0; i < values.length; ++i) ramp(values[i]! * scale, out, 3 * i);
}

class SurfaceDrawing implements Drawing {
  private readonly places: BufferAttribute;
  private readonly colours: BufferAttribute;
  readonly edges: LineSegments;

  constructor(info: FlexibleInfo, private readonly plain: Color, parent: Group) {
    this.places = new BufferAttribute(new Float32Array(3 * info.count), 3).setUsage(DynamicDrawUsage);
    this.colours = new BufferAttribute(new Float32Array(3 * info.count), 3).setUsage(DynamicDrawUsage);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.places);
    geometry.setAttribute("color", this.colours);
    geometry.setIndex(new BufferAttribute(info.triangles, 1));
    // Flat shading needs no normals, which would have to be computed for every frame.
    const material = new MeshStandardMaterial({
      vertexColors: true, flatShading: true, side: DoubleSide, roughness: 0.75,
      polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
    });
    const mesh = new Mesh(geometry, material);
    const lines = new BufferGeometry();
    lines.setAttribute("position", this.places);
    lines.setIndex(new BufferAttribute(info.edges, 1));
    this.edges = new LineSegments(lines, new LineBasicMaterial({ color: "#000000", transparent: true, opacity: 0.35 }));
    mesh.frustumCulled = this.edges.frustumCulled = false;
    parent.add(mesh, this.edges);
  }

  show(frame: FlexibleFrame, largest: number): void {
    this.places.array.set(frame.places);
    this.places.needsUpdate = true;
    paint(frame.values, largest, this.plain, this.colours.array as Float32Array);
    this.colours.needsUpdate = true;
  }
}

class LineDrawing implements Drawing {
  private readonly mesh: InstancedMesh;

  constructor(info: FlexibleInfo, private readonly plain: Color, parent: Group) {
    const tube = new CylinderGeometry(1, 1, 1, 14).rotateX(Math.PI / 2);
    this.mesh = new InstancedMesh(tube, new MeshStandardMaterial({ roughness: 0.6 }), info.count);
    this.mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * info.count), 3);
    this.mesh.frustumCulled = false;
    parent.add(this.mesh);
  }

  show(frame: FlexibleFrame, largest: number): void {
    this.mesh.instanceMatrix.array.set(frame.places);
    this.mesh.instanceMatrix.needsUpdate = true;
    paint(frame.values, largest, this.plain, this.mesh.instanceColor!.array as Float32Array);
    this.mesh.instanceColor!.needsUpdate = true;
  }
}

export class FlexibleBodies {
  readonly object = new Group();
  private readonly drawings: (SurfaceDrawing | LineDrawing)[];

  constructor(infos: FlexibleInfo[]) {
    this.drawings = infos.map((info, i) => {
      const plain = new Color(okabeIto[i % (okabeIto.length - 1)]!);
      return new (info.kind === "surface" ? SurfaceDrawing : LineDrawing)(info, plain, this.object);
    });
  }

  show(frames: FlexibleFrame[], largest: number): void {
    this.drawings.forEach((drawing, i) => drawing.show(frames[i]!, largest));
  }

  showEdges(visible: boolean): void {
    for (const drawing of this.drawings) if (drawing instanceof SurfaceDrawing) drawing.edges.visible = visible;
  }
}
