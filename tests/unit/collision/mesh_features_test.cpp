#include "percuss/collision/mesh_features.h"

#include <algorithm>
#include <limits>
#include <random>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "percuss/collision/curved_gap.h"
#include "support/effort.h"

namespace percuss {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Vector3 any_vector(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return {normal(random), normal(random), normal(random)};
}
Matrix3 any_rotation(std::mt19937& random) {
  return Eigen::AngleAxisd(10 * any_vector(random).x(), any_vector(random).normalized()).toRotationMatrix();
}

/// A hull as a mesh: each face a fan round a point inside of it, which is not the same for any two.
TriangleMesh mesh_of_hull(const ConvexPolyhedron& hull, std::mt19937& random) {
  TriangleMesh mesh{hull.vertices, {}};
  std::uniform_real_distribution<double> weight(0.1, 1);
  for (const auto& face : hull.faces) {
    Vector3 inside = Vector3::Zero();
    double sum = 0;
    for (const int v : face.vertices) {
      const double w = weight(random);
      inside += w * hull.vertices[static_cast<size_t>(v)];
      sum += w;
    }
    const int middle = static_cast<int>(mesh.vertices.size());
    mesh.vertices.push_back(inside / sum);
    for (size_t k = 0; k < face.vertices.size(); ++k)
      mesh.triangles.push_back({middle, face.vertices[k], face.vertices[(k + 1) % face.vertices.size()]});
  }
  return mesh;
}
ConvexPolyhedron rock(std::mt19937& random, int points) {
  std::vector<Vector3> corners;
  for (int k = 0; k < points; ++k) corners.push_back(0.5 * any_vector(random).normalized());
  return convex_hull(corners);
}
ConvexPolyhedron box(const Vector3& sides) {
  std::vector<Vector3> corners;
  for (int k = 0; k < 8; ++k)
    corners.push_back(0.5 * sides.cwiseProduct(Vector3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  return convex_hull(corners);
}
/// Hills and valleys over the square from -1 to 1, part of them level.
TriangleMesh terrain(std::mt19937& random, int cells, double height) {
  std::uniform_real_distribution<double> any(-height, height);
  TriangleMesh mesh;
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i)
      mesh.vertices.emplace_back(-1 + 2.0 * i / cells, -1 + 2.0 * j / cells, i > cells / 2 ? 0 : any(random));
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) {
      const int a = j * (cells + 1) + i, b = a + 1, c = a + cells + 1, d = c + 1;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  return mesh;
}

/// Features in space by their numbers, of both kinds of surface.
struct Convex {
  PlacedShape at;
  Ball point(int v) const { return {at.x + at.R * at.shape->vertex(v), at.shape->radius}; }
  Line line(int e) const {
    const auto& edge = at.shape->edges[static_cast<size_t>(e)];
    return {at.x + at.R * at.shape->vertex(edge.from), at.R * edge.direction, at.shape->radius};
  }
  std::pair<Vector3, Vector3> face(int f) const {
    const auto& face = at.shape->faces[static_cast<size_t>(f)];
    return {at.x + at.R * (face.offset * face.normal), at.R * face.normal};
  }
};
struct Meshed {
  PlacedMesh at;
  Ball point(int v) const { return {at.x + at.R * at.surface->vertex(v), 0}; }
  Line line(int e) const {
    const auto edge = at.surface->edge(e);
    return {at.x + at.R * at.surface->vertex(edge.from), at.R * edge.direction, 0};
  }
  std::pair<Vector3, Vector3> face(int f) const {
    const auto& face = at.surface->face(f);
    return {at.x + at.R * (face.offset * face.normal), at.R * face.normal};
  }
};
double gap_of(const FeaturePair& pair, const auto& a, const auto& b) {
  const auto on_face = [](const Ball& ball, const std::pair<Vector3, Vector3>& face) {
    return ball_on_plane(ball, face.first, face.second).gap;
  };
  switch (pair.kind) {
    case FeatureKind::point_point: return ball_on_ball(a.point(pair.a), b.point(pair.b)).gap;
    case FeatureKind::point_line: return ball_on_line(a.point(pair.a), b.line(pair.b)).gap;
    case FeatureKind::line_point: return ball_on_line(b.point(pair.b), a.line(pair.a)).gap;
    case FeatureKind::point_face: return on_face(a.point(pair.a), b.face(pair.b));
    case FeatureKind::face_point: return on_face(b.point(pair.b), a.face(pair.a));
    case FeatureKind::line_line: return line_on_line(a.line(pair.a), b.line(pair.b)).gap;
    case FeatureKind::line_line_reversed: {
      Line first = a.line(pair.a);
      first.direction *= -1;
      return line_on_line(first, b.line(pair.b)).gap;
    }
    default: ADD_FAILURE(); return 0;
  }
}
std::vector<double> gaps_of(const std::vector<FeaturePair>& pairs, const auto& a, const auto& b) {
  std::vector<double> gaps;
  for (const FeaturePair& pair : pairs) gaps.push_back(gap_of(pair, a, b));
  std::ranges::sort(gaps);
  return gaps;
}

/// Of a point from a triangle.
double distance_to(const TriangleMesh& mesh, size_t t, const Vector3& p) {
  const auto& v = mesh.triangles[t];
  const auto corner = [&](size_t k) { return mesh.vertices[static_cast<size_t>(v[k % 3])]; };
  const Vector3 n = (corner(1) - corner(0)).cross(corner(2) - corner(0)).normalized();
  double least = infinity;
  bool is_over = true;
  for (size_t k = 0; k < 3; ++k) {
    const Vector3 along = corner(k + 1) - corner(k);
    is_over = is_over && n.cross(along).dot(p - corner(k)) >= 0;
    const double s = std::clamp(along.dot(p - corner(k)) / along.squaredNorm(), 0.0, 1.0);
    least = std::min(least, (p - corner(k) - s * along).norm());
  }
  return is_over ? std::min(least, std::abs(n.dot(p - corner(0)))) : least;
}
double distance_to(const TriangleMesh& mesh, const Vector3& p) {
  double least = infinity;
  for (size_t t = 0; t < mesh.triangles.size(); ++t) least = std::min(least, distance_to(mesh, t, p));
  return least;
}
double distance_to(const TriangleMesh& mesh, const Vector3& from, const Vector3& to) {
  double least = infinity;
  for (size_t t = 0; t < mesh.triangles.size(); ++t) {  // convex along the segment
    double low = 0, high = 1;
    const auto f = [&](double s) { return distance_to(mesh, t, from + s * (to - from)); };
    for (int k = 0; k < 60; ++k) {
      const double left = low + (high - low) / 3, right = high - (high - low) / 3;
      (f(left) < f(right) ? high : low) = f(left) < f(right) ? right : left;
    }
    least = std::min({least, f(low), f(0), f(1)});
  }
  return least;
}

TEST(MeshFeatures, APlaneHasNoInnerEdges) {
  std::mt19937 random(1);
  const ConvexPolyhedron cube = box({1, 0.6, 0.4});
  const MeshSurface surface(mesh_of_hull(cube, random), any_rotation(random), any_vector(random));
  EXPECT_EQ(surface.faces().size(), 6u);
  EXPECT_EQ(surface.edges().size(), 12u);
  EXPECT_EQ(surface.outermost().size(), 8u);
  EXPECT_FALSE(surface.has_border());
  const MeshSurface level(terrain(random, 6, 0), Matrix3::Identity(), Vector3::Zero());
  EXPECT_EQ(level.faces().size(), 1u);
  EXPECT_EQ(level.edges().size(), 24u);
  EXPECT_TRUE(level.has_border());
}

TEST(MeshFeatures, BallsAreAsFarAsTheyAre) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> any(-0.5, 0.5);  // nearer than the border
  MeshFeatureFinder finder;
  std::vector<FeaturePair> pairs;
  for (int k = 0; k < testing::repetitions(300); ++k) {
    const TriangleMesh mesh = terrain(random, 6, 0.3);
    const MeshSurface surface(mesh, Matrix3::Identity(), Vector3::Zero());
    const double radius = k % 3 == 0 ? 0.0 : 0.1;
    const ConvexShape ball = ball_shape(Vector3::Zero(), radius);
    const PlacedShape b{
        &ball, {any(random), any(random), 0.31 + 0.4 * std::abs(any(random))}, any_rotation(random)};
    const PlacedMesh a{&surface, Vector3::Zero(), Matrix3::Identity()};
    pairs.clear();
    finder.find(a, b, 3, pairs);
    const auto gaps = gaps_of(pairs, Meshed{a}, Convex{b});
    ASSERT_FALSE(gaps.empty()) << k << " " << distance_to(mesh, b.x) << " " << radius;
    EXPECT_NEAR(gaps.front(), distance_to(mesh, b.x) - radius, 1e-12) << k;
  }
}

TEST(MeshFeatures, CapsulesAreAsFarAsTheyAre) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-0.9, 0.9);
  MeshFeatureFinder finder;
  std::vector<FeaturePair> pairs;
  const ConvexShape capsule = capsule_shape({0, 0, -0.3}, {0, 0, 0.3}, 0.1);
  for (int k = 0; k < testing::repetitions(25); ++k) {
    const TriangleMesh mesh = terrain(random, 5, 0.3);
    const MeshSurface surface(mesh, Matrix3::Identity(), Vector3::Zero());
    const PlacedShape b{
        &capsule, {any(random), any(random), 0.61 + 0.3 * std::abs(any(random))}, any_rotation(random)};
    const PlacedMesh a{&surface, Vector3::Zero(), Matrix3::Identity()};
    pairs.clear();
    finder.find(a, b, 3, pairs);
    const auto gaps = gaps_of(pairs, Meshed{a}, Convex{b});
    ASSERT_FALSE(gaps.empty());
    const Vector3 along = b.R * Vector3(0, 0, 0.3);
    EXPECT_NEAR(gaps.front(), distance_to(mesh, b.x - along, b.x + along) - 0.1, 1e-9) << k;
  }
}

/// A centre beneath the surface is brought out through the nearest face, not through one behind it.
TEST(MeshFeatures, PointsBeneathComeOutWhereTheyAreLeastDeep) {
  std::mt19937 random(4);
  const MeshSurface plate(mesh_of_hull(box({1, 1, 0.1}), random), Matrix3::Identity(), Vector3::Zero());
  const PlacedMesh a{&plate, Vector3::Zero(), Matrix3::Identity()};
  const ConvexShape particle = ball_shape(Vector3::Zero(), 0);
  MeshFeatureFinder finder;
  for (const double depth : {1e-9, 1e-3, 0.04}) {
    std::vector<FeaturePair> pairs;
    const PlacedShape b{&particle, {0.1, 0.2, 0.05 - depth}, Matrix3::Identity()};
    finder.find(a, b, 0.3, pairs);
    ASSERT_EQ(pairs.size(), 1u) << depth;
    EXPECT_EQ(pairs[0].kind, FeatureKind::face_point);
    EXPECT_NEAR(gap_of(pairs[0], Meshed{a}, Convex{b}), -depth, 1e-15);
  }
  // Just beside the crest of a roof only the face on that side acts; in a valley both do.
  for (const double bend : {-0.5, 0.5}) {
    const TriangleMesh folded{
        {{-1, -1, bend}, {0, -1, 0}, {1, -1, bend}, {-1, 1, bend}, {0, 1, 0}, {1, 1, bend}},
        {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}}};
    const MeshSurface surface(folded, Matrix3::Identity(), Vector3::Zero());
    std::vector<FeaturePair> pairs;
    finder.find({&surface, Vector3::Zero(), Matrix3::Identity()},
                {&particle, {1e-4, 0.3, -1e-3}, Matrix3::Identity()}, 0.1, pairs);
    EXPECT_EQ(pairs.size(), bend < 0 ? 1u : 2u) << bend;
  }
}

class MeshesOfHulls : public ::testing::TestWithParam<bool> {};

/// Convex bodies as meshes, one of them or both, have the contacts that they have as hulls: where they
/// overlap a little the deepest one is as deep, and where they are just apart as open.
TEST_P(MeshesOfHulls, TouchAsHullsDo) {
  std::mt19937 random(5);
  FeatureFinder hulls;
  MeshFeatureFinder finder;
  std::vector<FeaturePair> expected, pairs;
  int checked = 0;
  for (int k = 0; k < testing::repetitions(400); ++k) {
    const ConvexPolyhedron one = k % 3 == 0 ? box({1, 0.6, 0.4}) : rock(random, 12);
    const ConvexPolyhedron two = k % 2 == 0 ? box({0.5, 0.7, 0.2}) : rock(random, 8);
    const ConvexShape first = polyhedron_shape(one, Vector3::Zero()),
                      second = polyhedron_shape(two, Vector3::Zero());
    const MeshSurface surface(mesh_of_hull(one, random), Matrix3::Identity(), Vector3::Zero()),
        other(mesh_of_hull(two, random), Matrix3::Identity(), Vector3::Zero());
    const PlacedShape a{&first, any_vector(random), k % 5 ? any_rotation(random) : Matrix3::Identity()};
    PlacedShape b{&second, a.x, k % 5 ? any_rotation(random) : Matrix3::Identity()};
    // From far away until they are as deep in each other as wanted.
    const Vector3 way = any_vector(random).normalized();
    const double depth = k % 2 ? 1e-9 : -1e-9;
    double far = 3, near = 0;
    const auto least_at = [&](double distance) {
      b.x = a.x + distance * way;
      expected.clear();
      hulls.find(a, b, 10, expected);
      const auto gaps = gaps_of(expected, Convex{a}, Convex{b});
      return gaps.empty() ? infinity : gaps.front();
    };
    for (int step = 0; step < 100; ++step) {
      const double middle = 0.5 * (near + far);
      (least_at(middle) > -depth ? far : near) = middle;
    }
    const double least = least_at(depth > 0 ? near : far);
    if (std::abs(least + depth) > 1e-11) continue;  // features change there
    ++checked;
    pairs.clear();
    const PlacedMesh mesh_a{&surface, a.x, a.R}, mesh_b{&other, b.x, b.R};
    if (GetParam())
      finder.find(mesh_a, mesh_b, 1e-3, pairs);
    else
      finder.find(mesh_a, b, 1e-3, pairs);
    const auto gaps = GetParam() ? gaps_of(pairs, Meshed{mesh_a}, Meshed{mesh_b})
                                 : gaps_of(pairs, Meshed{mesh_a}, Convex{b});
    ASSERT_FALSE(gaps.empty()) << k;
    EXPECT_NEAR(gaps.front(), least, 1e-12) << k;
    // The same patch, whatever the numbers of its features are.
    expected.clear();
    hulls.find(a, b, 1e-6, expected);
    const auto patch = gaps_of(expected, Convex{a}, Convex{b});
    const auto is_closed = [](double gap) { return gap < 1e-7; };
    EXPECT_EQ(std::ranges::count_if(gaps, is_closed), std::ranges::count_if(patch, is_closed)) << k;
  }
  EXPECT_GT(checked, testing::repetitions(300));
}

Feature placed(Feature feature, const Matrix3& R, const Vector3& x) {
  feature.point = R * feature.point + x;
  feature.direction = R * feature.direction;
  feature.half_axes = R * feature.half_axes;
  return feature;
}
Feature in_space(const PlacedMesh& of, FeatureType type, int number) {
  return placed(feature_of(*of.surface, type, number), of.R, of.x);
}
Feature in_space(const PlacedShape& of, FeatureType type, int number) {
  return placed(feature_of(*of.shape, type, number), of.R, of.x);
}
/// The pair with the least gap.
ClosestPoints least_of(const std::vector<FeaturePair>& pairs, const auto& a, const PlacedShape& b) {
  ClosestPoints least{infinity};
  for (const FeaturePair& pair : pairs) {
    const ClosestPoints at = gap_of_features(pair.kind, in_space(a, first_type(pair.kind), pair.a),
                                             in_space(b, second_type(pair.kind), pair.b));
    if (at.gap < least.gap) least = at;
  }
  return least;
}
double separation(const PlacedShape& a, const PlacedShape& b, const Vector3& n) {
  return -extent(placed_shape(*a.shape, a.R, a.x), -n) - extent(placed_shape(*b.shape, b.R, b.x), n);
}

/// Cylinders, cones and ellipsoids touch a rock and a box as meshes as they touch them as hulls, a little
/// open and a little deep.
TEST(MeshFeatures, CurvedShapesTouchAMeshAsTheHull) {
  std::mt19937 random(7);
  FeatureFinder hulls;
  MeshFeatureFinder finder;
  std::vector<FeaturePair> expected, pairs;
  for (const ConvexShape& curved :
       {cylinder_shape(0.3, 0.8, Vector3::Zero()), cylinder_shape(0.5, 0.1, Vector3::Zero()),
        cone_shape(0.4, 0.7, {0, 0, 0.2}), ellipsoid_shape({0.5, 0.3, 0.2}, Vector3::Zero())}) {
    int checked = 0;
    for (int k = 0; k < testing::repetitions(200); ++k) {
      const ConvexPolyhedron one = k % 3 == 0 ? box({1, 0.6, 0.4}) : rock(random, 12);
      const ConvexShape first = polyhedron_shape(one, Vector3::Zero());
      const MeshSurface surface(mesh_of_hull(one, random), Matrix3::Identity(), Vector3::Zero());
      const Matrix3 R = any_rotation(random);
      const PlacedShape a{&first, any_vector(random), R};
      PlacedShape b{&curved, a.x, k % 5 ? any_rotation(random) : R};
      const PlacedMesh mesh{&surface, a.x, a.R};
      const Vector3 way = any_vector(random).normalized();
      const double depth = k % 2 ? 1e-6 : -1e-6;
      double far = 3, near = 0;
      const auto least_at = [&](double distance) {
        b.x = a.x + distance * way;
        expected.clear();
        hulls.find(a, b, 10, expected);
        return least_of(expected, a, b);
      };
      for (int step = 0; step < 60; ++step) {
        const double middle = 0.5 * (near + far);
        (least_at(middle).gap > -depth ? far : near) = middle;
      }
      const ClosestPoints least = least_at(depth > 0 ? near : far);
      if (std::abs(least.gap + depth) > 1e-9) continue;  // features change there
      // A corner and a rim are no pair: other features stand for them, whose normal does not separate the
      // shapes.
      if (separation(a, b, least.normal) < least.gap - 1e-6) continue;
      ++checked;
      pairs.clear();
      finder.find(mesh, b, 1e-3, pairs);
      EXPECT_NEAR(least_of(pairs, mesh, b).gap, least.gap, 1e-11) << k;
    }
    EXPECT_GE(checked, testing::repetitions(180));
  }
}

std::string name_of_case(const ::testing::TestParamInfo<bool>& info) {
  return info.param ? "BothAsMeshes" : "OneAsMesh";
}
INSTANTIATE_TEST_SUITE_P(All, MeshesOfHulls, ::testing::Values(false, true), name_of_case);

}  // namespace
}  // namespace percuss
