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

    def grids(self, time):
        """The grids at one time, in the order of the file."""
        self.reader.UpdateTimeStep(time)
        return list(leaves(self.reader.GetOutputDataObject(0)))


def leaves(data):
    if data is None:
        return
    if not data.IsA("vtkMultiBlockDataSet"):
        yield data
        return
    for i in range(data.GetNumberOfBlocks()):
        yield from leaves(data.GetBlock(i))


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


with tempfile.TemporaryDirectory(prefix="percuss-test-") as name:
    for check in (check_cube, check_bar, check_shapes, check_several):
        check(Path(name))
        print(f"{check.__name__}: ok")
