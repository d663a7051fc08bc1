#include <cmath>

#include "percuss/dynamics/forces.h"
#include "percuss/integrators/alpha/alpha_step.h"
#include "percuss/integrators/one_step/step_residual.h"

namespace percuss {
namespace {

constexpr int joint_turns = 2;            ///< solves for the turning of joints in an iteration
constexpr double turn_difference = 1e-7;  ///< of the model's size or a radian, for differences

}  // namespace

/// a_n of the last step belongs to another time if that step had another size (G-13).
void AlphaStep::begin_smooth() {
  const auto a = state_.memory.head(n_), vdot = state_.memory.tail(n_);
  w_.acceleration = vdot;
  w_.start_pseudo = a;
  if (state_.last_step > 0 && state_.last_step != h_)
    w_.start_pseudo = vdot + h_ / state_.last_step * (a - vdot);
}

/// q~, v~ and a from the acceleration (G-2), [Cosimo 2020, eq. 34].
void AlphaStep::move_smooth() {
  const auto& [alpha_m, alpha_f, gamma, beta] = alpha_;
  const auto vdot = state_.memory.tail(n_);
  const VectorX& a = w_.start_pseudo;
  if (restarts_) w_.start_pseudo = vdot + (alpha_m - alpha_f) * (w_.acceleration - vdot);  // (G-14)
  w_.pseudo_acceleration = ((1 - alpha_f) * w_.acceleration + alpha_f * vdot - alpha_m * a) / (1 - alpha_m);
  w_.v_smooth = state_.v + h_ * (1 - gamma) * a + h_ * gamma * w_.pseudo_acceleration;
  w_.increment = h_ * state_.v + h_ * h_ * (0.5 - beta) * a + h_ * h_ * beta * w_.pseudo_acceleration;
  w_.q_smooth = state_.q;
  retract(system_, w_.increment, w_.q_smooth);
}

/// The acceleration moves the positions too, and turns the joints under the velocity: their rows in Newton's
/// matrix are c G + k d(G v)/dq (G-16). It is symmetric without the second term, which is made good by
/// repeated solves; `at` is lost.
void AlphaStep::turn_joints(const VectorX& q, double c, double k, Kinematics& at) {
  auto& G = w_.velocity.saddle.constraint_jacobian();  // not needed before the velocities
  w_.z = w_.dx;
  for (int i = 0; i < joint_turns; ++i) {
    w_.increment = k * w_.z.head(n_);
    const double size = relative_change(system_, w_.increment);
    if (!(size > 0)) return;
    const double part = turn_difference / size;
    w_.turned = q;
    w_.increment *= part;
    retract(system_, w_.increment, w_.turned);
    update(system_, w_.turned, w_.v_smooth, t_, at);
    constraint_jacobian(system_, at, G);
    constraint_rates(system_, at, t_, w_.prescribed);
    joint_residual(system_.joints, G, w_.v_smooth, w_.scale, w_.prescribed, w_.turned_residual);
    w_.b.head(n_).setZero();
    w_.b.tail(m_) = (w_.turned_residual - w_.constraint_residual) / (part * c);
    w_.smooth.saddle.factor().forward(w_.b, w_.z);
    w_.b = w_.z;
    w_.smooth.saddle.factor().backward(w_.b, w_.z);
    w_.dx += w_.z;
  }
}

/// Newton's method on M dot-v~ = f + G^T lambda~, G v~ + g_t = 0 (G-1) in the acceleration. The decoupled
/// schemes take forces and Jacobians at (q~, v~), the coupled one at (q, v).
AlphaStep::Progress AlphaStep::smooth_iteration() {
  move_smooth();
  if (is_coupled()) place_end();
  const VectorX& q = is_coupled() ? w_.q : w_.q_smooth;
  const VectorX& v = is_coupled() ? w_.v : w_.v_smooth;
  Kinematics& at = is_coupled() ? w_.end().kinematics : w_.at_smooth;
  if (system_.needs_poses()) update(system_, q, v, t_, at);
  evaluate_force(system_, q, v, t_, at, w_.force);
  multiply_mass(system_, q, w_.acceleration, at, w_.momentum);
  w_.residual = w_.force - w_.momentum;
  double terms = w_.force.norm() + w_.momentum.norm(), joint_error = 0;
  if (m_ > 0) {
    auto& G = w_.smooth.saddle.constraint_jacobian();
    constraint_jacobian(system_, at, G);
    constraint_rates(system_, at, t_, w_.prescribed);
    w_.smooth_reaction.setZero();
    add_transposed(system_.joints, G, w_.smooth_multipliers, w_.smooth_reaction);
    w_.residual += w_.smooth_reaction;
    terms += w_.smooth_reaction.norm();
    w_.smooth_impulse = h_ * w_.force;
    w_.increment = h_ * w_.smooth_reaction;
    velocity_scale(system_, w_.smooth.saddle.matrix(),
                   {h_, state_.v, w_.v_smooth, w_.increment, &w_.smooth_impulse}, w_.scale);
    joint_error =
        joint_residual(system_.joints, G, w_.v_smooth, w_.scale, w_.prescribed, w_.constraint_residual);
  }
  if (!std::isfinite(terms + joint_error)) return fail(SolveStatus::not_finite);
  if (is_small(w_.residual, terms, 1) && joint_refinement_.is_done(joint_error)) {
    w_.smooth_force = w_.force;
    return Progress::solved;
  }
  joint_refinement_.go_on_from(joint_error);

  // Derivatives of a_n and a_{n+1} with respect to the acceleration.
  const double shift = alpha_.alpha_m - alpha_.alpha_f;
  const double a_n = restarts_ ? shift : 0.0;
  const double a_end = restarts_ ? 1 + shift : (1 - alpha_.alpha_f) / (1 - alpha_.alpha_m);
  const double c = h_ * alpha_.gamma * a_end + h_ * (1 - alpha_.gamma) * a_n;
  const double k = h_ * h_ * alpha_.beta * a_end + h_ * h_ * (0.5 - alpha_.beta) * a_n;
  if (!factorise(w_.smooth, q, v, c, k, at)) return fail(SolveStatus::singular);
  w_.b.head(n_) = w_.residual;
  if (m_ > 0) w_.b.tail(m_) = w_.constraint_residual / c;
  w_.smooth.saddle.factor().forward(w_.b, w_.z);
  w_.smooth.saddle.factor().backward(w_.z, w_.dx);
  if (m_ > 0) turn_joints(q, c, k, at);
  w_.acceleration += w_.dx.head(n_);
  if (m_ > 0) w_.smooth_multipliers -= w_.dx.tail(m_);
  ++report_.by_level[0];
  w_.clock.mark(report_.seconds.forces);
  if (!linear_ && !is_coupled()) return Progress::iterating;
  move_smooth();
  return is_coupled() ? Progress::iterating : Progress::solved;
}

}  // namespace percuss
