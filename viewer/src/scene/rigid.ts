import {
  BoxGeometry, BufferAttribute, BufferGeometry, Color, ConeGeometry, CylinderGeometry, Group, InstancedMesh,
  MeshStandardMaterial, SphereGeometry,
} from "three";
import type { Frame, InstanceGroup } from "../results/protocol";
import { okabeIto } from "./colours";

/** Many small spheres need not be smooth. */
function sphere(count: number): BufferGeometry {
  const [across, up] = count > 2000 ? [10, 7] : count > 300 ? [16, 10] : [32, 20];
  return new SphereGeometry(1, across, up);
}

/** Unit forms along z. */
function geometryOf(group: InstanceGroup): BufferGeometry {
  switch (group.form) {
    case "sphere":
      return sphere(group.names.length);
    case "box":
      return new BoxGeometry(1, 1, 1);
    case "cylinder":
      return new CylinderGeometry(1, 1, 1, 32).rotateX(Math.PI / 2);
    case "cone":
      return new ConeGeometry(1, 1, 32).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    case "mesh": {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(group.vertices!, 3));
      geometry.setIndex(new BufferAttribute(group.triangles!, 1));
      return geometry;
    }
  }
}

/** Rigid bodies: one drawing call for each form. A body has the same colour in all its pieces. */
export class RigidBodies {
  readonly object = new Group();
  private readonly meshes: InstancedMesh[];

  constructor(private readonly groups: InstanceGroup[]) {
    const colours = new Map<string, Color>();
    const colourOf = (name: string) => {
      let colour = colours.get(name);
      if (!colour) colours.set(name, (colour = new Color(okabeIto[colours.size % (okabeIto.length - 1)]!)));
      return colour;
    };
    this.meshes = groups.map((group) => {
      const material = new MeshStandardMaterial({ roughness: 0.65, metalness: 0.05, flatShading: group.form === "mesh" });
      const mesh = new InstancedMesh(geometryOf(group), material, group.names.length);
      mesh.frustumCulled = false; // the box of all instances changes with every frame
      group.names.forEach((name, i) => mesh.setColorAt(i, colourOf(name)));
      this.object.add(mesh);
      return mesh;
    });
  }

  show(frame: Frame): void {
    this.meshes.forEach((mesh, i) => {
      mesh.instanceMatrix.array.set(frame.instances[i]!);
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null; // for picking
    });
  }

  /** Name of the body of an instance, or nothing if it is of something else. */
  nameOf(object: unknown, instance: number | undefined): string | null {
    const group = this.meshes.indexOf(object as InstancedMesh);
    return group < 0 || instance === undefined ? null : this.groups[group]!.names[instance]!;
  }
}
