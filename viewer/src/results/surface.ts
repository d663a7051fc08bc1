// The surface of a mesh: the sides that belong to one cell only. Nodes are in VTK's order.

interface CellKind {
  corners: number;
  /** Corners of the sides, counter-clockwise seen from outside; of plane cells: the cell itself. */
  sides: number[][];
  /** Ends of the edges that have a node in their middle, in the order of these nodes. */
  edges: [number, number][];
}

const tetSides = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
const hexSides = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];
const kinds: Record<string, CellKind> = {
  tri3: { corners: 3, sides: [[0, 1, 2]], edges: [] },
  quad4: { corners: 4, sides: [[0, 1, 2, 3]], edges: [] },
  tet4: { corners: 4, sides: tetSides, edges: [] },
  tet10: { corners: 4, sides: tetSides, edges: [[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]] },
  hex8: { corners: 8, sides: hexSides, edges: [] },
  hex20: {
    corners: 8,
    sides: hexSides,
    edges: [[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4], [0, 4], [1, 5], [2, 6], [3, 7]],
  },
};

export interface CellBlock {
  kind: string;
  nodes: Float64Array;
}

export interface Surface {
  /** Nodes of the mesh that are on the surface. */
  nodes: Uint32Array;
  triangles: Uint32Array;
  edges: Uint32Array;
  /** Cells at each of these nodes: those of node i are cells[first[i]] to cells[first[i + 1] - 1]. */
  first: Uint32Array;
  cells: Uint32Array;
}

/** A side as a ring of nodes, with those in the middle of edges if there are any. */
function ring(side: number[], kind: CellKind): number[] {
  if (kind.edges.length === 0) return side;
  return side.flatMap((a, i) => {
    const b = side[(i + 1) % side.length]!;
    const edge = kind.edges.findIndex(([p, q]) => (p === a && q === b) || (p === b && q === a));
    return [a, kind.corners + edge];
  });
}

/** Triangles of a ring: a fan, or with middle nodes the corners cut off and the rest as a fan. */
function triangulate(nodes: number[], isQuadratic: boolean): number[] {
  const result: number[] = [];
  let inner = nodes;
  if (isQuadratic) {
    for (let i = 0; i < nodes.length; i += 2)
      result.push(nodes[i]!, nodes[i + 1]!, nodes[(i + nodes.length - 1) % nodes.length]!);
    inner = nodes.filter((_, i) => i % 2 === 1);
  }
  for (let i = 1; i + 1 < inner.length; ++i) result.push(inner[0]!, inner[i]!, inner[i + 1]!);
  return result;
}

export function surfaceOf(blocks: CellBlock[], nodeCount: number): Surface {
  // Three corners tell a side from all others; the number is exact up to 2^53.
  const key = (corners: number[]) => {
    const [a, b, c] = [...corners].sort((p, q) => p - q);
    return (a! * nodeCount + b!) * nodeCount + c!;
  };
  const sides = new Map<number, { nodes: number[]; isQuadratic: boolean } | null>();
  const cellsAt: number[][] = [];
  let cell = 0;
  for (const block of blocks) {
    const kind = kinds[block.kind];
    if (!kind) throw new Error(`it has cells of the unknown kind ${block.kind}`);
    const size = kind.corners + kind.edges.length;
    const rings = kind.sides.map((side) => ring(side, kind));
    for (let at = 0; at < block.nodes.length; at += size, ++cell) {
      kind.sides.forEach((side, s) => {
        const id = key(side.map((corner) => block.nodes[at + corner]!));
        const isShared = sides.has(id);
        sides.set(id, isShared ? null : { nodes: rings[s]!.map((n) => block.nodes[at + n]!), isQuadratic: kind.edges.length > 0 });
      });
      for (let i = 0; i < size; ++i) (cellsAt[block.nodes[at + i]!] ??= []).push(cell);
    }
  }
  return collect([...sides.values()].filter((side) => side !== null), cellsAt);
}

function collect(sides: { nodes: number[]; isQuadratic: boolean }[], cellsAt: number[][]): Surface {
  const number = new Map<number, number>();
  const numberOf = (node: number) => {
    let found = number.get(node);
    if (found === undefined) number.set(node, (found = number.size));
    return found;
  };
  const triangles: number[] = [];
  const edges = new Map<number, [number, number]>();
  for (const side of sides) {
    const nodes = side.nodes.map(numberOf);
    triangles.push(...triangulate(nodes, side.isQuadratic));
    nodes.forEach((a, i) => {
      const b = nodes[(i + 1) % nodes.length]!;
      edges.set(Math.min(a, b) * 4e7 + Math.max(a, b), [a, b]);
    });
  }
  const nodes = Uint32Array.from(number.keys());
  const first = new Uint32Array(nodes.length + 1);
  const cells: number[] = [];
  nodes.forEach((node, i) => {
    cells.push(...cellsAt[node]!);
    first[i + 1] = cells.length;
  });
  return {
    nodes,
    triangles: Uint32Array.from(triangles),
    edges: Uint32Array.from([...edges.values()].flat()),
    first,
    cells: Uint32Array.from(cells),
  };
}
