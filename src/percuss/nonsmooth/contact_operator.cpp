#include "percuss/nonsmooth/contact_operator.h"

#include <algorithm>

namespace percuss {

void ExplicitOperator::apply(const double* r, double* u) {
  std::fill_n(u, W_.rows(), 0.0);
  W_.multiply_add(r, u);
}

MatrixFreeOperator::MatrixFreeOperator(const SparseMatrix& H, const SparseLdlt& factor,
                                       std::span<const Cone> cones)
    : H_(H), factor_(factor), impulse_(H.rows()), half_(H.rows()) {
  // W_cc = Y^T D^-1 Y with the half-solved columns Y = L^-1 P H of the cone (N-21).
  SparseLdlt::ForwardWork work = factor.make_forward_work();
  SparseVector y;
  VectorX dense = VectorX::Zero(H.rows());
  int column = 0;
  for (const Cone& cone : cones) {
    const int n = cone.rows();
    y.index.clear();
    y.value.clear();
    int begin[max_cone_rows + 1] = {0};
    for (int i = 0; i < n; ++i, ++column) {
      const int first = H.outerIndexPtr()[column], count = H.outerIndexPtr()[column + 1] - first;
      factor.forward_sparse(H.innerIndexPtr() + first, H.valuePtr() + first, count, y, work);
      begin[i + 1] = static_cast<int>(y.index.size());
    }
    place_.push_back(static_cast<int>(diagonal_.size()));
    diagonal_.resize(diagonal_.size() + static_cast<size_t>(n) * n);
    double* block = diagonal_.data() + place_.back();
    for (int i = 0; i < n; ++i) {
      for (int p = begin[i]; p < begin[i + 1]; ++p) dense[y.index[p]] = y.value[p] / factor.pivot(y.index[p]);
      for (int j = 0; j < n; ++j)
        for (int p = begin[j]; p < begin[j + 1]; ++p) block[i * n + j] += y.value[p] * dense[y.index[p]];
      for (int p = begin[i]; p < begin[i + 1]; ++p) dense[y.index[p]] = 0;
    }
  }
}

void MatrixFreeOperator::apply(const double* r, double* u) {
  impulse_.noalias() = H_ * Eigen::Map<const VectorX>(r, H_.cols());
  factor_.forward(impulse_, half_);
  factor_.backward(half_, impulse_);
  Eigen::Map<VectorX>(u, H_.cols()).noalias() = H_.transpose() * impulse_;
}

}  // namespace percuss
