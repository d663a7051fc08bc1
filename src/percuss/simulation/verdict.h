#pragma once

#include <string>
#include <vector>

#include "percuss/simulation/run.h"

namespace percuss {

/// What a user should know before trusting the results of a run.  docs/howto/trust_a_run.md
struct Verdict {
  std::vector<std::string> good;      ///< what was looked at and is within its limit
  std::vector<std::string> doubtful;  ///< what is not, with its limit and what to do
};

/// Limits of the verdict.
namespace trust {
inline constexpr double energy = 0.01;           ///< lost or gained by the scheme, of the energy exchanged
inline constexpr double joint_violation = 1e-3;  ///< of joints: of the model's size, or radians
inline constexpr double overlap = 0.01;          ///< of the thinner of two bodies
}  // namespace trust

/// The energy that was exchanged in a run [J]: the largest kinetic energy, the work done on the system or the
/// losses, whichever is most.
double exchanged_energy(const EnergyLedger& energy, const RunExtremes& extremes);

Verdict judge_run(const Simulation& simulation, RunEnd end = RunEnd::finished);
/// Lines to print, the first one says which it is.
std::vector<std::string> verdict_lines(const Verdict& verdict);

}  // namespace percuss
