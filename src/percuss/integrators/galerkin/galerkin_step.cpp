#include "percuss/integrators/galerkin/galerkin_step.h"

#include <algorithm>
#include <limits>

#include "percuss/dynamics/forces.h"
#include "percuss/integrators/one_step/activation.h"

namespace percuss {
namespace {

constexpr double step_rounding = 1e-9;     ///< of a step: what is left of it after all short ones
constexpr double stage_tolerance = 1e-12;  ///< of joints in the first stage; at the end they hold to rounding

}  // namespace

GalerkinScratch::GalerkinScratch(const Assembly& assembly, const SolverChoice& solver,
                                 const GalerkinRules& rules)
    : saddle(assembly.system, SaddlePoint::Matrix::mass),
      contacts(assembly, saddle.factor(), solver),
      shifted(make_kinematics(assembly.system)),
      test(make_contact_kinematics(assembly.interactions, assembly.interactions.declared)),
      nearby(test),
      between(test),
      G_test(assembly.system.joints.dof.size(), 0.0) {
  const System& system = assembly.system;
  const int n = system.dof_count(), m = system.constraint_count();
  for (VectorX* x : {&v, &v_end, &v_stage, &v_free, &from, &impulse, &v_new, &v_law, &unseen, &force,
                     &momentum, &residual, &scale, &increment})
    x->setZero(n);
  for (VectorX* x : {&stage_multipliers, &multipliers, &first_multipliers, &prescribed, &constraint_residual})
    x->setZero(m);
  for (VectorX* x : {&b, &dx, &z}) x->setZero(n + m);
  q = q_end = q_nearby = system.initial.q;
  known_q.setConstant(q.size(), std::numeric_limits<double>::quiet_NaN());
  active.reserve(assembly.interactions.declared);
  kept.reserve(assembly.interactions.declared.count());
  contacts.reserve_tests();
  biases.reserve(system.bodies.size());
  reaction = first_reaction = guess = system.initial.contacts.reaction;
  status = system.initial.contacts.status;
  is_constant = m == 0 && system.user_systems.empty();
  activation_tolerance = percuss::activation_tolerance(system, rules.activation_tolerance);
}

GalerkinStep::GalerkinStep(const StepContext& context, const GalerkinRules& rules, const State& state,
                           GalerkinScratch& work, StepReport& report)
    : assembly_(context.assembly),
      system_(assembly_.system),
      contacts_(context.contacts),
      rules_(rules),
      n_(system_.dof_count()),
      m_(system_.constraint_count()),
      placed_(system_.needs_poses() || !assembly_.interactions.is_constant),
      t_(state.time),
      start_(&context.start.contacts),
      end_(context.end),
      w_(work),
      report_(report) {
  w_.q = state.q;
  w_.v = state.v;
  end_.kinematics.angles = w_.shifted.angles = state.angles;
  if (placed_) place_as(context.start.kinematics, end_.kinematics);
  w_.guess = state.contacts.reaction;
  w_.multipliers.setZero();
  for (auto* reactions : {&w_.reaction, &w_.first_reaction}) reactions->assign(w_.guess.size(), 0.0);
  w_.status.assign(state.contacts.status.size(), ContactStatus::open);
}

/// A step is one step, or a number of short ones around an impact (T-10).
SolveStatus GalerkinStep::advance(double h) {
  report_.parts = 0;
  for (double left = h; left > 0;) {
    SolveStatus status = begin_step(left, rules_.impulsive_ratio * h);
    if (status == SolveStatus::converged) status = look_at_end();
    if (status == SolveStatus::converged) status = is_impulsive_ ? impact() : second_stage();
    if (status != SolveStatus::converged) return status;
    ++report_.parts;
    report_.impulsive_parts += is_impulsive_;
    w_.q.swap(w_.q_end);
    w_.v.swap(w_.v_end);
    t_ += dt_;
    left = dt_ == left ? 0.0 : left - dt_;
    if (left > 0) begin_where_it_ended();
  }
  return SolveStatus::converged;
}

/// The first stage (T-3), q_1, and the decision whether there is an impact (T-4).
SolveStatus GalerkinStep::begin_step(double longest, double shortest) {
  dt_ = longest;
  if (!look_at_start()) return SolveStatus::singular;
  prepare_first_stage();
  is_impulsive_ = rules_.looks_ahead && is_hit(w_.test);
  if (!is_impulsive_ || !rules_.is_free_before_impact) {
    const SolveStatus status = first_stage();
    if (status != SolveStatus::converged) return status;
    w_.v_stage = w_.v_new;
    keep_first_reactions();
    place_end();
    is_impulsive_ = is_impulsive_ || is_hit(end_.contacts);
  }
  if (!is_impulsive_) return SolveStatus::converged;
  if (rules_.is_free_before_impact) dt_ = longest < shortest * (1 + step_rounding) ? longest : shortest;
  return free_first_stage();
}

/// Before an impact no contact force acts on the velocity (T-7). What it did to q_1 and v_1 stays, unless the
/// scheme begins the step anew.
SolveStatus GalerkinStep::free_first_stage() {
  if (rules_.is_free_before_impact) look_ahead();
  if (rules_.is_free_before_impact || !w_.active.index.empty()) {
    w_.active.clear();
    const SolveStatus status = first_stage();
    if (status != SolveStatus::converged) return status;
    w_.first_multipliers = w_.stage_multipliers;
  }
  w_.v_free = w_.v_new;
  if (rules_.is_free_before_impact) {
    w_.v_stage = w_.v_new;
    place_end();
  }
  return SolveStatus::converged;
}

/// A short step has its contacts from the one before it.
void GalerkinStep::begin_where_it_ended() {
  if (placed_) update(system_, w_.q, w_.v, t_, end_.kinematics);
  end_.exchange_contacts(w_.between);
  start_ = &w_.between;
}

/// Closed contacts, factors and forces at (q_0, v_0).
bool GalerkinStep::look_at_start() {
  const bool known = !system_.has_frames() && w_.known_q == w_.q;
  choose_closed(*start_);
  w_.clock.mark(report_.seconds.contacts);
  if (!(known && w_.keeps_factor) && !factorise(w_.q, w_.v, t_)) return false;
  evaluate_force(system_, w_.q, w_.v, t_, end_.kinematics, w_.force);
  return true;
}

/// Contacts and joints where the velocity of the start leads: q_0 * dt v_0.
void GalerkinStep::look_ahead() {
  const bool tests_contacts = !assembly_.interactions.is_constant && !w_.active.index.empty();
  if (m_ == 0 && !tests_contacts && !rules_.looks_ahead) return;
  w_.increment = dt_ * w_.v;
  w_.q_nearby = w_.q;
  retract(system_, w_.increment, w_.q_nearby);
  if (placed_) update(system_, w_.q_nearby, w_.v, t_ + dt_, end_.kinematics);
  if (m_ > 0) {
    constraint_jacobian(system_, end_.kinematics, w_.G_test);
    constraint_rates(system_, end_.kinematics, t_ + dt_, w_.prescribed);
  }
  if (tests_contacts || rules_.looks_ahead)
    evaluate_contacts(assembly_, contacts_, w_.q_nearby, end_.kinematics, w_.test);
}

void GalerkinStep::prepare_first_stage() {
  w_.impulse = dt_ * w_.force;
  switch (rules_.law) {
    case ForceLaw::end_velocity: look_ahead(); break;
    case ForceLaw::acceleration:
      leave_out_separating(*start_, w_.v);
      test_accelerations(*start_, w_.q, w_.v, t_);
      break;
    default: test_velocities(t_); break;
  }
  if (rules_.is_free_before_impact) choose_closed(w_.test);
}

GalerkinStep::Test GalerkinStep::first_test() const {
  const bool at_start = assembly_.interactions.is_constant || w_.active.index.empty();
  switch (rules_.law) {
    case ForceLaw::end_velocity: return {at_start ? start_ : &w_.test, &w_.G_test, stage_tolerance};
    case ForceLaw::acceleration: return {&w_.test, &w_.saddle.constraint_jacobian(), stage_tolerance};
    default: return {start_, &w_.saddle.constraint_jacobian(), stage_tolerance};
  }
}

/// v_1 = v_0 + dt M_0^-1 (f_0 + G_0^T lambda + H_0 lambda)  (T-3)
SolveStatus GalerkinStep::first_stage() {
  w_.from = w_.v;
  w_.impulse = dt_ * w_.force;
  Test test = first_test();
  const SolveStatus status = solve_stage(w_.q, *start_, test, dt_);
  if (status != SolveStatus::iteration_limit || !tests_at_end()) return status;
  // A linkage in its dead centre: G_p G_0^T is singular, and G_0 G_0^T serves as well (T-13).
  ++report_.fallbacks;
  update(system_, w_.q, w_.v, t_, end_.kinematics);
  test_joint_accelerations(w_.v, t_);
  test.G = &w_.saddle.constraint_jacobian();
  return solve_stage(w_.q, *start_, test, dt_);
}

/// q_1 = q_0 * dt (v_0 + v_1)/2  (T-2)
void GalerkinStep::place_end() {
  w_.increment = 0.5 * dt_ * (w_.v + w_.v_stage);
  w_.q_end = w_.q;
  retract(system_, w_.increment, w_.q_end);
  if (placed_) update(system_, w_.q_end, w_.v_stage, t_ + dt_, end_.kinematics);
  end_.find_contacts(assembly_, contacts_, w_.q_end);
  w_.clock.mark(report_.seconds.contacts);
}

/// Whether a contact that was open at the start is closed there.
bool GalerkinStep::is_hit(const ContactKinematics& at) const {
  for (int c = 0; c < contacts_.count(); ++c)
    if (contacts_[c].has_gap() && is_open(*start_, c) && !is_open(at, c)) return true;
  return false;
}

/// Factors and forces at (q_1, v_1).
SolveStatus GalerkinStep::look_at_end() {
  if (!factorise(w_.q_end, w_.v_stage, t_ + dt_)) return SolveStatus::singular;
  evaluate_force(system_, w_.q_end, w_.v_stage, t_ + dt_, end_.kinematics, w_.force);
  w_.known_q = w_.q_end;
  return SolveStatus::converged;
}

}  // namespace percuss
