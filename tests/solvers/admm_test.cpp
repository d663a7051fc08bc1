#include "percuss/nonsmooth/admm.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "percuss/nonsmooth/residual.h"
#include "percuss/nonsmooth/solvers.h"
#include "support/mixed_problems.h"

namespace percuss {
namespace {

using testing::duplicated;
using testing::mixed_problem;
using testing::one_contact;
using testing::random_problem;
using testing::RandomProblem;

constexpr double admm_tolerance = 1e-9;

Solution solve_local(const LocalProblem& problem, const std::vector<double>& guess = {}) {
  Solution solution;
  AdmmSolver({{.tolerance = admm_tolerance}}).solve(problem, guess, solution);
  return solution;
}

Solution solve_global_form(const GlobalProblem& problem) {
  Solution solution;
  AdmmSolver({{.tolerance = admm_tolerance}}).solve_global(problem, {}, solution);
  return solution;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = a.size() == b.size() ? 0.0 : std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// What a solver promises whatever its status: r in K, u of r, the residual.
void expect_honest(const LocalProblem& problem, const Solution& solution) {
  const Residual residual = residual_of(problem, solution.r);
  EXPECT_NEAR(solution.residual.relative, residual.relative, 1e-13 + 1e-6 * residual.relative);
  EXPECT_TRUE(solution.status != SolveStatus::converged || residual.relative <= admm_tolerance);
  std::vector<double> u = problem.u_free;
  problem.W.multiply_add(solution.r.data(), u.data());
  EXPECT_LE(largest_difference(u, solution.u), 1e-9);
}

/// Failures among problems of 1 to 60 contacts.
int count_failures(bool mixed, ConeKind kind, double mu, bool rank_deficient, std::mt19937_64& random) {
  int failures = 0;
  for (int contacts = 1; contacts <= 60; contacts += 1 + contacts / 2) {
    const int bodies = rank_deficient ? std::max(1, contacts / 3) : 2 * contacts;
    const RandomProblem given{bodies, contacts, kind, mu, mu, 10};
    const LocalProblem problem =
        condense(mixed ? mixed_problem(given, random) : random_problem(given, random));
    const Solution solution = solve_local(problem);
    expect_honest(problem, solution);
    if (solution.status != SolveStatus::converged) ++failures;
  }
  return failures;
}

TEST(Admm, SolvesRandomProblemsOfEveryKind) {
  std::mt19937_64 random(11);
  for (const bool rank_deficient : {false, true})
    for (const double mu : {0.0, 0.3, 0.7}) {
      SCOPED_TRACE(::testing::Message() << "mu " << mu << " rank-deficient " << rank_deficient);
      EXPECT_EQ(count_failures(false, ConeKind::nonnegative, mu, rank_deficient, random), 0);
      EXPECT_EQ(count_failures(false, ConeKind::coulomb, mu, rank_deficient, random), 0);
      EXPECT_EQ(count_failures(true, ConeKind::coulomb, mu, rank_deficient, random), 0);
      // Planar contacts at random places on few bodies jam more often than anything that is built.
      EXPECT_LE(count_failures(false, ConeKind::planar_coulomb, mu, rank_deficient, random), 2);
    }
}

TEST(Admm, IsHonestWhereFrictionIsHuge) {
  std::mt19937_64 random(12);
  count_failures(false, ConeKind::coulomb, 1e3, true, random);
  count_failures(true, ConeKind::coulomb, 1e3, false, random);
  EXPECT_EQ(solve_local(one_contact(2.0, 1e3, {-1.0, 1e-3, 0.0})).status, SolveStatus::converged);
}

TEST(Admm, GlobalAndLocalFormGiveTheSameVelocities) {
  std::mt19937_64 random(13);
  for (int contacts = 1; contacts <= 40; contacts += 3)
    for (const int bodies : {std::max(1, contacts / 3), 2 * contacts}) {  // primal factor; condensed
      const GlobalProblem problem =
          mixed_problem({.bodies = bodies, .contacts = contacts, .mu_max = 0.5, .mass_ratio = 10}, random);
      const LocalProblem condensed = condense(problem);
      const Solution global = solve_global_form(problem), local = solve_local(condensed);
      ASSERT_EQ(global.status, SolveStatus::converged);
      ASSERT_EQ(local.status, SolveStatus::converged);
      expect_honest(condensed, global);
      EXPECT_LE(largest_difference(global.u, local.u), 1e-5) << contacts;
    }
}

TEST(Admm, DuplicatedContactsChangeNoVelocity) {
  std::mt19937_64 random(14);
  const GlobalProblem once =
      random_problem({.bodies = 8, .contacts = 10, .mu_max = 0.4, .mass_ratio = 10}, random);
  const GlobalProblem twice = duplicated(once);
  const Solution reference = solve_local(condense(once));
  ASSERT_EQ(reference.status, SolveStatus::converged);
  for (const Solution& solution : {solve_local(condense(twice)), solve_global_form(twice)}) {
    ASSERT_EQ(solution.status, SolveStatus::converged);
    for (int i = 0; i < once.size(); ++i) EXPECT_NEAR(solution.u[i], reference.u[i], 1e-6);
  }
}

TEST(Admm, OneContactSticksSlidesOrOpens) {
  const Solution open = solve_local(one_contact(2.0, 0.5, {1.0, 3.0, 0.0}));
  EXPECT_LE(std::abs(open.r[0]), 1e-8);
  const Solution stick = solve_local(one_contact(2.0, 0.5, {-1.0, 0.2, 0.3}));
  EXPECT_NEAR(stick.r[1], -0.1, 1e-8);
  EXPECT_NEAR(stick.r[2], -0.15, 1e-8);
  const Solution slide = solve_local(one_contact(2.0, 0.5, {-1.0, 3.0, 4.0}));  // |r_T| = mu r_N = 0.25
  EXPECT_NEAR(slide.r[0], 0.5, 1e-8);
  EXPECT_NEAR(slide.r[1], -0.15, 1e-8);
  EXPECT_NEAR(slide.r[2], -0.2, 1e-8);
}

TEST(Admm, ZeroDiagonalNeedsNoReactionOrHasNoSolution) {
  EXPECT_EQ(solve_local(one_contact(0.0, 0.5, {1.0, 3.0, 0.0})).status, SolveStatus::converged);
  const LocalProblem hopeless = one_contact(0.0, 0.5, {-1.0, 0.0, 0.0});
  const Solution solution = solve_local(hopeless);
  EXPECT_NE(solution.status, SolveStatus::converged);
  expect_honest(hopeless, solution);
}

TEST(Admm, SlightlyUnsymmetricProblemsAreSolvedAsTheyAre) {
  std::mt19937_64 random(15);
  LocalProblem problem =
      condense(random_problem({.bodies = 20, .contacts = 20, .mu_max = 0.6, .mass_ratio = 10}, random));
  std::normal_distribution<double> normal;
  for (double& value : problem.W.values()) value *= 1.0 + 1e-3 * normal(random);
  const Solution solution = solve_local(problem);
  EXPECT_EQ(solution.status, SolveStatus::converged);
  expect_honest(problem, solution);
}

TEST(Admm, StartsFromAGuess) {
  std::mt19937_64 random(16);
  const LocalProblem problem =
      condense(random_problem({.bodies = 20, .contacts = 20, .mu_max = 0.6}, random));
  const Solution cold = solve_local(problem);
  ASSERT_EQ(cold.status, SolveStatus::converged);
  EXPECT_EQ(solve_local(problem, cold.r).iterations, 0);
}

TEST(Admm, AnswersBadDataWithAStatus) {
  EXPECT_EQ(solve_local({}).status, SolveStatus::converged);
  LocalProblem problem = one_contact(1.0, 0.5, {-1.0, 0.0, 0.0});
  problem.u_free[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solve_local(problem).status, SolveStatus::not_finite);
  std::mt19937_64 random(17);
  GlobalProblem global = random_problem({.bodies = 1, .contacts = 4}, random);
  EXPECT_EQ(solve_global_form(global).status, SolveStatus::converged);
  GlobalProblem broken = global;
  broken.f[0] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(solve_global_form(broken).status, SolveStatus::not_finite);
  global.M.coeffRef(0, 0) = -1.0;
  EXPECT_EQ(solve_global_form(global).status, SolveStatus::singular);
}

TEST(Admm, RefusesBadOptions) {
  EXPECT_THROW(AdmmSolver({{}, 0.0}), std::invalid_argument);
  EXPECT_THROW(AdmmSolver({{}, 0.1, 2.0}), std::invalid_argument);
  EXPECT_THROW(AdmmSolver({{}, 0.1, 1.5, -1}), std::invalid_argument);
  EXPECT_THROW(AdmmSolver({{}, 0.1, 1.5, 20, 0}), std::invalid_argument);
}

}  // namespace
}  // namespace percuss
