#pragma once

#include <string>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/integrators/integrator.h"

namespace percuss {

/// Why a step of size h from this state failed, with the names of what took part and what to change.
/// `can_raise_limit`: the scheme has an option newton_iterations.
std::string explain_failure(const Assembly& assembly, const ContactList& contacts, const StepReport& report,
                            const State& state, double h, bool can_raise_limit);

/// The first load that is not a finite number at time t, as a sentence; empty if all are.
std::string non_finite_load(const System& system, double t);

}  // namespace percuss
