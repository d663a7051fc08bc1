#include "percuss/math/eigenmodes.h"

#include <algorithm>
#include <numeric>

#include <Spectra/SymGEigsShiftSolver.h>

#include "percuss/math/dense.h"

namespace percuss {
namespace {

constexpr double relative_shift = 1e-10;  ///< of largest_ratio: far below elastic modes, far above rounding
constexpr double ritz_tolerance = 1e-11;  ///< of 1/(lambda + s), relative
constexpr int always_dense_size = 240, largest_dense_size = 2000;
constexpr int most_lanczos_modes = 1000;

auto whole(const SparseMatrix& lower) { return lower.selfadjointView<Eigen::Lower>(); }

/// What Spectra asks of an operator: y = (K + s M)^-1 x, without the modes that are known already.
class InverseOperator {
 public:
  using Scalar = double;
  InverseOperator(const ShiftedStiffness& inverse, const SparseMatrix& M, const MatrixX& known)
      : inverse_(inverse), known_(known), momenta_(whole(M) * known), x_(M.rows()), y_(M.rows()) {}

  Eigen::Index rows() const { return x_.size(); }
  Eigen::Index cols() const { return x_.size(); }
  void set_shift(double) {}
  void perform_op(const double* x, double* y) const {
    x_ = Eigen::Map<const VectorX>(x, rows());
    inverse_.solve(x_, y_);
    remove_known(y_);
    Eigen::Map<VectorX>(y, rows()) = y_;
  }
  void remove_known(VectorX& y) const {
    if (known_.cols() > 0) y -= known_ * (momenta_.transpose() * y).eval();
  }

 private:
  const ShiftedStiffness& inverse_;
  const MatrixX& known_;
  MatrixX momenta_;
  mutable VectorX x_, y_;
};

class MassOperator {
 public:
  using Scalar = double;
  explicit MassOperator(const SparseMatrix& M) : M_(M) {}
  Eigen::Index rows() const { return M_.rows(); }
  Eigen::Index cols() const { return M_.rows(); }
  void perform_op(const double* x, double* y) const {
    Eigen::Map<VectorX>(y, rows()) = whole(M_) * Eigen::Map<const VectorX>(x, rows());
  }

 private:
  const SparseMatrix& M_;
};

/// Numbers between -1 and 1 that are the same everywhere.
VectorX start_vector(Eigen::Index size) {
  VectorX x(size);
  std::uint64_t state = 88172645463325252ULL;
  for (auto& entry : x) {  // Marsaglia's xorshift
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    entry = static_cast<double>(state >> 11) / 4503599627370496.0 - 1;
  }
  return x;
}

/// Lanczos iteration for the lowest modes that are not among the known ones. Empty if it does not converge.
MatrixX lanczos(const StiffnessAndMass& matrices, const ShiftedStiffness& inverse, const MatrixX& known,
                int count) {
  InverseOperator op(inverse, matrices.M, known);
  MassOperator mass(matrices.M);
  const int n = matrices.size();
  VectorX start = start_vector(n);
  op.remove_known(start);
  for (int basis = 2 * count + 20; basis <= 16 * (2 * count + 20); basis *= 2) {
    Spectra::SymGEigsShiftSolver<InverseOperator, MassOperator, Spectra::GEigsMode::ShiftInvert> solver(
        op, mass, count, std::min(basis, n), -inverse.shift());
    solver.init(start.data());
    solver.compute(Spectra::SortRule::LargestMagn, 300, ritz_tolerance, Spectra::SortRule::SmallestAlge);
    if (solver.info() == Spectra::CompInfo::Successful) return solver.eigenvectors();
    if (basis >= n) break;
  }
  return {};
}

/// The best modes in the span of X (Rayleigh and Ritz), in order, with fixed signs.
Eigenmodes ritz_modes(const StiffnessAndMass& matrices, const MatrixX& X, int count) {
  MatrixX K = X.transpose() * (whole(matrices.K) * X), M = X.transpose() * (whole(matrices.M) * X);
  const SymmetricModes small = generalized_modes(0.5 * (K + K.transpose()), 0.5 * (M + M.transpose()));
  Eigenmodes modes;
  modes.converged = small.values.size() > 0;
  if (!modes.converged) return modes;
  modes.values = small.values.head(count);
  modes.shapes = X * small.vectors.leftCols(count);
  for (auto shape : modes.shapes.colwise()) {
    // The first of the entries that are the largest up to rounding: symmetric shapes have several.
    const double largest = shape.cwiseAbs().maxCoeff();
    const auto first = std::find_if(shape.begin(), shape.end(),
                                    [&](double x) { return std::abs(x) > (1 - 1e-6) * largest; });
    if (first != shape.end() && *first < 0) shape = -shape;
  }
  return modes;
}

/// An iteration that starts from one vector can miss copies of a multiple eigenvalue. So it is asked again
/// for the lowest mode besides those it found, until that one lies above them.
Eigenmodes sparse_eigenmodes(const StiffnessAndMass& matrices, int count) {
  const ShiftedStiffness inverse(matrices);
  if (!inverse.is_regular()) return {};
  const MatrixX none(matrices.size(), 0);
  Eigenmodes modes;
  MatrixX X = lanczos(matrices, inverse, none, count);
  while (X.cols() > 0) {
    modes = ritz_modes(matrices, X, static_cast<int>(X.cols()));
    if (!modes.converged) return modes;
    const MatrixX next = lanczos(matrices, inverse, modes.shapes, 1);
    if (next.cols() == 0) break;
    const VectorX x = next.col(0);
    const double value = x.dot(whole(matrices.K) * x) / x.dot(whole(matrices.M) * x);
    if (value >= (1 - 1e-8) * modes.values[count - 1]) {
      modes.values.conservativeResize(count);
      modes.shapes.conservativeResize(Eigen::NoChange, count);
      return modes;
    }
    X.resize(matrices.size(), modes.count() + 1);
    X << modes.shapes, x;
  }
  return {};
}

Eigenmodes dense_eigenmodes(const StiffnessAndMass& matrices, int count) {
  const MatrixX all = MatrixX::Identity(matrices.size(), matrices.size());
  return ritz_modes(matrices, all, count);
}

}  // namespace

double StiffnessAndMass::largest_ratio() const {
  return (K.diagonal().array() / M.diagonal().array()).maxCoeff();
}

ShiftedStiffness::ShiftedStiffness(const StiffnessAndMass& matrices)
    : shift_(relative_shift * matrices.largest_ratio()) {
  SparseMatrix A = matrices.K + shift_ * matrices.M;
  A.makeCompressed();
  factors_.analyse(A);
  regular_ = factors_.factorise(A);
}

void ShiftedStiffness::solve(const VectorX& b, VectorX& x) const {
  VectorX halfway(b.size());
  factors_.forward(b, halfway);
  factors_.backward(halfway, x);
}

int most_eigenmodes(int size) {
  return size <= largest_dense_size ? size : std::min(size / 4, most_lanczos_modes);
}

Eigenmodes lowest_eigenmodes(const StiffnessAndMass& matrices, int count) {
  const int n = matrices.size();
  if (count == 0) return {true, VectorX(0), MatrixX(n, 0)};
  if (count > most_eigenmodes(n)) return {};
  if (n <= always_dense_size || count > n / 4) return dense_eigenmodes(matrices, count);
  return sparse_eigenmodes(matrices, count);
}

Eigenmodes eigenmodes_up_to(const StiffnessAndMass& matrices, double value, int most) {
  most = std::min(most, most_eigenmodes(matrices.size()));
  for (int count = std::min(16, most);; count = std::min(2 * count, most)) {
    Eigenmodes modes = lowest_eigenmodes(matrices, count);
    if (!modes.converged) return modes;
    const auto below = std::upper_bound(modes.values.begin(), modes.values.end(), value);
    const auto found = below - modes.values.begin();
    if (found == count && count == most && count < matrices.size()) return {};
    if (found < count || count == most) {
      modes.values.conservativeResize(found);
      modes.shapes.conservativeResize(Eigen::NoChange, found);
      return modes;
    }
  }
}

}  // namespace percuss
