#include <algorithm>
#include <cmath>
#include <limits>

#include "percuss/dynamics/forces.h"
#include "percuss/integrators/alpha/alpha_step.h"
#include "percuss/integrators/one_step/step_residual.h"

namespace percuss {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// With more contacts than this a dense active set costs more than the solvers for sparse problems.
constexpr size_t largest_active_set = 200;
/// Part of the largest multiplier by which one may be negative from rounding.
constexpr double sign_tolerance = 1e-11;

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace

/// The set A: contacts with xi = nu - m g >= 0 (G-6), [Cosimo 2020, eq. 38]. For the velocities a gap of the
/// size of rounding counts as closed, lest rounding decide whether there is an impact.
void AlphaStep::choose_touching() {
  w_.pressed.clear();
  w_.touching.clear();
  for (int c = 0; c < w_.list().count(); ++c) {
    if (!w_.list()[c].has_gap()) continue;
    const double gap = w_.end().contacts.gap[c];
    const bool is_pressed = w_.nu[c] - w_.characteristic_mass * gap >= 0;
    if (is_pressed) w_.pressed.push_back(c);
    const double length = w_.list()[c].gap_length * gap;
    if (is_pressed || w_.has_touched[c] || length <= w_.activation_tolerance) w_.touching.push_back(c);
  }
}

/// How far joints and contacts are from holding at position level, relative to the model's size; infinite if
/// a contact pulls.
double AlphaStep::position_residual() {
  double worst = 0;
  if (m_ > 0) {
    constraint_values(system_, w_.end().kinematics, t_, w_.constraint_residual);
    w_.constraint_residual = -w_.constraint_residual;
    worst = relative_violation(system_, w_.constraint_residual);
  }
  const double smallest = -sign_tolerance * largest(w_.nu);
  for (int c = 0; c < w_.list().count(); ++c) {
    if (!w_.list()[c].has_gap()) continue;
    if (w_.nu[c] < smallest) return infinity;
    const double gap = w_.list()[c].gap_length / system_.size * w_.end().contacts.gap[c];
    worst = std::max(worst, w_.nu[c] > 0 ? std::abs(gap) : -gap);
  }
  return worst;
}

/// f(q, v) - f(q~, v~) + (G(q) - G(q~))^T lambda~: what the corrections do to the forces (G-5), without the
/// part of the mass matrix. end() is at (q, v) and position.saddle holds G(q).
void AlphaStep::correcting_force(const VectorX& v, VectorX& f) {
  if (!has_smooth_force_) {
    if (linear_) evaluate_force(system_, w_.q_smooth, w_.v_smooth, t_, w_.at_smooth, w_.smooth_force);
    has_smooth_force_ = true;
  }
  evaluate_force(system_, w_.q, v, t_, w_.end().kinematics, f);
  f -= w_.smooth_force;
  if (m_ == 0) return;
  add_transposed(system_.joints, w_.position.saddle.constraint_jacobian(), w_.smooth_multipliers, f);
  f -= w_.smooth_reaction;
}

/// Semismooth Newton method on M U = h^2 f^p + G^T nu, 0 <= g(q) ⟂ nu >= 0, g = 0 for joints (G-6), [Cosimo
/// 2020] eq. 37.
AlphaStep::Progress AlphaStep::position_iteration() {
  place_end();
  if (system_.needs_poses() || !assembly_.interactions.is_constant)
    update(system_, w_.q, w_.v_smooth, t_, w_.end().kinematics);
  w_.end().find_contacts(assembly_, w_.list(), w_.q);
  choose_touching();
  report_.active_contacts = std::max(report_.active_contacts, static_cast<int>(w_.touching.size()));
  if (m_ == 0 && w_.pressed.empty() && w_.U.isZero(0) && w_.tangential_impulse.isZero(0))
    return Progress::solved;
  const double constraint_residual = position_residual();
  if (!std::isfinite(w_.q.sum())) return fail(SolveStatus::not_finite);
  // A contact that closes just now is no rounding.
  if (!std::ranges::includes(w_.closed.index, w_.pressed)) position_refinement_.forget();
  if (linear_ && !is_coupled() && position_is_solved_once_ &&
      position_refinement_.is_done(constraint_residual))
    return Progress::solved;

  const bool corrects = corrects_forces();
  if (m_ > 0) constraint_jacobian(system_, w_.end().kinematics, w_.position.saddle.constraint_jacobian());
  if (is_coupled())
    multiply_mass(system_, w_.q, w_.U, w_.end().kinematics, w_.momentum);
  else
    multiply_mass(system_, w_.q_smooth, w_.U, w_.at_smooth, w_.momentum);
  w_.residual = w_.tangential_impulse - w_.momentum;
  double terms = w_.tangential_impulse.norm() + w_.momentum.norm();
  if (corrects) {
    correcting_force(w_.v_smooth, w_.force);
    w_.residual += h_ * h_ * w_.force;
    terms += h_ * h_ * (w_.smooth_force.norm() + w_.force.norm());
  }
  if (m_ > 0) {
    w_.increment.setZero();
    add_transposed(system_.joints, w_.position.saddle.constraint_jacobian(), w_.nu_joints, w_.increment);
    w_.residual += w_.increment;
    terms += w_.increment.norm();
  }
  w_.b.head(n_) = w_.residual;
  if (position_is_solved_once_)
    add_reactions(w_.list(), w_.end().contacts, w_.closed, ContactLevel::position, w_.gaps.solution().r,
                  w_.residual);
  if (!std::isfinite(terms)) return fail(SolveStatus::not_finite);
  if (position_is_solved_once_ && is_small(w_.residual, terms, h_ * h_) &&
      position_refinement_.is_done(constraint_residual))
    return Progress::solved;
  position_refinement_.go_on_from(constraint_residual);

  choose_closed();
  if (!factorise(w_.position, w_.q, w_.v_smooth, 0, corrects ? h_ * h_ : 0.0, w_.end().kinematics))
    return fail(SolveStatus::singular);
  if (m_ > 0) w_.b.tail(m_) = w_.constraint_residual;
  const auto method = position_by_law_ ? &ContactStage::solve : &ContactStage::solve_equations;
  const SolveStatus status = (w_.gaps.*method)(w_.list(), w_.end().contacts, w_.position.saddle.factor(),
                                               w_.closed, h_, state_, w_.v, w_.b, w_.dx, w_, report_);
  if (status != SolveStatus::converged) return fail(status);
  w_.U += w_.dx.head(n_);
  if (m_ > 0) w_.nu_joints -= w_.dx.tail(m_);
  std::fill(w_.nu.begin(), w_.nu.end(), 0.0);
  for (size_t k = 0; k < w_.closed.index.size(); ++k) w_.nu[w_.closed.index[k]] = w_.gaps.solution().r[k];
  position_is_solved_once_ = true;
  ++report_.by_level[1];
  return Progress::iterating;
}

/// The contacts of the next solve. A set A that comes back leads in circles: from then on the linearised
/// complementarity problem is solved instead, on all contacts that were in A so far.
void AlphaStep::choose_closed() {
  if (!position_by_law_ && w_.pressed.size() > largest_active_set) position_by_law_ = true;
  if (!position_by_law_ && w_.position_guesses.returns_to(w_.pressed)) {
    position_by_law_ = true;
    ++report_.fallbacks;
  }
  std::vector<int>& closed = w_.closed.index;
  if (!position_by_law_) {
    closed = w_.pressed;
    return;
  }
  closed.insert(closed.end(), w_.pressed.begin(), w_.pressed.end());
  std::sort(closed.begin(), closed.end());
  closed.erase(std::unique(closed.begin(), closed.end()), closed.end());
}

}  // namespace percuss
