#include "percuss/nonsmooth/uniqueness.h"

#include <gtest/gtest.h>

#include "percuss/nonsmooth/solvers.h"
#include "support/contact_problems.h"
#include "support/resting_bodies.h"

namespace percuss {
namespace {

using testing::corners;
using testing::random_problem;
using testing::resting;
using testing::RestingBody;

Uniqueness uniqueness_of(const LocalProblem& problem, SolverName name = SolverName::automatic) {
  Solution solution;
  make_solver(name, {.tolerance = 1e-11})->solve(problem, {}, solution);
  EXPECT_FALSE(solution.uniqueness.has_value());
  check_uniqueness(problem, 1e-11, solution);
  EXPECT_TRUE(solution.uniqueness.has_value());
  return solution.uniqueness.value_or(Uniqueness{-1, -1});
}

void expect_directions(const Uniqueness& found, int directions) {
  EXPECT_EQ(found.at_least, directions);
  EXPECT_EQ(found.at_most, directions);
}

TEST(Uniqueness, LegsWithoutFriction) {
  RestingBody table{.points = corners(), .law = {ConeKind::nonnegative}};
  // Lemke's reactions are basic: one leg carries nothing, and yet the others are not determined.
  expect_directions(uniqueness_of(resting(table), SolverName::lemke), 1);
  table.points.pop_back();
  table.points.push_back({0, 0.1, -0.05});
  table.points.erase(table.points.begin() + 2);
  expect_directions(uniqueness_of(resting(table), SolverName::lemke), 0);
}

TEST(Uniqueness, FrictionAddsDirections) {
  RestingBody body{.points = corners()};
  expect_directions(uniqueness_of(resting(body)), 12 - 6);  // sticks: all rows, and six coordinates
  body.law.bound = 0.3;
  body.velocity[0] = 3;
  expect_directions(uniqueness_of(resting(body)), 4 - 3);  // slides: rays only, and lift, pitch and roll
}

TEST(Uniqueness, ABodySqueezedBetweenTwoWalls) {
  // At rest, r = (s, s) for any s >= 0. The solver returns the corner r = 0.
  LocalProblem problem;
  problem.cones.assign(2, {ConeKind::nonnegative});
  testing::set_matrix(problem, Eigen::Matrix2d{{1, -1}, {-1, 1}});
  for (const double approach : {0.0, 1.0}) {
    problem.u_free = {-approach, approach};
    expect_directions(uniqueness_of(problem), 1);
  }
}

TEST(Uniqueness, WhereContactsTouchWithoutPressingTheRuleMayNotDecide) {
  // u = r_0 + r_1 for both rows, at rest: the kernel says r can move along (1, -1), r >= 0 says it cannot.
  LocalProblem problem;
  problem.cones.assign(2, {ConeKind::nonnegative});
  testing::set_matrix(problem, Eigen::Matrix2d::Ones());
  problem.u_free = {0, 0};
  const Uniqueness found = uniqueness_of(problem);
  EXPECT_FALSE(found.is_unique());
  EXPECT_FALSE(found.is_ambiguous());
}

TEST(Uniqueness, RegularProblemsAreUniqueAlsoByTheSparseRule) {
  std::mt19937_64 random(5);
  for (const int contacts : {3, 20, 400}) {
    const LocalProblem problem = condense(
        random_problem({.bodies = contacts, .contacts = contacts, .mu_max = 0.3, .mass_ratio = 10}, random));
    EXPECT_TRUE(uniqueness_of(problem).is_unique()) << contacts;
  }
}

TEST(Uniqueness, TheSparseRuleCountsLikeTheDenseOne) {
  // One body on four points has 6 undetermined directions; a hundred of them are too many for the dense rule.
  const LocalProblem one = resting({.points = corners()});
  LocalProblem many;
  std::vector<Eigen::Triplet<double>> entries;
  for (int b = 0; b < 100; ++b) {
    for (int i = 0; i < one.size(); ++i) {
      const int first = b * one.size();
      one.W.for_each_in_row(i, [&](int j, double w) { entries.emplace_back(first + i, first + j, w); });
      many.u_free.push_back(one.u_free[i]);
    }
    many.cones.insert(many.cones.end(), one.cones.begin(), one.cones.end());
  }
  Eigen::SparseMatrix<double> W(std::ssize(many.u_free), std::ssize(many.u_free));
  W.setFromTriplets(entries.begin(), entries.end());
  many.W = to_blocks(W, many.cones);
  expect_directions(uniqueness_of(many), 600);
}

TEST(Uniqueness, OfWhatIsNoDelassusOperatorNothingIsSaid) {
  LocalProblem problem;  // M = (1 2; 0 1)
  problem.u_free = {-1, -1};
  problem.cones.assign(2, {ConeKind::nonnegative});
  testing::set_matrix(problem, Eigen::Matrix2d{{1, 2}, {0, 1}});
  Solution solution;
  make_solver(SolverName::lemke, {})->solve(problem, {}, solution);
  ASSERT_EQ(solution.status, SolveStatus::converged);
  check_uniqueness(problem, 1e-10, solution);
  EXPECT_FALSE(solution.uniqueness.has_value());
}

}  // namespace
}  // namespace percuss
