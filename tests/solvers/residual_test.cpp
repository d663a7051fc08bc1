#include "percuss/nonsmooth/residual.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "percuss/nonsmooth/problem.h"
#include "percuss/nonsmooth/solvers.h"
#include "support/contact_problems.h"

namespace percuss {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Rows 0 and 1 coupled, row 2 alone.
LocalProblem three_rows() {
  LocalProblem problem;
  problem.u_free = {-2.0, 3.0, -1.0};
  problem.cones.assign(3, Cone{ConeKind::nonnegative});
  testing::set_matrix(problem, Eigen::Matrix3d{{2, 1, 0}, {1, 4, 0}, {0, 0, 0.5}});
  return problem;
}

TEST(Residual, IsZeroAtTheSolution) {
  const Residual residual = residual_of(three_rows(), {1.0, 0.0, 2.0});
  EXPECT_EQ(residual.absolute, 0.0);
  EXPECT_EQ(residual.relative, 0.0);
}

TEST(Residual, FollowsItsFormulaRowByRow) {
  const LocalProblem problem = three_rows();
  const std::vector<double> r = {0.7, 0.3, -0.4};
  const double W[3][3] = {{2, 1, 0}, {1, 4, 0}, {0, 0, 0.5}};
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    double u = problem.u_free[i];
    for (int j = 0; j < 3; ++j) u += W[i][j] * r[j];
    const double rho = 1.0 / W[i][i];
    const double row = (r[i] - std::max(0.0, r[i] - rho * u)) / rho;
    EXPECT_NEAR(residual_of_row(problem, r, i), row, 1e-15);
    sum += row * row;
  }
  const Residual residual = residual_of(problem, r);
  EXPECT_NEAR(residual.absolute, std::sqrt(sum), 1e-15);
  EXPECT_NEAR(residual.relative, std::sqrt(sum) / std::sqrt(14.0), 1e-15);
}

TEST(Residual, MeasuresAVelocityWhateverTheUnitOfMass) {
  LocalProblem problem = three_rows();
  const Residual reference = residual_of(problem, {0.7, 0.3, 0.4});
  for (double& value : problem.W.values()) value *= 1024.0;
  const Residual rescaled = residual_of(problem, {0.7 / 1024, 0.3 / 1024, 0.4 / 1024});
  EXPECT_DOUBLE_EQ(rescaled.absolute, reference.absolute);
}

TEST(Residual, UsesTheFloorForASystemAtRest) {
  LocalProblem problem = three_rows();
  problem.u_free = {0.0, 0.0, 0.0};
  const Residual residual = residual_of(problem, {0.0, 0.0, -1e-12});
  EXPECT_DOUBLE_EQ(residual.absolute, 0.5e-12);
  EXPECT_DOUBLE_EQ(residual.relative, 0.5e-12 / residual_floor);
}

TEST(Residual, TakesUnitScalingOnAZeroDiagonal) {
  LocalProblem problem = three_rows();
  problem.W.values().back() = 0.0;
  EXPECT_DOUBLE_EQ(residual_of(problem, {1.0, 0.0, 0.0}).absolute, 1.0);
}

TEST(Residual, IsHonestAboutValuesThatAreNotFinite) {
  for (const double bad : {nan, infinity, -infinity}) {
    for (int i = 0; i < 3; ++i) {
      LocalProblem problem = three_rows();
      problem.u_free[i] = bad;
      EXPECT_EQ(residual_of(problem, {1.0, 0.0, 2.0}).relative, infinity);
      std::vector<double> r = {1.0, 0.0, 2.0};
      r[i] = bad;
      EXPECT_EQ(residual_of(three_rows(), r).relative, infinity);
      EXPECT_FALSE(std::isfinite(residual_of(three_rows(), r).absolute));
    }
    LocalProblem problem = three_rows();
    problem.W.values()[1] = bad;
    EXPECT_EQ(residual_of(problem, {1.0, 1.0, 2.0}).relative, infinity);
  }
}

TEST(Residual, AcceptsTheEmptyProblem) {
  const Residual residual = residual_of(LocalProblem{}, {});
  EXPECT_EQ(residual.absolute, 0.0);
  EXPECT_EQ(residual.relative, 0.0);
}

void expect_rejected(const LocalProblem& problem, const std::string& field) {
  try {
    problem.validate();
    FAIL() << "accepted a wrong " << field;
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()).find("LocalProblem." + field + ":"), 0u) << error.what();
  }
}

TEST(LocalProblem, ValidationNamesTheField) {
  EXPECT_NO_THROW(three_rows().validate());
  EXPECT_NO_THROW(LocalProblem{}.validate());
  LocalProblem problem = three_rows();
  problem.u_free.pop_back();
  expect_rejected(problem, "u_free");
  problem = three_rows();
  problem.cones.pop_back();
  expect_rejected(problem, "cones");
  problem = three_rows();
  problem.cones[1].bound = -1;
  expect_rejected(problem, "cones");
  problem = three_rows();
  problem.cones[1].rolling_bound = -1;
  expect_rejected(problem, "cones");
  problem = three_rows();
  problem.cones = {{ConeKind::planar_coulomb, 0.5}, {}, {}};  // as many cones, but not of these rows
  expect_rejected(problem, "cones");
  const auto with_blocks = [](std::vector<std::vector<int>> blocks) {
    LocalProblem made = three_rows();
    made.W.clear();
    made.W.add_cones(made.cones);
    for (const auto& others : blocks) {
      for (const int other : others) made.W.append(other);
      made.W.end_cone();
    }
    return made;
  };
  EXPECT_NO_THROW(with_blocks({{0, 1}, {0, 1}, {2}}).validate());
  expect_rejected(with_blocks({{1, 0}, {0, 1}, {2}}), "W");              // must ascend
  expect_rejected(with_blocks({{0, 1}, {1}, {2}}), "W");                 // transposed one missing
  EXPECT_THROW(with_blocks({{0, 1}, {0}, {2}}), std::invalid_argument);  // no diagonal
}

TEST(Solution, IsNotANumberUntilComputed) {
  const Solution solution;
  EXPECT_TRUE(std::isnan(solution.residual.absolute));
  EXPECT_TRUE(std::isnan(solution.residual.relative));
  EXPECT_STREQ(to_string(solution.status), "not finite");
  EXPECT_STREQ(to_string(SolveStatus::iteration_limit), "iteration limit");
}

/// One body on one contact: W = diag(1, 2, 2), which approaches and slides.
LocalProblem one_contact(double mu) {
  LocalProblem problem;
  problem.cones = {{ConeKind::coulomb, mu}};
  testing::set_matrix(problem, Eigen::Vector3d(1, 2, 2).asDiagonal());
  problem.u_free = {-1.0, 0.3, 0.4};
  return problem;
}

TEST(Residual, ApproachCountsInFullWhateverTheFriction) {
  for (const double mu : {0.5, 1e3, 1e6, 1e12, 1e200}) {
    EXPECT_GE(residual_of(one_contact(mu), {0, 0, 0}).absolute, 1.0) << mu;
    // Penetration that De Saxcé's shift makes good.
    LocalProblem problem = one_contact(mu);
    problem.u_free = {-1.0, 1 / mu, 0.0};
    EXPECT_GE(residual_of(problem, {0, 0, 0}).absolute, 1.0) << mu;
  }
}

TEST(Residual, NoReactionIsLargeEnoughForVelocitiesToDrownInIt) {
  LocalProblem problem = one_contact(0.5);
  for (double& w : problem.W.values()) w = 0;
  EXPECT_GE(residual_of(problem, {1e20, 0, 0}).absolute, 1.0);
}

TEST(Residual, KnowsTheRoundingOfItsResidual) {
  // Sticking: r cancels u_free to the last bit, and mu makes a residual of that bit.
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const std::vector<double> solution = {1.0, -0.15, -0.2};
  for (const double mu : {1.0, 1e6, 1e7}) {
    std::vector<double> r = solution;
    r[1] *= 1 + epsilon;  // one bit
    const Residual residual = residual_of(one_contact(mu), r);
    EXPECT_LE(residual.relative, residual.rounding) << mu;
    EXPECT_TRUE(residual.is_within(1e-15)) << mu;
    EXPECT_LT(residual.rounding, 30 * epsilon * mu) << mu;
    r[1] = solution[1] * (1 + 100 * epsilon);  // many
    EXPECT_FALSE(residual_of(one_contact(mu), r).is_within(1e-15)) << mu;
  }
}

TEST(Residual, CallsNothingRoundingThatIsNot) {
  // An error of 1e-6, whatever the friction.
  for (const double mu : {1e9, 1e12, 1e100})
    EXPECT_FALSE(residual_of(one_contact(mu), {1.0 - 1e-6, -0.15, -0.2}).is_within(1e-10)) << mu;
  // The same contact twice, pressing against itself: reactions of any size move nothing and buy nothing.
  LocalProblem twin;
  twin.cones.assign(2, Cone{ConeKind::nonnegative});
  testing::set_matrix(twin, Eigen::Matrix2d{{1, -1}, {-1, 1}});
  twin.u_free = {-1.0, 1.0};
  const double large = 1e9;
  EXPECT_TRUE(residual_of(twin, {large + 1.0, large}).is_within(1e-10));
  EXPECT_FALSE(residual_of(twin, {large + 1.0 - 1e-6, large}).is_within(1e-10));
}

/// A heavy body on a light one on the floor, without rotations: the reactions on the light one cancel.
LocalProblem heavy_on_light(double ratio) {
  LocalProblem problem;
  problem.cones.assign(2, Cone{ConeKind::nonnegative});
  testing::set_matrix(problem, Eigen::Matrix2d{{1, -1}, {-1, 1 + 1 / ratio}});
  problem.u_free = {-0.01, 0.0};
  return problem;
}

TEST(Residual, KnowsWhatCancelsBetweenHeavyAndLightBodies) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  for (const double ratio : {1e4, 1e6, 1e8}) {
    const LocalProblem problem = heavy_on_light(ratio);
    const std::vector<double> solution = {0.01 * (1 + ratio), 0.01 * ratio};
    std::vector<double> r = {solution[0] * (1 + epsilon), solution[1]};  // one bit
    const Residual residual = residual_of(problem, r);
    EXPECT_TRUE(residual.is_within(1e-14)) << ratio << ": " << residual.relative << " " << residual.rounding;
    EXPECT_LT(residual.rounding, 10 * epsilon * ratio) << ratio;
    r[0] = solution[0] * (1 + 100 * epsilon);  // many
    EXPECT_FALSE(residual_of(problem, r).is_within(1e-14)) << ratio;
  }
}

/// With the default tolerance, which is below the rounding of the largest ratios.
TEST(Residual, LetsSolversEndWhereMassesOfAllSizesTouch) {
  for (const double ratio : {1e-8, 1e-4, 1e4, 1e8}) {
    const LocalProblem problem = heavy_on_light(ratio);
    for (const SolverName name : {SolverName::automatic, SolverName::interior_point, SolverName::lemke}) {
      Solution solution;
      make_solver(name, SolverOptions{})->solve(problem, {}, solution);
      EXPECT_EQ(solution.status, SolveStatus::converged)
          << solution.method << ", ratio " << ratio << ": " << solution.residual.relative;
      EXPECT_NEAR(solution.r[0], 0.01 * (1 + ratio), 1e-6 * (1 + ratio)) << solution.method;
    }
  }
}

}  // namespace
}  // namespace percuss
