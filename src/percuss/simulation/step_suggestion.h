#pragma once

#include <optional>
#include <string>
#include <vector>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/simulation/simulation.h"

namespace percuss {

/// A step that something in a model asks for, and why.  docs/howto/choose_a_step.md
struct StepLimit {
  double step = 0;  ///< [s]
  std::string reason;
};

/// What can be said about the step of a scene before it is run.
struct StepSuggestion {
  double step = 0;  ///< the smallest of the limits, rounded down to 1, 2 or 5 times a power of ten [s]
  std::vector<StepLimit> limits;     ///< the smallest first
  std::vector<std::string> remarks;  ///< what does not limit the step, and what is not known
};
StepSuggestion suggest_step(const Simulation& simulation);

/// Highest natural frequency of the system at its start, with its joints and without contacts [rad/s]; 0 if
/// nothing is elastic, nothing if the mass matrix cannot be factorised.
std::optional<double> highest_frequency(const System& system);

/// The largest of 1, 2 or 5 times a power of ten that is not larger.
double rounded_down(double step);

}  // namespace percuss
