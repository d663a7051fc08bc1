#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "percuss/dynamics/state.h"
#include "percuss/integrators/step_report.h"
#include "percuss/simulation/adaptive_options.h"
#include "percuss/simulation/contact_sums.h"
#include "percuss/simulation/energy_ledger.h"
#include "percuss/simulation/run_extremes.h"

namespace percuss {

/// What the steps since the last frame, or of the whole run, had in common.
struct StepStatistics {
  std::int64_t steps = 0;
  std::int64_t iterations = 0;
  std::int64_t factorisations = 0;
  std::int64_t impacts = 0;  ///< contacts that were hit, counted in each step
  int max_iterations = 0;
  std::array<std::int64_t, 3> by_level = {};  ///< iterations for the smooth motion, positions, velocities
  std::array<int, 3> max_by_level = {};
  std::int64_t fallbacks = 0;
  std::int64_t accumulations = 0;  ///< contacts closed at the end of ever faster impacts
  double last_accumulation = 0;    ///< when the last one was [s]
  std::int64_t parts = 0;          ///< steps, and short steps of schemes that divide them
  std::int64_t impulsive = 0;      ///< those with an impact
  int max_active_contacts = 0;
  double max_residual = 0;      ///< of the contact problems, relative
  double max_penetration = 0;   ///< [m]
  std::int64_t rejected = 0;    ///< tries of adaptive steps that were too inaccurate
  std::int64_t inaccurate = 0;  ///< adaptive steps of the smallest size, however inaccurate
  double max_displacement = 0;  ///< of a contact by the residual of a step, root mean square [m]
  double max_force_error = 0;   ///< by the same, as a part of the weight of what touches
  std::int64_t accepted = 0;    ///< steps whose contacts were solved to `solver.acceptable` only
  std::int64_t shortened = 0;   ///< steps that end at an impact because bodies would pass through each other
  std::int64_t halved = 0;      ///< steps that failed and were tried with half their size
  std::int64_t computed = 0;    ///< steps with all that were only tried
  double max_error = 0;         ///< largest estimate of the error of an adaptive step, relative
  double smallest_step = 0;     ///< of those that took time [s]; 0 if there is none
  double largest_step = 0;      ///< [s]

  void add(const StepReport& report, const State& after, int new_impacts, double penetration);
};

/// Everything a run is made of at one moment; a run continued from it goes on bit for bit.
struct Checkpoint {
  State state;
  std::int64_t intervals = 0;  ///< of the time grid that are finished
  double step_start = 0;       ///< time at which the last step began [s]
  StepControl control;         ///< of adaptive steps
  EnergyLedger energy;
  StepStatistics total, interval;
  RunExtremes extremes;
  std::vector<ContactSums> contacts;  ///< by number
  std::vector<DepartedContact> departed;
  /// Of each probe of the run that tells a peak: the largest value since the last frame.
  std::vector<double> peaks;
};

/// A step that went on although its contacts miss their tolerance.
struct AcceptedStep {
  double time = 0;          ///< its end [s]
  double size = 0;          ///< [s]
  double residual = 0;      ///< of its contact problems, relative
  double displacement = 0;  ///< of a contact by that residual, root mean square [m]
  int contact = 0;          ///< number of the contact whose law is missed most
};

/// One impact: a contact that was hit in the last step.
struct Impact {
  double time = 0;                   ///< end of the step
  int contact = 0;                   ///< its number
  double u_before = 0, u_after = 0;  ///< [m/s]
  double impulse = 0;                ///< [N s]
  double work = 0;                   ///< [J], negative = energy lost
};

}  // namespace percuss
