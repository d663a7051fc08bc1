#include "percuss/geometry/mass_properties.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <random>
#include <stdexcept>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "percuss/geometry/convex_hull.h"
#include "support/effort.h"

namespace percuss {
namespace {

using std::numbers::pi;

class RandomPoints {
 public:
  explicit RandomPoints(unsigned seed) : engine_(seed) {}
  double uniform(double lower, double upper) {
    return std::uniform_real_distribution<double>(lower, upper)(engine_);
  }
  Vector3 in_cube() { return {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}; }
  Vector3 direction() {
    std::normal_distribution<double> normal;
    return Vector3{normal(engine_), normal(engine_), normal(engine_)}.normalized();
  }
  Matrix3 rotation() {
    const Vector3 axis = direction();
    return Eigen::AngleAxisd(uniform(-pi, pi), axis).toRotationMatrix();
  }

 private:
  std::mt19937 engine_;
};

double difference(const MassProperties& left, const MassProperties& right) {
  return std::max({std::abs(left.volume - right.volume), (left.centre - right.centre).norm(),
                   (left.inertia - right.inertia).norm()});
}

std::vector<Vector3> box_corners(const Vector3& sides) {
  std::vector<Vector3> corners;
  for (int i = 0; i < 8; ++i)
    corners.emplace_back(0.5 * sides.cwiseProduct(Vector3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  return corners;
}

TriangleMesh box_mesh(const Vector3& sides) {
  return {box_corners(sides),
          {{0, 2, 1},
           {1, 2, 3},
           {4, 5, 6},
           {5, 7, 6},
           {0, 1, 4},
           {1, 5, 4},
           {2, 6, 3},
           {3, 6, 7},
           {0, 4, 2},
           {2, 4, 6},
           {1, 3, 5},
           {3, 7, 5}}};
}

/// Surface of revolution about z: the profile gives (radius, z) on [0, 1] and starts and ends on the axis.
TriangleMesh revolve(const std::function<Vector2(double)>& profile, int rings, int sectors) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, profile(0).y()}, {0, 0, profile(1).y()}};
  for (int i = 1; i < rings; ++i)
    for (int j = 0; j < sectors; ++j) {
      const Vector2 point = profile(static_cast<double>(i) / rings);
      const double angle = 2 * pi * j / sectors;
      mesh.vertices.emplace_back(point.x() * std::cos(angle), point.x() * std::sin(angle), point.y());
    }
  const auto vertex = [&](int i, int j) { return 2 + (i - 1) * sectors + j % sectors; };
  for (int j = 0; j < sectors; ++j) {
    mesh.triangles.push_back({0, vertex(1, j + 1), vertex(1, j)});
    mesh.triangles.push_back({1, vertex(rings - 1, j), vertex(rings - 1, j + 1)});
    for (int i = 1; i + 1 < rings; ++i) {
      mesh.triangles.push_back({vertex(i, j), vertex(i, j + 1), vertex(i + 1, j)});
      mesh.triangles.push_back({vertex(i, j + 1), vertex(i + 1, j + 1), vertex(i + 1, j)});
    }
  }
  return mesh;
}

// Profiles have their corners at multiples of 1/4, where a tessellation with 4 n rings meets them exactly.
Vector2 ball_profile(double s) { return {std::sin(pi * s), -std::cos(pi * s)}; }
Vector2 cylinder_profile(double s, double radius, double length) {
  if (s < 0.25) return {4 * s * radius, -length / 2};
  if (s > 0.75) return {4 * (1 - s) * radius, length / 2};
  return {radius, length * (2 * s - 1)};
}
Vector2 capsule_profile(double s, double radius, double length) {
  if (s < 0.25) return radius * ball_profile(2 * s) - Vector2(0, length / 2);
  if (s > 0.75) return radius * ball_profile(2 * s - 1) + Vector2(0, length / 2);
  return {radius, length * (2 * s - 1)};
}
Vector2 cone_profile(double s, double radius, double height) {
  return s < 0.5 ? Vector2(2 * s * radius, 0) : Vector2(2 * (1 - s) * radius, height * (2 * s - 1));
}

TEST(MassProperties, BoxIsItsMesh) {
  const Vector3 sides(0.3, 2, 5);
  const MassProperties box = mass_properties_of_box(sides);
  EXPECT_LT(difference(box, mass_properties_of_mesh(box_mesh(sides))), 1e-13);
  EXPECT_DOUBLE_EQ(box.volume, 3.0);
  EXPECT_DOUBLE_EQ(box.inertia(0, 0), 3.0 * (4 + 25) / 12);
}

TEST(MassProperties, RoundShapesAreTheLimitOfTheirTessellations) {
  struct Case {
    const char* name;
    MassProperties exact;
    std::function<Vector2(double)> profile;
    Vector3 stretch = Vector3::Ones();
  };
  const Case cases[] = {
      {"sphere", mass_properties_of_sphere(1.3), ball_profile, Vector3::Constant(1.3)},
      {"ellipsoid", mass_properties_of_ellipsoid({0.5, 1.5, 0.8}), ball_profile, {0.5, 1.5, 0.8}},
      {"cylinder", mass_properties_of_cylinder(0.7, 2), [](double s) { return cylinder_profile(s, 0.7, 2); }},
      {"capsule", mass_properties_of_capsule(0.7, 2), [](double s) { return capsule_profile(s, 0.7, 2); }},
      {"capsule without cylinder", mass_properties_of_capsule(1, 0), ball_profile},
      {"cone", mass_properties_of_cone(0.7, 2), [](double s) { return cone_profile(s, 0.7, 2); }}};
  for (const Case& c : cases) {
    const auto tessellated = [&](int fineness) {
      TriangleMesh mesh = revolve(c.profile, 4 * fineness, 8 * fineness);
      for (Vector3& vertex : mesh.vertices) vertex = vertex.cwiseProduct(c.stretch).eval();
      return mass_properties_of_mesh(mesh);
    };
    const MassProperties coarse = tessellated(8), fine = tessellated(16);
    EXPECT_NEAR(difference(c.exact, coarse) / difference(c.exact, fine), 4, 0.05) << c.name;
    const MassProperties limit = {(4 * fine.volume - coarse.volume) / 3,
                                  (4 * fine.centre - coarse.centre) / 3,
                                  (4 * fine.inertia - coarse.inertia) / 3};
    EXPECT_LT(difference(c.exact, limit), 2e-5 * c.exact.inertia.norm()) << c.name;
  }
}

TEST(MassProperties, AxesLieInTheAxesOfTheShape) {
  EXPECT_LT(mass_properties_of_cylinder(0.1, 2).inertia(2, 2),
            mass_properties_of_cylinder(0.1, 2).inertia(0, 0));
  EXPECT_DOUBLE_EQ(mass_properties_of_cone(1, 2).centre.z(), 0.5);
  const MassProperties ball = mass_properties_of_sphere(2);
  EXPECT_DOUBLE_EQ(ball.inertia(1, 1), 0.4 * ball.volume * 4);
}

TEST(MassProperties, MeshMovesTurnsAndScales) {
  RandomPoints random(1);
  const TriangleMesh mesh = box_mesh({1, 2, 3});
  const MassProperties before = mass_properties_of_mesh(mesh);
  for (int trial = 0; trial < 100; ++trial) {
    const Matrix3 R = random.rotation();
    const Vector3 shift = 10 * random.in_cube();
    const double scale = random.uniform(0.1, 2);
    TriangleMesh moved = mesh;
    for (Vector3& vertex : moved.vertices) vertex = (scale * R * vertex + shift).eval();
    const MassProperties expected = {std::pow(scale, 3) * before.volume, scale * R * before.centre + shift,
                                     std::pow(scale, 5) * R * before.inertia * R.transpose()};
    EXPECT_LT(difference(mass_properties_of_mesh(moved), expected), 1e-11);
  }
}

TEST(MassProperties, FarAwayMeshKeepsItsInertia) {
  TriangleMesh mesh = box_mesh({1, 2, 3});
  for (Vector3& vertex : mesh.vertices) vertex += Vector3(1e6, -1e6, 1e6);
  EXPECT_LT((mass_properties_of_mesh(mesh).inertia - mass_properties_of_box({1, 2, 3}).inertia).norm(), 1e-8);
}

TEST(MassProperties, DisjointPartsAdd) {
  const auto box_at = [](const Vector3& place) {
    TriangleMesh mesh = box_mesh({1, 1, 1});
    for (Vector3& vertex : mesh.vertices) vertex += place;
    return mesh;
  };
  TriangleMesh both = box_at({0, 0, 0});
  const TriangleMesh other = box_at({4, 2, 0});
  both.vertices.insert(both.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const auto& [a, b, c] : other.triangles) both.triangles.push_back({a + 8, b + 8, c + 8});
  const MassProperties sum = mass_properties_of_mesh(both);
  EXPECT_DOUBLE_EQ(sum.volume, 2);
  EXPECT_LT((sum.centre - Vector3(2, 1, 0)).norm(), 1e-14);
  Matrix3 expected = 2 * mass_properties_of_box({1, 1, 1}).inertia;
  expected += 2 * (Matrix3() << 1, -2, 0, -2, 4, 0, 0, 0, 5).finished();
  EXPECT_LT((sum.inertia - expected).norm(), 1e-13);
}

TEST(MassProperties, ImpossibleSizesAreNamed) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto message = [](const std::function<void()>& call) -> std::string {
    try {
      call();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message([] { mass_properties_of_sphere(-1); }), "radius must be positive and finite, got -1");
  EXPECT_EQ(message([] {
              mass_properties_of_box({1, 0, 1});
            }),
            "side length must be positive and finite, got 0");
  EXPECT_EQ(message([&] { mass_properties_of_cone(1, inf); }), "height must be positive and finite, got inf");
  EXPECT_EQ(message([] { mass_properties_of_cylinder(1, -2); }),
            "length must be positive and finite, got -2");
  EXPECT_EQ(message([] { mass_properties_of_capsule(1, -2); }), "length must be positive and finite, got -2");
  EXPECT_EQ(message([] { mass_properties_of_capsule(-1, 0); }), "radius must be positive and finite, got -1");
  EXPECT_EQ(message([] {
              mass_properties_of_ellipsoid({1, 1, std::nan("")});
            }),
            "half axis must be positive and finite, got nan");
}

TEST(PrincipalAxes, RebuildTheInertia) {
  RandomPoints random(2);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vector3 moments(random.uniform(1, 2), random.uniform(2, 3), random.uniform(3, 4));
    const Matrix3 R = random.rotation();
    const PrincipalAxes principal = principal_axes(R * moments.asDiagonal() * R.transpose());
    EXPECT_LT((principal.moments - moments).norm(), 1e-13);
    EXPECT_NEAR(principal.axes.determinant(), 1, 1e-14);
    EXPECT_LT((principal.axes * moments.asDiagonal() * principal.axes.transpose() -
               R * moments.asDiagonal() * R.transpose())
                  .norm(),
              1e-13);
  }
  EXPECT_NEAR(principal_axes(Matrix3::Identity()).axes.determinant(), 1, 1e-15);
}

TEST(TriangleInequality, HoldsForSolidsOnly) {
  RandomPoints random(3);
  const auto turned = [&](const Vector3& moments) -> Matrix3 {
    const Matrix3 R = random.rotation();
    return R * moments.asDiagonal() * R.transpose();
  };
  EXPECT_TRUE(satisfies_triangle_inequality(mass_properties_of_box({1e-3, 2, 5}).inertia));
  for (int trial = 0; trial < 100; ++trial) {
    EXPECT_TRUE(satisfies_triangle_inequality(turned({1, 2, 3}))) << "a plate is the limit";
    EXPECT_TRUE(satisfies_triangle_inequality(turned({0, 2, 2}))) << "a rod is the limit";
    EXPECT_FALSE(satisfies_triangle_inequality(turned({1, 2, 3 + 1e-8})));
    EXPECT_FALSE(satisfies_triangle_inequality(turned({-1e-8, 2, 2})));
  }
  EXPECT_FALSE(satisfies_triangle_inequality(-Matrix3::Identity()));
  EXPECT_FALSE(satisfies_triangle_inequality(Matrix3::Constant(std::nan(""))));
}

/// Largest half side of the bounding box, the size that hull_tolerance refers to.
double extent_of(const std::vector<Vector3>& points) {
  Vector3 lower = points[0], upper = points[0];
  for (const Vector3& point : points) lower = lower.cwiseMin(point), upper = upper.cwiseMax(point);
  return 0.5 * (upper - lower).maxCoeff();
}

/// How far points may be outside of the hull and vertices off their faces, relative to the extent.
struct Tolerances {
  double outside, off_face;
};

void expect_hull(const std::vector<Vector3>& points, const ConvexPolyhedron& hull,
                 const Tolerances& tolerances, const std::string& what) {
  const double outside = tolerances.outside * extent_of(points);
  const double off_face = tolerances.off_face * extent_of(points);
  std::map<std::pair<int, int>, int> edges;
  std::vector<int> faces_at(hull.vertices.size(), 0);
  for (const Face& face : hull.faces) {
    EXPECT_NEAR(face.normal.norm(), 1, 1e-14) << what;
    double outermost = -std::numeric_limits<double>::infinity();
    for (const Vector3& point : points) outermost = std::max(outermost, face.normal.dot(point) - face.offset);
    EXPECT_LT(outermost, outside) << what << ": a point is outside";
    const std::size_t size = face.vertices.size();
    ASSERT_GE(size, 3u) << what;
    for (std::size_t i = 0; i < size; ++i) {
      const int from = face.vertices[i], to = face.vertices[(i + 1) % size];
      ++edges[{from, to}];
      ++faces_at[static_cast<std::size_t>(from)];
      EXPECT_NEAR(face.normal.dot(hull.vertices[from]), face.offset, off_face) << what;
      const Vector3 edge = hull.vertices[to] - hull.vertices[from];
      const Vector3 next = hull.vertices[face.vertices[(i + 2) % size]] - hull.vertices[from];
      EXPECT_GT(edge.cross(next).dot(face.normal), -off_face * next.norm()) << what << ": not convex";
    }
  }
  for (const auto& [edge, count] : edges)
    EXPECT_TRUE(count == 1 && edges.contains({edge.second, edge.first})) << what;
  for (const int count : faces_at) EXPECT_GE(count, 3) << what;
  EXPECT_EQ(std::ssize(hull.vertices) - std::ssize(edges) / 2 + std::ssize(hull.faces), 2) << what;
}

TEST(ConvexHull, BoxHasSixQuadrilaterals) {
  RandomPoints random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const Vector3 sides(random.uniform(0.01, 1), random.uniform(0.01, 1), random.uniform(0.01, 1));
    const Matrix3 R = trial == 0 ? Matrix3(Matrix3::Identity()) : random.rotation();
    std::vector<Vector3> corners = box_corners(sides);
    for (Vector3& corner : corners) corner = (R * corner).eval();
    const ConvexPolyhedron hull = convex_hull(corners);
    EXPECT_EQ(hull.vertices, corners);
    ASSERT_EQ(hull.faces.size(), 6u);
    for (const Face& face : hull.faces) EXPECT_EQ(face.vertices.size(), 4u);
    expect_hull(corners, hull, {1e-14, 1e-14}, "box");
    MassProperties expected = mass_properties_of_box(sides);
    expected.inertia = (R * expected.inertia * R.transpose()).eval();
    EXPECT_LT(difference(mass_properties_of_polyhedron(hull), expected), 1e-15);
  }
}

/// The points of a 5 x 5 x 5 grid in [-1, 1]^3: most of the hull is degenerate.
std::vector<Vector3> grid_points(const Matrix3& R, double noise, RandomPoints& random) {
  std::vector<Vector3> points;
  for (int i = 0; i < 125; ++i) {
    const Vector3 point(i % 5 / 2.0 - 1, i / 5 % 5 / 2.0 - 1, i / 25 / 2.0 - 1);
    points.emplace_back(R * point + noise * random.in_cube());
  }
  std::shuffle(points.begin(), points.end(), std::mt19937(7));
  return points;
}

TEST(ConvexHull, GridOfPointsIsACube) {
  RandomPoints random(5);
  for (int trial = 0; trial < 20; ++trial) {
    const Matrix3 R = trial == 0 ? Matrix3(Matrix3::Identity()) : random.rotation();
    const auto points = grid_points(R, trial % 2 ? 1e-13 : 0, random);
    const ConvexPolyhedron hull = convex_hull(points);
    EXPECT_EQ(hull.vertices.size(), 8u);
    EXPECT_EQ(hull.faces.size(), 6u);
    expect_hull(points, hull, {1e-12, 1e-12}, "grid");
    EXPECT_NEAR(mass_properties_of_polyhedron(hull).volume, 8, 1e-11);
  }
}

TEST(ConvexHull, StaysValidWithNoiseOfAnySize) {
  RandomPoints random(6);
  for (int exponent = -32; exponent < -2; ++exponent)
    for (int trial = 0; trial < (std::abs(exponent + 18) < 2 ? testing::repetitions(30) : 3); ++trial) {
      const double noise = std::pow(10, 0.5 * exponent);  // the worst is that of the size of the tolerance
      const auto points = grid_points(random.rotation(), noise, random);
      const ConvexPolyhedron hull = convex_hull(points);
      expect_hull(points, hull, {4 * hull_tolerance, 1e-6}, "noise 10^" + std::to_string(0.5 * exponent));
      EXPECT_NEAR(mass_properties_of_polyhedron(hull).volume, 8, 30 * noise + 1e-7);
    }
}

TEST(ConvexHull, HoldsRandomPointsAtAnyPlaceAndScale) {
  RandomPoints random(8);
  for (const double scale : {1e-30, 1.0, 1e30})
    for (const int count : {4, 5, 8, 20, 100})
      for (const bool on_sphere : {false, true}) {
        std::vector<Vector3> points;
        const Vector3 place = 10 * random.in_cube();
        for (int i = 0; i < count; ++i)
          points.emplace_back(scale * (place + (on_sphere ? random.direction() : random.in_cube())));
        const ConvexPolyhedron hull = convex_hull(points);
        expect_hull(points, hull, {1e-11, 1e-11}, std::to_string(count) + " points");
        if (on_sphere) {
          EXPECT_EQ(hull.vertices, points);
          EXPECT_EQ(std::ssize(hull.faces), 2 * count - 4);
        }
        double volume = 0;  // divergence theorem: a cone over each face
        for (const Face& face : hull.faces) {
          Vector3 area = Vector3::Zero();
          for (std::size_t i = 0; i < face.vertices.size(); ++i)
            area += 0.5 * hull.vertices[face.vertices[i]].cross(
                              hull.vertices[face.vertices[(i + 1) % face.vertices.size()]]);
          volume += area.norm() * (face.offset - face.normal.dot(scale * place)) / 3;
        }
        EXPECT_NEAR(mass_properties_of_polyhedron(hull).volume / volume, 1, 1e-10);
      }
}

TEST(ConvexHull, AgreesWithMonteCarlo) {
  RandomPoints random(9);
  std::vector<Vector3> points(30);
  for (Vector3& point : points) point = random.in_cube();
  const ConvexPolyhedron hull = convex_hull(points);
  const int samples = 200000;
  double volume = 0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
  for (int i = 0; i < samples; ++i) {
    const Vector3 x = random.in_cube();
    if (std::ranges::any_of(hull.faces, [&](const Face& face) { return face.normal.dot(x) > face.offset; }))
      continue;
    volume += 8.0 / samples;
    first += 8.0 / samples * x;
    second += 8.0 / samples * x * x.transpose();
  }
  const Vector3 centre = first / volume;
  second -= volume * centre * centre.transpose();
  const MassProperties exact = mass_properties_of_polyhedron(hull);
  EXPECT_LT(difference(exact, {volume, centre, second.trace() * Matrix3::Identity() - second}), 0.03);
}

TEST(ConvexHull, RepeatedAndInnerPointsChangeNothing) {
  std::vector<Vector3> points = box_corners({1, 1, 1});
  for (int i = 0; i < 8; ++i) points.emplace_back(points[i] * (1 - 1e-11));
  points.insert(points.end(), {Vector3::Zero(), {0.5, 0.1, 0.2}, {0.5, 0.5, 0.1}, {-0.5, 0.5, 0.5}});
  const ConvexPolyhedron hull = convex_hull(points);
  EXPECT_EQ(hull.vertices, box_corners({1, 1, 1}));
  EXPECT_EQ(hull.faces.size(), 6u);
}

TEST(ConvexHull, ThinPlateIsASolid) {
  const auto corners = box_corners({1, 1, 1e-7});
  const ConvexPolyhedron hull = convex_hull(corners);
  EXPECT_EQ(hull.faces.size(), 6u);
  EXPECT_NEAR(mass_properties_of_polyhedron(hull).volume, 1e-7, 1e-20);
}

template <class Call>
void expect_refused(const Call& call, const std::string& reason) {
  try {
    call();
    FAIL() << "accepted, should say: " << reason;
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
  }
}

TEST(ConvexHull, RefusesWhatDoesNotSpanSpace) {
  using Points = std::vector<Vector3>;
  const auto refuses = [](const Points& points, const std::string& reason) {
    expect_refused([&] { convex_hull(points); }, reason);
  };
  refuses({}, "at least 4 points, got 0");
  refuses({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, "at least 4 points, got 3");
  refuses(Points(9, Vector3(1, 2, 3)), "coincide");
  refuses({{0, 0, 0}, {0.1, 0.2, 0.3}, {0.2, 0.4, 0.6}, {0.3, 0.6, 0.9}, {0.7, 1.4, 2.1}}, "on one line");
  RandomPoints random(10);
  const Matrix3 R = random.rotation();
  Points plate;
  for (int i = 0; i < 50; ++i)
    plate.emplace_back(R * Vector3(random.uniform(0, 1), random.uniform(0, 1), 0.3));
  refuses(plate, "in one plane");
  plate[17].x() = std::nan("");
  refuses(plate, "point 17 is not finite");
  plate[17].x() = std::numeric_limits<double>::infinity();
  refuses(plate, "point 17 is not finite");
}

TEST(PlanarConvexHull, OrdersTheCornersOfASquareWithPointsOnItsSides) {
  RandomPoints random(11);
  for (int trial = 0; trial < 100; ++trial) {
    const Eigen::Rotation2Dd R(trial * 0.1);
    std::vector<Vector2> points;
    for (int i = 0; i < 49; ++i) points.emplace_back(R * Vector2(i % 7 - 3, i / 7 - 3));
    std::shuffle(points.begin(), points.end(), std::mt19937(static_cast<unsigned>(trial)));
    const ConvexPolygon hull = planar_convex_hull(points);
    ASSERT_EQ(hull.vertices.size(), 4u);
    const PlanarMassProperties square = mass_properties_of_polygon(hull.vertices);
    EXPECT_NEAR(square.area, 36, 1e-12);
    EXPECT_LT(square.centre.norm(), 1e-13);
    EXPECT_NEAR(square.polar_inertia, 36 * (36 + 36) / 12.0, 1e-11);
  }
}

TEST(PlanarConvexHull, HoldsAllPoints) {
  RandomPoints random(12);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<Vector2> points(static_cast<std::size_t>(3 + trial));
    for (Vector2& point : points) point = random.in_cube().head<2>();
    const auto hull = planar_convex_hull(points).vertices;
    for (std::size_t i = 0; i < hull.size(); ++i) {
      const Vector2 edge = hull[(i + 1) % hull.size()] - hull[i];
      for (const Vector2& point : points)
        EXPECT_GT(edge.x() * (point - hull[i]).y() - edge.y() * (point - hull[i]).x(), -1e-14);
    }
  }
}

TEST(PlanarConvexHull, RefusesWhatDoesNotSpanThePlane) {
  using Points = std::vector<Vector2>;
  const auto refuses = [](const Points& points, const std::string& reason) {
    expect_refused([&] { planar_convex_hull(points); }, reason);
  };
  refuses({{0, 0}, {1, 0}}, "at least 3 points, got 2");
  refuses({{1, 1}, {1, 1}, {1, 1}}, "coincide");
  refuses({{0, 0}, {0.1, 0.3}, {0.2, 0.6}, {0.7, 2.1}}, "on one line");
  refuses({{0, 0}, {1, std::nan("")}, {1, 1}}, "point 1 is not finite");
}

TEST(Polygon, IsThePrismSeenFromAbove) {
  RandomPoints random(13);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Vector2> points(12);
    for (Vector2& point : points) point = Vector2(3, -5) + random.in_cube().head<2>();
    const ConvexPolygon polygon = planar_convex_hull(points);
    std::vector<Vector3> prism;
    for (const Vector2& vertex : polygon.vertices)
      for (const double z : {0.0, 1.0}) prism.emplace_back(vertex.x(), vertex.y(), z);
    const MassProperties solid = mass_properties_of_polyhedron(convex_hull(prism));
    const PlanarMassProperties plate = mass_properties_of_polygon(polygon.vertices);
    EXPECT_NEAR(plate.area, solid.volume, 1e-13);
    EXPECT_LT((plate.centre - solid.centre.head<2>()).norm(), 1e-13);
    EXPECT_NEAR(plate.polar_inertia, solid.inertia(2, 2), 1e-13);
  }
}

TEST(Polygon, TendsToTheDisc) {
  ConvexPolygon polygon;
  for (int i = 0; i < 1000; ++i)
    polygon.vertices.emplace_back(2 * std::cos(2 * pi * i / 1000), 2 * std::sin(2 * pi * i / 1000));
  EXPECT_NEAR(mass_properties_of_polygon(polygon.vertices).area, 4 * pi, 1e-4);
  EXPECT_NEAR(mass_properties_of_polygon(polygon.vertices).polar_inertia, 8 * pi, 1e-3);
}

TEST(Polygon, RefusesTheWrongOrientation) {
  EXPECT_THROW(mass_properties_of_polygon({{0, 0}, {0, 1}, {1, 0}}), std::invalid_argument);
  EXPECT_THROW(mass_properties_of_polygon({{0, 0}, {0, 1}}), std::invalid_argument);
}

}  // namespace
}  // namespace percuss
