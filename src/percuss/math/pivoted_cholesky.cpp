#include "percuss/math/pivoted_cholesky.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace percuss {

void PivotedCholesky::reserve(int size) {
  const auto n = static_cast<size_t>(size);
  matrix_.reserve(n * n);
  gram_.reserve(n * n);
  permutation_.reserve(n);
  work_.reserve(n);
  permuted_.reserve(n);
}

void PivotedCholesky::resize(int size) {
  size_ = size;
  const auto n = static_cast<size_t>(size);
  matrix_.assign(n * n, 0.0);
  permutation_.resize(n);
  work_.resize(n);
  permuted_.resize(n);
}

bool PivotedCholesky::factorise(double tolerance) {
  std::iota(permutation_.begin(), permutation_.end(), 0);
  double largest = 0;
  for (int i = 0; i < size_; ++i) largest = std::max(largest, entry(i, i));
  for (rank_ = 0; rank_ < size_; ++rank_) {
    const int k = rank_;
    int pivot = k;
    for (int i = k + 1; i < size_; ++i)
      if (entry(i, i) > entry(pivot, pivot)) pivot = i;
    if (!(entry(pivot, pivot) > tolerance * largest)) break;
    if (pivot != k) {
      std::swap(permutation_[k], permutation_[pivot]);
      for (int j = 0; j < size_; ++j) std::swap(entry(k, j), entry(pivot, j));
      for (int i = 0; i < size_; ++i) std::swap(entry(i, k), entry(i, pivot));
    }
    const double root = std::sqrt(entry(k, k));
    L(k, k) = root;
    for (int i = k + 1; i < size_; ++i) L(i, k) /= root;
    for (int i = k + 1; i < size_; ++i)
      for (int j = k + 1; j <= i; ++j) {
        entry(i, j) -= L(i, k) * L(j, k);
        entry(j, i) = entry(i, j);
      }
  }
  for (int i = rank_; i < size_; ++i)
    if (entry(i, i) < -1e3 * tolerance * largest) return false;
  if (rank_ < size_) factorise_gram();
  return true;
}

/// L^T L = R R^T.
void PivotedCholesky::factorise_gram() {
  const auto r = static_cast<size_t>(rank_);
  gram_.assign(r * r, 0.0);
  for (int a = 0; a < rank_; ++a)
    for (int b = 0; b <= a; ++b) {
      double sum = 0;
      for (int i = a; i < size_; ++i) sum += L(i, a) * L(i, b);
      for (int k = 0; k < b; ++k) sum -= gram_[a * r + k] * gram_[b * r + k];
      gram_[a * r + b] = a == b ? std::sqrt(sum) : sum / gram_[b * r + b];
    }
}

void PivotedCholesky::solve_gram(std::vector<double>& y) const {
  const auto r = static_cast<size_t>(rank_);
  for (int a = 0; a < rank_; ++a) {
    for (int k = 0; k < a; ++k) y[a] -= gram_[a * r + k] * y[k];
    y[a] /= gram_[a * r + a];
  }
  for (int a = rank_ - 1; a >= 0; --a) {
    for (int k = a + 1; k < rank_; ++k) y[a] -= gram_[k * r + a] * y[k];
    y[a] /= gram_[a * r + a];
  }
}

void PivotedCholesky::solve(const double* b, double* x) {
  for (int i = 0; i < size_; ++i) permuted_[i] = b[permutation_[i]];
  if (rank_ == size_) {
    for (int i = 0; i < size_; ++i) {
      for (int k = 0; k < i; ++k) permuted_[i] -= L(i, k) * permuted_[k];
      permuted_[i] /= L(i, i);
    }
    for (int i = size_ - 1; i >= 0; --i) {
      for (int k = i + 1; k < size_; ++k) permuted_[i] -= L(k, i) * permuted_[k];
      permuted_[i] /= L(i, i);
    }
  } else {
    for (int a = 0; a < rank_; ++a) {
      work_[a] = 0;
      for (int i = a; i < size_; ++i) work_[a] += L(i, a) * permuted_[i];
    }
    solve_gram(work_);
    solve_gram(work_);
    for (int i = 0; i < size_; ++i) {
      permuted_[i] = 0;
      for (int a = 0; a <= std::min(i, rank_ - 1); ++a) permuted_[i] += L(i, a) * work_[a];
    }
  }
  for (int i = 0; i < size_; ++i) x[permutation_[i]] = permuted_[i];
}

}  // namespace percuss
