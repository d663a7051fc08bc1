#pragma once

#include "percuss/dynamics/system.h"
#include "percuss/integrators/floating_trapezoidal.h"

namespace percuss {

/// One body in its floating frame over one step of the trapezoidal rule.  docs/theory/floating_frame.md
///
/// begin() reads the start of the step. For any guess of the velocities at its end, advance() gives the
/// configuration there and add_impulse() what the frame does to the balance of momenta along the axes that
/// it has at the end.
class FrameStep {
 public:
  explicit FrameStep(const FloatingFrame& frame);

  /// `momentum` is M w, `force` all but the rotational forces at the start. `twist` is the rotation of the
  /// local velocities that nothing removes without rotational forces; zero otherwise.
  void begin(FrameForces forces, double h, const State& state, const VectorX& momentum, const VectorX& force,
             const Vector3& twist);
  /// Velocities at the end of the step to start from: the frame moves on as it does, nothing else changes.
  void guess(VectorX& w);
  /// Place, attitude and local places in q for the velocities w at the end of the step.
  void advance(const VectorX& w, const Vector3& twist, VectorX& q);
  /// b += momentum and half of the impulse of the start, and half of the impulse of rotational forces at the
  /// end; `force` are the other forces there (FF-12). After advance().
  void add_impulse(const VectorX& force, VectorX& b) const;

  /// J^-1 times the moment of generalised impulses: what they add to the twist.
  Vector3 twist_of(const VectorX& impulse) const;
  /// Half of the impulse of the start on the twist.
  Vector3 start_twist() const { return 0.5 * h_ * (frame_->inverse_inertia * start_moment_); }
  /// What turns the body a second time.  (FF-11)
  void add_twist(const Vector3& twist, VectorX& w) const {
    frame_->of(w).noalias() += frame_->rigid.rightCols<3>() * twist;
  }
  const FloatingFrame& frame() const { return *frame_; }
  /// R_{n+1}^T R_n. After advance().
  const Matrix3& turn() const { return turn_; }

 private:
  void add_centrifugal(const Vector3& omega, double factor, Eigen::Ref<VectorX> f) const;

  const FloatingFrame* frame_;
  FrameForces forces_ = FrameForces::reduced;
  double h_ = 0;
  FrameMotion start_, end_;  ///< of the frame
  Vector3 place_ = Vector3::Zero();
  Quaternion attitude_ = Quaternion::Identity();
  Matrix3 turn_ = Matrix3::Identity();  ///< Q = R_{n+1}^T R_n
  VectorX places_;                      ///< y at the start
  VectorX local_velocity_;              ///< w at the start without the motion of the frame
  VectorX impulse_;  ///< momentum and half of the impulse of the start; of the local motion
  VectorX turned_;   ///< scratch
  Vector3 start_force_ = Vector3::Zero(), start_moment_ = Vector3::Zero();  ///< resultants
};

}  // namespace percuss
