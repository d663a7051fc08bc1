import {
  BufferGeometry, ConeGeometry, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion,
  SphereGeometry, Vector3,
} from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import type { ContactFrame } from "../results/protocol";
import { forceColour, impulseColour, normalColour } from "./colours";

const up = new Vector3(0, 0, 1);
const head = 0.28; // part of an arrow

/** One unit long, along z. */
function arrowGeometry(): BufferGeometry {
  const shaft = new CylinderGeometry(0.3, 0.3, 1 - head, 10).rotateX(Math.PI / 2).translate(0, 0, (1 - head) / 2);
  const tip = new ConeGeometry(1, head, 14).rotateX(Math.PI / 2).translate(0, 0, 1 - head / 2);
  return mergeGeometries([shaft, tip]);
}

/** Arrows of one kind. They are made again when there are more of them than ever before. */
class Arrows {
  private mesh: InstancedMesh | null = null;
  visible = true;
  constructor(private readonly parent: Group, private readonly colour: string, private readonly thickness: number) {}

  /** Vectors times `scale`, at their points; those of length zero are left out. */
  show(points: Float32Array, vectors: Float32Array, scale: number): void {
    const mesh = this.reserve(points.length / 3);
    const [matrix, turn, place, vector] = [new Matrix4(), new Quaternion(), new Vector3(), new Vector3()];
    let count = 0;
    for (let i = 0; this.visible && i < points.length; i += 3) {
      const length = vector.fromArray(vectors, i).length();
      if (!(length * scale > 0)) continue;
      turn.setFromUnitVectors(up, vector.divideScalar(length));
      const width = Math.min(this.thickness, 0.25 * length * scale);
      mesh.setMatrixAt(count++, matrix.compose(place.fromArray(points, i), turn, new Vector3(width, width, length * scale)));
    }
    mesh.count = count;
    mesh.instanceMatrix.needsUpdate = true;
  }

  /** In front of everything: forces act where bodies touch, which is where nobody could see them. */
  private material(): MeshBasicMaterial {
    return new MeshBasicMaterial({ color: this.colour, transparent: true, depthTest: false });
  }

  private reserve(count: number): InstancedMesh {
    if (this.mesh && this.mesh.instanceMatrix.count >= count) return this.mesh;
    if (this.mesh) {
      this.parent.remove(this.mesh);
      this.mesh.dispose();
    }
    this.mesh = new InstancedMesh(arrowGeometry(), this.material(), Math.max(16, 2 * count));
    this.mesh.frustumCulled = false;
    this.parent.add(this.mesh);
    return this.mesh;
  }
}

/** Contact points with normals, forces and impulses. */
export class ContactMarks {
  readonly object = new Group();
  readonly normals: Arrows;
  readonly forces: Arrows;
  readonly impulses: Arrows;
  private points: InstancedMesh | null = null;
  /** Length of the longest arrows [m]. */
  private readonly longest: number;
  arrowScale = 1;
  visible = true;

  constructor(private readonly size: number, private readonly largest: { force: number; impulse: number }) {
    this.longest = 0.22 * size;
    this.normals = new Arrows(this.object, normalColour, 0.0025 * size);
    this.forces = new Arrows(this.object, forceColour, 0.011 * size);
    this.impulses = new Arrows(this.object, impulseColour, 0.011 * size);
  }

  show(contacts: ContactFrame | null): void {
    this.object.visible = this.visible && contacts !== null;
    if (!contacts || !this.visible) return;
    // Stops and dry joints have no place and no normal.
    this.normals.show(contacts.point, contacts.normal, 0.04 * this.size);
    const scale = (largest: number) => (largest > 0 ? (this.arrowScale * this.longest) / largest : 0);
    this.forces.show(contacts.point, contacts.force, scale(this.largest.force));
    this.impulses.show(contacts.point, onlyImpacts(contacts), scale(this.largest.impulse));
    this.showPoints(contacts);
  }

  private showPoints(contacts: ContactFrame): void {
    if (!this.points || this.points.instanceMatrix.count < contacts.count) {
      if (this.points) this.object.remove(this.points);
      const geometry = new SphereGeometry(0.0035 * this.size, 10, 8);
      this.points = new InstancedMesh(geometry, new MeshBasicMaterial({ color: normalColour }), Math.max(16, 2 * contacts.count));
      this.points.frustumCulled = false;
      this.object.add(this.points);
    }
    const matrix = new Matrix4();
    let count = 0;
    for (let i = 0; i < contacts.count; ++i) {
      const hasNormal = Math.hypot(contacts.normal[3 * i]!, contacts.normal[3 * i + 1]!, contacts.normal[3 * i + 2]!) > 0;
      if (!hasNormal) continue;
      matrix.makeTranslation(contacts.point[3 * i]!, contacts.point[3 * i + 1]!, contacts.point[3 * i + 2]!);
      this.points.setMatrixAt(count++, matrix);
    }
    this.points.count = count;
    this.points.instanceMatrix.needsUpdate = true;
  }
}

const impact = 3;

/** What lasting contacts exchange between two frames is shown as their force. */
function onlyImpacts(contacts: ContactFrame): Float32Array {
  return contacts.impulse.map((value, i) => (contacts.status[Math.floor(i / 3)] === impact ? value : 0));
}
