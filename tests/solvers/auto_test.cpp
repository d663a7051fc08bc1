#include "percuss/nonsmooth/auto.h"

#include <array>
#include <cstdint>

#include <gtest/gtest.h>

#include "percuss/nonsmooth/residual.h"
#include "percuss/nonsmooth/solvers.h"
#include "support/contact_problems.h"

namespace percuss {
namespace {

using testing::random_problem;
using testing::RandomProblem;

/// Of heaps of jammed_heap() that no method solves.
constexpr std::array<std::uint64_t, 2> jammed_seeds = {27, 69};

Solution solve_automatically(const LocalProblem& problem, double tolerance = 1e-10) {
  Solution solution;
  AutoSolver({.tolerance = tolerance}).solve(problem, {}, solution);
  return solution;
}

TEST(Auto, SolvesRandomProblemsOfEveryKind) {
  std::mt19937_64 random(11);
  int solved = 0, asked = 0;
  for (const ConeKind kind : {ConeKind::nonnegative, ConeKind::planar_coulomb, ConeKind::coulomb})
    for (const int contacts : {1, 2, 5, 20, 60})
      for (const int bodies : {contacts, 1 + contacts / 3})  // the second makes W singular
        for (int k = 0; k < 6; ++k) {
          const LocalProblem problem = condense(random_problem(
              {.bodies = bodies, .contacts = contacts, .kind = kind, .mu_max = 0.6, .mass_ratio = 30},
              random));
          const Solution solution = solve_automatically(problem);
          ++asked;
          if (solution.status != SolveStatus::converged) {
            EXPECT_NE(kind, ConeKind::nonnegative) << contacts << " on " << bodies;
            continue;
          }
          ++solved;
          EXPECT_LE(residual_of(problem, solution.r).relative, 1e-10);
        }
  EXPECT_GE(solved, asked - 4) << "of " << asked;  // jammed random heaps may have no solution
}

TEST(Auto, AllMethodsAgreeOnVelocitiesWhereTheyAreUnique) {
  // W regular and little friction: one solution.
  std::mt19937_64 random(12);
  for (const int contacts : {5, 20, 60}) {
    const LocalProblem problem = condense(random_problem(
        {.bodies = 2 * contacts, .contacts = contacts, .mu_max = 0.2, .mass_ratio = 10}, random));
    const Solution reference = solve_automatically(problem, 1e-11);
    ASSERT_EQ(reference.status, SolveStatus::converged);
    for (const auto& [name, text] : solver_names) {
      Solution solution;
      make_solver(name, {.tolerance = 1e-9})->solve(problem, {}, solution);
      if (solution.status == SolveStatus::unsupported) continue;
      ASSERT_EQ(solution.status, SolveStatus::converged) << text << " " << contacts;
      EXPECT_LE(residual_of(problem, solution.r).relative, 1e-9) << text;
      double difference = 0, size = 0;
      for (int i = 0; i < problem.size(); ++i) {
        difference += std::pow(solution.u[i] - reference.u[i], 2);
        size += std::pow(problem.u_free[i], 2);
      }
      EXPECT_LT(std::sqrt(difference / size), 1e-7) << text;
    }
  }
}

TEST(Auto, EdgesOfTheProblem) {
  LocalProblem none;
  EXPECT_EQ(solve_automatically(none).status, SolveStatus::converged);
  std::mt19937_64 random(13);
  for (const double mu : {0.0, 1e3}) {
    const LocalProblem one =
        condense(random_problem({.bodies = 1, .contacts = 1, .mu_min = mu, .mu_max = mu}, random));
    EXPECT_EQ(solve_automatically(one).status, SolveStatus::converged) << mu;
  }
  // The same contact twice: the load may be shared in any way.
  GlobalProblem twin = random_problem({.bodies = 1, .contacts = 1, .mu_min = 0.3, .mu_max = 0.3}, random);
  const Eigen::MatrixXd H = twin.H;
  Eigen::MatrixXd doubled(H.rows(), 6);
  doubled << H, H;
  twin.H = doubled.sparseView();
  twin.w.resize(6);
  twin.cones.push_back(twin.cones[0]);
  EXPECT_EQ(solve_automatically(condense(twin)).status, SolveStatus::converged);

  LocalProblem spoilt = condense(twin);
  spoilt.u_free[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solve_automatically(spoilt).status, SolveStatus::not_finite);
  // A contact that nothing can move: a row of zeros. At rest it is solved, approaching it has no solution.
  LocalProblem stuck;
  stuck.cones = {{ConeKind::coulomb, 0.5}};
  testing::set_matrix(stuck, Eigen::Matrix3d::Zero());
  stuck.u_free = {0, 0, 0};
  EXPECT_EQ(solve_automatically(stuck).status, SolveStatus::converged);
  stuck.u_free = {-1, 0, 0};
  EXPECT_NE(solve_automatically(stuck).status, SolveStatus::converged);
}

/// Heaps jammed by friction.
LocalProblem jammed_heap(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  return condense(random_problem({.bodies = 10, .contacts = 60, .mu_max = 1.2, .mass_ratio = 30}, random));
}

std::vector<std::pair<int, std::uint64_t>> jammed_runs() {
  std::vector<std::pair<int, std::uint64_t>> runs;
  for (const int iterations : {8, 60})
    for (const std::uint64_t seed : jammed_seeds) runs.emplace_back(iterations, seed);
  return runs;
}

/// Eight iterations solve none of them, whatever the rounding of the build; sixty leave some.
TEST(Auto, IsNotWorseThanAMethodAloneWhereNoneSucceeds) {
  for (const auto& [iterations, seed] : jammed_runs()) {
    const SolverOptions options{.max_iterations = iterations};
    const LocalProblem problem = jammed_heap(seed);
    Solution solution;
    AutoSolver(options).solve(problem, {}, solution);
    if (iterations > 8 && solution.status == SolveStatus::converged) continue;
    ASSERT_NE(solution.status, SolveStatus::converged) << "the test needs a problem that is not solved";
    EXPECT_EQ(solution.residual.relative, residual_of(problem, solution.r).relative);
    using enum SolverName;
    for (const SolverName name : {nlgs, newton, proximal, admm, apgd}) {
      Solution alone;
      make_solver(name, options)->solve(problem, {}, alone);
      EXPECT_LE(solution.residual.relative, alone.residual.relative) << alone.method << ", " << seed;
    }
  }
}

TEST(Auto, SparesTheLastResortIfTheAnswerIsTaken) {
  for (const std::uint64_t seed : jammed_seeds) {
    const LocalProblem problem = jammed_heap(seed);
    Solution quick, patient;
    AutoSolver({.acceptable = 1.0}).solve(problem, {}, quick);
    AutoSolver({.acceptable = 1e-300}).solve(problem, {}, patient);
    if (quick.status == SolveStatus::converged) continue;
    EXPECT_EQ(quick.status, SolveStatus::stalled);
    EXPECT_EQ(quick.residual.relative, residual_of(problem, quick.r).relative);
    EXPECT_LT(quick.iterations, patient.iterations);
    EXPECT_GE(quick.residual.relative, patient.residual.relative);
  }
}

TEST(Auto, ADeadlineEndsEveryMethodWithWhatItHas) {
  const LocalProblem problem = jammed_heap(jammed_seeds[0]);
  for (const auto& [name, text] : solver_names) {
    Solution solution;
    make_solver(name, {.tolerance = 1e-15, .deadline = Deadline::in(0)})->solve(problem, {}, solution);
    if (solution.status == SolveStatus::unsupported) continue;
    EXPECT_EQ(solution.status, SolveStatus::time_limit) << text;
    EXPECT_LE(solution.iterations, 50) << text;
    EXPECT_EQ(solution.residual.relative, residual_of(problem, solution.r).relative) << text;
  }
}

TEST(Auto, ADeadlineFarAwayChangesNothing) {
  const LocalProblem problem = jammed_heap(jammed_seeds[0]);
  for (const SolverName name : {SolverName::nlgs, SolverName::newton, SolverName::admm}) {
    Solution limited, unlimited;
    make_solver(name, {.max_iterations = 60, .deadline = Deadline::in(1e300)})->solve(problem, {}, limited);
    make_solver(name, {.max_iterations = 60})->solve(problem, {}, unlimited);
    EXPECT_EQ(limited.status, unlimited.status);
    EXPECT_EQ(limited.r, unlimited.r);
  }
}

/// Friction that is lost in rounding, and friction that lets nothing slide.
TEST(Auto, EveryMethodBearsTheSmallestAndTheLargestFriction) {
  for (const ConeKind kind : {ConeKind::coulomb, ConeKind::planar_coulomb})
    for (const double mu : {1e-300, 1e-200, 1e-20, 1e-12, 1e6, 1e12, 1e200})
      for (const auto& [name, text] : solver_names) {
        std::mt19937_64 random(5);
        const LocalProblem problem = condense(random_problem(
            {.bodies = 8, .contacts = 5, .kind = kind, .mu_min = mu, .mu_max = mu, .mass_ratio = 1e4},
            random));
        Solution solution;
        make_solver(name, {.max_iterations = 200})->solve(problem, {}, solution);
        const bool can_be_asked = solution.status != SolveStatus::unsupported && mu < 1e3;
        if (can_be_asked && name != SolverName::psor && name != SolverName::apgd) {
          EXPECT_EQ(solution.status, SolveStatus::converged) << text << ", " << mu;
        }
        if (solution.status != SolveStatus::converged) continue;
        int row = 0;  // nothing that is called a solution lets bodies approach
        for (const Cone& cone : problem.cones) {
          EXPECT_GT(solution.u[row], -1e-7) << text << ", " << mu;
          row += cone.rows();
        }
      }
}

/// Points of an elastic surface: every one feels every other, the farther the less.
TEST(Auto, SweepsSolveASoftSurfaceHoweverDenseItIs) {
  constexpr int side = 14, count = side * side;
  const auto distance = [](int c, int d) { return std::hypot(c % side - d % side, c / side - d / side); };
  LocalProblem problem;
  problem.cones.assign(count, {ConeKind::coulomb, 0.3});
  problem.W.add_cones(problem.cones);
  problem.W.append_all(
      [&](int i, int j) { return i % 3 == j % 3 ? 1.0 / (1.0 + 3.0 * distance(i / 3, j / 3)) : 0.0; });
  for (int c = 0; c < count; ++c)
    problem.u_free.insert(problem.u_free.end(), {std::sin(0.5 * c) - 0.5, 0.2, 0.1 * std::cos(c)});
  const Solution solution = solve_automatically(problem, 1e-8);
  ASSERT_EQ(solution.status, SolveStatus::converged);
  EXPECT_STREQ(solution.method, "nlgs");
}

TEST(Auto, TheReportNamesTheMethodAndTheResidual) {
  std::mt19937_64 random(14);
  const LocalProblem problem =
      condense(random_problem({.bodies = 10, .contacts = 25, .mu_max = 0.4, .mass_ratio = 30}, random));
  const Solution solution = solve_automatically(problem);
  ASSERT_EQ(solution.status, SolveStatus::converged);
  EXPECT_STRNE(solution.method, "");
  EXPECT_EQ(solution.residual.relative, residual_of(problem, solution.r).relative);
  EXPECT_FALSE(solution.history.empty());
}

}  // namespace
}  // namespace percuss
