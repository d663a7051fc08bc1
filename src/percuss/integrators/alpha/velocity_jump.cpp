#include <algorithm>
#include <cmath>
#include <limits>

#include "percuss/dynamics/forces.h"
#include "percuss/integrators/alpha/alpha_step.h"
#include "percuss/integrators/one_step/step_residual.h"

namespace percuss {
namespace {

constexpr size_t largest_hit_set = 200;
constexpr double pull_tolerance = 1e-11;  ///< part of the largest impulse that may pull from rounding

}  // namespace

/// u_N + e u_N(t_n) of a contact at the present velocity.
double AlphaStep::impact_law(int c) const {
  return relative_velocity(w_.list(), w_.end().contacts, c, 0, w_.v) +
         w_.list()[c].law.shift(0, w_.u_before[w_.list()[c].row]);
}

void AlphaStep::add_hit(int c) {
  const Contact& contact = w_.list()[c];
  std::copy_n(&w_.u_before[contact.row], contact.rows, w_.hit.add(contact, c));
}

/// Set B: contacts of A with sigma = Lambda - m (u + e u_n) >= 0 (G-8), [Cosimo 2020, eq. 43]. With friction,
/// or after cycling, all of A: the solver finds out.
void AlphaStep::choose_hit() {
  velocity_by_law_ = velocity_by_law_ || w_.has_friction || w_.touching.size() > largest_hit_set;
  w_.hit.clear();
  if (!velocity_by_law_) {
    for (const int c : w_.touching)
      if (w_.impulse[c] - w_.characteristic_mass * impact_law(c) >= 0) add_hit(c);
    if (!w_.velocity_guesses.returns_to(w_.hit.index)) return;
    velocity_by_law_ = true;
    ++report_.fallbacks;
    w_.hit.clear();
  }
  size_t next = 0;
  for (int c = 0; c < w_.list().count(); ++c) {
    while (next < w_.touching.size() && w_.touching[next] < c) ++next;
    const bool touches = next < w_.touching.size() && w_.touching[next] == c;
    if (touches || !w_.list()[c].has_gap()) add_hit(c);
  }
}

/// How far the impact law is from holding, relative to the velocities in it; infinite if a contact pulls.
double AlphaStep::impact_residual() const {
  if (velocity_by_law_) return contact_residual(w_.list(), w_.end().contacts, w_.hit, w_.impacts, w_.v);
  double worst = 0, scale = 0, largest = 0;
  for (const int c : w_.touching) largest = std::max(largest, std::abs(w_.impulse[c]));
  for (const int c : w_.touching) {
    if (w_.impulse[c] < -pull_tolerance * largest) return std::numeric_limits<double>::infinity();
    const double law = impact_law(c);
    worst = std::max(worst, w_.impulse[c] > 0 ? std::abs(law) : -law);
    const Contact& contact = w_.list()[c];
    double terms = std::abs(w_.u_before[contact.row]);
    for (int i = 0; i < contact.count; ++i)
      terms += std::abs(w_.end().contacts.jacobian[contact.entry + i] *
                        w_.v_smooth[w_.end().contacts.dof[contact.begin + i]]);
    scale = std::max(scale, terms);
  }
  return worst > 0 ? worst / scale : 0.0;
}

/// Semismooth Newton method on M (v - v~) = h f* + G^T Lambda, 0 <= u + e u_n ⟂ Lambda >= 0 for the contacts
/// of A, G v + g_t = 0 for joints (G-7), [Cosimo 2020, eq. 42]. With friction Lambda lies in Coulomb's cone.
AlphaStep::Progress AlphaStep::velocity_iteration() {
  w_.v = w_.v_smooth + w_.velocity_jump;
  const bool nothing_acts = w_.touching.empty() && !w_.has_friction && m_ == 0;
  if (nothing_acts && w_.velocity_jump.isZero(0) && w_.U.isZero(0)) return Progress::solved;
  if (system_.needs_poses() || !assembly_.interactions.is_constant)
    update(system_, w_.q, w_.v, t_, w_.end().kinematics);
  const double last_error = has_impulses_ || velocity_is_solved_once_ ? impact_residual() : 0.0;
  const double law_error = velocity_is_solved_once_ ? last_error : 0.0;
  if (linear_ && !is_coupled() && velocity_is_solved_once_ && velocity_refinement_.is_done(law_error))
    return Progress::solved;

  multiply_mass(system_, w_.q, w_.velocity_jump, w_.end().kinematics, w_.momentum);
  w_.residual = -w_.momentum;
  double terms = w_.momentum.norm(), joint_error = 0;
  if (m_ > 0) {
    constraint_jacobian(system_, w_.end().kinematics, w_.velocity.saddle.constraint_jacobian());
    constraint_rates(system_, w_.end().kinematics, t_, w_.prescribed);
  }
  if (corrects_forces()) {
    if (m_ > 0) constraint_jacobian(system_, w_.end().kinematics, w_.position.saddle.constraint_jacobian());
    correcting_force(w_.v, w_.force);
    if (!system_.user_systems.empty()) subtract_change_of_momentum(w_.force);
    w_.residual += h_ * w_.force;
    terms += h_ * (w_.smooth_force.norm() + w_.force.norm());
  }
  if (m_ > 0) {
    auto& G = w_.velocity.saddle.constraint_jacobian();
    w_.increment.setZero();
    add_transposed(system_.joints, G, w_.impulses, w_.increment);
    w_.residual += w_.increment;
    terms += w_.increment.norm();
    w_.smooth_impulse = h_ * w_.smooth_force;
    velocity_scale(system_, w_.velocity.saddle.matrix(),
                   {h_, state_.v, w_.v, w_.increment, &w_.smooth_impulse}, w_.scale);
    joint_error = joint_residual(system_.joints, G, w_.v, w_.scale, w_.prescribed, w_.constraint_residual);
  }
  w_.b.head(n_) = w_.residual;
  if (velocity_is_solved_once_)
    add_reactions(w_.list(), w_.end().contacts, w_.hit, ContactLevel::velocity, w_.impacts.solution().r,
                  w_.residual);
  const double constraint_residual = std::max(law_error, joint_error);
  if (!std::isfinite(terms + joint_error)) return fail(SolveStatus::not_finite);
  if (velocity_is_solved_once_ && is_small(w_.residual, terms, h_) &&
      velocity_refinement_.is_done(constraint_residual))
    return Progress::solved;
  velocity_refinement_.go_on_from(constraint_residual);

  choose_hit();
  if (!factorise(w_.velocity, w_.q, w_.v, corrects_forces() ? h_ : 0.0, 0, w_.end().kinematics))
    return fail(SolveStatus::singular);
  if (m_ > 0) w_.b.tail(m_) = w_.constraint_residual;
  const bool keeps_reactions = has_impulses_ && velocity_by_law_ && last_error < settled_frames;
  const auto method = velocity_by_law_ ? &ContactStage::solve : &ContactStage::solve_equations;
  const SolveStatus status =
      keeps_reactions ? w_.impacts.solve_keeping(w_.list(), w_.end().contacts, w_.velocity.saddle.factor(),
                                                 w_.hit, h_, w_.v, w_.b, w_.dx, w_, report_)
                      : (w_.impacts.*method)(w_.list(), w_.end().contacts, w_.velocity.saddle.factor(),
                                             w_.hit, h_, state_, w_.v, w_.b, w_.dx, w_, report_);
  has_impulses_ = velocity_by_law_;
  if (status != SolveStatus::converged) return fail(status);
  w_.velocity_jump += w_.dx.head(n_);
  if (m_ > 0) w_.impulses -= w_.dx.tail(m_);
  std::fill(w_.impulse.begin(), w_.impulse.end(), 0.0);
  if (!velocity_by_law_)
    for (size_t k = 0; k < w_.hit.index.size(); ++k) w_.impulse[w_.hit.index[k]] = w_.impacts.solution().r[k];
  velocity_is_solved_once_ = true;
  ++report_.by_level[2];
  return Progress::iterating;
}

/// f -= (M(q) - M(q~)) dot-v~: only the mass of users' systems changes.
void AlphaStep::subtract_change_of_momentum(VectorX& f) {
  multiply_mass(system_, w_.q, w_.acceleration, w_.end().kinematics, w_.increment);
  f -= w_.increment;
  multiply_mass(system_, w_.q_smooth, w_.acceleration, w_.at_smooth, w_.increment);
  f += w_.increment;
}

}  // namespace percuss
