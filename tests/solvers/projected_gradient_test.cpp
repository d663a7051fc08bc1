#include "percuss/nonsmooth/projected_gradient.h"

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
using Method = ProjectedGradientOptions::Method;
using Law = ProjectedGradientOptions::Law;

/// First-order methods are not for the last digits.
constexpr double first_order_tolerance = 1e-5;

class ProjectedGradient : public ::testing::TestWithParam<Method> {
 protected:
  Solution solve(const LocalProblem& problem, Law law = Law::exact, int max_iterations = 0) const {
    ProjectedGradientOptions options;
    options.tolerance = first_order_tolerance;
    options.max_iterations = max_iterations;
    options.method = GetParam();
    options.law = law;
    Solution solution;
    ProjectedGradientSolver(options).solve(problem, {}, solution);
    return solution;
  }

  int count_failures(bool mixed, ConeKind kind, double mu, bool rank_deficient, int max_iterations,
                     std::mt19937_64& random) const {
    int failures = 0;
    for (int contacts = 1; contacts <= 60; contacts += 1 + contacts / 3) {
      const int bodies = rank_deficient ? std::max(1, contacts / 3) : 2 * contacts;
      const RandomProblem given{bodies, contacts, kind, mu, mu, 10};
      const LocalProblem problem =
          condense(mixed ? mixed_problem(given, random) : random_problem(given, random));
      const Solution solution = solve(problem, Law::exact, max_iterations);
      const double residual = residual_of(problem, solution.r).relative;
      EXPECT_EQ(solution.residual.relative, residual);
      EXPECT_EQ(solution.status == SolveStatus::converged, residual <= first_order_tolerance);
      if (solution.status != SolveStatus::converged) ++failures;
    }
    return failures;
  }
};

TEST_P(ProjectedGradient, SolvesRandomProblemsOfEveryKind) {
  std::mt19937_64 random(21);
  for (const bool rank_deficient : {false, true})
    for (const double mu : {0.0, 0.3}) {
      SCOPED_TRACE(::testing::Message() << "mu " << mu << " rank-deficient " << rank_deficient);
      EXPECT_EQ(count_failures(false, ConeKind::nonnegative, mu, rank_deficient, 0, random), 0);
      EXPECT_EQ(count_failures(false, ConeKind::planar_coulomb, mu, rank_deficient, 0, random), 0);
      EXPECT_EQ(count_failures(false, ConeKind::coulomb, mu, rank_deficient, 0, random), 0);
      EXPECT_EQ(count_failures(true, ConeKind::coulomb, mu, rank_deficient, 0, random), 0);
    }
}

TEST_P(ProjectedGradient, IsHonestWhereFrictionIsHuge) {
  std::mt19937_64 random(22);
  count_failures(false, ConeKind::coulomb, 1e3, true, 500, random);
}

TEST_P(ProjectedGradient, RelaxedLawLetsSlidingContactsSeparate) {
  const LocalProblem problem = one_contact(2.0, 0.5, {-1.0, 3.0, 4.0});
  const Solution relaxed = solve(problem, Law::relaxed), exact = solve(problem);
  ASSERT_EQ(relaxed.status, SolveStatus::converged);
  EXPECT_GT(relaxed.residual.relative, 0.1);  // of the exact law
  EXPECT_NEAR(relaxed.u[0], 0.5 * std::hypot(relaxed.u[1], relaxed.u[2]), 1e-4);
  ASSERT_EQ(exact.status, SolveStatus::converged);
  EXPECT_NEAR(exact.r[0], 0.5, 1e-4);
  EXPECT_NEAR(exact.r[1], -0.15, 1e-4);
  EXPECT_NEAR(exact.r[2], -0.2, 1e-4);
}

TEST_P(ProjectedGradient, DuplicatedContactsChangeNoVelocity) {
  std::mt19937_64 random(23);
  const GlobalProblem once =
      random_problem({.bodies = 8, .contacts = 10, .mu_max = 0.4, .mass_ratio = 10}, random);
  const Solution reference = solve(condense(once)), solution = solve(condense(duplicated(once)));
  ASSERT_EQ(reference.status, SolveStatus::converged);
  ASSERT_EQ(solution.status, SolveStatus::converged);
  for (int i = 0; i < once.size(); ++i) EXPECT_NEAR(solution.u[i], reference.u[i], 1e-2);
}

TEST_P(ProjectedGradient, AnswersOddDataWithAStatus) {
  EXPECT_EQ(solve({}).status, SolveStatus::converged);
  EXPECT_EQ(solve(one_contact(0.0, 0.5, {1.0, 3.0, 0.0})).status, SolveStatus::converged);
  EXPECT_EQ(solve(one_contact(0.0, 0.5, {-1.0, 0.0, 0.0}), Law::exact, 100).status,
            SolveStatus::iteration_limit);
  LocalProblem problem = one_contact(1.0, 0.5, {-1.0, 0.0, 0.0});
  problem.W.values()[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solve(problem).status, SolveStatus::not_finite);
}

INSTANTIATE_TEST_SUITE_P(Methods, ProjectedGradient, ::testing::Values(Method::psor, Method::apgd),
                         [](const auto& instance) {
                           return instance.param == Method::psor ? "psor" : "apgd";
                         });

TEST(Solvers, AreMadeByName) {
  const LocalProblem problem = one_contact(2.0, 0.5, {-1.0, 3.0, 4.0});
  for (const auto& [name, text] : {std::pair{SolverName::admm, "admm"}, std::pair{SolverName::psor, "psor"},
                                   std::pair{SolverName::apgd, "apgd"}}) {
    Solution solution;
    make_solver(name, {.tolerance = 1e-6})->solve(problem, {}, solution);
    EXPECT_STREQ(solution.method, text);
    EXPECT_EQ(solution.status, SolveStatus::converged);
  }
}

}  // namespace
}  // namespace percuss
