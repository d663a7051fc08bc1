#include "percuss/nonsmooth/newton.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "percuss/nonsmooth/cones.h"
#include "percuss/nonsmooth/nlgs.h"
#include "percuss/nonsmooth/proximal.h"
#include "percuss/nonsmooth/residual.h"
#include "percuss/nonsmooth/solvers.h"
#include "support/contact_problems.h"

namespace percuss {
namespace {

using testing::random_problem;
using testing::RandomProblem;
using enum NewtonFormulation;

constexpr ConeKind all_kinds[] = {ConeKind::equality, ConeKind::nonnegative, ConeKind::interval,
                                  ConeKind::planar_coulomb, ConeKind::coulomb};
constexpr NewtonFormulation all_formulations[] = {alart_curnier, jean_moreau, natural_map,
                                                  fischer_burmeister};

LocalProblem dense_problem(const Eigen::MatrixXd& W, const Eigen::VectorXd& u_free, std::vector<Cone> cones) {
  LocalProblem problem;
  problem.u_free.assign(u_free.begin(), u_free.end());
  problem.cones = std::move(cones);
  testing::set_matrix(problem, 0.5 * (W + W.transpose()));
  return problem;
}

/// Cones of all kinds in one problem, every one coupled with every other; W has `freedom` times as many
/// degrees of freedom as rows, and the free velocity is one that they can have.
LocalProblem mixed_problem(int count, double freedom, double mu_max, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::vector<Cone> cones;
  int rows = 0;
  for (int c = 0; c < count; ++c) {
    cones.push_back({all_kinds[c % 5], mu_max * uniform(random)});
    rows += cones.back().rows();
  }
  const int dof = std::max(1, static_cast<int>(freedom * rows));
  const Eigen::MatrixXd H = Eigen::MatrixXd::NullaryExpr(rows, dof, [&] { return normal(random); });
  const Eigen::VectorXd v = Eigen::VectorXd::NullaryExpr(dof, [&] { return normal(random); });
  return dense_problem(H * H.transpose(), H * v, std::move(cones));
}

template <class Options, class Method>
Solution solve_with(Options options, const LocalProblem& problem, double tolerance = 1e-10) {
  options.tolerance = tolerance;
  Solution solution;
  Method(options).solve(problem, {}, solution);
  if (solution.status == SolveStatus::converged) {
    EXPECT_LE(residual_of(problem, solution.r).relative, tolerance);
    int i = 0;
    for (const Cone& cone : problem.cones) {
      double p[3], size = 0;
      project(cone, &solution.r[i], p);
      for (int k = 0; k < cone.rows(); ++k) size += std::abs(solution.r[i + k]);
      for (int k = 0; k < cone.rows(); ++k) EXPECT_NEAR(p[k], solution.r[i + k], 1e-14 * size + 1e-300);
      i += cone.rows();
    }
  }
  return solution;
}

/// Without sweeps before, which would solve most of the problems below alone.
Solution newton(const LocalProblem& problem, NewtonFormulation formulation = alart_curnier) {
  NewtonOptions options;
  options.formulation = formulation;
  options.first_sweeps = 0;
  return solve_with<NewtonOptions, NewtonSolver>(options, problem);
}

Solution proximal(const LocalProblem& problem) {
  ProximalOptions options;
  options.first_sweeps = 0;
  return solve_with<ProximalOptions, ProximalSolver>(options, problem);
}

TEST(NewtonLaw, DerivativesAgreeWithDifferences) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  int smooth = 0, points = 0;
  for (const NewtonFormulation formulation : all_formulations)
    for (int k = 0; k < 4000; ++k) {
      const double bound = std::pow(10.0, 0.5 * normal(random));
      const bool rolls = k % 6 == 5 && formulation != fischer_burmeister;
      const Cone cone =
          rolls ? rolling_cone(2, bound, 2, 0.5 * bound, 1, 0.2) : Cone{all_kinds[k % 5], bound};
      const int n = cone.rows();
      NewtonScale scale;
      scale.normal = std::exp(normal(random));
      const bool one_scale = formulation == natural_map || formulation == fischer_burmeister;
      for (double& disc : scale.disc) disc = one_scale ? scale.normal : std::exp(normal(random));
      double r[max_cone_rows], u[max_cone_rows], dr[max_cone_rows], du[max_cone_rows];
      for (int i = 0; i < n; ++i) {
        r[i] = normal(random) + (i == 0), u[i] = normal(random);
        dr[i] = normal(random), du[i] = normal(random);
      }
      struct Linearised {
        double F[max_cone_rows], A[max_cone_rows * max_cone_rows], B[max_cone_rows * max_cone_rows];
      } at, ahead, behind;
      const auto linearise = [&](double h, Linearised& out) {
        double r_h[max_cone_rows], u_h[max_cone_rows];
        for (int i = 0; i < n; ++i) r_h[i] = r[i] + h * dr[i], u_h[i] = u[i] + h * du[i];
        return newton_linearise(formulation, cone, scale, r_h, u_h, {out.F, out.A, out.B});
      };
      constexpr double h = 1e-6;
      const bool depends_on_u = linearise(0, at);
      linearise(h, ahead);
      linearise(-h, behind);
      for (int i = 0; i < n; ++i) {
        const double forward = (ahead.F[i] - at.F[i]) / h, backward = (at.F[i] - behind.F[i]) / h;
        ++points;
        if (std::abs(forward - backward) > 1e-3) continue;  // a kink is between
        ++smooth;
        double derivative = 0.0;
        for (int j = 0; j < n; ++j) derivative += at.A[n * i + j] * du[j] + at.B[n * i + j] * dr[j];
        ASSERT_NEAR(derivative, 0.5 * (forward + backward), 1e-5 * (1.0 + std::abs(derivative)))
            << static_cast<int>(formulation) << " kind " << static_cast<int>(cone.kind) << " row " << i;
      }
      const bool has_A = std::any_of(at.A, at.A + n * n, [](double a) { return a != 0.0; });
      ASSERT_TRUE(depends_on_u || !has_A);
    }
  EXPECT_GT(smooth, 0.97 * points);
}

TEST(MultifrontalLu, SolvesRandomSystemsWithSymmetricPattern) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  MultifrontalLu lu;
  for (int k = 0; k < 200; ++k) {
    const int n = 1 + k % 60;
    BlockMatrix matrix;
    std::vector<int> place(n);
    for (int i = 0; i < n; ++i) {
      matrix.add_cone(1 + static_cast<int>(random() % max_cone_rows));
      place[i] = static_cast<int>(random() % 1000) * n + i;
    }
    Eigen::MatrixXi coupled = Eigen::MatrixXi::Identity(n, n);
    for (int e = 0; e < 2 * n; ++e) {
      const int i = static_cast<int>(random() % n), j = static_cast<int>(random() % n);
      coupled(i, j) = coupled(j, i) = 1;
    }
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (!coupled(i, j)) continue;
        double* block = matrix.append(j);
        for (int p = 0; p < matrix.rows_of(i); ++p)
          for (int q = 0; q < matrix.rows_of(j); ++q) *block++ = normal(random) + (i == j && p == q) * 9.0;
      }
      matrix.end_cone();
    }
    const Eigen::MatrixXd dense = to_sparse(matrix);
    const Eigen::VectorXd b = Eigen::VectorXd::NullaryExpr(matrix.rows(), [&] { return normal(random); });
    std::vector<double> x(b.begin(), b.end());
    lu.analyse(matrix, place);
    ASSERT_TRUE(lu.factorise(matrix));
    lu.solve(x);
    const Eigen::Map<Eigen::VectorXd> solution(x.data(), matrix.rows());
    ASSERT_LT((dense * solution - b).norm(), 1e-9 * (1.0 + solution.norm())) << n;
  }
}

TEST(Newton, SolvesRandomProblemsOfFullRank) {
  for (const NewtonFormulation formulation : all_formulations) {
    std::mt19937_64 random(3);
    int solved = 0, count = 0, iterations = 0;
    for (int k = 0; k < 60; k += 2) {
      const LocalProblem problem = mixed_problem(1 + k, 2.0, 0.8, random);
      const Solution solution = newton(problem, formulation);
      ++count;
      solved += solution.status == SolveStatus::converged;
      iterations += solution.iterations;
    }
    for (const ConeKind kind : {ConeKind::nonnegative, ConeKind::planar_coulomb, ConeKind::coulomb})
      for (int k = 0; k < 60; k += 2) {
        const Solution solution = newton(
            condense(random_problem(
                {.bodies = 1 + k, .contacts = 1 + k, .kind = kind, .mu_max = 0.8, .mass_ratio = 10}, random)),
            formulation);
        ++count;
        solved += solution.status == SolveStatus::converged;
        iterations += solution.iterations;
      }
    RecordProperty("iterations_of_formulation_" + std::to_string(static_cast<int>(formulation)), iterations);
    EXPECT_EQ(solved, count) << "formulation " << static_cast<int>(formulation);
    EXPECT_LT(iterations, 8 * count) << "formulation " << static_cast<int>(formulation);
  }
}

TEST(Newton, SolvesRankDeficientProblemsLikeTheProximalMethod) {
  std::mt19937_64 random(4);
  int newton_solved = 0, proximal_solved = 0, count = 0;
  for (int k = 0; k < 60; ++k) {
    const LocalProblem packed = condense(random_problem(
        {.bodies = 2 + k / 4, .contacts = 4 + k, .mu_min = 0.1, .mu_max = 0.7, .mass_ratio = 10}, random));
    const LocalProblem mixed = mixed_problem(2 + k, 0.6, 0.5, random);
    for (const LocalProblem* problem : {&packed, &mixed}) {
      ++count;
      newton_solved += newton(*problem).status == SolveStatus::converged;
      proximal_solved += proximal(*problem).status == SolveStatus::converged;
    }
  }
  EXPECT_EQ(newton_solved, count);
  EXPECT_EQ(proximal_solved, count);
}

TEST(Newton, AgreesWithGaussSeidelWhereTheVelocityIsUnique) {
  std::mt19937_64 random(5);
  int compared = 0;
  for (int k = 0; k < 30; ++k) {
    const LocalProblem problem = condense(
        random_problem({.bodies = 20, .contacts = 10 + k / 3, .mu_max = 0.1, .mass_ratio = 5}, random));
    Solution sweeps;
    NlgsSolver({{.tolerance = 1e-11}}).solve(problem, {}, sweeps);
    if (sweeps.status != SolveStatus::converged) continue;
    ++compared;
    for (const Solution& solution : {newton(problem), proximal(problem)})
      for (int i = 0; i < problem.size(); ++i) ASSERT_NEAR(solution.u[i], sweeps.u[i], 1e-7);
  }
  EXPECT_GT(compared, 20);
}

TEST(Newton, WithoutFrictionTheTangentsAreFree) {
  std::mt19937_64 random(6);
  for (const NewtonFormulation formulation : all_formulations) {
    const LocalProblem problem =
        condense(random_problem({.bodies = 8, .contacts = 10, .mu_max = 0.0, .mass_ratio = 10}, random));
    const Solution solution = newton(problem, formulation);
    ASSERT_EQ(solution.status, SolveStatus::converged);
    for (int i = 0; i < problem.size(); ++i)
      if (i % 3 != 0) {
        EXPECT_EQ(solution.r[i], 0.0);
      }
  }
}

TEST(Newton, TreatsHugeFriction) {
  std::mt19937_64 random(7);
  int newton_solved = 0, proximal_solved = 0;
  for (int k = 0; k < 20; ++k) {
    const LocalProblem problem = condense(random_problem(
        {.bodies = 10, .contacts = 1 + k / 2, .mu_min = 1e3, .mu_max = 1e3, .mass_ratio = 10}, random));
    newton_solved += newton(problem).status == SolveStatus::converged;
    proximal_solved += proximal(problem).status == SolveStatus::converged;
  }
  EXPECT_GE(newton_solved, 18);
  EXPECT_GE(proximal_solved, 18);
}

TEST(Newton, TreatsDuplicatedContacts) {
  std::mt19937_64 random(8);
  GlobalProblem twice = random_problem({.bodies = 6, .contacts = 8, .mu_max = 0.6, .mass_ratio = 10}, random);
  Eigen::MatrixXd H(twice.H.rows(), 2 * twice.H.cols());
  H << Eigen::MatrixXd(twice.H), Eigen::MatrixXd(twice.H);
  twice.H = H.sparseView();
  twice.cones.insert(twice.cones.end(), twice.cones.begin(), twice.cones.end());
  twice.w.resize(H.cols(), 0.0);
  const LocalProblem problem = condense(twice);
  EXPECT_EQ(newton(problem).status, SolveStatus::converged);
  EXPECT_EQ(proximal(problem).status, SolveStatus::converged);
}

TEST(Newton, TreatsRowsThatNoReactionMoves) {
  const Eigen::MatrixXd W = Eigen::MatrixXd::Zero(5, 5);
  Eigen::VectorXd u_free(5);
  u_free << 1.0, 0.3, 0.0, 2.0, 0.0;
  const LocalProblem problem = dense_problem(
      W, u_free, {{ConeKind::coulomb, 0.5}, {ConeKind::nonnegative, 0.0}, {ConeKind::equality, 0.0}});
  for (const NewtonFormulation formulation : all_formulations)
    EXPECT_EQ(newton(problem, formulation).status, SolveStatus::converged);
  EXPECT_EQ(proximal(problem).status, SolveStatus::converged);
  // Penetration that nothing can stop: no solution, but an honest end.
  LocalProblem hopeless = problem;
  hopeless.u_free[0] = -1.0;
  EXPECT_NE(newton(hopeless).status, SolveStatus::converged);
  EXPECT_NE(proximal(hopeless).status, SolveStatus::converged);
}

/// The next problem of a step: W is that of the last one, and so may be the factors.
TEST(Proximal, GoesOnWithTheWOfTheLastProblem) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  constexpr double tolerance = 1e-12;
  for (const double change : {0.0, 1e-9, 1e-4, 1.0}) {
    ProximalOptions options;
    options.tolerance = tolerance;
    ProximalSolver solver(options);
    for (int trial = 0; trial < 20; ++trial) {
      LocalProblem problem = mixed_problem(10, 1.5, 0.8, random);
      Solution first, again, afresh;
      solver.solve(problem, {}, first);
      ASSERT_EQ(first.status, SolveStatus::converged);
      for (double& u : problem.u_free) u += change * normal(random);
      solver.solve_again(problem, first.r, again);
      ProximalSolver(options).solve(problem, first.r, afresh);
      ASSERT_EQ(afresh.status, SolveStatus::converged);
      ASSERT_EQ(again.status, SolveStatus::converged) << change;
      EXPECT_LE(residual_of(problem, again.r).relative, tolerance);
      if (change > 1e-3) continue;  // W has full rank, but Coulomb's law may have other answers farther away
      for (size_t i = 0; i < again.r.size(); ++i) EXPECT_NEAR(again.r[i], afresh.r[i], 1e-7);
    }
  }
}

/// Without a problem before it, or after one that could not begin, it is a solve.
TEST(Proximal, NeedsNoProblemBefore) {
  std::mt19937_64 random(8);
  const LocalProblem problem = mixed_problem(6, 1.5, 0.8, random);
  ProximalSolver solver;
  Solution first, other;
  solver.solve_again(problem, {}, first);
  EXPECT_EQ(first.status, SolveStatus::converged);
  LocalProblem bad = problem;
  bad.u_free[0] = std::numeric_limits<double>::quiet_NaN();
  solver.solve(bad, {}, other);
  EXPECT_EQ(other.status, SolveStatus::not_finite);
  solver.solve_again(problem, {}, other);
  EXPECT_EQ(other.r, first.r);
}

TEST(Newton, AnswersBadOrEmptyDataByAStatus) {
  std::mt19937_64 random(9);
  LocalProblem problem = mixed_problem(5, 2.0, 0.5, random);
  problem.u_free[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(newton(problem).status, SolveStatus::not_finite);
  EXPECT_EQ(proximal(problem).status, SolveStatus::not_finite);
  EXPECT_EQ(newton({}).status, SolveStatus::converged);
  EXPECT_EQ(proximal({}).status, SolveStatus::converged);
  EXPECT_THROW(NewtonSolver({{.tolerance = -1.0}}), std::invalid_argument);
  ProximalOptions options;
  options.first_weight = 0.0;
  EXPECT_THROW(ProximalSolver{options}, std::invalid_argument);
}

TEST(Newton, IsFoundByItsNameAndStartsFromAGuess) {
  std::mt19937_64 random(10);
  const LocalProblem problem = mixed_problem(20, 2.0, 0.5, random);
  for (const SolverName name : {SolverName::newton, SolverName::proximal}) {
    const auto solver = make_solver(name, {.tolerance = 1e-9});
    Solution first, again;
    solver->solve(problem, {}, first);
    EXPECT_EQ(first.status, SolveStatus::converged);
    solver->solve(problem, first.r, again);
    EXPECT_EQ(again.status, SolveStatus::converged);
    EXPECT_EQ(again.iterations, 0) << again.method;
  }
}

}  // namespace
}  // namespace percuss
