#pragma once

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/integrators/integrator.h"
#include "percuss/simulation/energy_accounting.h"
#include "percuss/simulation/energy_ledger.h"

namespace percuss {

/// What booking needs besides the ledger: scratch memory.
struct BookingWork {
  explicit BookingWork(const Assembly& assembly);
  Kinematics kinematics;
  VectorX increment, velocity, q, force, rates;
  bool has_drives = false;       ///< whether a joint does work on the system
  std::vector<double> contacts;  ///< of each contact that is not open: work of its reaction in the step [J]
};

/// `at` must be at the state.
EnergyLedger open_ledger(const Assembly& assembly, const State& state, Kinematics& at, BookingWork& work);

/// Where the energy is now, and from that what the scheme has lost. It depends on the state and on what was
/// booked, so it is enough to weigh when somebody asks.
void evaluate_energies(const System& system, const State& state, Kinematics& at, BookingWork& work,
                       EnergyLedger& ledger);

/// Books work and losses of one step of size h, which may be zero, from `before` to `after`; `start` and
/// `end` are the configurations there. Work that the scheme knows better is `known`. What contacts did is in
/// `work` then.
void accumulate_energies(const Assembly& assembly, const ContactList& contacts, double h, const State& before,
                         const Configuration& start, const State& after, const Configuration& end,
                         const std::optional<StepWork>& known, BookingWork& work, EnergyLedger& ledger);

}  // namespace percuss
