#include "percuss/integrators/one_step/guess.h"

#include <gtest/gtest.h>

#include "percuss/nonsmooth/residual.h"
#include "percuss/nonsmooth/solvers.h"
#include "support/contact_problems.h"

/// A guess from the modes of a neighbouring problem, docs/theory/moreau.md (M-16).
namespace percuss {
namespace {

std::vector<double> solve(const LocalProblem& problem) {
  Solution solution;
  make_solver(SolverName::automatic, {.tolerance = 1e-12})->solve(problem, {}, solution);
  EXPECT_LE(solution.residual.relative, 1e-10);
  return solution.r;
}

TEST(Guess, SolvesAProblemWhoseContactsDoWhatTheyDidBefore) {
  std::mt19937_64 random(7);
  int solved = 0;
  const int problems = 200;
  for (int i = 0; i < problems; ++i) {
    LocalProblem problem = condense(testing::random_problem(
        {.bodies = 3, .contacts = 3, .kind = ConeKind::planar_coulomb, .mu_min = 0.1}, random));
    std::vector<double> guess = solve(problem);
    for (double& u : problem.u_free) u *= 1 + 1e-4;  // the same modes with other reactions
    for (double& r : guess) r *= 0.7;
    sharpen_guess(problem, guess);
    solved += residual_of(problem, guess).relative < 1e-9;
  }
  EXPECT_GT(solved, problems * 9 / 10);
}

TEST(Guess, TakesAnUnsymmetricOperatorAsItIs) {
  LocalProblem problem;
  problem.u_free = {-1, -0.2};
  problem.cones = {{ConeKind::planar_coulomb, 0.8}};
  testing::set_matrix(problem, Eigen::Matrix2d{{2, 0.3}, {0.1, 1}});
  std::vector<double> guess = {1, 0.1};  // sticks
  sharpen_guess(problem, guess);
  EXPECT_NEAR(2 * guess[0] + 0.3 * guess[1], 1, 1e-14);
  EXPECT_NEAR(0.1 * guess[0] + guess[1], 0.2, 1e-14);
}

TEST(Guess, IsLeftAloneIfAContactWouldPullOrTheSystemIsSingular) {
  LocalProblem problem;
  problem.u_free = {1, 0};
  problem.cones = {{ConeKind::planar_coulomb, 0.5}};
  testing::set_matrix(problem, Eigen::Matrix2d::Identity());
  const std::vector<double> before = {1, 0.1};
  std::vector<double> guess = before;
  sharpen_guess(problem, guess);
  EXPECT_EQ(guess, before) << "u_free separates";
  problem.u_free = {-1, 0};
  for (double& w : problem.W.values()) w = 1;
  sharpen_guess(problem, guess);
  EXPECT_EQ(guess, before) << "singular";
}

}  // namespace
}  // namespace percuss
