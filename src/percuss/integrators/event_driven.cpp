#include "percuss/integrators/event_driven.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "percuss/integrators/event/constraint_projection.h"
#include "percuss/integrators/event/impact.h"
#include "percuss/integrators/event/mode_decision.h"
#include "percuss/integrators/event/smooth_motion.h"
#include "percuss/integrators/one_step/finish_step.h"

namespace percuss {
namespace {

constexpr double still_speed = 1e-13;    ///< [m/s] per metre of the model's size: rounding of a model at rest
constexpr double no_progress = 1e-12;    ///< of the time to the end of the step
constexpr int allowed_standstill = 100;  ///< events at the same time, and as many for each contact

struct EventScratch final : Workspace {
  EventScratch(const Assembly& assembly, const EventDrivenOptions& options, const SolverChoice& solver)
      : mechanics(assembly),
        forces(assembly),
        projection(assembly),
        decision(solver),
        impact(assembly, solver, mechanics.saddle, options.accumulation_time),
        motion(assembly, options),
        q(assembly.system.initial.q),
        v(assembly.system.initial.v),
        multipliers(VectorX::Zero(assembly.system.constraint_count())) {}

  Mechanics mechanics;
  ContactForces forces;
  ConstraintProjection projection;
  ModeDecision decision;
  ImpactStage impact;
  SmoothMotion motion;
  EventMemory memory;
  VectorX q, v, multipliers;
};

/// docs/theory/event_driven.md: one step is the smooth motion to the time asked for, or to the first event
/// before it; or an impact, which takes no time.
class EventDriven final : public Integrator {
 public:
  EventDriven(const EventDrivenOptions& options, const SolverChoice& solver)
      : options_(options), solver_(solver) {}

  int memory_size(const System& /*system*/) const override { return EventMemory::size; }
  int contact_memory_size() const override { return EventMemory::contact_size; }
  std::unique_ptr<Workspace> make_workspace(const Assembly& assembly) const override {
    return std::make_unique<EventScratch>(assembly, options_, solver_);
  }
  StepReport advance(const StepContext& context, State& state, Workspace& workspace) const override;

 private:
  TouchTolerance tolerance(const Mechanics& mechanics) const {
    const double size = mechanics.system.size;
    return {options_.event_tolerance * size,
            options_.event_tolerance * mechanics.fastest() + still_speed * size,
            slowest_sliding(options_, mechanics.fastest())};
  }
  void begin(EventScratch& w) const;
  SolveStatus apply_impact(const Assembly& assembly, State& state, EventScratch& w, StepReport& report) const;
  SolveStatus decide_modes(State& state, EventScratch& w, StepReport& report) const;
  SolveStatus move(const StepContext& context, State& state, EventScratch& w, StepReport& report) const;

  EventDrivenOptions options_;
  SolverChoice solver_;
};

/// Modes at the start of a run: what touches is sorted out by decide_modes.
void EventDriven::begin(EventScratch& w) const {
  const TouchTolerance touch = tolerance(w.mechanics);
  w.memory = {};
  w.memory.contacts.resize(w.mechanics.contacts().contacts.size());
  for (int c = 0; c < w.mechanics.contacts().count(); ++c) {
    ContactMode& mode = w.memory.contacts[static_cast<size_t>(c)].mode;
    const bool has_gap = w.mechanics.contacts()[c].has_gap();
    const double u = w.mechanics.velocity({c, 0});
    if (!has_gap)
      mode = ContactMode::slip;
    else if (w.mechanics.gap_length(c) > touch.gap || u > touch.speed)
      mode = ContactMode::open;
    else
      mode = u < -touch.speed ? ContactMode::hit : ContactMode::idle;
  }
}

bool has_hit(const EventMemory& memory) {
  return std::ranges::any_of(memory.contacts,
                             [](const ContactMemory& c) { return c.mode == ContactMode::hit; });
}

constexpr std::string_view no_forces =
    "no contact forces agree with the accelerations and with Coulomb's law (Painleve's paradox: with less "
    "friction, or with another scheme, the motion may go on)";
constexpr std::string_view no_end = "events follow each other without end at the same time";
constexpr std::string_view no_step_is_short_enough =
    "no step is short enough for the tolerances: forces jump, or a contact force grows without bound";
constexpr std::string_view too_stiff =
    "too many internal steps: the model is too stiff for this explicit method, by its springs or by contacts "
    "that creep (integrator.method: bdf is implicit), or integrator.relative_tolerance too small";
constexpr std::string_view too_much_work =
    "too many internal steps: vibrations are followed that are too fast for the length of the run, or "
    "integrator.relative_tolerance is too small";

SolveStatus explain(SmoothEnd end, EventMethod method, StepReport& report) {
  switch (end) {
    case SmoothEnd::work:
      report.reason = method == EventMethod::bdf ? too_much_work : too_stiff;
      return SolveStatus::iteration_limit;
    case SmoothEnd::no_rate: return SolveStatus::not_finite;
    case SmoothEnd::stopped: report.stopped = true; return SolveStatus::stalled;
    case SmoothEnd::no_step: report.reason = no_step_is_short_enough; return SolveStatus::stalled;
    default: return SolveStatus::converged;
  }
}

StepReport EventDriven::advance(const StepContext& context, State& state, Workspace& workspace) const {
  auto& w = static_cast<EventScratch&>(workspace);
  const Assembly& assembly = context.assembly;
  const double h = context.h;
  StepReport report;
  w.clock.start(w.measure_time);
  w.mechanics.factorisations = 0;
  w.mechanics.take(context.contacts);
  w.mechanics.count_turns_from(state.angles);
  w.q = state.q;
  w.v = state.v;
  if (!w.mechanics.move_to(w.q, w.v, state.time)) {
    report.status = SolveStatus::singular;
    return report;
  }
  if (state.step == 0)
    begin(w);
  else
    w.memory.read(state);
  State next = state;
  if (!has_hit(w.memory) && w.memory.modes_are_old) report.status = decide_modes(next, w, report);
  if (report.status == SolveStatus::converged)
    report.status =
        has_hit(w.memory) ? apply_impact(assembly, next, w, report) : move(context, next, w, report);
  report.factorisations = w.mechanics.factorisations;
  if (report.status != SolveStatus::converged) return report;
  w.memory.standstill = next.time > state.time + no_progress * h ? 0 : w.memory.standstill + 1;
  if (w.memory.standstill > allowed_standstill * (1 + context.contacts.count())) {
    report.status = SolveStatus::stalled;
    report.reason = no_end;
    return report;
  }
  w.memory.write(next);
  state = next;
  w.clock.mark(report.seconds.forces);
  return report;
}

SolveStatus EventDriven::apply_impact(const Assembly& assembly, State& state, EventScratch& w,
                                      StepReport& report) const {
  const SolveStatus status =
      w.impact.apply_impact(assembly, w.mechanics, tolerance(w.mechanics), state, w.memory, w, report);
  if (status == SolveStatus::converged)
    finish_step(assembly.system, w.mechanics.kinematics, w.impact.multipliers(), 0, state);
  return status;
}

SolveStatus EventDriven::decide_modes(State& state, EventScratch& w, StepReport& report) const {
  const SolveStatus status =
      w.decision.decide(w.mechanics, tolerance(w.mechanics), w.memory.contacts, w, report);
  if (status != SolveStatus::converged) report.reason = no_forces;
  if (status != SolveStatus::converged || has_hit(w.memory)) return status;
  w.memory.modes_are_old = false;
  w.projection.velocities(w.mechanics, w.memory.contacts, state.v);
  return status;
}

SolveStatus EventDriven::move(const StepContext& context, State& state, EventScratch& w,
                              StepReport& report) const {
  const SmoothEnd end =
      w.motion.advance(state, context.h, w.mechanics, w.forces, w.memory, context.hooks.should_stop);
  report.iterations += w.motion.evaluations();
  if (const SolveStatus ended = explain(end, options_.method, report); ended != SolveStatus::converged)
    return ended;
  report.work = w.motion.work();
  const double t = state.time + w.motion.length();
  w.q = w.motion.q();
  w.v = w.motion.v();
  const SolveStatus status = w.projection.positions(w.mechanics, w.motion.modes(), t, w.v, w.q);
  if (status != SolveStatus::converged) return status;
  w.projection.velocities(w.mechanics, w.motion.modes(), w.v);
  if (!std::isfinite(w.q.sum() + w.v.sum())) return SolveStatus::not_finite;
  state.q = w.q;
  state.v = w.v;
  std::copy_n(w.motion.contact_impulse(), state.contacts.reaction.size(), state.contacts.reaction.begin());
  state.contacts.status = w.motion.status();
  w.multipliers = Eigen::Map<const VectorX>(w.motion.joint_impulse(), w.multipliers.size());
  finish_step(context.assembly.system, w.mechanics.kinematics, w.multipliers, w.motion.length(), state);
  return status;
}

}  // namespace

void EventDrivenOptions::complain(std::vector<Complaint>& complaints) const {
  if (method == EventMethod::bdf || max_order == EventDrivenOptions().max_order) return;
  complaints.push_back({"integrator.max_order",
                        std::to_string(max_order) +
                            " is not allowed with `method: runge-kutta`, which is of order 6; only `method: "
                            "bdf` has a max_order",
                        "integrator.method"});
}

SchemeFacts EventDrivenOptions::facts() const {
  const bool is_bdf = method == EventMethod::bdf;
  const int order = is_bdf ? max_order : 6;
  return {.smooth_order = order,
          .joint_order = order,
          .impact_order = order,
          .constraints = ConstraintLevel::position_and_velocity,
          .has_moments = false,
          .is_explicit = !is_bdf,
          .chooses_steps = true,
          .restriction =
              is_bdf ? "the tolerances set the error, time.step only where the method begins anew, best "
                       "seldom; for few contacts"
                     : "the tolerances set the error, time.step only where steps end at the latest; for "
                       "few contacts"};
}

std::unique_ptr<Integrator> make_event_driven(const EventDrivenOptions& options, const SolverChoice& solver) {
  return std::make_unique<EventDriven>(options, solver);
}

}  // namespace percuss
