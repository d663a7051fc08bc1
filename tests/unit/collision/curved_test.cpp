// Cylinders, cones and ellipsoids: gaps against distances by nested search, normals against differences.

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <random>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "percuss/collision/features.h"
#include "support/effort.h"

namespace percuss {
namespace {

using Real = long double;
using Real3 = Eigen::Matrix<Real, 3, 1>;

Vector3 random_direction(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Vector3(normal(random), normal(random), normal(random));
}
Matrix3 random_attitude(std::mt19937& random) {
  const Vector3 axis = random_direction(random).normalized();
  return Eigen::AngleAxisd(10 * random_direction(random).x(), axis).toRotationMatrix();
}

/// A shape with its support function and the distance of a point from it, in its own axes.
struct Solid {
  std::string name;
  ConvexShape shape;
  std::function<Real(const Real3&)> support, distance;
};

Real positive(Real x) { return std::max<Real>(x, 0); }

/// Of a point from the segment between two points of the half-plane (distance from the axis, height).
Real from_segment(Real x, Real y, Real ax, Real ay, Real bx, Real by) {
  const Real dx = bx - ax, dy = by - ay;
  const Real s = std::clamp<Real>(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0, 1);
  return std::hypot(x - ax - s * dx, y - ay - s * dy);
}

Solid box_solid(const Vector3& half) {
  std::vector<Vector3> corners;
  for (int k = 0; k < 8; ++k)
    corners.push_back(half.cwiseProduct(Vector3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  const Real3 h = half.cast<Real>();
  return {"box", polyhedron_shape(convex_hull(corners), Vector3::Zero()),
          [h](const Real3& n) { return h.dot(n.cwiseAbs()); },
          [h](const Real3& p) {
            return std::hypot(positive(std::abs(p[0]) - h[0]), positive(std::abs(p[1]) - h[1]),
                              positive(std::abs(p[2]) - h[2]));
          }};
}
Solid cylinder_solid(Real r, Real length) {
  return {"cylinder", cylinder_shape(static_cast<double>(r), static_cast<double>(length), Vector3::Zero()),
          [=](const Real3& n) { return r * std::hypot(n[0], n[1]) + length / 2 * std::abs(n[2]); },
          [=](const Real3& p) {
            return std::hypot(positive(std::hypot(p[0], p[1]) - r), positive(std::abs(p[2]) - length / 2));
          }};
}
/// With the base at z = 0.
Solid cone_solid(Real r, Real height) {
  return {"cone", cone_shape(static_cast<double>(r), static_cast<double>(height), Vector3::Zero()),
          [=](const Real3& n) { return std::max(height * n[2], r * std::hypot(n[0], n[1])); },
          [=](const Real3& p) {
            const Real rho = std::hypot(p[0], p[1]);
            if (p[2] >= 0 && rho <= r * (1 - p[2] / height)) return Real(0);
            return std::min(from_segment(rho, p[2], 0, 0, r, 0), from_segment(rho, p[2], r, 0, 0, height));
          }};
}
Solid ellipsoid_solid(const Vector3& half) {
  const Real3 e = half.cast<Real>();
  return {"ellipsoid", ellipsoid_shape(half, Vector3::Zero()),
          [e](const Real3& n) { return e.cwiseProduct(n).norm(); },
          [e](const Real3& p) {
            if (p.cwiseQuotient(e).norm() <= 1) return Real(0);
            Real low = 0, high = e.cwiseProduct(p).norm();  // of t in x_i = e_i^2 p_i / (t + e_i^2)
            for (int k = 0; k < 90; ++k) {
              const Real t = (low + high) / 2;
              const Real3 x = e.cwiseProduct(p).cwiseQuotient(e.cwiseAbs2() + Real3::Constant(t));
              (x.norm() > 1 ? low : high) = t;
            }
            const Real3 scale = e.cwiseAbs2() + Real3::Constant(high);
            return (high * p.cwiseQuotient(scale)).norm();
          }};
}
Solid capsule_solid(Real r, Real length) {
  const double half = static_cast<double>(length) / 2;
  return {"capsule", capsule_shape({0, 0, -half}, {0, 0, half}, static_cast<double>(r)),
          [=](const Real3& n) { return length / 2 * std::abs(n[2]) + r * n.norm(); },
          [=](const Real3& p) {
            return positive(std::hypot(p[0], p[1], positive(std::abs(p[2]) - length / 2)) - r);
          }};
}
Solid ball_solid(Real r) {
  return {"ball", ball_shape(Vector3::Zero(), static_cast<double>(r)),
          [=](const Real3& n) { return r * n.norm(); },
          [=](const Real3& p) { return positive(p.norm() - r); }};
}

/// The least value of a convex function on [-1, 1].
template <class F>
Real least_between(const F& f, int steps) {
  const Real golden = (3 - std::sqrt(Real(5))) / 2;
  Real low = -1, high = 1, left = low + golden * (high - low), right = high - golden * (high - low);
  Real at_left = f(left), at_right = f(right), least = std::min({f(low), f(high), at_left, at_right});
  for (int k = 0; k < steps; ++k) {
    if (at_left < at_right) {
      high = right, right = left, at_right = at_left;
      left = low + golden * (high - low);
      least = std::min(least, at_left = f(left));
    } else {
      low = left, left = right, at_left = at_right;
      right = high - golden * (high - low);
      least = std::min(least, at_right = f(right));
    }
  }
  return least;
}

/// The distance of a ball or of a capsule, by a search along its axis.
Real distance_of_round(const Solid& a, const PlacedShape& at_a, const Solid& b, const PlacedShape& at_b) {
  const Eigen::Matrix<Real, 3, 3> R = (at_b.R.transpose() * at_a.R).cast<Real>();
  const Real3 x = at_b.R.transpose().cast<Real>() * (at_a.x - at_b.x).cast<Real>();
  const Real half = a.name == "ball" ? Real(0) : Real(a.shape.vertices[1].z());
  if (half == 0) return positive(b.distance(x) - Real(a.shape.radius));
  return positive(least_between([&](Real s) { return b.distance(x + R * Real3(0, 0, s * half)); }, 90) -
                  Real(a.shape.radius));
}

/// A lower bound of the distance: how far the solids are apart along a normal.
Real separation_along(const Vector3& normal, const Solid& a, const PlacedShape& at_a, const Solid& b,
                      const PlacedShape& at_b) {
  const Real3 n = normal.cast<Real>();
  return n.dot((at_a.x - at_b.x).cast<Real>()) - a.support(at_a.R.transpose().cast<Real>() * -n) -
         b.support(at_b.R.transpose().cast<Real>() * n);
}
/// How far a point is outside of a solid.
double outside(const Vector3& point, const Solid& solid, const PlacedShape& at) {
  return static_cast<double>(solid.distance(at.R.transpose().cast<Real>() * (point - at.x).cast<Real>()));
}

ClosestPoints gap_of(const FeaturePair& pair, const PlacedShape& a, const PlacedShape& b) {
  const ConvexShape in_a = placed_shape(*a.shape, a.R, a.x), in_b = placed_shape(*b.shape, b.R, b.x);
  return gap_of_features(pair.kind, feature_of(in_a, first_type(pair.kind), pair.a),
                         feature_of(in_b, second_type(pair.kind), pair.b));
}

std::vector<Solid> curved_solids() {
  return {cylinder_solid(0.4L, 1.2L), cylinder_solid(0.7L, 0.1L), cone_solid(0.5L, 0.9L),
          ellipsoid_solid({0.7, 0.5, 0.3})};
}

struct Found {
  double least = std::numeric_limits<double>::infinity();
  FeaturePair pair{FeatureKind::whole};
};
Found least_found(FeatureFinder& finder, const PlacedShape& a, const PlacedShape& b, double reach) {
  std::vector<FeaturePair> pairs;
  finder.find(a, b, reach, pairs);
  Found found;
  for (const FeaturePair& pair : pairs)
    if (const double gap = gap_of(pair, a, b).gap; gap < found.least) found = {gap, pair};
  return found;
}

/// Attitudes in which axes are parallel, across or nearly so are among them.
Matrix3 attitude(std::mt19937& random, int k) {
  if (k % 3 != 0) return random_attitude(random);
  const double quarter = std::acos(0.0), off = k % 2 == 0 ? 0.0 : std::pow(10.0, -(k % 14) - 1);
  return (Eigen::AngleAxisd(quarter * (k % 4) + off, Vector3::UnitX()) *
          Eigen::AngleAxisd(quarter * (k % 5), Vector3::UnitY()))
      .toRotationMatrix();
}

TEST(Curved, BallsAndCapsulesAreAsFarAsTheyAre) {
  std::mt19937 random(11);
  FeatureFinder finder;
  double worst = 0;
  for (const Solid& b : curved_solids())
    for (const Solid& a : {ball_solid(0.2L), ball_solid(0.0L), capsule_solid(0.15L, 0.8L)})
      for (int k = 0; k < testing::repetitions(150); ++k) {
        const PlacedShape at_b{&b.shape, random_direction(random), attitude(random, k)};
        const PlacedShape at_a{&a.shape, at_b.x + (k % 2 ? 1.2 : 0.8) * random_direction(random),
                               attitude(random, k + 1)};
        const auto distance = static_cast<double>(distance_of_round(a, at_a, b, at_b));
        if (distance <= 1e-9) continue;
        const bool is_first = k % 4 < 2;
        const Found found =
            is_first ? least_found(finder, at_a, at_b, 100) : least_found(finder, at_b, at_a, 100);
        EXPECT_NEAR(found.least, distance, 1e-9)
            << a.name << " " << b.name << " " << k << " kind " << static_cast<int>(found.pair.kind);
        worst = std::max(worst, std::abs(found.least - distance));
      }
  EXPECT_LT(worst, 2e-10);
}

/// The widest separation along many directions.
double separation_by_directions(const PlacedShape& a, const PlacedShape& b) {
  double widest = -std::numeric_limits<double>::infinity();
  constexpr int count = 500;
  for (int k = 0; k < count; ++k) {
    const double z = 1 - (2.0 * k + 1) / count, angle = 2.399963229728653 * k, rho = std::sqrt(1 - z * z);
    const Vector3 n(rho * std::cos(angle), rho * std::sin(angle), z);
    const double own = extent(*a.shape, -a.R.transpose() * n) - n.dot(a.x);
    widest = std::max(widest, -own - extent(*b.shape, b.R.transpose() * n) - n.dot(b.x));
  }
  return widest;
}

/// Between two points of the solids is at least their distance, and along any normal they are apart by at
/// most their distance. Where both are the same for the points and the normal of a contact, its gap is the
/// distance. Two corners, or a corner and an edge or a rim, are not in the list: something else touches
/// before them.
TEST(Curved, ShapesAreAsFarAsTheyAre) {
  std::mt19937 random(12);
  FeatureFinder finder;
  std::vector<Solid> solids = curved_solids();
  for (const Solid& more : {box_solid({0.5, 0.3, 0.6}), capsule_solid(0.15L, 0.8L), ball_solid(0.2L)})
    solids.push_back(more);
  for (const Solid& b : curved_solids())
    for (const Solid& a : solids) {
      int exact = 0, apart = 0;
      for (int k = 0; k < testing::repetitions(50); ++k) {
        const PlacedShape at_b{&b.shape, random_direction(random), attitude(random, k)};
        const PlacedShape at_a{&a.shape, at_b.x + 1.3 * random_direction(random), attitude(random, k + 1)};
        if (separation_by_directions(at_a, at_b) < 1e-3) continue;
        ++apart;
        const Found found = least_found(finder, at_a, at_b, 100);
        const bool is_smooth = !b.shape.has_faces() || a.name == "ellipsoid" || a.shape.is_rounded_core();
        EXPECT_TRUE(!is_smooth || std::isfinite(found.least)) << a.name << " " << b.name << " " << k;
        if (!std::isfinite(found.least)) continue;
        const ClosestPoints at = gap_of(found.pair, at_a, at_b);
        const auto along = static_cast<double>(separation_along(at.normal, a, at_a, b, at_b));
        const std::string what =
            fmt::format("{} {} {} kind {}", a.name, b.name, k, static_cast<int>(found.pair.kind));
        EXPECT_LT((at.on_first - at.on_second - at.gap * at.normal).norm(), 1e-9) << what << " " << at.gap;
        EXPECT_LT(outside(at.on_first, a, at_a), 1e-9) << what << " " << at.gap;
        EXPECT_LT(outside(at.on_second, b, at_b), 1e-9) << what << " " << at.gap;
        if (at.gap - along > 1e-9) continue;
        ++exact;
      }
      const bool has_all = !b.shape.has_faces() || a.name == "ellipsoid" || a.shape.is_rounded_core();
      EXPECT_GE(exact, has_all ? apart : 0.5 * apart) << a.name << " " << b.name;
    }
}

/// However deep, something is found, and nothing is deeper than the shapes overlap.
TEST(Curved, WhatOverlapsTouches) {
  std::mt19937 random(13);
  FeatureFinder finder;
  std::vector<FeaturePair> pairs;
  std::vector<Solid> solids = curved_solids();
  for (const Solid& more : {box_solid({0.5, 0.3, 0.6}), capsule_solid(0.15L, 0.8L), ball_solid(0.2L)})
    solids.push_back(more);
  for (const Solid& b : curved_solids())
    for (const Solid& a : solids) {
      int count = 0;
      for (int k = 0; k < testing::repetitions(40); ++k) {
        const PlacedShape at_b{&b.shape, random_direction(random), attitude(random, k)};
        Vector3 away = 0.4 * random_direction(random);
        if (k % 10 == 0) away.setZero();
        PlacedShape at_a{&a.shape, at_b.x + away, attitude(random, k + 1)};
        const double separation = separation_by_directions(at_a, at_b);
        if (separation > 0) continue;
        pairs.clear();
        finder.find(at_a, at_b, 0.1, pairs);
        ASSERT_FALSE(pairs.empty()) << a.name << " " << b.name << " " << k << " " << separation;
        for (const FeaturePair& pair : pairs) {
          const ClosestPoints at = gap_of(pair, at_a, at_b);
          EXPECT_TRUE(std::isfinite(at.gap) && at.on_first.allFinite() && at.on_second.allFinite());
          EXPECT_NEAR(at.normal.norm(), 1, 1e-9);
        }
        const double least = least_found(finder, at_a, at_b, 0.1).least;
        EXPECT_GT(least, 1.5 * separation - 1e-3) << a.name << " " << b.name << " " << k;
        ++count;
      }
      EXPECT_GE(count, testing::repetitions(12));
    }
}

/// dg/dt = n . (velocity of the first point - that of the second) for every kind of contact.
TEST(Curved, NormalsAreGradientsOfGaps) {
  std::mt19937 random(14);
  FeatureFinder finder;
  std::vector<FeaturePair> pairs;
  std::vector<Solid> solids = curved_solids();
  for (const Solid& more : {box_solid({0.5, 0.3, 0.6}), capsule_solid(0.15L, 0.8L), ball_solid(0.2L)})
    solids.push_back(more);
  std::map<int, int> seen;
  for (const Solid& a : solids)
    for (const Solid& b : solids) {
      if (!a.shape.is_curved() && !b.shape.is_curved()) continue;
      for (int k = 0; k < testing::repetitions(100); ++k) {
        const PlacedShape at_a{&a.shape, random_direction(random), attitude(random, k)};
        const PlacedShape at_b{&b.shape, at_a.x + 0.9 * random_direction(random), attitude(random, k + 1)};
        pairs.clear();
        finder.find(at_a, at_b, 0.3, pairs);
        const Vector3 va = random_direction(random), vb = random_direction(random),
                      wa = random_direction(random), wb = random_direction(random);
        const auto moved = [](const PlacedShape& from, const Vector3& v, const Vector3& w, double t) {
          return PlacedShape{from.shape, from.x + t * v,
                             Eigen::AngleAxisd(t * w.norm(), w.normalized()).toRotationMatrix() * from.R};
        };
        for (const FeaturePair& pair : pairs) {
          const ClosestPoints at = gap_of(pair, at_a, at_b);
          if (at.gap < -0.05) continue;
          const auto gap = [&](double t) {
            return gap_of(pair, moved(at_a, va, wa, t), moved(at_b, vb, wb, t)).gap;
          };
          constexpr double e = 1e-5;
          const double difference = (8 * (gap(e) - gap(-e)) - gap(2 * e) + gap(-2 * e)) / (12 * e);
          const double rate =
              at.normal.dot(va + wa.cross(at.on_first - at_a.x) - vb - wb.cross(at.on_second - at_b.x));
          const double error =
              std::abs(rate - difference) / (1 + va.norm() + vb.norm() + wa.norm() + wb.norm());
          const int kind = static_cast<int>(pair.kind);
          ++seen[kind];
          if (error > 1e-3)
            for (double t : {-2 * e, -e, 0.0, e, 2 * e}) {
              const ClosestPoints p = gap_of(pair, moved(at_a, va, wa, t), moved(at_b, vb, wb, t));
              printf("%g: gap %.12g n %g %g %g off %g\n", t, p.gap, p.normal.x(), p.normal.y(), p.normal.z(),
                     (p.on_first - p.on_second - p.gap * p.normal).norm());
            }
          EXPECT_LT(error, 1e-9) << a.name << " " << b.name << " " << k << " kind " << kind << " gap "
                                 << at.gap;
        }
      }
    }
  EXPECT_GE(static_cast<int>(seen.size()), std::min(35, testing::repetitions(300)));  // kinds of contacts
}

}  // namespace
}  // namespace percuss
