#include "percuss/dynamics/saddle_point.h"

#include <algorithm>
#include <cmath>

namespace percuss {
namespace {

/// eps as a fraction of the largest diagonal entry of G A^-1 G^T, and likewise for coordinates without mass.
constexpr double relative_regularisation = 1e-10;
/// A row whose pivot is smaller than this fraction of its diagonal entry depends on the others.
constexpr double dependence = 1e-9;

/// The entries of the pattern that M has.
std::vector<char> mass_entries(const System& system) {
  std::vector<char> present(static_cast<size_t>(system.pattern.nonZeros()), 0);
  const auto mark = [&](const std::vector<int>& entries) {
    for (const int entry : entries)
      if (entry >= 0) present[static_cast<size_t>(entry)] = 1;
  };
  mark(system.mass_entry);
  mark(system.constant.mass.entry);
  mark(system.mass_block_entries.entries());
  mark(system.user_systems.blocks.entries());
  return present;
}

}  // namespace

SaddlePoint::SaddlePoint(const System& system, Matrix kind)
    : joints_(&system.joints),
      dofs_(system.dof_count()),
      A_(system.pattern),
      G_(system.joints.dof.size(), 0.0) {
  const int m = system.constraint_count();
  const std::vector<char> of_mass = kind == Matrix::mass ? mass_entries(system) : std::vector<char>();
  if (m == 0) {
    ldlt_.analyse(A_, 0, kind == Matrix::mass ? &of_mass : nullptr);
    combined_ = A_;
    return;
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < dofs_; ++j)
    for (SparseMatrix::InnerIterator it(A_, j); it; ++it) entries.emplace_back(it.row(), j, 0.0);
  for (int i = 0; i < m; ++i) {
    for (int p = joints_->row_begin[i]; p < joints_->row_begin[i + 1]; ++p)
      entries.emplace_back(dofs_ + i, joints_->dof[p], 0.0);
    entries.emplace_back(dofs_ + i, dofs_ + i, 0.0);
  }
  combined_.resize(dofs_ + m, dofs_ + m);
  combined_.setFromTriplets(entries.begin(), entries.end());
  combined_.makeCompressed();
  for (int j = 0; j < dofs_; ++j)
    for (SparseMatrix::InnerIterator it(A_, j); it; ++it)
      A_entry_.push_back(entry_of(combined_, static_cast<int>(it.row()), j));
  for (int i = 0; i < m; ++i)
    for (int p = joints_->row_begin[i]; p < joints_->row_begin[i + 1]; ++p)
      G_entry_.push_back(entry_of(combined_, dofs_ + i, joints_->dof[p]));
  for (int i = 0; i < dofs_ + m; ++i) diagonal_entry_.push_back(entry_of(combined_, i, i));
  std::vector<char> present(static_cast<size_t>(combined_.nonZeros()), 1);
  if (kind == Matrix::mass)
    for (size_t k = 0; k < A_entry_.size(); ++k) present[static_cast<size_t>(A_entry_[k])] = of_mass[k];
  ldlt_.analyse(combined_, m, &present);
  weak_pivot_.assign(m, 0.0);
  is_massless_.assign(dofs_, 0);
  std::vector<char> of_user(dofs_, 0);
  for (const auto& user : system.user_systems) std::fill_n(of_user.begin() + user.first, user.size, 1);
  for (int i = 0; i < dofs_; ++i) is_massless_[i] = system.mass[i] == 0 && !of_user[i];
}

bool SaddlePoint::factorise() {
  const int m = joints_->row_count();
  if (m == 0) return ldlt_.factorise(A_);
  double* values = combined_.valuePtr();
  std::fill(values, values + combined_.nonZeros(), 0.0);
  const double* a = A_.valuePtr();
  for (size_t k = 0; k < A_entry_.size(); ++k) values[A_entry_[k]] += a[k];
  double largest_mass = 0;
  for (int i = 0; i < dofs_; ++i) largest_mass = std::max(largest_mass, values[diagonal_entry_[i]]);
  for (int i = 0; i < dofs_; ++i)
    if (is_massless_[i]) values[diagonal_entry_[i]] += relative_regularisation * largest_mass;
  double largest = 0;
  for (int i = 0; i < m; ++i) {
    double w = 0;
    for (int p = joints_->row_begin[i]; p < joints_->row_begin[i + 1]; ++p) {
      values[G_entry_[p]] += G_[p];
      const int k = joints_->dof[p];
      if (!is_massless_[k]) w += G_[p] * G_[p] / values[diagonal_entry_[k]];
    }
    weak_pivot_[i] = dependence * w;
    largest = std::max(largest, w);
  }
  if (!std::isfinite(largest)) return false;
  regularisation_ = 0;
  if (ldlt_.factorise(combined_, &weak_pivot_)) return true;
  regularisation_ = relative_regularisation * (largest > 0 ? largest : 1.0);
  for (int i = 0; i < m; ++i) values[diagonal_entry_[dofs_ + i]] = -regularisation_;
  return ldlt_.factorise(combined_);
}

bool SaddlePoint::factorise_any() {
  if (factorise()) return true;
  const int m = joints_->row_count();
  if (m == 0) return ldlt_.factorise_indefinite(A_);
  for (int i = 0; i < m; ++i) combined_.valuePtr()[diagonal_entry_[dofs_ + i]] = 0;
  regularisation_ = 0;
  return ldlt_.factorise_indefinite(combined_);
}

std::vector<int> SaddlePoint::dependent_rows() const {
  std::vector<int> rows;
  if (regularisation_ == 0) return rows;
  for (int i = 0; i < joints_->row_count(); ++i)
    // A dependent row is left with eps and rounding.
    if (-ldlt_.pivot(ldlt_.place(dofs_ + i)) < 1e3 * regularisation_) rows.push_back(i);
  return rows;
}

/// With b = [0; eps y] the answer is -y for y with G^T y = 0, and of the size of eps for the rest.
void SaddlePoint::drop_null_space(VectorX& multipliers, VectorX& b, VectorX& z, VectorX& x) const {
  if (regularisation_ == 0) return;
  b.head(dofs_).setZero();
  b.tail(multipliers.size()) = regularisation_ * multipliers;
  ldlt_.forward(b, z);
  ldlt_.backward(z, x);
  multipliers += x.tail(multipliers.size());
}

}  // namespace percuss
