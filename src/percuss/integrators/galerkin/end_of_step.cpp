#include "percuss/integrators/galerkin/galerkin_step.h"

namespace percuss {
namespace {

constexpr double end_tolerance = Refinement::rounding;

}  // namespace

/// v = v_0 + dt/2 (a_0 + M_1^-1 (f_1 + G_1^T lambda + H_1 lambda)) with joints and contacts at q_1 and v
/// (T-6)
SolveStatus GalerkinStep::second_stage() {
  if (!tests_at_end()) return explicit_second_stage();
  choose_closed(end_.contacts);
  if (m_ > 0) constraint_rates(system_, end_.kinematics, t_ + dt_, w_.prescribed);
  w_.from = 0.5 * (w_.v + w_.v_stage);
  w_.impulse = 0.5 * dt_ * w_.force;
  for (size_t i = 0; i < w_.guess.size(); ++i) w_.guess[i] = 0.5 * w_.first_reaction[i];
  const SolveStatus status = solve_stage(
      w_.q_end, end_.contacts, {&end_.contacts, &w_.saddle.constraint_jacobian(), end_tolerance}, 0.5 * dt_);
  if (status != SolveStatus::converged) return status;
  w_.v_end = w_.v_new;
  take_first_reactions();
  take_reactions(1);
  return status;
}

/// The same law as in the first stage, now at (q_1, v_1), for a whole step of which a half counts (T-8),
/// (T-9).
SolveStatus GalerkinStep::explicit_second_stage() {
  choose_closed(end_.contacts);
  w_.from = w_.v_stage;
  w_.impulse = dt_ * w_.force;
  Test test = {&end_.contacts, &w_.saddle.constraint_jacobian(), end_tolerance};
  if (rules_.law == ForceLaw::acceleration) {
    leave_out_separating(end_.contacts, w_.v_stage);
    test_accelerations(end_.contacts, w_.q_end, w_.v_stage, t_ + dt_);
    test.contacts = &w_.test;
  } else {
    test_velocities(t_ + dt_);
  }
  w_.guess = w_.first_reaction;
  const SolveStatus status = solve_stage(w_.q_end, end_.contacts, test, dt_);
  if (status != SolveStatus::converged) return status;
  w_.v_end = 0.5 * (w_.v + w_.v_new);
  take_first_reactions();
  take_reactions(0.5);
  return status;
}

/// The velocity without contact forces, and Newton's law of impact at q_1 between it and the end (T-7).
/// Joints act in both.
SolveStatus GalerkinStep::impact() {
  const Test test = {&end_.contacts, &w_.saddle.constraint_jacobian(), end_tolerance};
  if (m_ > 0) constraint_rates(system_, end_.kinematics, t_ + dt_, w_.prescribed);
  w_.unseen.setZero();
  w_.active.clear();
  w_.from = 0.5 * (w_.v + w_.v_free);
  w_.impulse = 0.5 * dt_ * w_.force;
  SolveStatus status = solve_stage(w_.q_end, end_.contacts, test, dt_);
  if (status != SolveStatus::converged) return status;
  w_.multipliers += 0.5 * w_.first_multipliers + w_.stage_multipliers;
  w_.v_end = w_.v_new;

  choose_closed(end_.contacts);
  if (w_.active.index.empty()) return status;
  for (size_t k = 0; k < w_.active.index.size(); ++k)
    for (int row = 0; row < contacts_.contacts[w_.active.index[k]].rows; ++row)
      w_.active.before(k)[row] =
          relative_velocity(contacts_, end_.contacts, w_.active.index[k], row, w_.v_end);
  w_.from = w_.v_end;
  w_.impulse.setZero();
  status = solve_stage(w_.q_end, end_.contacts, test, dt_);
  if (status != SolveStatus::converged) return status;
  w_.v_end = w_.v_new;
  // Which contacts were hit is judged by the velocities at the start of the step (M-9).
  for (size_t k = 0; k < w_.active.index.size(); ++k)
    *w_.active.before(k) = relative_velocity(contacts_, *start_, w_.active.index[k], 0, w_.v);
  take_reactions(1);
  return status;
}

}  // namespace percuss
