#pragma once

#include "percuss/dynamics/system.h"
#include "percuss/integrators/floating_trapezoidal.h"
#include "percuss/math/columns.h"

namespace percuss {

/// One body in its floating frame over one step of the trapezoidal rule.  docs/theory/floating_frame.md
///
/// begin() reads the start of the step, and one of carry() and carry_weight() what of it lasts. For any guess
/// of the velocities at the end of the step, advance() gives the configuration there and add_impulse() what
/// the frame does to the balance of momenta along the axes that it has at the end.
class FrameStep {
 public:
  explicit FrameStep(const FloatingFrame& frame);

  /// `twist` is the rotation of the local velocities that nothing removes without rotational forces; zero
  /// otherwise.
  void begin(FrameForces forces, double h, const State& state, const Vector3& local_rotation);
  /// `momentum` is M w, `force` all but the rotational forces at the start.
  void carry(const VectorX& momentum, const VectorX& force);
  /// The same for a body on which nothing acts but its weight, contacts and linear internal forces, if its
  /// rotational forces are reduced: the balance then is that of (FF-12b).
  void carry_weight(const Vector3& gravity);
  /// Velocities at the end of the step to start from: the frame moves on as it does, nothing else changes.
  void guess(VectorX& w);
  /// Place, attitude and local places in q for the velocities w at the end of the step.
  void advance(const VectorX& w, const Vector3& local_rotation, VectorX& q);
  /// b += momentum and half of the impulse of the start, and half of the impulse of rotational forces at the
  /// end; `force` are the other forces there (FF-12). After advance().
  void add_impulse(const VectorX& force, VectorX& b) const;

  /// What turns with the frame in the balance of a body, as factors of six momenta of unit motions M Phi and
  /// of six momenta M (S X), S symmetric.
  using Terms = Eigen::Matrix<double, 12, 1>;
  /// The momenta themselves, as columns.
  const Eigen::Matrix<double, Eigen::Dynamic, 12>& momenta() const { return momenta_; }
  /// Those of the momentum that is carried to the end of the step and of the rotational forces there. After
  /// advance().
  Terms turning() const;
  /// Those of the balance at the guess() after carry_weight(), where all else in it is h times the internal
  /// forces halfway (FF-12b).
  Terms balance_of_guess() const;
  void add(const Terms& terms, VectorX& b) const {
    add_columns(momenta_, terms.data(), b.data() + frame_->first);
  }
  /// Twice the kinetic energy of the frame at the end of the step, which is not more than v^T M v [J].
  double rigid_energy2() const {
    return frame_->mass * end_.v.squaredNorm() + end_.omega.dot(frame_->inertia * end_.omega);
  }

  /// J^-1 times the moment of generalised impulses: what they add to the twist.
  Vector3 local_rotation_of(const VectorX& impulse) const;
  /// Half of the impulse of the start on the twist.
  Vector3 start_rotation() const { return 0.5 * h_ * (frame_->inverse_inertia * start_moment_); }
  /// What turns the body a second time.  (FF-11)
  void add_local_rotation(const Vector3& local_rotation, VectorX& w) const {
    add_rigid_motion(*frame_, {Vector3::Zero(), local_rotation}, frame_->of(w));
  }
  const FloatingFrame& frame() const { return *frame_; }
  /// R_{n+1}^T R_n. After advance().
  const Matrix3& turn() const { return turn_; }

 private:
  /// Half of the impulse of the centrifugal force of the undeformed body, without its moment: that moves the
  /// frame.
  Terms centrifugal(const Vector3& omega) const;

  const FloatingFrame* frame_;
  Eigen::Matrix<double, Eigen::Dynamic, 12> momenta_;  ///< see Terms
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
  Vector3 start_moment_ = Vector3::Zero();      ///< of the forces at the start
  Vector3 carried_velocity_ = Vector3::Zero();  ///< of the frame, with what forces add to it
  Vector3 carried_momentum_ = Vector3::Zero();  ///< angular momentum, the same
};

}  // namespace percuss
