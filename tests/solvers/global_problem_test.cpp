#include "percuss/nonsmooth/global_problem.h"

#include <cmath>

#include <gtest/gtest.h>

#include "percuss/nonsmooth/residual.h"
#include "percuss/nonsmooth/solvers.h"
#include "support/contact_problems.h"

// The global form: its condensation, and the solvers that are given it.
namespace percuss {
namespace {

using testing::random_problem;

/// Springs between bodies and their successors, so that M has trees of several bodies.
void couple_bodies(GlobalProblem& problem, int chain_length) {
  constexpr int dof = 6;
  for (int b = 0; b + 1 < problem.dof_count() / dof; ++b) {
    if ((b + 1) % chain_length == 0) continue;
    for (int i = 0; i < dof; ++i) {
      const int j = b * dof + i, k = j + dof;
      problem.M.coeffRef(j, j) += 0.5;
      problem.M.coeffRef(k, k) += 0.5;
      problem.M.coeffRef(j, k) -= 0.5;
      problem.M.coeffRef(k, j) -= 0.5;
    }
  }
}

Eigen::MatrixXd dense(const BlockMatrix& W) {
  Eigen::MatrixXd made = Eigen::MatrixXd::Zero(W.rows(), W.rows());
  for (int i = 0; i < W.rows(); ++i) W.for_each_in_row(i, [&](int j, double w) { made(i, j) = w; });
  return made;
}

TEST(Condense, IsTheSchurComplementOfTheMass) {
  std::mt19937_64 random(1);
  for (const int chain_length : {1, 2, 5, 20}) {
    GlobalProblem problem = random_problem({.bodies = 20, .contacts = 30}, random);
    couple_bodies(problem, chain_length);
    problem.w.assign(problem.w.size(), 0.3);
    const LocalProblem local = condense(problem);
    ASSERT_NO_THROW(local.validate());
    const Eigen::MatrixXd H = problem.H, M = problem.M;
    const Eigen::VectorXd f = Eigen::Map<const Eigen::VectorXd>(problem.f.data(), problem.dof_count());
    const Eigen::LLT<Eigen::MatrixXd> mass(M);
    const Eigen::MatrixXd W = H.transpose() * mass.solve(H);
    const Eigen::VectorXd u = (H.transpose() * mass.solve(f)).array() + 0.3;
    EXPECT_LT((dense(local.W) - W).norm(), 1e-13 * W.norm()) << chain_length;
    for (int i = 0; i < local.size(); ++i) EXPECT_NEAR(local.u_free[i], u[i], 1e-13 * u.norm());
    EXPECT_EQ(local.W.value_count() == local.size() * local.size(), chain_length == 20);
  }
}

TEST(SolveGlobal, EverySolverGivesWhatTheCondensedProblemAsksFor) {
  std::mt19937_64 random(2);
  GlobalProblem problem =
      random_problem({.bodies = 12, .contacts = 12, .mu_max = 0.5, .mass_ratio = 5}, random);
  couple_bodies(problem, 3);
  const LocalProblem local = condense(problem);
  for (const auto& [name, text] : solver_names) {
    Solution solution;
    make_solver(name, {.tolerance = 1e-8})->solve_global(problem, {}, solution);
    if (solution.status == SolveStatus::unsupported) continue;
    EXPECT_EQ(solution.status, SolveStatus::converged) << text;
    EXPECT_LE(residual_of(local, solution.r).relative, 1.1e-8) << text;
  }
}

TEST(SolveGlobal, TroubleIsAStatus) {
  std::mt19937_64 random(3);
  const GlobalProblem sound = random_problem({.bodies = 3, .contacts = 4}, random);
  GlobalProblem indefinite = sound, spoilt = sound;
  indefinite.M.coeffRef(2, 2) = -1.0;
  spoilt.f[1] = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [name, text] : solver_names) {
    Solution solution;
    make_solver(name, {})->solve_global(indefinite, {}, solution);
    EXPECT_EQ(solution.status, SolveStatus::singular) << text;
    EXPECT_EQ(solution.r, std::vector<double>(sound.size(), 0.0)) << text;
    make_solver(name, {})->solve_global(spoilt, {}, solution);
    EXPECT_EQ(solution.status, SolveStatus::not_finite) << text;
  }
}

/// Few bodies with many contacts: the coordinates are the smaller system (N-25).
TEST(SolveGlobal, AutoUsesTheCoordinatesOfStronglyCoupledContacts) {
  std::mt19937_64 random(4);
  const GlobalProblem problem =
      random_problem({.bodies = 20, .contacts = 200, .mu_max = 0.5, .mass_ratio = 5}, random);
  const LocalProblem local = condense(problem);
  Solution solution;
  const auto solver = make_solver(SolverName::automatic, {.tolerance = 1e-9});
  solver->solve_global(problem, {}, solution);
  ASSERT_EQ(solution.status, SolveStatus::converged);
  EXPECT_LE(residual_of(local, solution.r).relative, 1e-9);
  EXPECT_EQ(solution.residual.relative, residual_of(local, solution.r).relative);
  EXPECT_STREQ(solution.method, "admm");
  Solution again;  // from the answer there is nothing to do
  solver->solve_global(problem, solution.r, again);
  EXPECT_EQ(again.iterations, 0);
  // Its projection on the cones moves a reaction on their surface by rounding.
  ASSERT_EQ(again.r.size(), solution.r.size());
  for (size_t i = 0; i < again.r.size(); ++i)
    EXPECT_NEAR(again.r[i], solution.r[i], 1e-14 * (1 + std::abs(solution.r[i])));
}

}  // namespace
}  // namespace percuss
