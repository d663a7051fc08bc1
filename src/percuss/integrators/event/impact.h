#pragma once

#include "percuss/integrators/event/event_memory.h"
#include "percuss/integrators/event/mechanics.h"
#include "percuss/integrators/event/mode_decision.h"
#include "percuss/integrators/one_step/contact_stage.h"

namespace percuss {

/// Newton's law of impact with friction at one moment: the one-step problem of the suite without forces.
/// (EV-11), and (EV-12) where impacts accumulate
class ImpactStage {
 public:
  ImpactStage(const Assembly& assembly, const SolverChoice& solver, const SaddlePoint& saddle,
              double accumulation_time);

  /// `mechanics` must be at the state. Changes v, reactions, statuses, joint impulses and the memory.
  SolveStatus apply_impact(const Assembly& assembly, Mechanics& mechanics, const TouchTolerance& tolerance,
                           State& state, EventMemory& memory, Workspace& work, StepReport& report);
  const VectorX& multipliers() const { return multipliers_; }  ///< impulses of the joints

 private:
  void choose(const Mechanics& mechanics, const TouchTolerance& tolerance, double time, EventMemory& memory);
  SolveStatus solve(const Assembly& assembly, Mechanics& mechanics, const State& state, Workspace& work,
                    StepReport& report);
  bool is_last_of_many(double time, double speed, ContactMemory& memory) const;

  ContactStage contacts_;
  ActiveContacts active_;
  double accumulation_time_;
  int accumulations_ = 0;
  VectorX v_, change_, impulse_, multipliers_, residual_, rate_, scale_, constraint_residual_, b_, dx_;
};

}  // namespace percuss
