#include "percuss/nonsmooth/nlgs.h"

#include <gtest/gtest.h>

#include "percuss/math/workers.h"
#include "percuss/nonsmooth/cones.h"
#include "percuss/nonsmooth/one_contact.h"
#include "percuss/nonsmooth/residual.h"
#include "support/contact_problems.h"
#include "support/effort.h"

namespace percuss {
namespace {

using testing::random_problem;
using testing::RandomProblem;

/// Residual of Coulomb's law for one contact, relative to the velocities in it.
double one_contact_residual(const Eigen::Matrix3d& W, const Eigen::Vector3d& q, double mu,
                            const Eigen::Vector3d& r) {
  const Eigen::Vector3d u = W * r + q;
  const double scale = q.norm() + (W * r).norm();
  return std::sqrt(cone_residual2({ConeKind::coulomb, mu}, W.trace(), r.data(), u.data())) / scale;
}

TEST(OneContact, SatisfiesCoulombsLawInAllRegimes) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  int open = 0, stick = 0, slip = 0;
  for (int k = 0; k < 100000; ++k) {
    const int rank = 1 + k % 3;
    Eigen::Matrix3d factor = Eigen::Matrix3d::NullaryExpr([&] { return normal(random); });
    if (rank < 3) factor.rightCols(3 - rank).setZero();
    const Eigen::Matrix3d W = factor * factor.transpose() * std::pow(10.0, 3 * normal(random));
    // A velocity that W can reach: one that mechanics can ask for.
    const Eigen::Vector3d q = factor * Eigen::Vector3d::NullaryExpr([&] { return normal(random); });
    const double mu = k % 7 == 0 ? 0.0 : std::pow(10.0, normal(random));
    OneContact contact;
    contact.prepare(W.data(), 3);
    Eigen::Vector3d r;
    ASSERT_TRUE(contact.solve(q.data(), mu, r.data()));
    ASSERT_LT(one_contact_residual(W, q, mu, r), 1e-9) << k << " rank " << rank << " mu " << mu;
    const double tangential = r.tail<2>().norm();
    if (r[0] == 0)
      ++open;
    else
      ++(tangential < (1 - 1e-9) * mu * r[0] ? stick : slip);
  }
  EXPECT_GT(open, 10000);
  EXPECT_GT(stick, 10000);
  EXPECT_GT(slip, 10000);
}

TEST(Nlgs, SolvesRandomProblemsOfFullRank) {
  std::mt19937_64 random(2);
  int failures = 0;
  for (const ConeKind kind : {ConeKind::nonnegative, ConeKind::planar_coulomb, ConeKind::coulomb})
    for (int k = 0; k < 200; ++k) {
      const LocalProblem problem = condense(random_problem(
          {.bodies = 10, .contacts = 10, .kind = kind, .mu_max = 0.8, .mass_ratio = 10}, random));
      Solution solution;
      NlgsSolver({{.tolerance = 1e-9}}).solve(problem, {}, solution);
      if (solution.status == SolveStatus::converged) {
        EXPECT_LE(residual_of(problem, solution.r).relative, 1e-9);
      } else {
        // Without friction Gauss-Seidel descends (N-2); strong friction can turn it in circles.
        EXPECT_NE(kind, ConeKind::nonnegative) << k;
        ++failures;
      }
    }
  EXPECT_LE(failures, 4);  // of 400 with friction
}

/// Bodies hang together in a chain: what one end needs reaches the other link by link.
LocalProblem chain(int links) {
  LocalProblem problem;
  for (int i = 0; i < links; ++i) {
    problem.cones.push_back({ConeKind::nonnegative});
    problem.u_free.push_back(i % 5 == 4 ? 0.5 : -1.0);
  }
  Eigen::MatrixXd W = 2 * Eigen::MatrixXd::Identity(links, links);
  W.diagonal(1).setConstant(-1);
  W.diagonal(-1).setConstant(-1);
  testing::set_matrix(problem, W);
  return problem;
}

TEST(Nlgs, EndsEarlyOnlyWhereTheLimitIsOutOfReach) {
  // The factor of a sweep is known: cos² of π / (n + 1).
  const LocalProblem problem = chain(40);
  Solution patient, hopeful, hopeless;
  NlgsSolver({{.tolerance = 1e-10}}).solve(problem, {}, patient);
  ASSERT_EQ(patient.status, SolveStatus::converged);
  NlgsOptions options{{.tolerance = 1e-10, .max_iterations = 2 * patient.iterations}};
  options.stall_limit = patient.iterations / 2;
  NlgsSolver(options).solve(problem, {}, hopeful);
  EXPECT_EQ(hopeful.status, SolveStatus::converged);
  EXPECT_EQ(hopeful.r, patient.r);
  options.max_iterations = patient.iterations / 2 + 20;
  NlgsSolver(options).solve(problem, {}, hopeless);
  EXPECT_EQ(hopeless.status, SolveStatus::stalled);
  EXPECT_LT(hopeless.iterations, options.max_iterations);
}

TEST(Nlgs, AccelerationSavesSweepsAndLosesNoAccuracy) {
  const LocalProblem slow = chain(40);
  NlgsOptions accelerated{{.tolerance = 1e-10}};
  accelerated.acceleration = 8;
  Solution plain, fast;
  NlgsSolver({{.tolerance = 1e-10}}).solve(slow, {}, plain);
  NlgsSolver(accelerated).solve(slow, {}, fast);
  ASSERT_EQ(plain.status, SolveStatus::converged);
  ASSERT_EQ(fast.status, SolveStatus::converged);
  EXPECT_LT(4 * fast.iterations, plain.iterations);

  std::mt19937_64 random(5);
  int total_plain = 0, total_fast = 0;
  for (const ConeKind kind : {ConeKind::nonnegative, ConeKind::planar_coulomb, ConeKind::coulomb})
    for (int k = 0; k < 50; ++k) {
      const LocalProblem problem = condense(random_problem(
          {.bodies = 10, .contacts = 12, .kind = kind, .mu_max = 0.5, .mass_ratio = 10}, random));
      NlgsSolver({{.tolerance = 1e-10}}).solve(problem, {}, plain);
      if (plain.status != SolveStatus::converged) continue;
      NlgsSolver(accelerated).solve(problem, {}, fast);
      EXPECT_EQ(fast.status, SolveStatus::converged) << k;
      EXPECT_LE(residual_of(problem, fast.r).relative, 1e-10) << k;
      total_plain += plain.iterations;
      total_fast += fast.iterations;
    }
  EXPECT_LT(total_fast, total_plain);
}

TEST(Nlgs, ResultDoesNotDependOnTheNumberOfThreads) {
  std::mt19937_64 random(3);
  const LocalProblem problem = condense(random_problem(
      {.bodies = 3000, .contacts = NlgsSolver::coloured_from, .mu_max = 0.5, .mass_ratio = 5}, random));
  Solution one, several;
  NlgsOptions options{{.tolerance = 1e-8, .max_iterations = testing::repetitions(40)}};
  NlgsSolver(options).solve(problem, {}, one);
  for (const int threads : {2, 8}) {
    options.workers = std::make_shared<Workers>(threads);
    NlgsSolver(options).solve(problem, {}, several);
    EXPECT_EQ(one.iterations, several.iterations);
    EXPECT_EQ(one.r, several.r);
    EXPECT_EQ(one.history, several.history);
  }
}

/// Contacts that nothing can move, and one that sees another without being seen.
TEST(Nlgs, SurvivesRowsOfZeros) {
  for (const ConeKind kind : {ConeKind::nonnegative, ConeKind::coulomb}) {
    LocalProblem problem;
    problem.cones.assign(3, Cone{kind, 0.5});
    const int rows = problem.cones[0].rows();
    problem.u_free.assign(3 * static_cast<size_t>(rows), -1.0);
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(3 * rows, 3 * rows);
    W.block(rows, 0, rows, rows).setConstant(0.1);
    testing::set_matrix(problem, W);
    Solution solution;
    NlgsOptions options;
    options.max_iterations = 5;
    NlgsSolver(options).solve(problem, {}, solution);
    EXPECT_NE(solution.status, SolveStatus::converged);
    ASSERT_EQ(static_cast<int>(solution.r.size()), problem.size());
    for (const double r : solution.r) EXPECT_TRUE(std::isfinite(r));
  }
}

}  // namespace
}  // namespace percuss
