#include "percuss/nonsmooth/contact_operator.h"

#include <gtest/gtest.h>

#include "percuss/nonsmooth/residual.h"
#include "percuss/nonsmooth/solvers.h"
#include "support/mixed_problems.h"
#include "support/rolling_problems.h"

namespace percuss {
namespace {

std::vector<GlobalProblem> global_problems() {
  std::mt19937_64 random(11);
  std::vector<GlobalProblem> problems;
  for (const int contacts : {1, 5, 20}) {
    problems.push_back(testing::random_problem({.bodies = 6, .contacts = contacts}, random));
    problems.push_back(testing::mixed_problem({.bodies = 12, .contacts = contacts}, random));
    problems.push_back(testing::random_rolling({.bodies = 6, .contacts = contacts}, random));
  }
  return problems;
}

TEST(MatrixFreeOperator, IsTheExplicitOne) {
  for (const GlobalProblem& global : global_problems()) {
    const LocalProblem local = condense(global);
    MatrixFreeProblem free(global);
    const OperatorProblem view = free.view();
    EXPECT_EQ(view.W.blocks(), nullptr);
    ExplicitOperator formed(local.W);
    const int n = local.size();
    const Eigen::VectorXd r = Eigen::VectorXd::LinSpaced(n, -1, 2);
    Eigen::VectorXd u(n), expected(n);
    view.W.apply(r.data(), u.data());
    formed.apply(r.data(), expected.data());
    EXPECT_LE((u - expected).norm(), 1e-13 * expected.norm());
    for (int i = 0; i < n; ++i) EXPECT_NEAR(view.u_free[i], local.u_free[i], 1e-12);
    for (int c = 0; c < local.W.cones(); ++c)
      for (int k = 0; k < local.W.rows_of(c) * local.W.rows_of(c); ++k)
        EXPECT_NEAR(view.W.diagonal_block(c)[k], formed.diagonal_block(c)[k], 1e-13 * local.W.trace(c));
  }
}

/// Whoever solves the global form finds what has a small residual in the local form, and as often.
TEST(MatrixFreeOperator, LeadsTheMethodsToTheSameAnswers) {
  for (const SolverName name : {SolverName::admm, SolverName::apgd, SolverName::nlgs}) {
    int solved = 0;
    for (const GlobalProblem& global : global_problems()) {
      const LocalProblem local = condense(global);
      Solution by_form, by_blocks;
      const auto solver = make_solver(name, {.tolerance = 1e-9});
      solver->solve_global(global, {}, by_form);
      solver->solve(local, {}, by_blocks);
      EXPECT_EQ(by_form.status == SolveStatus::converged, by_blocks.status == SolveStatus::converged);
      EXPECT_NEAR(residual_of(local, by_form.r).absolute, by_form.residual.absolute, 1e-11);
      if (by_form.status != SolveStatus::converged) continue;
      ++solved;
      EXPECT_LE(residual_of(local, by_form.r).relative, 1.1e-9);
    }
    EXPECT_GE(solved, 8) << "of 9";
  }
}

TEST(MatrixFreeOperator, OddDataGetAStatus) {
  std::mt19937_64 random(3);
  GlobalProblem problem = testing::random_problem({.bodies = 2, .contacts = 3}, random);
  for (const SolverName name : {SolverName::admm, SolverName::apgd, SolverName::nlgs}) {
    const auto solver = make_solver(name, {});
    Solution out;
    solver->solve_global({}, {}, out);
    EXPECT_EQ(out.status, SolveStatus::converged) << "nothing to solve";
    GlobalProblem spoilt = problem;
    spoilt.f[0] = std::nan("");
    solver->solve_global(spoilt, {}, out);
    EXPECT_EQ(out.status, SolveStatus::not_finite);
    spoilt = problem;
    spoilt.M.coeffRef(0, 0) = -1;
    solver->solve_global(spoilt, {}, out);
    EXPECT_EQ(out.status, SolveStatus::singular);
    for (const double r : out.r) EXPECT_EQ(r, 0.0);
  }
}

/// One of two equal parts of a problem, each of which knows its own rows: sums count both.
class HalfOperator final : public ContactOperator {
 public:
  explicit HalfOperator(const BlockMatrix& W) : own_(W) {}
  void apply(const double* r, double* u) override { own_.apply(r, u); }
  const double* diagonal_block(int c) const override { return own_.diagonal_block(c); }
  void sum(std::span<double> numbers) const override {
    for (double& x : numbers) x *= 2;
  }

 private:
  ExplicitOperator own_;
};

TEST(ContactOperator, ResidualsAreSumsOverAllParts) {
  std::mt19937_64 random(4);
  const LocalProblem local = condense(testing::random_problem({.bodies = 3, .contacts = 4}, random));
  std::vector<double> r(local.u_free.size(), 0.1), u = local.u_free;
  local.W.multiply_add(r.data(), u.data());
  const Residual one = residual_of(local, r, u);
  HalfOperator half(local.W);
  const Residual both = residual_of(OperatorProblem{half, local.cones, local.u_free}, r, u);
  EXPECT_NEAR(both.absolute, std::sqrt(2.0) * one.absolute, 1e-14);
  EXPECT_NEAR(both.relative, one.relative, 1e-14);
}

}  // namespace
}  // namespace percuss
