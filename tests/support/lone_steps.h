#pragma once

#include <limits>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/integrators/integrator.h"

namespace percuss::testing {

/// Steps of a scheme without a simulation around it: every configuration is computed anew.
class LoneSteps {
 public:
  LoneSteps(const Integrator& integrator, const Assembly& assembly)
      : integrator_(integrator), assembly_(assembly), work_(integrator.make_workspace(assembly)) {}

  StepReport step(double h, State& state) {
    Configuration start(assembly_), end(assembly_);
    start.complete(assembly_, assembly_.interactions.declared, state,
                   std::numeric_limits<double>::infinity());
    const State before = state;
    return integrator_.step({assembly_, assembly_.interactions.declared, h, start, end, {}, before}, state,
                            *work_);
  }

 private:
  const Integrator& integrator_;
  const Assembly& assembly_;
  std::unique_ptr<Workspace> work_;
};

}  // namespace percuss::testing
