#include <algorithm>

#include <gtest/gtest.h>

#include "percuss/nonsmooth/cones.h"
#include "percuss/nonsmooth/newton.h"
#include "percuss/nonsmooth/one_cone.h"
#include "percuss/nonsmooth/residual.h"
#include "percuss/nonsmooth/selection.h"
#include "percuss/nonsmooth/solvers.h"
#include "percuss/nonsmooth/uniqueness.h"
#include "support/mixed_problems.h"
#include "support/rolling_problems.h"

namespace percuss {
namespace {

using testing::random_rolling;

/// Every combination of discs.
std::vector<testing::RandomRolling> all_discs() {
  std::vector<testing::RandomRolling> all;
  for (int sliding = 0; sliding <= 2; ++sliding)
    for (int rolling = 0; rolling <= 2; ++rolling)
      for (int spinning = 0; spinning <= 1; ++spinning) {
        all.emplace_back();
        all.back().sliding_rows = sliding;
        all.back().rolling_rows = rolling;
        all.back().spinning_rows = spinning;
      }
  return all;
}

TEST(OneCone, ObeysItsLawToRounding) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  int open = 0, held = 0, moving = 0;
  for (int k = 0; k < 20'000; ++k) {
    const Cone cone = rolling_cone(2, 0.5 + 0.4 * (k % 2), k % 3, 0.3, k / 3 % 2, 0.1);
    const int n = cone.rows();
    const Eigen::MatrixXd factor = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return normal(random); });
    const Eigen::MatrixXd W = factor * factor.transpose() + 0.01 * Eigen::MatrixXd::Identity(n, n);
    const Eigen::VectorXd q = factor * Eigen::VectorXd::NullaryExpr(n, [&] { return normal(random); });
    Eigen::VectorXd r = Eigen::VectorXd::Zero(n);
    solve_one_cone(cone, W.data(), q.data(), r.data());
    const Eigen::VectorXd u = W * r + q;
    const double scale = q.norm() + (W * r).norm();
    ASSERT_LE(std::sqrt(cone_residual2(cone, W.trace(), r.data(), u.data())), 1e-10 * scale) << k;
    ++(r[0] == 0 ? open : u.norm() < 1e-9 * scale ? held : moving);
  }
  EXPECT_GT(open, 1000);
  EXPECT_GT(held, 100);
  EXPECT_GT(moving, 1000);
}

/// The law itself, apart from the map: each disc for itself.
void expect_rolling_law(const LocalProblem& problem, const Solution& solution, double tolerance) {
  for (int c = 0; c < problem.W.cones(); ++c) {
    const double *r = &solution.r[problem.W.first_row(c)], *u = &solution.u[problem.W.first_row(c)];
    EXPECT_GE(u[0], -tolerance);
    EXPECT_GE(r[0], 0.0);
    EXPECT_LE(std::min(u[0], r[0]), tolerance);
    for (const Disc& disc : problem.cones[c].discs()) {
      const double speed = norm_in(disc, u), bound = disc.bound * r[0];
      EXPECT_LE(norm_in(disc, r), bound + tolerance);
      if (speed < 1e-4) continue;
      for (int i = disc.first; i < disc.first + disc.rows; ++i)  // full size, against the motion
        EXPECT_NEAR(r[i], -bound * u[i] / speed, tolerance / speed);
    }
  }
}

/// How many of the random problems a method may leave unsolved: with friction no convergence of the simple
/// ones is known, and what they leave is solved by the others.
struct RollingCase {
  SolverName solver;
  int failures;
};
class RollingSolver : public ::testing::TestWithParam<RollingCase> {};

TEST_P(RollingSolver, SolvesRandomProblemsWithEveryCombinationOfDiscs) {
  int failures = 0, solves = 0;
  for (const testing::RandomRolling& given : all_discs()) {
    std::mt19937_64 random(5);
    for (int k = 0; k < 8; ++k) {
      const LocalProblem problem = condense(random_rolling(given, random));
      SolverOptions options;
      options.tolerance = 1e-9;
      Solution solution;
      make_solver(GetParam().solver, options)->solve(problem, {}, solution);
      ++solves;
      if (solution.status != SolveStatus::converged) {
        ++failures;
        continue;
      }
      EXPECT_LE(residual_of(problem, solution.r).relative, 1e-9);
      expect_rolling_law(problem, solution, 1e-6);
    }
  }
  EXPECT_LE(failures, GetParam().failures) << "of " << solves;
}

INSTANTIATE_TEST_SUITE_P(
    , RollingSolver,
    ::testing::Values(RollingCase{SolverName::automatic, 0}, RollingCase{SolverName::newton, 0},
                      RollingCase{SolverName::proximal, 0}, RollingCase{SolverName::nlgs, 1},
                      RollingCase{SolverName::apgd, 1}, RollingCase{SolverName::psor, 4},
                      RollingCase{SolverName::admm, 5}),
    [](const auto& tested) {
      const auto named = [&](const auto& entry) { return entry.first == tested.param.solver; };
      return std::string(std::ranges::find_if(solver_names, named)->second);
    });

TEST(Rolling, WhoCannotTreatItSaysSo) {
  std::mt19937_64 random(2);
  const GlobalProblem global = random_rolling({}, random);
  const LocalProblem problem = condense(global);
  for (const SolverName name : {SolverName::interior_point, SolverName::lemke}) {
    Solution solution;
    make_solver(name, {})->solve(problem, {}, solution);
    EXPECT_EQ(solution.status, SolveStatus::unsupported);
    for (const double r : solution.r) EXPECT_EQ(r, 0.0);
    make_solver(name, {})->solve_global(global, {}, solution);
    EXPECT_EQ(solution.status, SolveStatus::unsupported);
  }
  NewtonOptions options;
  options.formulation = NewtonFormulation::fischer_burmeister;
  Solution solution;
  NewtonSolver(options).solve(problem, {}, solution);
  EXPECT_EQ(solution.status, SolveStatus::unsupported);
}

TEST(Rolling, EveryFormulationOfNewtonAgreesWithTheDefault) {
  std::mt19937_64 random(3);
  for (int k = 0; k < 20; ++k) {
    const LocalProblem problem = condense(random_rolling({}, random));
    Solution reference;
    make_solver(SolverName::automatic, {})->solve(problem, {}, reference);
    ASSERT_EQ(reference.status, SolveStatus::converged);
    for (const auto formulation :
         {NewtonFormulation::alart_curnier, NewtonFormulation::jean_moreau, NewtonFormulation::natural_map}) {
      NewtonOptions options;
      options.formulation = formulation;
      Solution solution;
      NewtonSolver(options).solve(problem, {}, solution);
      ASSERT_EQ(solution.status, SolveStatus::converged) << k;
      for (size_t i = 0; i < reference.u.size(); ++i) EXPECT_NEAR(solution.u[i], reference.u[i], 1e-7) << k;
    }
  }
}

/// The same wheel twice: its reactions can be shared in many ways, of which the one of least norm is halves.
TEST(Rolling, SharedReactionsAreFoundAndHalved) {
  std::mt19937_64 random(4);
  const GlobalProblem once = random_rolling({.bodies = 1, .contacts = 1}, random);
  const GlobalProblem twice = testing::duplicated(once);
  Solution alone, both;
  const LocalProblem one = condense(once), two = condense(twice);
  make_solver(SolverName::automatic, {})->solve(one, {}, alone);
  make_solver(SolverName::automatic, {})->solve(two, {}, both);
  ASSERT_EQ(alone.status, SolveStatus::converged);
  ASSERT_EQ(both.status, SolveStatus::converged);
  ASSERT_GT(alone.r[0], 0.1);
  check_uniqueness(one, 1e-10, alone);
  EXPECT_TRUE(alone.uniqueness->is_unique());
  check_uniqueness(two, 1e-10, both);
  EXPECT_TRUE(both.uniqueness->is_ambiguous());
  select_minimum_norm(two, 1e-10, both);
  EXPECT_EQ(both.selection, Selection::minimum_norm);
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(both.r[i], alone.r[i] / 2, 1e-9) << i;
    EXPECT_NEAR(both.r[6 + i], alone.r[i] / 2, 1e-9) << i;
  }
}

}  // namespace
}  // namespace percuss
