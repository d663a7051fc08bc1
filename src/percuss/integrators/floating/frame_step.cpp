#include "percuss/integrators/floating/frame_step.h"

namespace percuss {

FrameStep::FrameStep(const FloatingFrame& frame) : frame_(&frame) {
  for (VectorX* x : {&places_, &local_velocity_, &impulse_, &turned_}) x->setZero(frame.size);
  momenta_.resize(frame.size, 12);
  const auto of_entry = [&](int row, int column) { return frame.linear_momenta.col(3 * column + row); };
  momenta_.leftCols<6>() = frame.momenta;
  for (int k = 0; k < 3; ++k) {
    const int l = (k + 1) % 3;
    momenta_.col(6 + k) = of_entry(k, k);
    momenta_.col(9 + k) = of_entry(k, l) + of_entry(l, k);
  }
}

Vector3 FrameStep::local_rotation_of(const VectorX& impulse) const {
  return frame_->inverse_inertia * (frame_->rigid.rightCols<3>().transpose() * frame_->of(impulse));
}

FrameStep::Terms FrameStep::centrifugal(const Vector3& omega) const {
  const Matrix3 square = skew(omega) * skew(omega);
  Terms terms = Terms::Zero();
  terms.segment<3>(3) = frame_->inverse_inertia * omega.cross(frame_->inertia * omega);
  terms.tail<6>() << -square.diagonal(), -square(0, 1), -square(1, 2), -square(2, 0);
  return 0.5 * h_ * terms;
}

void FrameStep::begin(FrameForces forces, double h, const State& state, const Vector3& local_rotation) {
  const FloatingFrame& frame = *frame_;
  forces_ = forces;
  h_ = h;
  start_ = frame_motion(frame, state.v);
  start_.omega -= local_rotation;
  place_ = frame.place(state.q);
  attitude_ = frame.attitude(state.q);
  places_ = frame.of(state.q);
  local_velocity_ = frame.of(state.v);
  if (forces_ == FrameForces::full) return;
  add_rigid_motion(frame, -1.0 * start_, local_velocity_);
}

void FrameStep::carry(const VectorX& momentum, const VectorX& force) {
  const FloatingFrame& frame = *frame_;
  impulse_ = frame.of(momentum) + 0.5 * h_ * frame.of(force);
  if (forces_ == FrameForces::full) return;  // all of it turns with the frame
  const Vector3 start_force = frame.rigid.leftCols<3>().transpose() * frame.of(force);
  start_moment_ = frame.rigid.rightCols<3>().transpose() * frame.of(force);
  carried_velocity_ = start_.v + 0.5 * h_ / frame.mass * start_force;
  carried_momentum_ = frame.inertia * start_.omega + 0.5 * h_ * start_moment_;
  // What moves the frame is taken out; it turns.
  Terms taken = Terms::Zero();
  taken.head<6>() << carried_velocity_, start_.omega + start_rotation();
  if (forces_ == FrameForces::reduced) taken -= centrifugal(start_.omega);
  impulse_.noalias() -= momenta_ * taken;
}

void FrameStep::carry_weight(const Vector3& gravity) {
  carried_velocity_ = start_.v + h_ * (attitude_.conjugate() * gravity);  // of both ends
  carried_momentum_ = frame_->inertia * start_.omega;
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
  const Vector3 spin = frame.inverse_inertia * (Q * (frame.inertia * start_.omega));
  add_rigid_motion(frame, {Q * start_.v, spin}, frame.of(w));
}

void FrameStep::advance(const VectorX& w, const Vector3& local_rotation, VectorX& q) {
  const FloatingFrame& frame = *frame_;
  end_ = frame_motion(frame, w);
  end_.omega -= local_rotation;
  const Vector3 rotation = 0.5 * h_ * (start_.omega + end_.omega);
  const Quaternion attitude = (attitude_ * cayley(rotation)).normalized();
  turn_ = (attitude.conjugate() * attitude_).toRotationMatrix();
  frame.set(place_ + 0.5 * h_ * (attitude_ * start_.v + attitude * end_.v), attitude, q);
  if (forces_ != FrameForces::full) {
    frame.of(q) = places_ + 0.5 * h_ * (local_velocity_ + frame.of(w));
    add_rigid_motion(frame, -0.5 * h_ * end_, frame.of(q));
    return;
  }
  frame.of(q) = places_;
  turned_ = 0.5 * h_ * (local_velocity_ + frame.of(w));
  move_nodes(frame, rotation, 0.5 * h_ * (start_.v + end_.v), turned_, q);
}

FrameStep::Terms FrameStep::turning() const {
  Terms terms = forces_ == FrameForces::reduced ? centrifugal(end_.omega) : Terms::Zero();
  terms.head<3>() += turn_ * carried_velocity_;
  terms.segment<3>(3) += frame_->inverse_inertia * (turn_ * carried_momentum_);
  return terms;
}

FrameStep::Terms FrameStep::balance_of_guess() const {
  Terms terms = turning() + centrifugal(start_.omega);
  terms.head<3>() -= end_.v;
  terms.segment<3>(3) -= end_.omega;
  return terms;
}

void FrameStep::add_impulse(const VectorX& force, VectorX& b) const {
  const FloatingFrame& frame = *frame_;
  if (forces_ == FrameForces::full) {
    frame.add_rotated(turn_, impulse_.data(), b);
    return;
  }
  frame.of(b) += impulse_;
  Terms terms = turning();
  if (forces_ == FrameForces::none)  // the same moments turn the local field
    terms.segment<3>(3) += start_rotation() + 0.5 * h_ * local_rotation_of(force);
  add(terms, b);
}

}  // namespace percuss
