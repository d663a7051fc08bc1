#include "percuss/nonsmooth/interior_point.h"

#include <gtest/gtest.h>

#include "percuss/nonsmooth/lorentz.h"
#include "percuss/nonsmooth/residual.h"
#include "support/contact_problems.h"

namespace percuss {
namespace {

using testing::random_problem;
using testing::RandomProblem;

constexpr double inside_tolerance = 1e-9;

Solution solve_inside(const LocalProblem& problem) {
  problem.validate();
  Solution solution;
  InteriorPointSolver({{.tolerance = inside_tolerance}}).solve(problem, {}, solution);
  return solution;
}

Solution solve_inside_global(const GlobalProblem& problem) {
  problem.validate();
  Solution solution;
  InteriorPointSolver({{.tolerance = inside_tolerance}}).solve_global(problem, {}, solution);
  return solution;
}

void expect_inside_solved(const LocalProblem& problem, const Solution& solution, const std::string& what) {
  EXPECT_EQ(solution.status, SolveStatus::converged)
      << what << ": " << to_string(solution.status) << " " << solution.residual.relative;
  EXPECT_LE(residual_of(problem, solution.r).relative, inside_tolerance) << what;
  EXPECT_EQ(solution.residual.relative, residual_of(problem, solution.r).relative) << what;
}

/// A dense W = A A^T and cones of the given kinds.
LocalProblem inside_problem(const Eigen::MatrixXd& W, const Eigen::VectorXd& u_free,
                            std::vector<Cone> cones) {
  LocalProblem problem;
  problem.u_free.assign(u_free.begin(), u_free.end());
  problem.cones = std::move(cones);
  testing::set_matrix(problem, W);
  return problem;
}

LocalProblem sliding_contact(double mu) {
  return inside_problem(Eigen::Vector3d(1, 2, 2).asDiagonal(), Eigen::Vector3d(-1, 3, -4),
                        {{ConeKind::coulomb, mu}});
}

TEST(Lorentz, NesterovToddScalingMakesThePairEqual) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 1000; ++k) {
    const int n = 1 + k % 3;
    const auto inner_point = [&](double* x) {
      for (int i = 0; i < n; ++i) x[i] = normal(random);
      x[0] = lorentz::tail_norm(n, x) + std::exp(2 * normal(random));
    };
    double x[3], z[3], y[3], back[3];
    inner_point(x);
    inner_point(z);
    lorentz::Scaling N;
    N.set(n, x, z);
    N.apply_inverse(x, y);  // N^-1 x = N z
    const double size = std::abs(N.lambda[0]);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(y[i], N.lambda[i], 1e-9 * size);
    N.apply(y, back);  // N N^-1 = I
    for (int i = 0; i < n; ++i) EXPECT_NEAR(back[i], x[i], 1e-9 * x[0]);
    for (int i = 0; i < n; ++i) {  // S x = z
      double Sx = 0.0;
      for (int j = 0; j < n; ++j) Sx += N.inverse_square(i, j) * x[j];
      EXPECT_NEAR(Sx, z[i], 1e-8 * z[0]);
    }
    EXPECT_NEAR(lorentz::dot(n, N.lambda, N.lambda), lorentz::dot(n, x, z), 1e-9 * size * size);
    double product[3];
    lorentz::product(n, x, z, product);
    lorentz::divide(n, x, product, back);
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(back[i], z[i], 1e-8 * z[0] * x[0] / (x[0] - lorentz::tail_norm(n, x)));
  }
}

TEST(Lorentz, StepEndsOnTheBoundary) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  int bounded = 0;
  for (int k = 0; k < 1000; ++k) {
    const int n = 1 + k % 3;
    double x[3], d[3], end[3];
    for (int i = 0; i < n; ++i) x[i] = normal(random), d[i] = normal(random);
    x[0] = lorentz::tail_norm(n, x) + std::exp(normal(random));
    const double t = lorentz::step_to_boundary(n, x, d, 1e3);
    for (int i = 0; i < n; ++i) end[i] = x[i] + t * d[i];
    EXPECT_GE(end[0] - lorentz::tail_norm(n, end), -1e-10 * (x[0] + t));
    if (t == 1e3) continue;
    EXPECT_NEAR(end[0], lorentz::tail_norm(n, end), 1e-9 * (x[0] + t));
    ++bounded;
  }
  EXPECT_GT(bounded, 300);
}

TEST(InteriorPoint, SolvesRandomProblemsOfEveryKind) {
  std::mt19937_64 random(3);
  int failures = 0, count = 0;
  for (const ConeKind kind : {ConeKind::nonnegative, ConeKind::planar_coulomb, ConeKind::coulomb})
    for (const int contacts : {1, 2, 3, 5, 10, 20, 40, 60})
      for (const int bodies : {1 + contacts / 8, 2 + contacts})  // rank-deficient, full rank
        for (int k = 0; k < 6; ++k) {
          const GlobalProblem global = random_problem(
              {.bodies = bodies, .contacts = contacts, .kind = kind, .mu_max = 0.8, .mass_ratio = 10},
              random);
          const LocalProblem problem = condense(global);
          const Solution solution = solve_inside(problem), primal = solve_inside_global(global);
          ++count;
          if (solution.status != SolveStatus::converged || primal.status != SolveStatus::converged) {
            EXPECT_NE(kind, ConeKind::nonnegative) << contacts << " contacts " << bodies << " bodies";
            ++failures;
            continue;
          }
          expect_inside_solved(problem, solution, "local");
          EXPECT_LE(residual_of(problem, primal.r).relative, 1.01 * inside_tolerance);
        }
  EXPECT_LE(failures, count / 50);
}

TEST(InteriorPoint, LocalAndGlobalFormsGiveTheSameVelocities) {
  // Without friction u is unique (N-7).
  std::mt19937_64 random(4);
  for (int k = 0; k < 20; ++k) {
    const GlobalProblem global =
        random_problem({.bodies = 8, .contacts = 30, .kind = ConeKind::nonnegative}, random);
    const Solution local = solve_inside(condense(global)), primal = solve_inside_global(global);
    ASSERT_EQ(local.status, SolveStatus::converged);
    ASSERT_EQ(primal.status, SolveStatus::converged);
    for (size_t i = 0; i < local.u.size(); ++i) EXPECT_NEAR(local.u[i], primal.u[i], 1e-6);
  }
}

TEST(InteriorPoint, MixesAllKindsInOneProblem) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  const std::vector<Cone> kinds = {{ConeKind::equality},      {ConeKind::nonnegative},
                                   {ConeKind::interval, 0.3}, {ConeKind::planar_coulomb, 0.5},
                                   {ConeKind::coulomb, 0.4},  {ConeKind::coulomb, 0.0},
                                   {ConeKind::interval, 0.0}};
  for (int k = 0; k < 60; ++k) {
    std::vector<Cone> cones;
    for (int c = 0; c < 2 + k % 20; ++c) cones.push_back(kinds[(c + k) % kinds.size()]);
    int n = 0;
    for (const Cone& cone : cones) n += cone.rows();
    const int rank = k % 2 == 0 ? n : n / 2 + 1;
    const Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(n, rank, [&] { return normal(random); });
    const Eigen::VectorXd v = Eigen::VectorXd::NullaryExpr(rank, [&] { return normal(random); });
    // Equalities that W cannot meet have no solution; v is in reach of all of them.
    const LocalProblem problem = inside_problem(A * A.transpose(), A * v, cones);
    expect_inside_solved(problem, solve_inside(problem), "mixed " + std::to_string(k));
  }
}

TEST(InteriorPoint, KnowsTheSizeOfDryFriction) {
  // W = 1, u_free = 5: the friction of at most 2 brakes to 3; a larger one stops.
  Eigen::MatrixXd W(1, 1);
  W << 1.0;
  const Eigen::VectorXd u_free = Eigen::VectorXd::Constant(1, 5.0);
  const Solution slides = solve_inside(inside_problem(W, u_free, {{ConeKind::interval, 2.0}}));
  EXPECT_NEAR(slides.r[0], -2.0, 1e-8);
  EXPECT_NEAR(slides.u[0], 3.0, 1e-8);
  const Solution stops = solve_inside(inside_problem(W, u_free, {{ConeKind::interval, 6.0}}));
  EXPECT_NEAR(stops.r[0], -5.0, 1e-8);
}

TEST(InteriorPoint, FrictionMayVanishOrBeHuge) {
  const Solution smooth = solve_inside(sliding_contact(0.0));
  EXPECT_EQ(smooth.status, SolveStatus::converged);
  EXPECT_NEAR(smooth.r[0], 1.0, 1e-8);
  EXPECT_EQ(smooth.r[1], 0.0);
  EXPECT_NEAR(smooth.u[1], 3.0, 1e-12);
  for (const double mu : {1e-4, 0.1, 1.0, 1e3}) {
    const LocalProblem problem = sliding_contact(mu);
    expect_inside_solved(problem, solve_inside(problem), "mu " + std::to_string(mu));
  }
  const Solution sticks = solve_inside(sliding_contact(1e3));
  EXPECT_NEAR(sticks.r[1], -1.5, 1e-8);
  EXPECT_NEAR(sticks.r[2], 2.0, 1e-8);
}

TEST(InteriorPoint, AnswersDegenerateData) {
  const Solution none = solve_inside(LocalProblem{});
  EXPECT_EQ(none.status, SolveStatus::converged);

  const LocalProblem powerless =
      inside_problem(Eigen::Matrix3d::Zero(), Eigen::Vector3d(1, 2, 3), {{ConeKind::coulomb, 0.5}});
  expect_inside_solved(powerless, solve_inside(powerless), "zero W");

  LocalProblem unknown = sliding_contact(0.5);
  unknown.u_free[1] = std::nan("");
  EXPECT_EQ(solve_inside(unknown).status, SolveStatus::not_finite);
  std::mt19937_64 random(6);
  GlobalProblem global = random_problem({}, random);
  global.f[0] = std::nan("");
  EXPECT_EQ(solve_inside_global(global).status, SolveStatus::not_finite);
  global = random_problem({}, random);
  global.M.coeffRef(0, 0) = -1.0;
  EXPECT_EQ(solve_inside_global(global).status, SolveStatus::singular);

  // Moving apart: no reaction, exactly.
  const LocalProblem open =
      inside_problem(Eigen::Matrix3d::Identity(), Eigen::Vector3d(1, 2, 3), {{ConeKind::coulomb, 0.5}});
  const Solution opened = solve_inside(open);
  EXPECT_EQ(opened.iterations, 0);
  EXPECT_EQ(opened.r, std::vector<double>(3, 0.0));

  // A wall on each side, and both ask for more than there is: no solution.
  Eigen::Matrix2d squeezed;
  squeezed << 1, -1, -1, 1;
  const Solution impossible = solve_inside(
      inside_problem(squeezed, Eigen::Vector2d(-1, -1), {{ConeKind::nonnegative}, {ConeKind::nonnegative}}));
  EXPECT_NE(impossible.status, SolveStatus::converged);
  EXPECT_TRUE(std::isfinite(impossible.r[0]));
}

TEST(InteriorPoint, DuplicatedContactsShareTheLoad) {
  const LocalProblem one = sliding_contact(0.5);
  const Solution single = solve_inside(one);
  const Eigen::Matrix3d W = Eigen::Vector3d(1, 2, 2).asDiagonal();
  const LocalProblem twice = inside_problem(W.replicate(2, 2), Eigen::Vector3d(-1, 3, -4).replicate(2, 1),
                                            {{ConeKind::coulomb, 0.5}, {ConeKind::coulomb, 0.5}});
  const Solution both = solve_inside(twice);
  expect_inside_solved(twice, both, "twice");
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(both.r[i] + both.r[3 + i], single.r[i], 1e-8);
}

TEST(InteriorPoint, UnitsDoNotMatter) {
  std::mt19937_64 random(7);
  const LocalProblem problem = condense(random_problem({.bodies = 6, .contacts = 10}, random));
  const Solution solution = solve_inside(problem);
  ASSERT_EQ(solution.status, SolveStatus::converged);
  LocalProblem scaled = problem;
  for (double& w : scaled.W.values()) w *= 0x1p20;
  for (double& u : scaled.u_free) u *= 0x1p-10;
  const Solution other = solve_inside(scaled);
  expect_inside_solved(scaled, other, "scaled");
  for (size_t i = 0; i < other.u.size(); ++i) EXPECT_NEAR(other.u[i] * 0x1p10, solution.u[i], 1e-7);
}

TEST(InteriorPoint, AGoodGuessSavesIterations) {
  std::mt19937_64 random(8);
  const LocalProblem problem =
      condense(random_problem({.bodies = 10, .contacts = 20, .mu_max = 0.5, .mass_ratio = 10}, random));
  InteriorPointSolver solver({{.tolerance = inside_tolerance}});
  Solution cold, warm;
  solver.solve(problem, {}, cold);
  ASSERT_EQ(cold.status, SolveStatus::converged);
  std::vector<double> guess = cold.r;
  for (double& r : guess) r *= 1.0 + 1e-4;
  solver.solve(problem, guess, warm);
  expect_inside_solved(problem, warm, "warm");
  EXPECT_LT(warm.iterations, cold.iterations);
}

TEST(InteriorPoint, RefusesImpossibleOptions) {
  InteriorPointOptions options;
  options.step_share = 1.0;
  EXPECT_THROW(InteriorPointSolver{options}, std::invalid_argument);
}

}  // namespace
}  // namespace percuss
