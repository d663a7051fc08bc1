#include "percuss/integrators/floating/frame_step.h"

namespace percuss {

FrameStep::FrameStep(const FloatingFrame& frame) : frame_(&frame) {
  for (VectorX* x : {&places_, &local_velocity_, &impulse_, &turned_}) x->setZero(frame.size);
}

Vector3 FrameStep::twist_of(const VectorX& impulse) const {
  return frame_->inverse_inertia * (frame_->rigid.rightCols<3>().transpose() * frame_->of(impulse));
}

/// f += factor times the centrifugal force of the undeformed body, without its moment: that moves the frame.
void FrameStep::add_centrifugal(const Vector3& omega, double factor, Eigen::Ref<VectorX> f) const {
  const Matrix3 square = skew(omega) * skew(omega);
  f.noalias() -= factor * (frame_->linear_momenta * square.reshaped());
  const Vector3 gyroscopic = frame_->inverse_inertia * omega.cross(frame_->inertia * omega);
  f.noalias() += factor * (frame_->momenta.rightCols<3>() * gyroscopic);
}

void FrameStep::begin(FrameForces forces, double h, const State& state, const VectorX& momentum,
                      const VectorX& force, const Vector3& twist) {
  const FloatingFrame& frame = *frame_;
  // Modes have no nodes to turn one by one.
  forces_ = frame.nodal < frame.size && forces == FrameForces::full ? FrameForces::reduced : forces;
  h_ = h;
  start_ = frame_motion(frame, state.v);
  start_.omega -= twist;
  place_ = frame.place(state.q);
  attitude_ = frame.attitude(state.q);
  places_ = frame.of(state.q);
  local_velocity_ = frame.of(state.v);
  impulse_ = frame.of(momentum) + 0.5 * h * frame.of(force);
  if (forces_ == FrameForces::full) return;  // all of it turns with the frame
  local_velocity_.noalias() -= frame.rigid.leftCols<3>() * start_.v;
  local_velocity_.noalias() -= frame.rigid.rightCols<3>() * start_.omega;
  start_force_ = frame.rigid.leftCols<3>().transpose() * frame.of(force);
  start_moment_ = frame.rigid.rightCols<3>().transpose() * frame.of(force);
  // What moves the frame is taken out; it turns.
  const Vector3 velocity = start_.v + 0.5 * h / frame.mass * start_force_;
  const Vector3 spin = start_.omega + 0.5 * h * (frame.inverse_inertia * start_moment_);
  impulse_.noalias() -= frame.momenta.leftCols<3>() * velocity;
  impulse_.noalias() -= frame.momenta.rightCols<3>() * spin;
  if (forces_ == FrameForces::reduced) add_centrifugal(start_.omega, 0.5 * h, impulse_);
}

void FrameStep::guess(VectorX& w) {
  const FloatingFrame& frame = *frame_;
  const Matrix3 Q = cayley(h_ * start_.omega).toRotationMatrix().transpose();
  if (forces_ == FrameForces::full) {
    turned_ = local_velocity_;
    frame.rotate(Q, turned_);
    frame.of(w) = turned_;
    return;
  }
  frame.of(w) = local_velocity_;
  frame.of(w).noalias() += frame.rigid.leftCols<3>() * (Q * start_.v);
  const Vector3 spin = frame.inverse_inertia * (Q * (frame.inertia * start_.omega));
  frame.of(w).noalias() += frame.rigid.rightCols<3>() * spin;
}

void FrameStep::advance(const VectorX& w, const Vector3& twist, VectorX& q) {
  const FloatingFrame& frame = *frame_;
  end_ = frame_motion(frame, w);
  end_.omega -= twist;
  const Vector3 rotation = 0.5 * h_ * (start_.omega + end_.omega);
  const Quaternion attitude = (attitude_ * cayley(rotation)).normalized();
  turn_ = (attitude.conjugate() * attitude_).toRotationMatrix();
  frame.set(place_ + 0.5 * h_ * (attitude_ * start_.v + attitude * end_.v), attitude, q);
  if (forces_ != FrameForces::full) {
    frame.of(q) = places_ + 0.5 * h_ * (local_velocity_ + frame.of(w));
    frame.of(q).noalias() -= frame.rigid.leftCols<3>() * (0.5 * h_ * end_.v);
    frame.of(q).noalias() -= frame.rigid.rightCols<3>() * (0.5 * h_ * end_.omega);
    return;
  }
  frame.of(q) = places_;
  turned_ = 0.5 * h_ * (local_velocity_ + frame.of(w));
  move_nodes(frame, rotation, 0.5 * h_ * (start_.v + end_.v), turned_, q);
}

void FrameStep::add_impulse(const VectorX& force, VectorX& b) const {
  const FloatingFrame& frame = *frame_;
  if (forces_ == FrameForces::full) {
    frame.add_rotated(turn_, impulse_.data(), b);
    return;
  }
  frame.of(b) += impulse_;
  const Vector3 velocity = turn_ * (start_.v + 0.5 * h_ / frame.mass * start_force_);
  Vector3 momentum = turn_ * (frame.inertia * start_.omega + 0.5 * h_ * start_moment_);
  if (forces_ == FrameForces::none)  // the same moments turn the local field
    momentum += 0.5 * h_ * (start_moment_ + frame.rigid.rightCols<3>().transpose() * frame.of(force));
  frame.of(b).noalias() += frame.momenta.leftCols<3>() * velocity;
  frame.of(b).noalias() += frame.momenta.rightCols<3>() * (frame.inverse_inertia * momentum);
  if (forces_ == FrameForces::reduced) add_centrifugal(end_.omega, 0.5 * h_, frame.of(b));
}

}  // namespace percuss
