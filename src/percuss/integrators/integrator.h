#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "percuss/contacts/configuration.h"
#include "percuss/integrators/phase_clock.h"
#include "percuss/integrators/scheme_facts.h"
#include "percuss/integrators/step_report.h"
#include "percuss/nonsmooth/problem.h"

namespace percuss {

/// What a caller wants to know of steps while they are computed.
struct StepHooks {
  /// Called with every contact problem of a step and its answer, if given.
  std::function<void(const LocalProblem&, const Solution&, const State& before)> observer;
  /// Asked now and then in steps that may take long, if given.
  std::function<bool()> should_stop;
};

/// What a step is made of besides the state that it advances.
struct StepContext {
  const Assembly& assembly;
  const ContactList& contacts;  ///< that may become active; those of the state, of `start` and of `end`
  double h;                     ///< [s]
  /// At the state from which the step starts; contacts beyond the horizon of the scheme may be missing.
  const Configuration& start;
  /// Memory for the configuration at the end of the step. The scheme leaves there what it has computed of it;
  /// Configuration::complete adds the rest.
  Configuration& end;
  const StepHooks& hooks;
  const State& before;  ///< for the observer: the state from which the motion is followed
  /// The step of which this one may be a part: velocities are computed as exactly as if it were taken whole;
  /// 0 if this one is not a part of another [s].
  double whole = 0;
};

/// Scratch of a scheme: allocated once, carries nothing that changes a result.
class Workspace {
 public:
  virtual ~Workspace() = default;
  bool measure_time = false;
  PhaseClock clock;

  /// During a step only.
  const ContactList& list() const { return context_->contacts; }
  const Configuration& start() const { return context_->start; }
  /// Of a contact before the step, for laws whose friction depends on it [m/s]; 0 for others.
  double sliding_speed(int c) const {
    return sliding_speeds_.empty() ? 0.0 : sliding_speeds_[static_cast<size_t>(c)];
  }
  Configuration& end() { return context_->end; }
  double whole_step() const { return context_->whole > 0 ? context_->whole : context_->h; }
  void tell(const LocalProblem& problem, const Solution& solution) const {
    if (context_->hooks.observer) context_->hooks.observer(problem, solution, context_->before);
  }

 private:
  friend class Integrator;
  void find_sliding_speeds(const VectorX& v);

  const StepContext* context_ = nullptr;
  std::vector<double> sliding_speeds_;  ///< by contact of the list; empty if no law asks for them
};

/// A time-stepping scheme with its options. Constant: one object may serve many threads.
class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Numbers that the scheme carries from step to step besides q and v (State::memory). It sets them itself
  /// in the step with State::step == 0.
  virtual int memory_size(const System& /*system*/) const { return 0; }
  /// The same for each contact (ContactState::memory); zero for a contact that was not listed before.
  virtual int contact_memory_size() const { return 0; }
  virtual std::unique_ptr<Workspace> make_workspace(const Assembly& assembly) const = 0;
  /// A step does not look at contacts that are farther open than this where it starts [m]:
  /// StepContext::start may be without them (see evaluate_near_contacts).
  virtual double contact_horizon(const Assembly& /*assembly*/) const {
    return std::numeric_limits<double>::infinity();
  }
  /// Advances the state by context.h. A scheme that looks for events may end its step earlier, and an impact
  /// alone takes no time at all: State::last_step says how far it came, and is exactly h if it came to the
  /// end. Reactions of a step of length zero are impulses, of contacts with the status `impact`. `work` must
  /// come from make_workspace of this object for this assembly.
  StepReport step(const StepContext& context, State& state, Workspace& work) const {
    work.context_ = &context;
    work.find_sliding_speeds(state.v);
    StepReport report = advance(context, state, work);
    work.context_ = nullptr;
    return report;
  }

 private:
  virtual StepReport advance(const StepContext& context, State& state, Workspace& work) const = 0;
};

}  // namespace percuss
