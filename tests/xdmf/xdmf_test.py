#!/usr/bin/python3
"""Opens what `percuss export --xdmf` writes with VTK's reader, which ParaView calls "XDMF Reader", and compares it
with the CSV export. VTK's other reader, vtkXdmf3Reader, knows no parts of datasets (ItemType="HyperSlab").

usage: xdmf_test.py PERCUSS SCENES
Exit code 77 tells ctest that the reader is not installed.
"""

import csv
import math
import subprocess
import sys
import tempfile
from pathlib import Path

skipped = 77
percuss, scenes = sys.argv[1:]
try:
    from vtkmodules.vtkCommonDataModel import vtkCompositeDataSet
    from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
    from vtkmodules.vtkIOXdmf2 import vtkXdmfReader
except ImportError as error:
    print(f"SKIPPED: VTK's reader of XDMF is not installed ({error}).")
    print("On Debian 12 it comes with python3-paraview, not with python3-vtk9: scripts/install_dependencies --paraview")
    sys.exit(skipped)

cell_types = {"bar": 4, "tri3": 5, "quad4": 9, "tet4": 10, "hex8": 12, "tet10": 24, "hex20": 25}  # vtkCellType.h


class Xdmf:
    def __init__(self, path):
        self.reader = vtkXdmfReader()
        self.reader.SetFileName(str(path))
        self.reader.UpdateInformation()
        information = self.reader.GetOutputInformation(0)
        self.times = list(information.Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS()))

    def named_grids(self, time):
        """All grids at one time by name, in the order of the file."""
        self.reader.UpdateTimeStep(time)
        return {name.split("[")[0]: grid for name, grid in leaves(self.reader.GetOutputDataObject(0), "")}

    def grids(self, time):
        """Those of flexible bodies."""
        return [grid for name, grid in self.named_grids(time).items() if name not in ("rigid", "rigid.lines", "contacts")]


def leaves(data, name):
    if data is None:
        return
    if not data.IsA("vtkMultiBlockDataSet"):
        yield name, data
        return
    for i in range(data.GetNumberOfBlocks()):
        label = data.GetMetaData(i).Get(vtkCompositeDataSet.NAME()) if data.HasMetaData(i) else ""
        yield from leaves(data.GetBlock(i), label)


def run(folder, *arguments):
    subprocess.run([percuss, *map(str, arguments)], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def simulate(folder, scene, name, *sets):
    """Runs a scene, exports it in both ways, and returns both."""
    changes = [word for change in sets for word in ("--set", change)]
    run(folder, "run", scene, "--quiet", "-o", f"{name}.h5", *changes)
    (folder / "pictures").mkdir(exist_ok=True)
    xdmf = folder / "pictures" / f"{name}.xdmf"
    run(folder, "export", f"{name}.h5", "--xdmf", xdmf, "--csv", f"{name}.csv")
    with open(folder / f"{name}.csv") as file:
        file.readline()  # units
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    return Xdmf(xdmf), rows


def expect(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def expect_times(xdmf, rows):
    expect(xdmf.times == [row["time"] for row in rows], "the times are those of the frames")


def expect_grid(grid, points, cells, cell_type):
    expect(grid.GetNumberOfPoints() == points, f"{grid.GetNumberOfPoints()} points instead of {points}")
    expect(grid.GetNumberOfCells() == cells, f"{grid.GetNumberOfCells()} cells instead of {cells}")
    kinds = {grid.GetCellType(i) for i in range(cells)}
    expect(kinds == {cell_types[cell_type]}, f"cells of type {kinds} instead of {cell_type}")
    for name in ("displacement", "velocity", "contact_force"):
        expect_finite(grid.GetPointData().GetArray(name), name, points, 3)
    expect_finite(grid.GetCellData().GetArray("stress"), "stress", cells, 1)


def expect_finite(array, name, tuples, components):
    expect(array is not None, f"there is an array {name}")
    shape = (array.GetNumberOfTuples(), array.GetNumberOfComponents())
    expect(shape == (tuples, components), f"{name} has the shape {shape}")
    expect(all(map(math.isfinite, values(array))), f"{name} is finite")


def values(array):
    return [x for i in range(array.GetNumberOfTuples()) for x in array.GetTuple(i)]


def node_at(grid, place):
    distance = lambda i: math.dist(grid.GetPoint(i), place)
    nearest = min(range(grid.GetNumberOfPoints()), key=distance)
    expect(distance(nearest) < 1e-12, f"there is a node at {place}")
    return nearest


def check_cube(folder):
    xdmf, rows = simulate(folder, f"{scenes}/flexible_cube.yaml", "cube", "parameters.cells=2", "time.step=1e-3",
                          "record.every=5e-3")
    expect_times(xdmf, rows)
    corner = (-0.05, -0.05, 0.3)
    total_force = largest_stress = 0
    for row in rows[::10] + rows[-3:]:
        (cube,) = xdmf.grids(row["time"])
        expect_grid(cube, 27, 8, "hex8")
        node = node_at(cube, corner)
        for array, probe in (("displacement", "corner.uz"), ("velocity", "corner.vz")):
            value = cube.GetPointData().GetArray(array).GetTuple(node)[2]
            expect(abs(value - row[probe]) <= 1e-15, f"{array} {value} is {row[probe]} at {row['time']}")
        total_force += sum(values(cube.GetPointData().GetArray("contact_force")))
        largest_stress = max(largest_stress, *values(cube.GetCellData().GetArray("stress")))
    expect(total_force > 0, "the floor pushes at the end")
    expect(largest_stress > 0, "the cube is pressed together")


def check_bar(folder):
    xdmf, rows = simulate(folder, f"{scenes}/elastic_bar.yaml", "bar", "time.end=0.6", "record.every=0.05")
    expect_times(xdmf, rows)
    for row in rows:
        (bar,) = xdmf.grids(row["time"])
        expect_grid(bar, 201, 200, "bar")
        tip = node_at(bar, (5.005, 0, 0))
        expect(abs(bar.GetPointData().GetArray("displacement").GetTuple(tip)[0] - row["tip.u"]) <= 1e-15, "tip.u")
        force = bar.GetPointData().GetArray("contact_force").GetTuple(tip)
        expect(force == (row["contact.force"], 0, 0), f"contact force {force} is {row['contact.force']}")
    expect(rows[-1]["contact.force"] > 0, "the wall pushes at the end")


def check_shapes(folder):
    """The nodes in the middle of edges are where VTK looks for them."""
    for shape, points, cells in (("hex20", 81, 8), ("tet4", 27, 48), ("tet10", 125, 48)):
        xdmf, _ = simulate(folder, f"{scenes}/flexible_cube.yaml", shape, "parameters.cells=2", "time.step=1e-3",
                           "time.end=2e-3", f"bodies[0].mesh.box.cells={shape}")
        (grid,) = xdmf.grids(xdmf.times[-1])
        expect_grid(grid, points, cells, shape)
        for i in range(cells):
            cell = grid.GetCell(i)
            for e in range(cell.GetNumberOfEdges()):
                ends = cell.GetEdge(e).GetPoints()
                if ends.GetNumberOfPoints() != 3:
                    continue
                middle = [(a + b) / 2 for a, b in zip(ends.GetPoint(0), ends.GetPoint(1))]
                expect(math.dist(middle, ends.GetPoint(2)) < 1e-12, f"order of the nodes of {shape}")


mixed_mesh = """*NODE
1, 0, 0
2, 1, 0
3, 1, 1
4, 0, 1
5, 2, 0
*ELEMENT, TYPE=CPE4
1, 1, 2, 3, 4
*ELEMENT, TYPE=CPE3
2, 2, 5, 3
"""
mixed_scene = """percuss: 1
title: Two kinds of cells, and a second body
materials:
  steel: {density: 1, young: 100}
bodies:
  - solid: plate
    mesh: {file: plate.inp, unit: m}
    material: steel
    held: {"0": xy}
    velocity: [0, 0.1, 0]
  - beam: arm
    from: [0, 0, 0]
    to: [1, 0, 0]
    elements: 2
    section: {circle: 0.1}
    material: steel
integrator: {scheme: moreau-jean}
time: {end: 0.1, step: 0.01}
record:
  probes: {energy: energy}
"""


def check_several(folder):
    """A body with two kinds of cells is shown as two grids, each with its own stresses."""
    (folder / "plate.inp").write_text(mixed_mesh)
    (folder / "two & more.yaml").write_text(mixed_scene)
    xdmf, rows = simulate(folder, "two & more.yaml", "two & more")
    expect_times(xdmf, rows)
    arm, triangle, quad = xdmf.grids(xdmf.times[-1])
    expect_grid(arm, 3, 2, "bar")
    expect_grid(triangle, 5, 1, "tri3")
    expect_grid(quad, 5, 1, "quad4")
    stresses = [grid.GetCellData().GetArray("stress").GetTuple(0)[0] for grid in (quad, triangle)]
    expect(min(stresses) > 0 and stresses[0] != stresses[1], f"stresses {stresses}")


def centre_of(grid, shape):
    """Mean of the corners of the triangles of a shape."""
    cells = [i for i in range(grid.GetNumberOfCells()) if grid.GetCellData().GetArray("shape").GetTuple(i)[0] == shape]
    corners = {grid.GetCell(i).GetPointId(k) for i in cells for k in range(3)}
    return [sum(place_of(grid, p)[axis] for p in corners) / len(corners) for axis in range(3)]


def place_of(grid, point):
    """What ParaView's filter Warp By Vector does."""
    return [x + u for x, u in zip(grid.GetPoint(point), grid.GetPointData().GetArray("displacement").GetTuple(point))]


def check_rigid(folder):
    """Cubes are where their probes say, and the floor carries their weight."""
    xdmf, rows = simulate(folder, f"{scenes}/thirty_cubes.yaml", "cubes", "record.every=0.05")
    expect_times(xdmf, rows)
    for row in rows:
        grids = xdmf.named_grids(row["time"])
        rigid = grids["rigid"]
        expect(rigid.GetNumberOfCells() == 30 * 12 + 2, f"{rigid.GetNumberOfCells()} triangles")
        for shape, probe in ((0, "first"), (29, "last")):
            height = centre_of(rigid, shape)[2]
            expect(abs(height - row[probe]) < 1e-12, f"{probe} is at {height}, not {row[probe]} at {row['time']}")
        expect(abs(centre_of(rigid, 30)[2]) < 1e-12, "the floor stays")
    contacts = xdmf.named_grids(xdmf.times[-1])["contacts"]
    expect(contacts.GetNumberOfPoints() == 120, f"{contacts.GetNumberOfPoints()} corners touch the floor")
    force = contacts.GetPointData().GetArray("force")
    carried = sum(force.GetTuple(i)[2] for i in range(120))
    weight = 30 * 700 * 0.1**3 * 9.81
    expect(abs(carried - weight) < 1e-6 * weight, f"the floor carries {carried} N of {weight} N")
    expect_finite(contacts.GetPointData().GetArray("normal"), "normal", 120, 3)


def check_lines(folder):
    """Bodies without a shape are lines to their joints."""
    xdmf, rows = simulate(folder, f"{scenes}/slider_crank_joints.yaml", "crank", "record.every=0.01")
    for row in rows:
        lines = xdmf.named_grids(row["time"])["rigid.lines"]
        expect(lines.GetNumberOfCells() == 2 + 2 + 5, f"{lines.GetNumberOfCells()} lines")
        crank = lines.GetCell(1)  # from its middle to the pin
        ends = [place_of(lines, crank.GetPointId(k)) for k in range(2)]
        angle = math.atan2(ends[1][1] - ends[0][1], ends[1][0] - ends[0][0])
        difference = (angle - row["theta1"] + math.pi) % (2 * math.pi) - math.pi
        expect(abs(difference) < 1e-9, f"the crank stands at {angle}, not {row['theta1']}")


with tempfile.TemporaryDirectory(prefix="percuss-test-") as name:
    for check in (check_cube, check_bar, check_shapes, check_several, check_rigid, check_lines):
        check(Path(name))
        print(f"{check.__name__}: ok")
