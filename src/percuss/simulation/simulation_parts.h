#pragma once

#include "percuss/contacts/detection.h"
#include "percuss/integrators/integrator.h"
#include "percuss/simulation/adaptive_stepper.h"
#include "percuss/simulation/contact_record.h"
#include "percuss/simulation/energy_accounting.h"
#include "percuss/simulation/simulation.h"

namespace percuss {

/// What a Simulation has: apart from it, so that programs which use one need no header of the rooms below.
struct Simulation::Parts {
  Parts(Assembly built, const RunConfig& given);

  Assembly assembly;  ///< constant from here on; others look at it
  RunConfig config;
  std::vector<Probe> probes;
  std::vector<Probe> peaks;  ///< those of the probes whose values are in Checkpoint::peaks
  TimeGrid grid;
  std::unique_ptr<Integrator> integrator;
  std::unique_ptr<Workspace> workspace;
  StepHooks hooks;
  Detection detection;
  Realignment realignment;
  ContactNumbers numbers;
  std::unique_ptr<AdaptiveStepper> stepper;  ///< of adaptive steps
  Checkpoint current;                        ///< its energies are evaluated when somebody asks
  std::vector<Impact> impacts;
  std::vector<AcceptedStep> accepted;
  double thinnest = 0;       ///< body that another one can pass through [m]
  bool may_shorten = false;  ///< steps end at impacts that bodies would pass through
  bool may_halve = false;    ///< steps that fail are tried again
  double tried = 0;          ///< size of the last step that was tried [s]
  double still_energy =
      0;                   ///< of motions that are nothing but rounding, times the square of the step [J s^2]
  double contact_horizon;  ///< how far the steps look for contacts [m]
  State before;            ///< at the start of the step
  std::unique_ptr<Configuration> start;  ///< there
  std::unique_ptr<Configuration> now;  ///< in the current state; of the contacts what steps and booking need
  VectorX joint_values;                ///< scratch
  BookingWork booking;
  EnergyLedger energies;      ///< current.energy with the energies of the state
  bool has_energies = false;  ///< whether that is the current state
  WallTimes measured;         ///< of measured_steps among steps_taken
  std::int64_t measured_steps = 0, steps_taken = 0;
};

}  // namespace percuss
