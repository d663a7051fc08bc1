import {
  BoxGeometry, BufferAttribute, BufferGeometry, Color, ConeGeometry, CylinderGeometry, Group, IcosahedronGeometry,
  InstancedMesh, MeshLambertMaterial, MeshStandardMaterial, SphereGeometry, type Material,
} from "three";
import type { Frame, InstanceGroup } from "../results/protocol";
import { okabeIto } from "./colours";

const many = 2000; // bodies that are small in the picture, each

/** Many small spheres need not be round: 80 triangles with the normals of a sphere. */
function sphere(count: number): BufferGeometry {
  if (count > many) return new IcosahedronGeometry(1, 1);
  return count > 300 ? new SphereGeometry(1, 16, 10) : new SphereGeometry(1, 32, 20);
}

/** Many bodies do without highlights, which cost as much as all the rest of their light. */
function materialOf(group: InstanceGroup): Material {
  const flatShading = group.form === "mesh";
  return group.names.length > many
    ? new MeshLambertMaterial({ flatShading })
    : new MeshStandardMaterial({ roughness: 0.65, metalness: 0.05, flatShading });
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
      const mesh = new InstancedMesh(geometryOf(group), materialOf(group), group.names.length);
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
