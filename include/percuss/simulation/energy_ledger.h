#pragma once

#include <array>
#include <cmath>
#include <string_view>

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
  double loss_rolling = 0;      ///< minus the work of the moments that resist rolling
  double loss_spinning = 0;     ///< minus the work of the moments that resist spinning
  double loss_algorithmic = 0;  ///< of the scheme: the remainder
  double initial = 0;           ///< total at the start

  double total() const { return kinetic + potential + strain; }
  /// In contacts, since the start.
  double contact_losses() const { return loss_impacts + loss_friction + loss_rolling + loss_spinning; }
};

/// The columns of the ledger by the names that users type: `energy.kinetic`.
struct LedgerColumn {
  std::string_view name;
  double EnergyLedger::*member;
};
inline constexpr std::array<LedgerColumn, 12> ledger_columns = {
    {{"kinetic", &EnergyLedger::kinetic},
     {"potential", &EnergyLedger::potential},
     {"strain", &EnergyLedger::strain},
     {"work_loads", &EnergyLedger::work_loads},
     {"work_drives", &EnergyLedger::work_drives},
     {"loss_dampers", &EnergyLedger::loss_dampers},
     {"loss_impacts", &EnergyLedger::loss_impacts},
     {"loss_friction", &EnergyLedger::loss_friction},
     {"loss_rolling", &EnergyLedger::loss_rolling},
     {"loss_spinning", &EnergyLedger::loss_spinning},
     {"loss_algorithmic", &EnergyLedger::loss_algorithmic},
     {"initial", &EnergyLedger::initial}}};

inline bool is_finite(const EnergyLedger& ledger) {
  double sum = 0;
  for (const auto& column : ledger_columns) sum += ledger.*column.member;
  return std::isfinite(sum) && std::isfinite(ledger.total());
}

}  // namespace percuss
