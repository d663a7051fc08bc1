#include <cmath>
#include <optional>

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "percuss/nonsmooth/auto.h"
#include "percuss/nonsmooth/residual.h"
#include "support/contact_problems.h"

/// Planar friction by trying all ways in which up to four contacts can be open, stick or slide to either
/// side.
namespace percuss {
namespace {

enum class Mode { open, stick, slide_forward, slide_back };

/// Reactions if the contacts are in these modes, by least squares where W is singular.
std::vector<double> reactions_in(const LocalProblem& problem, const Eigen::MatrixXd& W, int code) {
  const int count = static_cast<int>(problem.cones.size());
  const Eigen::Map<const Eigen::VectorXd> u_free(problem.u_free.data(), 2 * count);
  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(2 * count, 2 * count), equations = basis;
  int unknowns = 0, rows = 0;
  for (int c = 0; c < count; ++c, code /= 4) {
    const Mode mode = static_cast<Mode>(code % 4);
    if (mode == Mode::open) continue;
    equations(rows++, 2 * c) = 1;
    basis(2 * c, unknowns++) = 1;
    if (mode == Mode::stick) {
      equations(rows++, 2 * c + 1) = 1;
      basis(2 * c + 1, unknowns++) = 1;
    } else {
      basis(2 * c + 1, unknowns - 1) = (mode == Mode::slide_forward ? -1 : 1) * problem.cones[c].bound;
    }
  }
  if (unknowns == 0) return std::vector<double>(2 * count, 0.0);
  const Eigen::MatrixXd E = equations.topRows(rows), B = basis.leftCols(unknowns);
  const Eigen::VectorXd r = B * (E * W * B).completeOrthogonalDecomposition().solve(-E * u_free);
  return {r.begin(), r.end()};
}

/// Velocities of all solutions that some set of modes gives.
std::vector<Eigen::VectorXd> enumerate_velocities(const LocalProblem& problem) {
  const int count = static_cast<int>(problem.cones.size());
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(2 * count, 2 * count);
  for (int i = 0; i < 2 * count; ++i) problem.W.for_each_in_row(i, [&](int j, double w) { W(i, j) = w; });
  std::vector<Eigen::VectorXd> found;
  for (int code = 0; code < 1 << (2 * count); ++code) {
    const std::vector<double> r = reactions_in(problem, W, code);
    if (!(residual_of(problem, r).relative < 1e-9)) continue;
    const Eigen::Map<const Eigen::VectorXd> as_vector(r.data(), 2 * count),
        u_free(problem.u_free.data(), 2 * count);
    found.push_back(W * as_vector + u_free);
  }
  return found;
}

TEST(Enumeration, AutoFindsOneOfTheSolutionsOfPlanarFriction) {
  std::mt19937_64 random(21);
  int regimes[4] = {}, unsolvable = 0, missed = 0, elsewhere = 0;
  for (int k = 0; k < 10000; ++k) {
    const int contacts = k % 20 == 0 ? 4 : 1 + k % 3, bodies = 1 + (k / 7) % 3;
    const LocalProblem problem = condense(testing::random_problem({.bodies = bodies,
                                                                   .contacts = contacts,
                                                                   .kind = ConeKind::planar_coulomb,
                                                                   .mu_max = k % 5 == 0 ? 2.0 : 0.5,
                                                                   .mass_ratio = 100},
                                                                  random));
    Solution solution;
    AutoSolver({.tolerance = 1e-10}).solve(problem, {}, solution);
    if (solution.status == SolveStatus::converged) {
      for (int c = 0; c < contacts; ++c) {
        const bool open = solution.r[2 * c] == 0, stick = std::abs(solution.u[2 * c + 1]) < 1e-12;
        ++regimes[open ? 0 : stick ? 1 : solution.u[2 * c + 1] > 0 ? 2 : 3];
      }
    }
    const auto all = enumerate_velocities(problem);
    if (all.empty()) {
      ++unsolvable;  // a singular W may need a mixture that no single set of modes gives
      continue;
    }
    if (solution.status != SolveStatus::converged) {
      ++missed;
      continue;
    }
    const Eigen::Map<const Eigen::VectorXd> u(solution.u.data(), problem.size());
    double nearest = 1e9;
    for (const auto& other : all) nearest = std::min(nearest, (u - other).norm() / (1 + u.norm()));
    elsewhere += nearest > 1e-6;
  }
  for (const int times : regimes) EXPECT_GT(times, 500);
  EXPECT_EQ(missed, 0);
  // Where W is singular there may be a continuum of solutions, of which modes give only the corners.
  EXPECT_LT(elsewhere, 100);
  EXPECT_LT(unsolvable, 100);
}

}  // namespace
}  // namespace percuss
