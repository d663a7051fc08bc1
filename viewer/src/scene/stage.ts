import {
  AmbientLight, Box3, BufferAttribute, BufferGeometry, Color, DirectionalLight, Line, LineBasicMaterial, PerspectiveCamera,
  Raycaster, Scene, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Colouring, Frame, RunInfo } from "../results/protocol";
import { ContactMarks } from "./contacts";
import { FlexibleBodies } from "./flexible";
import { RigidBodies } from "./rigid";
import { Triad } from "./triad";
import { Walls } from "./walls";

export type ViewName = "x" | "y" | "z" | "free";
const directions: Record<ViewName, [number, number, number]> = { x: [1, 0, 0], y: [0, -1, 0], z: [0, 0, 1], free: [0.55, -1, 0.45] };

/** The picture: everything of one run, a camera, and light. */
export class Stage {
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(35);
  private controls: OrbitControls;
  private readonly light = new DirectionalLight("#ffffff", 2.2);
  private readonly triad = new Triad();
  private readonly rigid: RigidBodies;
  private readonly flexible: FlexibleBodies;
  readonly contacts: ContactMarks;
  readonly walls: Walls;
  private readonly box: Box3;
  private readonly size: number;
  private trace: Line | null = null;
  private followed: Vector3 | null = null;
  private needsDrawing = true;

  constructor(private readonly canvas: HTMLCanvasElement, private readonly info: RunInfo) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.autoClear = false;
    const [x0, y0, z0, x1, y1, z1] = info.box;
    this.box = new Box3(new Vector3(x0, y0, z0), new Vector3(x1, y1, z1));
    this.size = this.box.getSize(new Vector3()).length();
    this.rigid = new RigidBodies(info.groups);
    this.flexible = new FlexibleBodies(info.flexibles);
    this.contacts = new ContactMarks(this.size, info.largest);
    this.walls = new Walls(info.walls.length, this.size, this.box.getCenter(new Vector3()), info.isPlanar);
    this.scene.add(this.walls.object, this.rigid.object, this.flexible.object, this.contacts.object);
    this.scene.add(new AmbientLight("#ffffff", 1.3), this.light);
    this.controls = this.makeControls();
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
    this.look(info.isPlanar ? "z" : "free");
  }

  dispose(): void {
    this.controls.dispose();
    this.renderer.dispose();
  }

  setBackground(colour: string): void {
    this.scene.background = new Color(colour);
    this.needsDrawing = true;
  }

  show(frame: Frame, colouring: Colouring): void {
    this.rigid.show(frame);
    this.walls.show(frame.walls);
    this.flexible.show(frame.flexibles, colouring === "none" ? 1 : this.info.largest[colouring]);
    this.contacts.show(frame.contacts);
    this.needsDrawing = true;
  }

  showEdges(visible: boolean): void {
    this.flexible.showEdges(visible);
    this.needsDrawing = true;
  }

  redraw(): void {
    this.needsDrawing = true;
  }

  /** From the end of an axis, or from a corner; z is up unless one looks along it, then y is. */
  look(view: ViewName): void {
    this.camera.up.set(0, view === "z" ? 1 : 0, view === "z" ? 0 : 1);
    const direction = new Vector3(...directions[view]);
    if (view === "free" && this.info.isPlanar) {
      this.camera.up.set(0, 1, 0);
      direction.set(0.45, 0.35, 1);
    }
    this.controls.dispose();
    this.controls = this.makeControls(); // they ask which way is up only once
    this.camera.position.copy(this.controls.target).add(direction);
    this.fit();
  }

  /** Moves the camera along its direction until everything is seen. */
  fit(): void {
    const centre = this.box.getCenter(new Vector3());
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).add(direction);
    this.camera.lookAt(centre);
    this.camera.updateMatrixWorld();
    const half = Math.tan((this.camera.fov * Math.PI) / 360);
    let distance = 0.1 * this.size;
    for (let corner = 0; corner < 8; ++corner) {
      const p = new Vector3(
        corner & 1 ? this.box.max.x : this.box.min.x,
        corner & 2 ? this.box.max.y : this.box.min.y,
        corner & 4 ? this.box.max.z : this.box.min.z,
      ).sub(centre).applyQuaternion(this.camera.quaternion.clone().invert());
      distance = Math.max(distance, p.z + Math.abs(p.y) / half, p.z + Math.abs(p.x) / (half * this.camera.aspect));
    }
    distance *= 1.22; // room for tools and legend
    this.camera.position.copy(centre).addScaledVector(direction, distance);
    this.camera.near = distance / 200;
    this.camera.far = distance * 50;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.needsDrawing = true;
  }

  /** Keeps this point where it is in the picture; null lets go. */
  follow(place: Vector3 | null): void {
    if (place && this.followed) {
      const shift = place.clone().sub(this.followed);
      this.controls.target.add(shift);
      this.camera.position.add(shift);
      this.controls.update();
    }
    this.followed = place?.clone() ?? null;
    this.needsDrawing = true;
  }

  showTrace(places: Float32Array | null): void {
    if (this.trace) this.scene.remove(this.trace);
    this.trace = null;
    if (places) {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(places, 3));
      this.trace = new Line(geometry, new LineBasicMaterial({ color: "#E69F00" }));
      this.trace.frustumCulled = false;
      this.scene.add(this.trace);
    }
    this.needsDrawing = true;
  }

  /** Name of the body under a point of the canvas. */
  pick(x: number, y: number): string | null {
    const caster = new Raycaster();
    const box = this.canvas.getBoundingClientRect();
    caster.setFromCamera(new Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2), this.camera);
    for (const hit of caster.intersectObject(this.rigid.object, true)) {
      const name = this.rigid.nameOf(hit.object, hit.instanceId);
      if (name) return name;
    }
    return null;
  }

  /** Draws if something has changed; true if it did. */
  draw(): boolean {
    if (!this.needsDrawing) return false;
    this.needsDrawing = false;
    this.light.position.copy(this.camera.position).addScaledVector(this.camera.up, this.size);
    this.light.target.position.copy(this.controls.target);
    this.light.target.updateMatrixWorld();
    this.renderer.clear();
    this.renderer.render(this.scene, this.camera);
    this.triad.draw(this.renderer, this.camera);
    return true;
  }

  private makeControls(): OrbitControls {
    const controls = new OrbitControls(this.camera, this.canvas);
    controls.target.copy(this.box.getCenter(new Vector3()));
    controls.addEventListener("change", () => (this.needsDrawing = true));
    return controls;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.needsDrawing = true;
  }
}
