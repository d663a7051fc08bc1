import {
  CanvasTexture, ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, OrthographicCamera, Scene, Sprite,
  SpriteMaterial, Vector2, Vector3, type Camera, type WebGLRenderer,
} from "three";

const axes = [
  { name: "x", colour: "#D55E00", direction: new Vector3(1, 0, 0) },
  { name: "y", colour: "#009E73", direction: new Vector3(0, 1, 0) },
  { name: "z", colour: "#0072B2", direction: new Vector3(0, 0, 1) },
];
const pixels = 90;

function letter(text: string, colour: string): Sprite {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const context = canvas.getContext("2d")!;
  context.font = "bold 48px sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = colour;
  context.fillText(text, 32, 32);
  const sprite = new Sprite(new SpriteMaterial({ map: new CanvasTexture(canvas), depthTest: false }));
  sprite.scale.setScalar(0.55);
  return sprite;
}

/** Three named axes in a corner of the picture. */
export class Triad {
  private readonly scene = new Scene();
  private readonly camera = new OrthographicCamera(-1.5, 1.5, 1.5, -1.5, 0.1, 10);

  constructor() {
    for (const { name, colour, direction } of axes) {
      const axis = new Group();
      const material = new MeshBasicMaterial({ color: colour });
      axis.add(new Mesh(new CylinderGeometry(0.035, 0.035, 0.75, 8).translate(0, 0.375, 0), material));
      axis.add(new Mesh(new ConeGeometry(0.1, 0.25, 12).translate(0, 0.85, 0), material));
      axis.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), direction);
      const label = letter(name, colour);
      label.position.copy(direction).multiplyScalar(1.25);
      this.scene.add(axis, label);
    }
  }

  draw(renderer: WebGLRenderer, seenBy: Camera): void {
    const size = renderer.getSize(new Vector2());
    this.camera.position.set(0, 0, 5).applyQuaternion(seenBy.quaternion);
    this.camera.quaternion.copy(seenBy.quaternion);
    renderer.clearDepth();
    renderer.setViewport(size.x - pixels - 6, 6, pixels, pixels);
    renderer.render(this.scene, this.camera);
    renderer.setViewport(0, 0, size.x, size.y);
  }
}
