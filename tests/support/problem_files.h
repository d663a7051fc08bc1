#pragma once

#include <string>

#include "percuss/io/contact_problem.h"
#include "percuss/nonsmooth/solvers.h"
#include "support/contact_problems.h"

/// Small contact problems for files.
namespace percuss::testing {

/// One ball on the ground in space; it falls obliquely and sticks: r = -m u_free.
inline LocalProblem sticking_ball() {
  LocalProblem problem;
  problem.u_free = {-1.0, 0.125, 0.0};
  problem.cones = {{ConeKind::coulomb, 0.5}};
  set_matrix(problem, 0.5 * Eigen::Matrix3d::Identity());
  return problem;
}

/// Contacts in space or in the plane, and equalities behind them, of bodies that move at random.
inline GlobalProblem random_global(ConeKind kind, int equalities, unsigned seed) {
  std::mt19937_64 random(seed);
  RandomProblem given;
  given.kind = kind;
  GlobalProblem problem = random_problem(given, random);
  const auto contact_rows = problem.H.cols();
  Eigen::SparseMatrix<double> all(problem.H.rows(), contact_rows + equalities);
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < problem.H.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator it(problem.H, j); it; ++it)
      entries.emplace_back(it.row(), j, it.value());
  for (int k = 0; k < equalities; ++k) {
    entries.emplace_back(k, contact_rows + k, 1.0);
    problem.w.push_back(0.25 * k);
    problem.cones.push_back({ConeKind::equality});
  }
  all.setFromTriplets(entries.begin(), entries.end());
  problem.H = all;
  return problem;
}

}  // namespace percuss::testing
