import { DoubleSide, FrontSide, GridHelper, Group, Matrix4, Mesh, MeshBasicMaterial, PlaneGeometry, Vector3 } from "three";

/** A round number near x: 1, 2 or 5 times a power of ten. */
export function roundNumber(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  return [1, 2, 5, 10].map((digit) => digit * power).reduce((best, y) => (Math.abs(y - x) < Math.abs(best - x) ? y : best));
}

/** Half-spaces as planes with a grid; seen from behind they are not there, so that they hide nothing. */
export class Walls {
  readonly object = new Group();
  readonly cell: number;
  private readonly planes: Group[];

  constructor(count: number, size: number, private readonly centre: Vector3, isPlanar: boolean) {
    this.cell = roundNumber(size / 8);
    const divisions = 2 * Math.ceil((0.8 * size) / this.cell);
    const side = divisions * this.cell;
    this.planes = Array.from({ length: count }, () => {
      const plane = new Group();
      // A plane that is looked at along its edge would not be seen; in the plane it gets a depth.
      const material = new MeshBasicMaterial({
        color: "#8090a4", transparent: true, opacity: isPlanar ? 0.35 : 0.22, side: isPlanar ? DoubleSide : FrontSide,
        depthWrite: false, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2,
      });
      plane.add(new Mesh(new PlaneGeometry(side, side), material));
      const grid = new GridHelper(side, divisions, "#8090a4", "#8090a4").rotateX(Math.PI / 2);
      grid.material.transparent = true;
      grid.material.opacity = 0.35;
      grid.material.depthWrite = false;
      plane.add(grid);
      plane.matrixAutoUpdate = false;
      this.object.add(plane);
      return plane;
    });
  }

  show(matrices: Float32Array): void {
    this.planes.forEach((plane, i) => plane.matrix.copy(this.nearCentre(new Matrix4().fromArray(matrices, 16 * i))));
  }

  /** The piece of the plane that is drawn lies below the middle of the scene, on the lines of its own grid. */
  private nearCentre(matrix: Matrix4): Matrix4 {
    const [x, y, normal] = [new Vector3(), new Vector3(), new Vector3()];
    matrix.extractBasis(x, y, normal);
    const place = new Vector3().setFromMatrixPosition(matrix);
    const offset = this.centre.clone().sub(place);
    for (const direction of [x, y]) place.addScaledVector(direction, Math.round(offset.dot(direction) / this.cell) * this.cell);
    return matrix.setPosition(place);
  }
}
