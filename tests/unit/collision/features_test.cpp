#include "percuss/collision/features.h"

#include <limits>
#include <random>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "percuss/collision/feature_gap.h"
#include "percuss/collision/open_distance.h"
#include "support/effort.h"

namespace percuss {
namespace {

using Long3 = Eigen::Matrix<long double, 3, 1>;

Vector3 random_vector(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return {normal(random), normal(random), normal(random)};
}
Matrix3 random_rotation(std::mt19937& random) {
  const Vector3 axis = random_vector(random).normalized();
  return Eigen::AngleAxisd(10 * random_vector(random).x(), axis).toRotationMatrix();
}

ConvexShape box_shape(const Vector3& sides) {
  std::vector<Vector3> corners;
  for (int k = 0; k < 8; ++k)
    corners.push_back(0.5 * Vector3(k & 1 ? sides.x() : -sides.x(), k & 2 ? sides.y() : -sides.y(),
                                    k & 4 ? sides.z() : -sides.z()));
  return polyhedron_shape(convex_hull(corners), Vector3::Zero());
}
ConvexShape rock_shape(std::mt19937& random, int points) {
  std::vector<Vector3> corners;
  for (int k = 0; k < points; ++k) corners.push_back(0.5 * random_vector(random).normalized());
  return polyhedron_shape(convex_hull(corners), Vector3::Zero());
}

/// The gap of a pair of features, as contacts have it.
ClosestPoints closest(const FeaturePair& pair, const PlacedShape& a, const PlacedShape& b) {
  const auto point = [](const PlacedShape& of, int v) {
    return Ball{of.x + of.R * of.shape->vertex(v), of.shape->radius};
  };
  const auto line = [](const PlacedShape& of, int e, double sign) {
    const auto& edge = of.shape->edges[static_cast<size_t>(e)];
    return Line{of.x + of.R * of.shape->vertex(edge.from), sign * (of.R * edge.direction), of.shape->radius};
  };
  const auto on_face = [&](const Ball& ball, const PlacedShape& of, int f) {
    const auto& face = of.shape->faces[static_cast<size_t>(f)];
    return ball_on_plane(ball, of.x + of.R * (face.offset * face.normal), of.R * face.normal);
  };
  const auto turned = [](const ClosestPoints& c) {
    return ClosestPoints{c.gap, c.on_second, c.on_first, -c.normal};
  };
  switch (pair.kind) {
    case FeatureKind::point_point: return ball_on_ball(point(a, pair.a), point(b, pair.b));
    case FeatureKind::point_line: return ball_on_line(point(a, pair.a), line(b, pair.b, 1));
    case FeatureKind::line_point: return turned(ball_on_line(point(b, pair.b), line(a, pair.a, 1)));
    case FeatureKind::point_face: return on_face(point(a, pair.a), b, pair.b);
    case FeatureKind::face_point: return turned(on_face(point(b, pair.b), a, pair.a));
    case FeatureKind::line_line: return line_on_line(line(a, pair.a, 1), line(b, pair.b, 1));
    case FeatureKind::line_line_reversed: return line_on_line(line(a, pair.a, -1), line(b, pair.b, 1));
    default: break;
  }
  ADD_FAILURE();
  return {};
}

double least_gap(const std::vector<FeaturePair>& pairs, const PlacedShape& a, const PlacedShape& b) {
  double least = std::numeric_limits<double>::infinity();
  for (const FeaturePair& pair : pairs) least = std::min(least, closest(pair, a, b).gap);
  return least;
}

std::vector<Long3> places(const PlacedShape& shape) {
  std::vector<Long3> all;
  for (const Vector3& vertex : shape.shape->vertices)
    all.push_back(shape.R.cast<long double>() * vertex.cast<long double>() + shape.x.cast<long double>());
  return all;
}

/// The widest separation of two polyhedra over all faces and pairs of edges, by the extents of all vertices
/// along each of these directions, without any selection.
long double separation_by_all_axes(const PlacedShape& a, const PlacedShape& b) {
  const auto in_a = places(a), in_b = places(b);
  long double widest = -std::numeric_limits<long double>::infinity();
  const auto offer = [&](const Long3& axis) {
    if (axis.norm() < 1e-10L) return;
    const Long3 n = axis.normalized();
    for (const long double sign : {1.0L, -1.0L}) {
      long double highest = -std::numeric_limits<long double>::infinity(), lowest = -highest;
      for (const Long3& x : in_a) highest = std::max(highest, sign * n.dot(x));
      for (const Long3& x : in_b) lowest = std::min(lowest, sign * n.dot(x));
      widest = std::max(widest, lowest - highest);
    }
  };
  const auto directions = [](const PlacedShape& of) {
    std::vector<Long3> all;
    const auto x = places(of);
    for (const auto& edge : of.shape->edges)
      all.push_back(x[static_cast<size_t>(edge.to)] - x[static_cast<size_t>(edge.from)]);
    return all;
  };
  for (const PlacedShape* of : {&a, &b})
    for (const auto& face : of->shape->faces) {
      const auto x = places(*of);
      const auto corner = [&](int k) {
        return x[static_cast<size_t>(of->shape->corners[static_cast<size_t>(face.first + k)])];
      };
      offer((corner(1) - corner(0)).cross(corner(2) - corner(0)));
    }
  for (const Long3& e : directions(a))
    for (const Long3& f : directions(b)) offer(e.cross(f));
  return widest;
}

/// Distance of two convex sets from the squared distance along a segment, which is convex.
long double least_on(const auto& f) {
  long double low = 0, high = 1;
  for (int k = 0; k < 60; ++k) {
    const long double left = low + (high - low) / 3, right = high - (high - low) / 3;
    (f(left) < f(right) ? high : low) = f(left) < f(right) ? right : left;
  }
  return std::min({f(0.5L * (low + high)), f(0.0L), f(1.0L)});
}

/// Of a point from a polyhedron, whose faces are fans of triangles; 0 inside.
long double distance_from(const PlacedShape& polyhedron, const Long3& p) {
  const auto x = places(polyhedron);
  long double least = std::numeric_limits<long double>::infinity();
  bool is_inside = true;
  for (const auto& face : polyhedron.shape->faces) {
    const auto corner = [&](int k) {
      return x[static_cast<size_t>(
          polyhedron.shape->corners[static_cast<size_t>(face.first + k % face.count)])];
    };
    const Long3 n = (corner(1) - corner(0)).cross(corner(2) - corner(0)).normalized();
    const long double height = n.dot(p - corner(0));
    is_inside = is_inside && height <= 0;
    bool is_over = true;
    for (int k = 0; k < face.count; ++k) {
      const Long3 along = corner(k + 1) - corner(k);
      is_over = is_over && n.cross(along).dot(p - corner(k)) >= 0;
      const long double s =
          std::clamp<long double>(along.dot(p - corner(k)) / along.squaredNorm(), 0.0L, 1.0L);
      least = std::min(least, (p - corner(k) - s * along).norm());
    }
    if (is_over) least = std::min(least, std::abs(height));
  }
  return is_inside ? 0.0L : least;
}

class Polyhedra : public ::testing::TestWithParam<int> {};

/// From deep overlaps to open gaps: where shapes overlap, or are apart along a common normal, some contact
/// has the gap of the widest separation, which is the depth.
TEST_P(Polyhedra, TheLeastGapIsTheWidestSeparation) {
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  FeatureFinder finder;
  std::vector<FeaturePair> pairs;
  const int poses = testing::repetitions(60);
  int overlapping = 0, exact = 0;
  for (int k = 0; k < poses; ++k) {
    const ConvexShape first = GetParam() == 0 ? box_shape({1, 0.6, 0.4}) : rock_shape(random, 12);
    const ConvexShape second = GetParam() == 2 ? rock_shape(random, 6) : box_shape({0.5, 0.5, 0.5});
    const PlacedShape a{&first, random_vector(random), random_rotation(random)};
    PlacedShape b{&second, a.x + random_vector(random), random_rotation(random)};
    // Moved along the line of centres to depths over many orders of magnitude.
    const Vector3 away = (b.x - a.x).normalized();
    const double wanted = -std::pow(10.0, -12 + 11.0 * k / poses) * (k % 2 == 0 ? 1 : -1);
    for (int pass = 0; pass < 12; ++pass)
      b.x += (wanted - static_cast<double>(separation_by_all_axes(a, b))) * 0.9 * away;
    const auto separation = static_cast<double>(separation_by_all_axes(a, b));
    pairs.clear();
    finder.find(a, b, 1, pairs);
    if (separation > 0) continue;  // those may pass each other without contact
    ++overlapping;
    ASSERT_FALSE(pairs.empty()) << k << " " << separation;
    const double error = std::abs(least_gap(pairs, a, b) - separation);
    EXPECT_LT(error, 2e-6) << k;  // faces are preferred by so much
    exact += error < 1e-12;
  }
  EXPECT_GE(exact, 0.95 * overlapping);
  EXPECT_GE(overlapping, poses / 6);
}
INSTANTIATE_TEST_SUITE_P(Shapes, Polyhedra, ::testing::Values(0, 1, 2));

TEST(Features, BoxOnBoxHasTheCornersOfThePatch) {
  const ConvexShape box = box_shape({1, 1, 1});
  FeatureFinder finder;
  std::vector<FeaturePair> pairs;
  const auto count = [&](const Vector3& offset, double yaw) {
    pairs.clear();
    const PlacedShape a{&box, {3, 4, 5}, Matrix3::Identity()};
    finder.find(a, {&box, a.x + offset, Eigen::AngleAxisd(yaw, Vector3::UnitZ()).toRotationMatrix()}, 0.01,
                pairs);
    for (const FeaturePair& pair : pairs)
      EXPECT_NEAR(
          least_gap({pair}, a,
                    {&box, a.x + offset, Eigen::AngleAxisd(yaw, Vector3::UnitZ()).toRotationMatrix()}),
          offset.z() - 1, 1e-15);
    return pairs.size();
  };
  EXPECT_EQ(count({0, 0, 1}, 0), 4u);             // exactly on each other: no corner twice
  EXPECT_EQ(count({0.3, 0, 1}, 0), 4u);           // a brick with an overhang
  EXPECT_EQ(count({0.3, 0.2, 1 - 1e-9}, 0), 4u);  // two corners, and two crossings of edges
  EXPECT_EQ(count({0, 0, 1}, 0.7), 8u);           // an octagon
  EXPECT_EQ(count({0, 0, 1}, 1e-3), 8u);
  EXPECT_GE(count({0, 0, 1}, 1e-6), 4u);  // edges parallel to a millionth
  EXPECT_EQ(count({1.2, 0, 1}, 0), 0u);   // beside it
}

/// Boxes along their axes are looked at in a shorter way than polyhedra, which they are in other axes. Their
/// overlaps and gaps are of all sizes up to the reach and beyond, and they are turned by little or by much.
TEST(Features, BoxesTouchAsPolyhedraDo) {
  std::mt19937 random(11);
  FeatureFinder finder;
  std::vector<FeaturePair> as_boxes, as_polyhedra;
  const Matrix3 other_axes = random_rotation(random);
  const ConvexShape first = box_shape({1, 0.6, 0.4}), second = box_shape({0.5, 0.7, 0.9});
  ConvexShape turned_first = placed_shape(first, other_axes, Vector3::Zero()),
              turned_second = placed_shape(second, other_axes, Vector3::Zero());
  turned_first.size = first.size;  // by parts of which faces are preferred
  turned_second.size = second.size;
  ASSERT_TRUE(first.of_box && second.of_box && !turned_first.of_box && !turned_second.of_box);
  const int poses = testing::repetitions(4000);
  int touching = 0, apart = 0, with_edges = 0;
  for (int k = 0; k < poses; ++k) {
    const Vector3 tilt = (k % 3 == 0 ? 0.05 : 2.0) * random_vector(random);
    const PlacedShape a{&first, random_vector(random), random_rotation(random)};
    const Matrix3 R = a.R * Eigen::AngleAxisd(tilt.norm(), tilt.normalized()).toRotationMatrix();
    const PlacedShape b{&second, a.x + 0.9 * random_vector(random).normalized(), R};
    as_boxes.clear();
    as_polyhedra.clear();
    const double reach = 0.05 * (k % 5);
    finder.find(a, b, reach, as_boxes);
    finder.find({&turned_first, a.x, a.R * other_axes.transpose()},
                {&turned_second, b.x, b.R * other_axes.transpose()}, reach, as_polyhedra);
    std::ranges::sort(as_boxes);
    std::ranges::sort(as_polyhedra);
    ASSERT_EQ(as_boxes, as_polyhedra) << k;
    (as_boxes.empty() ? apart : touching) += 1;
    with_edges += as_boxes.size() == 1 && first_type(as_boxes[0].kind) == FeatureType::line;
  }
  EXPECT_GT(apart, poses / 8);
  EXPECT_GT(touching, poses / 4);
  EXPECT_GT(with_edges, poses / 40);
}

TEST(Features, RoundBodiesAreAsFarAsTheyAre) {
  std::mt19937 random(3);
  const ConvexShape box = box_shape({1, 0.6, 0.4});
  FeatureFinder finder;
  std::vector<FeaturePair> pairs;
  int checked = 0;
  for (int k = 0; k < testing::repetitions(150); ++k) {
    const bool is_capsule = k % 2 == 0;
    const double radius = k % 3 == 0 ? 0.0 : 0.2;
    const ConvexShape round =
        is_capsule ? capsule_shape({0, 0, -0.4}, {0, 0, 0.4}, radius) : ball_shape(Vector3::Zero(), radius);
    const PlacedShape a{&box, random_vector(random), random_rotation(random)};
    const PlacedShape b{&round, a.x + 0.6 * random_vector(random), random_rotation(random)};
    const auto ends = places(b);
    const long double distance = is_capsule ? least_on([&](long double s) {
      return distance_from(a, Long3(ends[0] + s * (ends[1] - ends[0])));
    })
                                            : distance_from(a, ends[0]);
    if (distance < 1e-6L) continue;  // the core overlaps
    pairs.clear();
    finder.find(k % 5 == 0 ? a : b, k % 5 == 0 ? b : a, 100, pairs);
    const double least = k % 5 == 0 ? least_gap(pairs, a, b) : least_gap(pairs, b, a);
    EXPECT_NEAR(least, static_cast<double>(distance) - radius, 2e-9) << k;
    ++checked;
  }
  EXPECT_GT(checked, testing::repetitions(70));
}

TEST(Features, CapsulesAreAsFarAsTheyAre) {
  std::mt19937 random(4);
  FeatureFinder finder;
  std::vector<FeaturePair> pairs;
  const ConvexShape capsule = capsule_shape({-0.5, 0, 0}, {0.5, 0, 0}, 0.1);
  for (int k = 0; k < testing::repetitions(100); ++k) {
    const PlacedShape a{&capsule, random_vector(random), random_rotation(random)};
    PlacedShape b{&capsule, a.x + 0.5 * random_vector(random), random_rotation(random)};
    if (k % 4 == 0)
      b.R = a.R * Eigen::AngleAxisd(k % 8 == 0 ? 0.0 : std::pow(10.0, -k % 13), Vector3::UnitY());
    const auto first = places(a), second = places(b);
    const long double distance = least_on([&](long double s) {
      const Long3 p = first[0] + s * (first[1] - first[0]);
      return least_on([&](long double t) { return (p - second[0] - t * (second[1] - second[0])).norm(); });
    });
    pairs.clear();
    finder.find(a, b, 100, pairs);
    EXPECT_NEAR(least_gap(pairs, a, b), static_cast<double>(distance) - 0.2, 1e-9) << k;
  }
}

/// Two polyhedra apart: along each edge of one the distance from the other is convex, and else a corner of
/// the other is the closest.
TEST(OpenDistance, IsThatOfTheClosestPoints) {
  std::mt19937 random(11);
  int apart = 0;
  for (int k = 0; k < testing::repetitions(6); ++k) {
    const ConvexShape box = box_shape({1, 0.6, 0.4}), rock = rock_shape(random, 8);
    const PlacedShape a{&box, Vector3::Zero(), random_rotation(random)};
    const PlacedShape b{&rock, 1.5 * random_vector(random), random_rotation(random)};
    if (separation_by_all_axes(a, b) <= 0) continue;
    ++apart;
    long double expected = std::numeric_limits<long double>::infinity();
    const auto in_a = places(a);
    for (const auto& edge : box.edges)
      expected = std::min(expected, least_on([&](long double s) {
                            const Long3 &from = in_a[static_cast<size_t>(edge.from)],
                                        &to = in_a[static_cast<size_t>(edge.to)];
                            return distance_from(b, from + s * (to - from));
                          }));
    for (const Long3& corner : places(b)) expected = std::min(expected, distance_from(a, corner));
    EXPECT_NEAR(open_distance(placed_shape(box, a.R, a.x), placed_shape(rock, b.R, b.x)),
                static_cast<double>(expected), 1e-13)
        << k;
  }
  EXPECT_GE(apart, testing::repetitions(6) / 2);
}

/// dg/dt = n . (velocity of the point of the first body - that of the second): with features fixed the normal
/// is the gradient of the gap.
TEST(Features, NormalsAreGradientsOfGaps) {
  std::mt19937 random(5);
  FeatureFinder finder;
  std::vector<FeaturePair> pairs;
  std::array<int, 8> seen = {};
  for (int k = 0; k < testing::repetitions(500); ++k) {
    const ConvexShape box = box_shape({1, 0.6, 0.4}), rock = rock_shape(random, 10),
                      capsule = capsule_shape({0, 0, -0.4}, {0, 0, 0.4}, 0.1),
                      ball = ball_shape({0.1, 0, 0}, 0.2);
    const std::array<const ConvexShape*, 4> shapes = {&box, &rock, &capsule, &ball};
    PlacedShape a{shapes[random() % 4], random_vector(random), random_rotation(random)};
    PlacedShape b{shapes[random() % 4], a.x + 0.6 * random_vector(random), random_rotation(random)};
    pairs.clear();
    finder.find(a, b, 0.5, pairs);
    const Vector3 va = random_vector(random), vb = random_vector(random), wa = random_vector(random),
                  wb = random_vector(random);
    const auto moved = [](const PlacedShape& from, const Vector3& v, const Vector3& w, double t) {
      const Matrix3 turn = w.norm() > 0 ? Eigen::AngleAxisd(t * w.norm(), w.normalized()).toRotationMatrix()
                                        : Matrix3::Identity();
      return PlacedShape{from.shape, from.x + t * v, turn * from.R};
    };
    for (const FeaturePair& pair : pairs) {
      const ClosestPoints at = closest(pair, a, b);
      if (pair.kind == FeatureKind::line_line || pair.kind == FeatureKind::line_line_reversed) {
        const Vector3 along_a = a.R * a.shape->edges[static_cast<size_t>(pair.a)].direction,
                      along_b = b.R * b.shape->edges[static_cast<size_t>(pair.b)].direction;
        if (along_a.cross(along_b).norm() < 0.05) continue;  // differences say nothing there
      }
      ++seen[static_cast<size_t>(pair.kind)];
      const double rate = at.normal.dot(va + wa.cross(at.on_first - a.x) - vb - wb.cross(at.on_second - b.x));
      constexpr double e = 1e-4;
      const auto gap = [&](double t) { return closest(pair, moved(a, va, wa, t), moved(b, vb, wb, t)).gap; };
      const double difference = (8 * (gap(e) - gap(-e)) - gap(2 * e) + gap(-2 * e)) / (12 * e);
      const double scale = 1 + va.norm() + vb.norm() + wa.norm() + wb.norm();
      EXPECT_NEAR(rate, difference, 1e-8 * scale * (1 + 1 / std::max(0.01, at.gap + 0.2))) << k;
    }
  }
  for (int kind = 1; kind < 8; ++kind) EXPECT_GT(seen[static_cast<size_t>(kind)], 2) << kind;
}

}  // namespace
}  // namespace percuss
