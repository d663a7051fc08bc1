#include "percuss/nonsmooth/selection.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <gtest/gtest.h>

#include "percuss/nonsmooth/cones.h"
#include "percuss/nonsmooth/residual.h"
#include "percuss/nonsmooth/solvers.h"
#include "support/contact_problems.h"
#include "support/resting_bodies.h"

namespace percuss {
namespace {

using testing::corners;
using testing::random_problem;
using testing::resting;
using testing::RestingBody;
using Reactions = Eigen::VectorXd;

Reactions entries_of(const std::vector<double>& x) { return Eigen::Map<const Reactions>(x.data(), x.size()); }

/// Reactions of least norm, started from a guess; u and the residual are checked against those without
/// selection.
Reactions selected(const LocalProblem& problem, SolverName name = SolverName::automatic,
                   const std::vector<double>& guess = {}, double tolerance = 1e-10) {
  Solution any, least;
  make_solver(name, {.tolerance = tolerance})->solve(problem, guess, any);
  EXPECT_EQ(any.status, SolveStatus::converged);
  EXPECT_EQ(any.selection, Selection::any);
  with_selection(make_solver(name, {.tolerance = tolerance}), Selection::minimum_norm, tolerance)
      ->solve(problem, guess, least);
  EXPECT_EQ(least.selection, Selection::minimum_norm);
  EXPECT_LE(residual_of(problem, least.r).relative, tolerance);
  EXPECT_LE((entries_of(least.u) - entries_of(any.u)).norm(),
            10 * tolerance * entries_of(problem.u_free).norm());
  EXPECT_LE(entries_of(least.r).norm(), entries_of(any.r).norm() * (1 + 1e-9));
  return entries_of(least.r);
}

std::vector<double> random_guess(int rows, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<double> guess(rows);
  for (double& x : guess) x = normal(random);
  return guess;
}

TEST(MinimumNorm, ABrickSharesItsWeightEquallyFromAnyGuessAndInAnyOrder) {
  std::mt19937_64 random(1);
  for (const SolverName name : {SolverName::automatic, SolverName::nlgs, SolverName::newton, SolverName::admm,
                                SolverName::interior_point})
    for (int k = 0; k < 10; ++k) {
      RestingBody body{.points = corners()};
      std::shuffle(body.points.begin(), body.points.end(), random);
      const Reactions r =
          selected(resting(body), name, k == 0 ? std::vector<double>{} : random_guess(12, random));
      for (int c = 0; c < 4; ++c)
        EXPECT_LT((r.segment<3>(3 * c) - Eigen::Vector3d(0.5, 0, 0)).norm(), 1e-12) << c;
    }
}

TEST(MinimumNorm, LegsOfATableWithoutFriction) {
  // r in the range of H^T: the load of a leg is linear in its place, (1 + 3 x d / a²) / 4 and so on.
  const double a = 0.2, d = 0.06;
  RestingBody table{.points = corners(a), .law = {ConeKind::nonnegative}};
  for (auto& point : table.points) point.x() -= d;
  for (const SolverName name : {SolverName::lemke, SolverName::nlgs, SolverName::apgd}) {
    const Reactions r = selected(resting(table), name);
    for (int c = 0; c < 4; ++c) {
      const double x = table.points[c].x() + d;
      EXPECT_NEAR(r[c], 0.5 * (1 + x * d / (a * a)), 1e-11) << c;
    }
  }
}

TEST(MinimumNorm, ALegThatWouldPullStaysFree) {
  // Five legs, the load near a corner: without r >= 0 the far leg would pull.
  RestingBody table{.points = corners(0.2, 0.2), .law = {ConeKind::nonnegative}};
  table.points.push_back({0, 0, -0.05});
  for (auto& point : table.points) point -= Eigen::Vector3d(0.12, 0.12, 0);
  const LocalProblem problem = resting(table);
  const Reactions r = selected(problem, SolverName::lemke);
  EXPECT_EQ(r[0], 0.0);
  EXPECT_NEAR(r[1], r[3], 1e-12);
  EXPECT_NEAR(r.sum(), 2.0, 1e-11);
  EXPECT_NEAR(r[2] - r[0], 2.0 * 0.6, 1e-11);
  // Least norm of (s, 1.2, s, m), 2 s + m = 0.8.
  EXPECT_NEAR(r[1], 0.8 / 3, 1e-11);
  EXPECT_NEAR(r[4], 0.8 / 3, 1e-11);
}

TEST(MinimumNorm, ASlidingBrickKeepsItsSymmetry) {
  RestingBody body{.points = corners()};
  body.law.bound = 0.3;
  body.velocity[0] = 3;
  std::mt19937_64 random(2);
  for (int k = 0; k < 5; ++k) {
    const Reactions r = selected(resting(body), SolverName::automatic, random_guess(12, random), 1e-12);
    EXPECT_NEAR(r[0], r[9], 1e-10);  // mirror plane y = 0
    EXPECT_NEAR(r[3], r[6], 1e-10);
    EXPECT_GT(r[3], r[0]);  // friction turns it forward
    for (int c = 0; c < 4; ++c) {
      EXPECT_NEAR(r[3 * c + 1], -0.3 * r[3 * c], 1e-10);
      EXPECT_NEAR(r[3 * c + 2], 0, 1e-10);
    }
  }
}

TEST(MinimumNorm, RedundantJointsAndDryFriction) {
  // The same equality three times, the same dry joint twice: u = r_0 + r_1 + r_2 - 3 and u = r_3 + r_4 + 1.
  LocalProblem problem;
  for (int i = 0; i < 5; ++i) {
    problem.u_free.push_back(i < 3 ? -3.0 : 1.0);
    problem.cones.push_back(i < 3 ? Cone{ConeKind::equality} : Cone{ConeKind::interval, i == 3 ? 0.4 : 2.0});
  }
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(5, 5);
  W.topLeftCorner(3, 3).setOnes();
  W.bottomRightCorner(2, 2).setOnes();
  testing::set_matrix(problem, W);
  std::mt19937_64 random(3);
  for (int k = 0; k < 5; ++k) {
    const Reactions r = selected(problem, SolverName::nlgs, random_guess(5, random));
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(r[i], 1, 1e-13);
    EXPECT_NEAR(r[3], -0.4, 1e-13);  // at its bound
    EXPECT_NEAR(r[4], -0.6, 1e-13);
  }
}

TEST(MinimumNorm, ReactionsAreOptimal) {
  // No other solution with the same velocities, found from another guess, is shorter or has another
  // selection.
  std::mt19937_64 random(4);
  int compared = 0;
  for (const ConeKind kind : {ConeKind::nonnegative, ConeKind::planar_coulomb, ConeKind::coulomb})
    for (int k = 0; k < 30; ++k) {
      const int contacts = 4 + k;
      const LocalProblem problem = condense(random_problem(
          {.bodies = 1 + contacts / 4, .contacts = contacts, .kind = kind, .mu_max = 0.5, .mass_ratio = 10},
          random));
      Solution one, two;
      const auto solver = make_solver(SolverName::automatic, {.tolerance = 1e-12});
      solver->solve(problem, {}, one);
      solver->solve(problem, random_guess(problem.size(), random), two);
      if (one.status != SolveStatus::converged || two.status != SolveStatus::converged) continue;
      const double speed = entries_of(problem.u_free).norm();
      if ((entries_of(one.u) - entries_of(two.u)).norm() > 1e-9 * speed) continue;
      select_minimum_norm(problem, 1e-10, one);
      select_minimum_norm(problem, 1e-10, two);
      ASSERT_EQ(one.selection, Selection::minimum_norm) << k;
      ASSERT_EQ(two.selection, Selection::minimum_norm) << k;
      EXPECT_LE((entries_of(one.r) - entries_of(two.r)).norm(), 1e-8 * entries_of(one.r).norm()) << k;
      ++compared;
    }
  EXPECT_GT(compared, 60);
}

}  // namespace
}  // namespace percuss
