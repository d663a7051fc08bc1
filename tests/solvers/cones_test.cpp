#include "percuss/nonsmooth/cones.h"

#include <random>
#include <vector>

#include <Eigen/Core>
#include <gtest/gtest.h>

namespace percuss {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, max_cone_rows, 1>;
using Derivative =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, max_cone_rows, max_cone_rows>;

/// Every kind, and every combination of discs, among them some that nothing holds.
std::vector<Cone> all_cones() {
  std::vector<Cone> cones = {{ConeKind::equality},      {ConeKind::nonnegative},
                             {ConeKind::interval, 0.7}, {ConeKind::planar_coulomb, 0.6},
                             {ConeKind::coulomb, 0.6},  {ConeKind::coulomb, 0.0}};
  for (int sliding = 0; sliding <= 2; ++sliding)
    for (int rolling = 0; rolling <= 2; ++rolling)
      for (int spinning = 0; spinning <= 1; ++spinning) {
        cones.push_back(rolling_cone(sliding, 0.6, rolling, 0.2, spinning, 0.9));
        cones.push_back(rolling_cone(sliding, 1.5, rolling, 0.0, spinning, 0.05));
      }
  return cones;
}

std::string name_of(const Cone& cone) {
  std::string name = "kind " + std::to_string(static_cast<int>(cone.kind));
  for (const Disc& disc : cone.discs())
    name += ", " + std::to_string(disc.rows) + " rows of " + std::to_string(disc.bound);
  return name;
}

class RandomRows {
 public:
  Rows operator()(const Cone& cone) {
    Rows x(cone.rows());
    for (double& value : x) value = normal_(random_) * std::pow(10.0, normal_(random_) / 2);
    return x;
  }

 private:
  std::mt19937_64 random_{7};
  std::normal_distribution<double> normal_;
};

Rows projected(const Cone& cone, const Rows& x) {
  Rows p(x.size());
  project(cone, x.data(), p.data());
  return p;
}

/// By how much x is outside of K; 0 inside.
double outside(const Cone& cone, const Rows& x) {
  if (cone.kind == ConeKind::equality) return 0;
  if (cone.kind == ConeKind::interval) return std::max(0.0, std::abs(x[0]) - cone.bound);
  double worst = std::max(0.0, -x[0]);
  for (const Disc& disc : cone.discs()) worst = std::max(worst, norm_in(disc, x.data()) - disc.bound * x[0]);
  return worst;
}

/// The same for the polar cone: { s : s_N + sum of bound |s_k| <= 0 }.
double outside_polar(const Cone& cone, const Rows& s) {
  if (cone.kind == ConeKind::equality) return std::abs(s[0]);
  double sum = s[0];
  for (const Disc& disc : cone.discs()) sum += disc.bound * norm_in(disc, s.data());
  return std::max(0.0, sum);
}

/// x = p + s with p in K, s in its polar cone and p ⟂ s: there is one such pair only.
TEST(Cones, ProjectionsAreMoreausDecomposition) {
  RandomRows random;
  const std::vector<Cone> cones = all_cones();
  for (int k = 0; k < 100'000; ++k) {
    const Cone& cone = cones[static_cast<size_t>(k) % cones.size()];
    const Rows x = random(cone), p = projected(cone, x), s = x - p;
    const double rounding = 1e-15 * x.norm();
    ASSERT_LE(outside(cone, p), 2 * rounding) << name_of(cone);
    if (cone.kind == ConeKind::interval) {  // no cone: the nearest point
      ASSERT_TRUE(s[0] == 0 || (std::abs(p[0]) == cone.bound && s[0] * p[0] > 0));
      continue;
    }
    ASSERT_LE(outside_polar(cone, s), 4 * rounding) << name_of(cone);
    ASSERT_LE(std::abs(p.dot(s)), 4 * rounding * x.norm()) << name_of(cone);
    ASSERT_LE((projected(cone, p) - p).norm(), 4 * rounding) << name_of(cone);
  }
}

/// Against central differences, where no kink lies between the points; kinks are met rarely.
TEST(Cones, DerivativesOfProjectionsAreThoseOfDifferences) {
  RandomRows random;
  int compared = 0, kinks = 0;
  const std::vector<Cone> cones = all_cones();
  for (int k = 0; k < 20'000; ++k) {
    const Cone& cone = cones[static_cast<size_t>(k) % cones.size()];
    const int n = cone.rows();
    const Rows x = random(cone);
    Rows p(n);
    Derivative G(n, n);
    project_with_derivative(cone, x.data(), p.data(), G.data());
    ASSERT_LE((p - projected(cone, x)).norm(), 1e-15 * x.norm()) << name_of(cone);
    ASSERT_LE((G - G.transpose()).norm(), 1e-14);
    const double step = 1e-6 * x.norm();
    for (int j = 0; j < n; ++j) {
      Rows above = x, below = x;
      above[j] += step;
      below[j] -= step;
      const Rows up = (projected(cone, above) - p) / step, down = (p - projected(cone, below)) / step;
      if ((up - down).norm() > 1e-3) {
        ++kinks;
        continue;
      }
      ++compared;
      ASSERT_LE((0.5 * (up + down) - G.col(j)).norm(), 2e-6) << name_of(cone) << " at " << x.transpose();
    }
  }
  EXPECT_GT(compared, 50'000);
  EXPECT_LT(kinks, compared / 100);
}

TEST(Cones, TheGradientOfTheShiftIsThatOfDifferences) {
  RandomRows random;
  const std::vector<Cone> cones = all_cones();
  for (int k = 0; k < 5'000; ++k) {
    const Cone& cone = cones[static_cast<size_t>(k) % cones.size()];
    const Rows u = random(cone);
    Rows gradient(u.size());
    shift_gradient(cone, u.data(), gradient.data());
    const double step =
        1e-5 * u.tail(u.size() - std::min<Eigen::Index>(1, u.size() - 1)).cwiseAbs().minCoeff();
    for (int j = 0; j < cone.rows(); ++j) {
      Rows above = u, below = u;
      above[j] += step;
      below[j] -= step;
      const double change = de_saxce_shift(cone, above.data()) - de_saxce_shift(cone, below.data());
      ASSERT_NEAR(change / (2 * step), gradient[j], 1e-5) << name_of(cone);
    }
  }
}

/// The form without cancellation is (r - P(r - rho û)) / rho, or the approach where that is larger.
TEST(Cones, TheResidualIsThatOfItsDefinition) {
  RandomRows random;
  const std::vector<Cone> cones = all_cones();
  for (int k = 0; k < 20'000; ++k) {
    const Cone& cone = cones[static_cast<size_t>(k) % cones.size()];
    const Rows r = random(cone), u = random(cone);
    Rows shifted(u.size());
    shift_velocity(cone, u.data(), shifted.data());
    const double trace = 0.3 + (k % 5), rho = cone.rows() / trace;
    double plain = (r - projected(cone, r - rho * shifted)).norm() / rho;
    if (cone.has_friction() && u[0] < 0) plain = std::max(plain, -u[0]);
    ASSERT_NEAR(std::sqrt(cone_residual2(cone, trace, r.data(), u.data())), plain,
                1e-14 * (r.norm() / rho + shifted.norm()))
        << name_of(cone);
  }
}

/// What obeys the law has no residual: for reactions in K, velocities made for them disc by disc.
TEST(Cones, TheResidualOfWhatObeysTheLawIsRounding) {
  RandomRows random;
  for (const Cone& cone : all_cones()) {
    if (!cone.has_friction()) continue;
    for (int k = 0; k < 300; ++k) {
      Rows r = projected(cone, random(cone)), u = Rows::Zero(cone.rows());
      r[0] += 0.1;
      for (const Disc& disc : cone.discs()) {
        const double length = norm_in(disc, r.data());
        if (k % 2 == 0 || length == 0) continue;  // it holds, or slides against the reaction
        for (int i = disc.first; i < disc.first + disc.rows; ++i) {
          r[i] *= disc.bound * r[0] / length;
          u[i] = -(0.5 + k % 3) * r[i];
        }
      }
      ASSERT_LE(std::sqrt(cone_residual2(cone, 1.0, r.data(), u.data())), 2e-15 * (r.norm() + u.norm()))
          << name_of(cone);
    }
  }
}

TEST(Cones, OneDiscIsCoulombsCone) {
  RandomRows random;
  const Cone coulomb{ConeKind::coulomb, 0.6}, disc = rolling_cone(2, 0.6, 0, 0, 0, 0);
  for (int k = 0; k < 10'000; ++k) {
    const Rows x = random(coulomb), u = random(coulomb);
    ASSERT_LE((projected(coulomb, x) - projected(disc, x)).norm(), 1e-15 * x.norm());
    ASSERT_NEAR(cone_residual2(coulomb, 1, x.data(), u.data()), cone_residual2(disc, 1, x.data(), u.data()),
                1e-13 * (x.squaredNorm() + u.squaredNorm()));
  }
}

}  // namespace
}  // namespace percuss
