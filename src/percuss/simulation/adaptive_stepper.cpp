#include "percuss/simulation/adaptive_stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/dynamics/forces.h"
#include "percuss/integrators/integrator.h"
#include "percuss/simulation/energy_accounting.h"
#include "percuss/simulation/step_controller.h"

namespace percuss {
namespace {

constexpr double failure_shrink = 0.25;  ///< of a step that could not be solved
constexpr double stuck_ratio = 0.8;      ///< of velocity errors of a try and a shorter one: it does not help
constexpr double everywhere = std::numeric_limits<double>::infinity();  ///< horizon of contacts
constexpr double size_tolerance = 1e-9;  ///< of a step: it counts as short enough

int order_of(const RunConfig& config, const System& system) {
  const SchemeFacts facts = percuss::facts(config.integrator);
  return std::max(1, system.constraint_count() > 0 ? facts.joint_order : facts.smooth_order);
}

PhaseTimes half(const PhaseTimes& all) { return {0.5 * all.forces, 0.5 * all.contacts, 0.5 * all.solver}; }

/// The size of the next step, if nothing comes in between [s].
double wanted(const StepControl& control) {
  return control.recovery_step > 0 ? control.recovery_step : control.smooth_step;
}

bool is_closed(const State& state, int c) { return state.contacts.status[c] != ContactStatus::open; }

}  // namespace

AdaptiveStepper::AdaptiveStepper(const Assembly& assembly, const Integrator& integrator,
                                 const RunConfig& config)
    : assembly_(assembly),
      integrator_(integrator),
      controller_(*config.time.adaptive, config.time.end - config.time.start,
                  order_of(config, assembly.system), assembly.system.size),
      first_step_(config.time.step),
      duration_(config.time.end - config.time.start),
      penetration_(config.time.adaptive->penetration),
      whole_(assembly.system.initial),
      middle_(whole_),
      end_(whole_),
      at_whole_(assembly),
      at_middle_(assembly),
      at_end_(assembly),
      booking_(assembly),
      difference_(VectorX::Zero(assembly.system.dof_count())),
      momentum_(difference_) {
  renew_workspaces();
}

void AdaptiveStepper::renew_workspaces() {
  for (auto* work : {&whole_work_, &half_work_}) *work = integrator_.make_workspace(assembly_);
}

SolveStatus AdaptiveStepper::find_step(const Start& start, double distance, StepControl& control) {
  StepControl next = control;
  begin(start, next);
  computed_ = 0;
  seconds_ = {};
  last_velocity_error_ = std::numeric_limits<double>::infinity();
  velocities_are_stuck_ = false;
  h_ = first_size(start, distance, next);
  bool was_too_long = false;  // for the smooth motion
  for (int rejected = 0;; ++rejected) {
    const SolveStatus status = take_halves(start);
    Assessment assessment;
    if (status == SolveStatus::converged) {
      assessment = assess(start, next);
    } else {
      if (h_ <= controller_.min()) return status;
      assessment.next = failure_shrink * h_;
    }
    const bool is_smallest = h_ <= controller_.min();
    if (assessment.is_accepted || (is_smallest && status == SolveStatus::converged)) {
      second_report_.rejected = rejected;
      second_report_.inaccurate = !assessment.is_accepted;
      second_report_.computed = computed_ - 1;
      first_report_.seconds = second_report_.seconds = half(seconds_);
      second_report_.error = assessment.error;
      remember(start, assessment, was_too_long, next);
      control = std::move(next);
      return SolveStatus::converged;
    }
    was_too_long = was_too_long || !assessment.is_impulsive;
    h_ = controller_.fit(assessment.next, distance, false);
  }
}

/// The scale of velocities, and memory for the contacts.
void AdaptiveStepper::begin(const Start& start, StepControl& control) {
  const System& system = assembly_.system;
  if (control.smooth_step == 0) {
    control.smooth_step = first_step_;
    for (int i = 0; i < system.dof_count(); ++i)
      difference_[i] = (system.is_rotation[i] ? 1.0 : system.size) / duration_;
    control.speed = energy_norm(start.state.q, difference_, start.configuration.kinematics);
  }
  // None in a run that begins, or before there were contacts.
  control.gap_acceleration.resize(start.contacts.contacts.size(), 0.0);
  control.speed =
      std::max(control.speed, energy_norm(start.state.q, start.state.v, start.configuration.kinematics));
}

double AdaptiveStepper::energy_norm(const VectorX& q, const VectorX& v, Kinematics& at) {
  multiply_mass(assembly_.system, q, v, at, momentum_);
  return std::sqrt(std::max(0.0, v.dot(momentum_)));
}

double AdaptiveStepper::longest(double distance, const StepControl& control) const {
  constexpr double largest_stretch = 2;  // of StepController::fit, in which a step ends where it is asked to
  const double asked = control.smooth_step > 0 ? wanted(control) : first_step_;
  return std::min(distance, largest_stretch * std::max(asked, controller_.min()));
}

double AdaptiveStepper::first_size(const Start& start, double distance, const StepControl& control) const {
  double h = wanted(control);
  for (int c = 0; c < start.contacts.count(); ++c) {
    const Contact& contact = start.contacts[c];
    if (!contact.has_gap()) continue;
    const double u = relative_velocity(start.contacts, start.configuration.contacts, c, 0, start.state.v);
    h = controller_.before_impact(
        {start.configuration.contacts.gap[c], u, control.gap_acceleration[c], contact.law.shift(0, 1)}, h);
  }
  return controller_.fit(h, distance, h == wanted(control));
}

StepReport AdaptiveStepper::take(const StepContext& context, State& state, Workspace& work) {
  ++computed_;
  StepReport report = integrator_.step(context, state, work);
  seconds_ += report.seconds;
  return report;
}

SolveStatus AdaptiveStepper::take_halves(const Start& start) {
  const StepHooks none;
  const StepContext whole{assembly_, start.contacts, h_, start.configuration, at_whole_, none, start.state};
  const StepContext first{assembly_,  start.contacts, 0.5 * h_,   start.configuration,
                          at_middle_, start.hooks,    start.state};
  const StepContext second{assembly_, start.contacts, 0.5 * h_,   at_middle_,
                           at_end_,   start.hooks,    start.state};
  whole_ = start.state;
  second_report_ = take(whole, whole_, *whole_work_);
  if (second_report_.status != SolveStatus::converged) return second_report_.status;
  middle_ = start.state;
  second_report_ = first_report_ = take(first, middle_, *half_work_);
  if (first_report_.status != SolveStatus::converged) return first_report_.status;
  end_ = middle_;
  at_middle_.complete(assembly_, start.contacts, middle_, everywhere);
  second_report_ = take(second, end_, *half_work_);
  return second_report_.status;
}

AdaptiveStepper::Assessment AdaptiveStepper::assess(const Start& start, const StepControl& control) {
  Assessment assessment;
  at_end_.complete(assembly_, start.contacts, end_, everywhere);
  for (const State* state : {&whole_, &middle_, &end_}) look_for_impacts(start, *state, assessment);
  for (int c = 0; c < start.contacts.count(); ++c)
    for (const State* state : {&whole_, &middle_, &end_})
      assessment.is_impulsive = assessment.is_impulsive || is_closed(*state, c) != is_closed(start.state, c);
  const double longest =
      assessment.jump > 0 ? controller_.impulsive_step(assessment.jump) : controller_.max();
  if (h_ > longest * (1 + size_tolerance)) {  // retrospectively shortened: [Schindler 2014, fig. 24]
    assessment.next = std::max(longest, 0.5 * h_);
    return assessment;
  }
  // During a lasting contact many schemes are of order 1, whatever they are otherwise.
  const bool touches =
      std::ranges::any_of(end_.contacts.status, [](auto s) { return s != ContactStatus::open; });
  const bool is_first_order = assessment.is_impulsive || touches || controller_.order() == 1;
  const double richardson = is_first_order ? 1.0 : std::pow(2.0, controller_.order()) - 1;
  assessment.error = position_error() / richardson;
  double relative = assessment.error / controller_.allowed(h_, assessment.is_impulsive);
  if (!assessment.is_impulsive) {
    const double velocity = velocity_error(start, control) / richardson;
    velocities_are_stuck_ = velocities_are_stuck_ || velocity > stuck_ratio * last_velocity_error_;
    last_velocity_error_ = velocity;
    assessment.error = std::max(assessment.error, velocity);
    relative = std::max(
        relative, velocity / controller_.allowed_of_velocities(h_, is_first_order, velocities_are_stuck_));
  }
  assessment.next = controller_.next_size(h_, relative, is_first_order);
  assessment.is_accepted = relative <= 1;
  if (assessment.is_accepted && !keeps_budgets(start, assessment)) {
    assessment.is_accepted = false;
    assessment.next = 0.5 * h_;
  }
  return assessment;
}

/// A contact is hit if the scheme says so, or if it was open and is now deeper than an impact may be late.
void AdaptiveStepper::look_for_impacts(const Start& start, const State& state, Assessment& assessment) {
  const double deepest = controller_.allowed_penetration();
  for (int c = 0; c < start.contacts.count(); ++c) {
    const bool is_deep = start.contacts[c].has_gap() && at_end_.contacts.gap[c] < -deepest &&
                         start.configuration.contacts.gap[c] >= -deepest;
    if (state.contacts.status[c] != ContactStatus::impact && !is_deep) continue;
    const double before =
        relative_velocity(start.contacts, start.configuration.contacts, c, 0, start.state.v);
    const double after = relative_velocity(start.contacts, at_end_.contacts, c, 0, state.v);
    assessment.is_impulsive = true;
    assessment.jump = std::max({assessment.jump, std::abs(after - before), is_deep ? std::abs(before) : 0.0});
  }
}

/// The distance between the two solutions, in lengths of the model and rad.
double AdaptiveStepper::position_error() {
  const System& system = assembly_.system;
  difference(system, whole_.q, end_.q, difference_);
  double largest = 0;
  for (int i = 0; i < system.dof_count(); ++i)
    largest = std::max(largest, std::abs(difference_[i]) / (system.is_rotation[i] ? 1.0 : system.size));
  return largest;
}

/// The distance of the coarse velocities from the graph of the fine ones.
double AdaptiveStepper::velocity_error(const Start& start, const StepControl& control) {
  difference_ = end_.v - start.state.v;
  const double slope = energy_norm(end_.q, difference_, at_end_.kinematics) / h_ * duration_ / control.speed;
  difference_ = whole_.v - end_.v;
  return energy_norm(end_.q, difference_, at_end_.kinematics) / control.speed / std::hypot(1.0, slope);
}

bool AdaptiveStepper::keeps_budgets(const Start& start, const Assessment& assessment) {
  if (penetration_)
    for (int c = 0; c < start.contacts.count(); ++c)
      if (start.contacts[c].has_gap() && at_end_.contacts.gap[c] < -*penetration_ &&
          at_end_.contacts.gap[c] < start.configuration.contacts.gap[c])
        return false;
  const auto allowed = controller_.allowed_loss(h_, assessment.is_impulsive);
  if (!allowed) return true;
  EnergyLedger energy = start.energy;
  accumulate_energies(assembly_, start.contacts, 0.5 * h_, start.state, start.configuration, middle_,
                      at_middle_, {}, booking_, energy);
  accumulate_energies(assembly_, start.contacts, 0.5 * h_, middle_, at_middle_, end_, at_end_, {}, booking_,
                      energy);
  evaluate_energies(assembly_.system, end_, at_end_.kinematics, booking_, energy);
  return std::abs(energy.loss_algorithmic - start.energy.loss_algorithmic) <= *allowed;
}

/// An impact says nothing about the steps of smooth motion; a step that was shortened for other reasons than
/// its error only that they may be longer.
void AdaptiveStepper::remember(const Start& start, const Assessment& assessment, bool was_too_long,
                               StepControl& control) const {
  const bool was_recovering = control.recovery_step > 0;
  control.recovery_step = assessment.is_impulsive && start.state.memory.size() > 0 ? h_ : 0.0;
  if (assessment.is_impulsive) return;
  const bool keeps = !was_too_long && (was_recovering || h_ < control.smooth_step);
  control.smooth_step = keeps ? std::max(control.smooth_step, assessment.next) : assessment.next;
  for (int c = 0; c < start.contacts.count(); ++c)
    control.gap_acceleration[c] =
        (relative_velocity(start.contacts, at_end_.contacts, c, 0, end_.v) -
         relative_velocity(start.contacts, start.configuration.contacts, c, 0, start.state.v)) /
        h_;
}

}  // namespace percuss
