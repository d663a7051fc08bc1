#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Core>
#include <Eigen/LU>

#include "percuss/nonsmooth/solvers.h"

/// Oracle for small complementarity problems: tries every active set A, solving W_AA r_A = -q_A wherever the
/// block is regular. Some solution always has such a block (docs/theory/nonsmooth.md, (N-8)), so the set with
/// the smallest residual is one, provided the problem is feasible.
namespace percuss::test {

struct Enumerated {
  Eigen::VectorXd r, u;
  double residual = std::numeric_limits<double>::infinity();  ///< [m/s], (N-6)
};

using RowFlags = std::vector<bool>;  ///< empty: none

/// Written apart from residual_of() on purpose.
inline double natural_residual(const Eigen::MatrixXd& W, const Eigen::VectorXd& r, const Eigen::VectorXd& u,
                               const RowFlags& is_equality = {}) {
  double sum = 0.0;
  for (Eigen::Index i = 0; i < r.size(); ++i) {
    if (!is_equality.empty() && is_equality[static_cast<std::size_t>(i)]) {
      sum += u[i] * u[i];
      continue;
    }
    const double rho = W(i, i) > 0.0 ? 1.0 / W(i, i) : 1.0;
    const double projected = std::max(0.0, r[i] - rho * u[i]);
    sum += std::pow((r[i] - projected) / rho, 2);
  }
  return std::sqrt(sum);
}

/// Of dependent equalities some set A holds only independent ones.
inline Enumerated enumerate_active_sets(const Eigen::MatrixXd& W, const Eigen::VectorXd& q,
                                        const RowFlags& is_equality = {}) {
  const int n = static_cast<int>(q.size());
  Enumerated best;
  for (unsigned set = 0; set < (1u << n); ++set) {
    std::vector<int> A;
    for (int i = 0; i < n; ++i)
      if (set >> i & 1u) A.push_back(i);
    Eigen::VectorXd r = Eigen::VectorXd::Zero(n);
    if (!A.empty()) {
      const Eigen::MatrixXd W_AA = W(A, A);
      const Eigen::FullPivLU<Eigen::MatrixXd> lu(W_AA);
      if (!lu.isInvertible()) continue;
      r(A) = -lu.solve(q(A).eval());
    }
    const Eigen::VectorXd u = W * r + q;
    const double residual = natural_residual(W, r, u, is_equality);
    if (residual < best.residual) best = {r, u, residual};
  }
  return best;
}

}  // namespace percuss::test
