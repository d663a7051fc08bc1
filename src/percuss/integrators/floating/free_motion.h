#pragma once

#include <vector>

#include "percuss/integrators/floating/frame_step.h"

namespace percuss {

/// What reduced bodies in floating frames do between contacts, with A^-1 at hand.
/// docs/theory/floating_frame.md (FF-12d)
///
/// The matrices of such bodies are dense and small. So are A^-1 K and A^-1 [M Phi, M (S X)], and with them
/// the answer to elastic forces and to what turns costs one product, without a solve.
class FreeMotion {
 public:
  /// Whether all coordinates of a system belong to reduced bodies in floating frames.
  static bool fits(const System& system);

  /// For steps of size h. False if A is not positive definite.
  bool update(const System& system, const std::vector<FrameStep>& frames, double h);
  /// dv -= h A^-1 K x.
  void add_elastic(const System& system, const VectorX& x, VectorX& dv) const;
  /// dv += A^-1 [M Phi, M (S X)] terms for the k-th frame.
  void add_turning(size_t k, const FrameStep& frame, const FrameStep::Terms& terms, VectorX& dv) const {
    add_columns(responses_[k].to_turning, terms.data(), dv.data() + frame.frame().first);
  }

 private:
  struct Responses {
    MatrixX to_elastic;                                    ///< -h A^-1 K
    Eigen::Matrix<double, Eigen::Dynamic, 12> to_turning;  ///< see FrameStep::Terms
  };
  std::vector<Responses> responses_;  ///< of each frame
};

}  // namespace percuss
