// Housing of a small gearbox, open below, in millimetres: walls of 8 mm, bosses with bores for two shafts, four feet, and a
// lug on the top. gearbox_housing.step was written from it: gmsh gearbox_housing.geo -0 -o gearbox_housing.step
SetFactory("OpenCASCADE");
Box(1) = {-100, -60, 0, 200, 120, 100};
Cylinder(2) = {-40, -70, 55, 0, 140, 0, 34};
Cylinder(3) = {45, -70, 55, 0, 140, 0, 28};
Box(4) = {-130, -60, 0, 260, 30, 12};
Box(5) = {-130, 30, 0, 260, 30, 12};
Box(6) = {-10, -10, 98, 20, 20, 12};
Box(7) = {-92, -52, -1, 184, 104, 93};
Cylinder(8) = {-40, -80, 55, 0, 160, 0, 22};
Cylinder(9) = {45, -80, 55, 0, 160, 0, 16};
BooleanUnion(10) = { Volume{1}; Delete; }{ Volume{2, 3, 4, 5, 6}; Delete; };
BooleanDifference(11) = { Volume{10}; Delete; }{ Volume{7, 8, 9}; Delete; };
