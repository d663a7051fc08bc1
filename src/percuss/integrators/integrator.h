#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "percuss/contacts/contact_set.h"
#include "percuss/integrators/phase_clock.h"
#include "percuss/nonsmooth/problem.h"

namespace percuss {

/// What a step did. Unless the status is `converged` the State is as it was before the step.
struct StepReport {
  SolveStatus status = SolveStatus::converged;
  int iterations = 0;       ///< linear solves
  int factorisations = 0;   ///< of the iteration matrix
  int active_contacts = 0;  ///< contacts in the one-step problem
  double residual = 0;      ///< the judge's, relative; 0 without contacts
  PhaseTimes seconds;       ///< zero unless measured
};

/// At which level a scheme satisfies the constraints at the end of a step.
enum class ConstraintLevel { velocity };

/// What a scheme promises; the tests believe nothing else.
struct SchemeFacts {
  std::string_view name;
  int smooth_order = 1;  ///< without impacts and joints
  int joint_order = 1;   ///< with joints, without impacts
  int impact_order = 1;
  ConstraintLevel constraints = ConstraintLevel::velocity;
};

/// Scratch of a scheme: allocated once, carries nothing that changes a result.
class Workspace {
 public:
  virtual ~Workspace() = default;
  bool measure_time = false;
  PhaseClock clock;
  /// Called with every contact problem of a step, if given.
  std::function<void(const LocalProblem&, const Solution&)> observer;
};

/// A time-stepping scheme with its options. Constant: one object may serve many threads.
class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual SchemeFacts facts() const = 0;
  virtual std::unique_ptr<Workspace> make_workspace(const Assembly& assembly) const = 0;
  /// Advances the state by h. `work` must come from make_workspace of this object for this assembly.
  virtual StepReport step(const Assembly& assembly, double h, State& state, Workspace& work) const = 0;
};

}  // namespace percuss
