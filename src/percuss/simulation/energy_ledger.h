#pragma once

#include <array>
#include <cmath>
#include <string_view>

#include "percuss/contacts/contact_set.h"

namespace percuss {

/// Where the energy is and where it went [J].  docs/theory/energy.md
struct EnergyLedger {
  double kinetic = 0;
  double potential = 0;         ///< of gravity, zero at the datum
  double strain = 0;            ///< of springs
  double work_loads = 0;        ///< done by given forces since the start
  double loss_dampers = 0;      ///< since the start, like all losses
  double loss_impacts = 0;      ///< minus the work of the contact reactions
  double loss_algorithmic = 0;  ///< of the scheme: the remainder
  double initial = 0;           ///< total at the start

  double total() const { return kinetic + potential + strain; }
};

/// The columns of the ledger by the names that users type: `energy.kinetic`.
struct LedgerColumn {
  std::string_view name;
  double EnergyLedger::*member;
};
inline constexpr std::array<LedgerColumn, 8> ledger_columns = {
    {{"kinetic", &EnergyLedger::kinetic},
     {"potential", &EnergyLedger::potential},
     {"strain", &EnergyLedger::strain},
     {"work_loads", &EnergyLedger::work_loads},
     {"loss_dampers", &EnergyLedger::loss_dampers},
     {"loss_impacts", &EnergyLedger::loss_impacts},
     {"loss_algorithmic", &EnergyLedger::loss_algorithmic},
     {"initial", &EnergyLedger::initial}}};

inline bool is_finite(const EnergyLedger& ledger) {
  double sum = 0;
  for (const auto& column : ledger_columns) sum += ledger.*column.member;
  return std::isfinite(sum) && std::isfinite(ledger.total());
}

EnergyLedger open_ledger(const System& system, const State& state);

/// Work of the reactions of a step, r (u_n + u_{n+1})/2 each (E-3) [J].
double contact_work(const Contact& contact, double reaction, const VectorX& v_before, const VectorX& v_after);

/// Books one step of size h from (q, v) to `after`. `displacement` and `mean_velocity` are scratch.
void book_step(const Assembly& assembly, double h, const VectorX& q_before, const VectorX& v_before,
               const State& after, EnergyLedger& ledger, VectorX& displacement, VectorX& scratch);

}  // namespace percuss
