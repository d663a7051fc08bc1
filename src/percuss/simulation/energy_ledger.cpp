#include "percuss/simulation/energy_ledger.h"

#include "percuss/dynamics/energies.h"

namespace percuss {
namespace {

void weigh(const System& system, const State& state, EnergyLedger& ledger) {
  ledger.kinetic = kinetic_energy(system, state.v);
  ledger.potential = gravity_potential(system, state.q);
  ledger.strain = strain_energy(system, state.q);
}

}  // namespace

EnergyLedger open_ledger(const System& system, const State& state) {
  EnergyLedger ledger;
  weigh(system, state, ledger);
  ledger.initial = ledger.total();
  return ledger;
}

double contact_work(const Contact& contact, double reaction, const VectorX& v_before,
                    const VectorX& v_after) {
  return reaction * 0.5 * (contact.velocity(v_before) + contact.velocity(v_after));
}

void book_step(const Assembly& assembly, double h, const VectorX& q_before, const VectorX& v_before,
               const State& after, EnergyLedger& ledger, VectorX& displacement, VectorX& scratch) {
  const System& system = assembly.system;
  const bool loaded = !system.loads.empty() || !system.constant_loads.empty();
  if (loaded || system.has_dampers()) displacement = after.q - q_before;
  if (loaded) ledger.work_loads += load_work(system, after.time - 0.5 * h, displacement);
  if (system.has_dampers()) {
    // h P(q_mean, dq/h): the power of the displacement that really took place (E-2).
    displacement /= h;
    scratch = 0.5 * (q_before + after.q);
    ledger.loss_dampers += h * damping_power(system, scratch, displacement);
  }
  for (int c = 0; c < assembly.contacts.count(); ++c)
    if (after.reaction[c] != 0)
      ledger.loss_impacts -=
          contact_work(assembly.contacts.contacts[c], after.reaction[c], v_before, after.v);
  weigh(system, after, ledger);
  ledger.loss_algorithmic =
      ledger.initial + ledger.work_loads - ledger.loss_dampers - ledger.loss_impacts - ledger.total();
}

}  // namespace percuss
