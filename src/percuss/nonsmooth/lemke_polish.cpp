#include <algorithm>
#include <cmath>
#include <numeric>

#include "percuss/nonsmooth/lemke.h"
#include "percuss/nonsmooth/residual.h"

// What LemkeSolver makes of its last dictionary: reactions, solved again from the data.

namespace percuss {

namespace {

constexpr double rank_tolerance = 1e-14;  // smaller pivots make the active block singular

/// (W r)_i; cones have one row here.
double row_product(const BlockMatrix& W, int i, const std::vector<double>& r) {
  double sum = 0.0;
  W.add_product(i, r.data(), &sum);
  return sum;
}

}  // namespace

void LemkeSolver::read_reactions(std::vector<double>& r) {
  active_.clear();
  for (int a = 0; a < m_; ++a) {
    const int where = where_[m_ + a];
    double& r_a = r[members_[begin_ + a]];
    r_a = 0.0;
    if (where >= 0) continue;
    active_.push_back(a);
    r_a = admissible(a, entry_at(-1 - where, m_ + 1)) * scale_[a] * unit_;
  }
}

/// Solves W_AA r_A = -u_free_A afresh, since a tableau gathers rounding. Returns the squared residual. (N-13)
double LemkeSolver::polish(const LocalProblem& problem, std::vector<double>& r) {
  const double before2 = component_residual2(problem, r);
  if (!factorise_active(problem.W)) return before2;
  const int count = static_cast<int>(active_.size());
  x_.assign(count, 0.0);
  dx_.resize(count);
  for (int a = 0; a < m_; ++a) polished_[members_[begin_ + a]] = 0.0;
  for (int pass = 0; pass < 2; ++pass) {  // the second is one step of iterative refinement
    for (int a = 0; a < count; ++a) polished_[members_[begin_ + active_[a]]] = x_[a] * scale_[active_[a]];
    for (int a = 0; a < count; ++a) {
      const int i = members_[begin_ + active_[a]];
      dx_[a] = -(row_product(problem.W, i, polished_) + problem.u_free[i]) * scale_[active_[a]];
    }
    solve_factorised(dx_);
    for (int a = 0; a < count; ++a) x_[a] += dx_[a];
  }
  for (int a = 0; a < count; ++a)
    polished_[members_[begin_ + active_[a]]] = admissible(active_[a], x_[a] * scale_[active_[a]]);

  const double after2 = component_residual2(problem, polished_);
  if (!(after2 <= before2)) return before2;
  for (const int a : active_) r[members_[begin_ + a]] = polished_[members_[begin_ + a]];
  return after2;
}

double LemkeSolver::component_residual2(const LocalProblem& problem, const std::vector<double>& r) const {
  double sum = 0.0;
  for (int a = 0; a < m_; ++a) {
    const int i = members_[begin_ + a];
    const double row =
        is_equality_[a] ? problem.u_free[i] + row_product(problem.W, i, r) : residual_of_row(problem, r, i);
    sum += row * row;
  }
  return sum;
}

/// Factors of the scaled W_AA in the tableau's memory; false if the block is singular.
bool LemkeSolver::factorise_active(const BlockMatrix& W) {
  const int count = static_cast<int>(active_.size());
  auto& local = candidates_;  // position in the component -> position in active_, or -1
  local.assign(m_, -1);
  for (int a = 0; a < count; ++a) local[active_[a]] = a;
  for (int a = 0; a < count; ++a) {
    std::fill_n(&entry_at(a, 0), count, 0.0);
    const int i = members_[begin_ + active_[a]];
    for (int k = W.begin(i); k < W.end(i); ++k) {
      if (!in_component(W.other(k))) continue;
      const int position = position_[W.other(k)] - begin_;
      if (local[position] >= 0)
        entry_at(a, local[position]) = *W.block(k) * scale_[active_[a]] * scale_[position];
    }
  }
  return is_unsymmetric_ ? factorise_lu(count) : factorise_cholesky(count);
}

bool LemkeSolver::factorise_cholesky(int count) {
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = entry_at(i, j);
      for (int k = 0; k < j; ++k) sum -= entry_at(i, k) * entry_at(j, k);
      if (j < i)
        entry_at(i, j) = sum / entry_at(j, j);
      else if (sum > rank_tolerance)
        entry_at(i, i) = std::sqrt(sum);
      else
        return false;
    }
  }
  return true;
}

/// With the largest pivot of each column; lu_order_ holds the rows in their new order.
bool LemkeSolver::factorise_lu(int count) {
  lu_order_.resize(count);
  std::iota(lu_order_.begin(), lu_order_.end(), 0);
  for (int k = 0; k < count; ++k) {
    int pivot = k;
    for (int i = k + 1; i < count; ++i)
      if (std::abs(entry_at(i, k)) > std::abs(entry_at(pivot, k))) pivot = i;
    if (!(std::abs(entry_at(pivot, k)) > rank_tolerance)) return false;
    if (pivot != k) std::swap_ranges(&entry_at(k, 0), &entry_at(k, 0) + count, &entry_at(pivot, 0));
    std::swap(lu_order_[k], lu_order_[pivot]);
    for (int i = k + 1; i < count; ++i) {
      const double factor = entry_at(i, k) /= entry_at(k, k);
      for (int j = k + 1; j < count; ++j) entry_at(i, j) -= factor * entry_at(k, j);
    }
  }
  return true;
}

void LemkeSolver::solve_factorised(std::vector<double>& x) {
  is_unsymmetric_ ? solve_lu(x) : solve_cholesky(x);
}

void LemkeSolver::solve_lu(std::vector<double>& x) {
  const int count = static_cast<int>(x.size());
  permuted_.resize(count);
  for (int i = 0; i < count; ++i) {
    permuted_[i] = x[lu_order_[i]];
    for (int k = 0; k < i; ++k) permuted_[i] -= entry_at(i, k) * permuted_[k];
  }
  for (int i = count - 1; i >= 0; --i) {
    for (int k = i + 1; k < count; ++k) permuted_[i] -= entry_at(i, k) * x[k];
    x[i] = permuted_[i] / entry_at(i, i);
  }
}

void LemkeSolver::solve_cholesky(std::vector<double>& x) const {
  const int count = static_cast<int>(x.size());
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= entry_at(i, k) * x[k];
    x[i] /= entry_at(i, i);
  }
  for (int i = count - 1; i >= 0; --i) {
    x[i] /= entry_at(i, i);
    for (int k = 0; k < i; ++k) x[k] -= entry_at(i, k) * x[i];
  }
}

}  // namespace percuss
