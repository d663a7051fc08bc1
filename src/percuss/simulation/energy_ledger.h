#pragma once

#include <array>
#include <cmath>
#include <string_view>

#include "percuss/integrators/integrator.h"

namespace percuss {

/// Where the energy is and where it went [J].  docs/theory/energy.md
struct EnergyLedger {
  double kinetic = 0;
  double potential = 0;         ///< of gravity, zero at the datum
  double strain = 0;            ///< of springs
  double work_loads = 0;        ///< done by given forces since the start
  double work_drives = 0;       ///< done by prescribed motions
  double loss_dampers = 0;      ///< since the start, like all losses
  double loss_impacts = 0;      ///< minus the work of the normal reactions
  double loss_friction = 0;     ///< minus the work of the tangential reactions and of dry joints
  double loss_algorithmic = 0;  ///< of the scheme: the remainder
  double initial = 0;           ///< total at the start

  double total() const { return kinetic + potential + strain; }
};

/// The columns of the ledger by the names that users type: `energy.kinetic`.
struct LedgerColumn {
  std::string_view name;
  double EnergyLedger::*member;
};
inline constexpr std::array<LedgerColumn, 10> ledger_columns = {
    {{"kinetic", &EnergyLedger::kinetic},
     {"potential", &EnergyLedger::potential},
     {"strain", &EnergyLedger::strain},
     {"work_loads", &EnergyLedger::work_loads},
     {"work_drives", &EnergyLedger::work_drives},
     {"loss_dampers", &EnergyLedger::loss_dampers},
     {"loss_impacts", &EnergyLedger::loss_impacts},
     {"loss_friction", &EnergyLedger::loss_friction},
     {"loss_algorithmic", &EnergyLedger::loss_algorithmic},
     {"initial", &EnergyLedger::initial}}};

inline bool is_finite(const EnergyLedger& ledger) {
  double sum = 0;
  for (const auto& column : ledger_columns) sum += ledger.*column.member;
  return std::isfinite(sum) && std::isfinite(ledger.total());
}

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
