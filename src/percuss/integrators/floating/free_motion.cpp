#include "percuss/integrators/floating/free_motion.h"

#include "percuss/math/dense.h"

namespace percuss {
namespace {

/// The part of a matrix, given by its lower triangle, that belongs to the coordinates of a frame.
MatrixX own_block(const FloatingFrame& frame, const SparseMatrix& lower) {
  MatrixX block = MatrixX::Zero(frame.size, frame.size);
  for (int j = 0; j < frame.size && lower.nonZeros() > 0; ++j)
    for (SparseMatrix::InnerIterator it(lower, frame.first + j); it; ++it)
      block(it.row() - frame.first, j) = block(j, it.row() - frame.first) = it.value();
  return block;
}

}  // namespace

bool FreeMotion::fits(const System& system) {
  int size = 0;
  for (const FloatingFrame& frame : system.floating) {
    if (!system.flexibles[static_cast<size_t>(frame.flexible)].reduction) return false;
    size += frame.size;
  }
  return size == system.dof_count();
}

bool FreeMotion::update(const System& system, const std::vector<FrameStep>& frames, double h) {
  responses_.clear();
  for (const FrameStep& step : frames) {
    const FloatingFrame& frame = step.frame();
    const MatrixX K = own_block(frame, system.constant.stiffness.matrix);
    MatrixX A = own_block(frame, system.constant.mass.matrix);
    A.diagonal() += frame.of(system.mass);
    A += 0.5 * h * own_block(frame, system.constant.damping.matrix) + 0.25 * h * h * K;
    DenseCholesky factors;
    if (!factors.factorise(A)) return false;
    responses_.push_back({-h * factors.solve_columns(K), factors.solve_columns(step.momenta())});
  }
  return true;
}

void FreeMotion::add_elastic(const System& system, const VectorX& x, VectorX& dv) const {
  for (size_t k = 0; k < responses_.size(); ++k) {
    const int first = system.floating[k].first;
    add_columns(responses_[k].to_elastic, x.data() + first, dv.data() + first);
  }
}

}  // namespace percuss
