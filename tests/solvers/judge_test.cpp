#include "percuss/nonsmooth/judge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "percuss/nonsmooth/problem.h"
#include "percuss/nonsmooth/solvers.h"

namespace percuss {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Rows 0 and 1 coupled, row 2 alone.
LocalProblem three_rows() {
  LocalProblem problem;
  problem.W.append(0, 2.0);
  problem.W.append(1, 1.0);
  problem.W.end_row();
  problem.W.append(0, 1.0);
  problem.W.append(1, 4.0);
  problem.W.end_row();
  problem.W.append(2, 0.5);
  problem.W.end_row();
  problem.u_free = {-2.0, 3.0, -1.0};
  problem.cones.assign(3, Cone{ConeKind::nonnegative});
  return problem;
}

/// Columns without gaps, with a gap before the diagonal, behind it, and on both sides.
TEST(SparseRows, FindTheDiagonalInEveryPattern) {
  const std::vector<std::vector<int>> patterns = {{0, 1, 2, 3, 4}, {0, 1},       {1, 2, 4}, {0, 3, 4},
                                                  {0, 2, 4, 5},    {0, 5, 6, 9}, {0, 3},    {}};
  SparseRows W;
  for (const auto& columns : patterns) {
    for (const int column : columns) W.append(column, 10.0 * W.rows() + column + 1);
    W.end_row();
  }
  for (int i = 0; i < W.rows(); ++i) {
    const auto& columns = patterns[static_cast<size_t>(i)];
    const bool is_there = std::find(columns.begin(), columns.end(), i) != columns.end();
    EXPECT_EQ(W.diagonal(i), is_there ? 11.0 * i + 1 : 0.0) << i;
  }
}

TEST(Judge, IsZeroAtTheSolution) {
  const Residual verdict = judge(three_rows(), {1.0, 0.0, 2.0});
  EXPECT_EQ(verdict.absolute, 0.0);
  EXPECT_EQ(verdict.relative, 0.0);
}

TEST(Judge, FollowsItsFormulaRowByRow) {
  const LocalProblem problem = three_rows();
  const std::vector<double> r = {0.7, 0.3, -0.4};
  const double W[3][3] = {{2, 1, 0}, {1, 4, 0}, {0, 0, 0.5}};
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    double u = problem.u_free[i];
    for (int j = 0; j < 3; ++j) u += W[i][j] * r[j];
    const double rho = 1.0 / W[i][i];
    const double row = (r[i] - std::max(0.0, r[i] - rho * u)) / rho;
    EXPECT_NEAR(judge_row(problem, r, i), row, 1e-15);
    sum += row * row;
  }
  const Residual verdict = judge(problem, r);
  EXPECT_NEAR(verdict.absolute, std::sqrt(sum), 1e-15);
  EXPECT_NEAR(verdict.relative, std::sqrt(sum) / std::sqrt(14.0), 1e-15);
}

TEST(Judge, MeasuresAVelocityWhateverTheUnitOfMass) {
  LocalProblem problem = three_rows();
  const Residual reference = judge(problem, {0.7, 0.3, 0.4});
  for (double& value : problem.W.value) value *= 1024.0;
  const Residual rescaled = judge(problem, {0.7 / 1024, 0.3 / 1024, 0.4 / 1024});
  EXPECT_DOUBLE_EQ(rescaled.absolute, reference.absolute);
}

TEST(Judge, UsesTheFloorForASystemAtRest) {
  LocalProblem problem = three_rows();
  problem.u_free = {0.0, 0.0, 0.0};
  const Residual verdict = judge(problem, {0.0, 0.0, -1e-12});
  EXPECT_DOUBLE_EQ(verdict.absolute, 0.5e-12);
  EXPECT_DOUBLE_EQ(verdict.relative, 0.5e-12 / residual_floor);
}

TEST(Judge, TakesUnitScalingOnAZeroDiagonal) {
  LocalProblem problem = three_rows();
  problem.W.value.back() = 0.0;
  EXPECT_DOUBLE_EQ(judge(problem, {1.0, 0.0, 0.0}).absolute, 1.0);
}

TEST(Judge, IsHonestAboutValuesThatAreNotFinite) {
  for (const double bad : {nan, infinity, -infinity}) {
    for (int i = 0; i < 3; ++i) {
      LocalProblem problem = three_rows();
      problem.u_free[i] = bad;
      EXPECT_EQ(judge(problem, {1.0, 0.0, 2.0}).relative, infinity);
      std::vector<double> r = {1.0, 0.0, 2.0};
      r[i] = bad;
      EXPECT_EQ(judge(three_rows(), r).relative, infinity);
      EXPECT_FALSE(std::isfinite(judge(three_rows(), r).absolute));
    }
    LocalProblem problem = three_rows();
    problem.W.value[1] = bad;
    EXPECT_EQ(judge(problem, {1.0, 1.0, 2.0}).relative, infinity);
  }
}

TEST(Judge, AcceptsTheEmptyProblem) {
  const Residual verdict = judge(LocalProblem{}, {});
  EXPECT_EQ(verdict.absolute, 0.0);
  EXPECT_EQ(verdict.relative, 0.0);
}

TEST(SparseRows, MultipliesAndFindsTheDiagonal) {
  const SparseRows W = three_rows().W;
  const double x[3] = {1.0, 2.0, 4.0};
  double y[3] = {10.0, 20.0, 30.0};
  W.multiply_add(x, y);
  EXPECT_EQ(y[0], 14.0);
  EXPECT_EQ(y[1], 29.0);
  EXPECT_EQ(y[2], 32.0);
  EXPECT_EQ(W.diagonal(1), 4.0);
  EXPECT_EQ(W.rows(), 3);
  EXPECT_EQ(W.nonzeros(), 5);
}

TEST(SparseRows, KeepsItsMemoryWhenRefilled) {
  LocalProblem problem = three_rows();
  const double* value = problem.W.value.data();
  const int* row_begin = problem.W.row_begin.data();
  problem.clear();
  EXPECT_EQ(problem.size(), 0);
  for (int i = 0; i < 3; ++i) {
    problem.W.append(i, 1.0);
    problem.W.end_row();
  }
  EXPECT_EQ(problem.size(), 3);
  EXPECT_EQ(problem.W.value.data(), value);
  EXPECT_EQ(problem.W.row_begin.data(), row_begin);
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
  problem.W.value.pop_back();
  expect_rejected(problem, "W.value");
  problem = three_rows();
  problem.W.row_begin[1] = 7;
  expect_rejected(problem, "W.row_begin");
  problem = three_rows();
  problem.W.column[1] = 3;
  expect_rejected(problem, "W.column");
  problem = three_rows();
  std::swap(problem.W.column[0], problem.W.column[1]);
  expect_rejected(problem, "W.column");
  problem = three_rows();
  problem.cones[1].bound = -1;
  expect_rejected(problem, "cones");
  problem = three_rows();
  problem.W.column[1] = 2;
  expect_rejected(problem, "W");
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
  for (int i = 0; i < 3; ++i) {
    problem.W.append(i, i == 0 ? 1.0 : 2.0);
    problem.W.end_row();
  }
  problem.cones = {{ConeKind::coulomb, mu}};
  problem.u_free = {-1.0, 0.3, 0.4};
  return problem;
}

TEST(Judge, ApproachCountsInFullWhateverTheFriction) {
  for (const double mu : {0.5, 1e3, 1e6, 1e12, 1e200}) {
    EXPECT_GE(judge(one_contact(mu), {0, 0, 0}).absolute, 1.0) << mu;
    // Penetration that De Saxcé's shift makes good.
    LocalProblem problem = one_contact(mu);
    problem.u_free = {-1.0, 1 / mu, 0.0};
    EXPECT_GE(judge(problem, {0, 0, 0}).absolute, 1.0) << mu;
  }
}

TEST(Judge, NoReactionIsLargeEnoughForVelocitiesToDrownInIt) {
  LocalProblem problem = one_contact(0.5);
  for (double& w : problem.W.value) w = 0;
  EXPECT_GE(judge(problem, {1e20, 0, 0}).absolute, 1.0);
}

TEST(Judge, KnowsTheRoundingOfItsResidual) {
  // Sticking: r cancels u_free to the last bit, and mu makes a residual of that bit.
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const std::vector<double> solution = {1.0, -0.15, -0.2};
  for (const double mu : {1.0, 1e6, 1e7}) {
    std::vector<double> r = solution;
    r[1] *= 1 + epsilon;  // one bit
    const Residual verdict = judge(one_contact(mu), r);
    EXPECT_LE(verdict.relative, verdict.rounding) << mu;
    EXPECT_TRUE(verdict.is_within(1e-15)) << mu;
    EXPECT_LT(verdict.rounding, 30 * epsilon * mu) << mu;
    r[1] = solution[1] * (1 + 100 * epsilon);  // many
    EXPECT_FALSE(judge(one_contact(mu), r).is_within(1e-15)) << mu;
  }
}

TEST(Judge, CallsNothingRoundingThatIsNot) {
  // An error of 1e-6, whatever the friction.
  for (const double mu : {1e9, 1e12, 1e100})
    EXPECT_FALSE(judge(one_contact(mu), {1.0 - 1e-6, -0.15, -0.2}).is_within(1e-10)) << mu;
  // The same contact twice, pressing against itself: reactions of any size move nothing and buy nothing.
  LocalProblem twin;
  for (int i = 0; i < 2; ++i) {
    twin.W.append(0, i == 0 ? 1.0 : -1.0);
    twin.W.append(1, i == 0 ? -1.0 : 1.0);
    twin.W.end_row();
  }
  twin.cones.assign(2, Cone{ConeKind::nonnegative});
  twin.u_free = {-1.0, 1.0};
  const double large = 1e9;
  EXPECT_TRUE(judge(twin, {large + 1.0, large}).is_within(1e-10));
  EXPECT_FALSE(judge(twin, {large + 1.0 - 1e-6, large}).is_within(1e-10));
}

/// A heavy body on a light one on the floor, without rotations: the reactions on the light one cancel.
LocalProblem heavy_on_light(double ratio) {
  LocalProblem problem;
  for (const auto& [own, other] : {std::pair{1.0, -1.0}, {1 + 1 / ratio, -1.0}}) {
    const bool is_floor = problem.size() == 0;
    problem.W.append(0, is_floor ? own : other);
    problem.W.append(1, is_floor ? other : own);
    problem.W.end_row();
  }
  problem.cones.assign(2, Cone{ConeKind::nonnegative});
  problem.u_free = {-0.01, 0.0};
  return problem;
}

TEST(Judge, KnowsWhatCancelsBetweenHeavyAndLightBodies) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  for (const double ratio : {1e4, 1e6, 1e8}) {
    const LocalProblem problem = heavy_on_light(ratio);
    const std::vector<double> solution = {0.01 * (1 + ratio), 0.01 * ratio};
    std::vector<double> r = {solution[0] * (1 + epsilon), solution[1]};  // one bit
    const Residual verdict = judge(problem, r);
    EXPECT_TRUE(verdict.is_within(1e-14)) << ratio << ": " << verdict.relative << " " << verdict.rounding;
    EXPECT_LT(verdict.rounding, 10 * epsilon * ratio) << ratio;
    r[0] = solution[0] * (1 + 100 * epsilon);  // many
    EXPECT_FALSE(judge(problem, r).is_within(1e-14)) << ratio;
  }
}

/// With the default tolerance, which is below the rounding of the largest ratios.
TEST(Judge, LetsSolversEndWhereMassesOfAllSizesTouch) {
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
