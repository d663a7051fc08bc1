#include "percuss/simulation/energy_accounting.h"

#include <algorithm>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/dynamics/energies.h"
#include "percuss/dynamics/pools/loads.h"

namespace percuss {
namespace {

/// Loads and dampers act over the displacement that really took place, halfway (E-2).
void book_forces(const System& system, double h, const State& before, const State& after, BookingWork& work,
                 EnergyLedger& ledger) {
  if (h == 0) return;  // an impact alone: nothing moves
  if (system.loads.empty() && !system.has_dampers() && !system.has_frames()) return;
  difference(system, before.q, after.q, work.increment);
  if (!system.has_constant_matrices() || system.forces_need_poses()) {
    work.q = before.q;
    work.velocity = 0.5 * work.increment;
    retract(system, work.velocity, work.q);
  }
  work.velocity = work.increment / h;
  const double t = after.time - 0.5 * h;
  if (!system.loads.empty() || system.pools_need_poses())
    update(system, work.q, work.velocity, t, work.kinematics);
  if (!system.loads.empty()) {
    work.force.setZero();
    add_loads(system.loads, system.bodies, work.kinematics, t, work.force);
    ledger.work_loads += work.force.dot(work.increment);
  }
  if (system.has_frames()) ledger.work_drives += h * prescribed_power(system, work.kinematics);
  if (system.has_dampers())
    ledger.loss_dampers += h * damping_power(system, work.q, work.velocity, work.kinematics);
}

/// The impulse of a joint does work only where a motion is prescribed: -Lambda g_t, with the mean of g_t at
/// both ends, as velocities that jump ask for (E-5).
void book_drives(const System& system, const State& before, const Kinematics& start, const State& after,
                 const Kinematics& end, BookingWork& work, EnergyLedger& ledger) {
  if (!work.has_drives) return;
  for (const bool is_start : {true, false}) {
    constraint_rates(system, is_start ? start : end, (is_start ? before : after).time, work.rates);
    for (int i = 0; i < system.constraint_count(); ++i)
      ledger.work_drives -= 0.5 * after.joint_impulse[i] * work.rates[i];
  }
}

/// Work of the reactions of a contact in a step, r (u_n + u_{n+1})/2 (E-3) unless the scheme knows it [J].
struct ContactWork {
  double normal = 0, tangential = 0, rolling = 0, spinning = 0;

  double sum() const { return normal + tangential + rolling + spinning; }
  /// The part to which a row of a contact belongs.
  double& of_row(const Contact& contact, int row) {
    if (row < contact.first_tangent()) return normal;
    if (row < contact.first_moment()) return tangential;
    return contact.moment_axis(row - contact.first_moment()) == 0 ? spinning : rolling;
  }
};
ContactWork contact_work(const ContactList& contacts, int c, const State& before,
                         const ContactKinematics& start, const State& after, const ContactKinematics& end,
                         const std::optional<StepWork>& known) {
  if (known) return {.tangential = known->contacts[static_cast<size_t>(c)]};
  const Contact& contact = contacts[c];
  const double* r = &after.contacts.reaction[contact.row];
  ContactWork work;
  // Normal and tangents turn together; the reaction has the frame of the end, so sliding is measured in it.
  for (int row = 0; row < contact.rows; ++row) {
    const bool is_normal = row < contact.first_tangent();
    const double u_before = relative_velocity(contacts, is_normal ? start : end, c, row, before.v);
    work.of_row(contact, row) +=
        r[row] * 0.5 * (u_before + relative_velocity(contacts, end, c, row, after.v));
  }
  return work;
}

}  // namespace

BookingWork::BookingWork(const Assembly& assembly) : kinematics(make_kinematics(assembly.system)) {
  for (VectorX* x : {&increment, &velocity, &force}) x->setZero(assembly.system.dof_count());
  q = assembly.system.initial.q;
  rates.setZero(assembly.system.constraint_count());
  const System& system = assembly.system;
  has_drives = system.constraint_count() > 0 &&
               (system.has_frames() || std::ranges::any_of(system.joints.rows, [](const auto& row) {
                  return row.target.has_value();
                }));
}

EnergyLedger open_ledger(const Assembly& assembly, const State& state, Kinematics& at, BookingWork& work) {
  EnergyLedger ledger;
  evaluate_energies(assembly.system, state, at, work, ledger);
  ledger.initial = ledger.total();
  ledger.loss_algorithmic = 0;
  return ledger;
}

void evaluate_energies(const System& system, const State& state, Kinematics& at, BookingWork& work,
                       EnergyLedger& ledger) {
  ledger.kinetic = kinetic_energy(system, state.q, state.v, at, work.force);
  ledger.potential = potential_energy(system, state.q, at);
  ledger.strain = strain_energy(system, state.q, at);
  ledger.loss_algorithmic = ledger.initial + ledger.work_loads + ledger.work_drives - ledger.loss_dampers -
                            ledger.contact_losses() - ledger.total();
}

void accumulate_energies(const Assembly& assembly, const ContactList& contacts, double h, const State& before,
                         const Configuration& at_start, const State& after, const Configuration& at_end,
                         const std::optional<StepWork>& known, BookingWork& work, EnergyLedger& ledger) {
  const ContactKinematics &start = at_start.contacts, &end = at_end.contacts;
  const System& system = assembly.system;
  if (!after.angles.empty()) work.kinematics.angles = after.angles;
  if (known) {
    ledger.work_loads += known->loads;
    ledger.work_drives += known->drives;
    ledger.loss_dampers += known->dampers;
  } else {
    book_forces(system, h, before, after, work, ledger);
    book_drives(system, before, at_start.kinematics, after, at_end.kinematics, work, ledger);
  }
  work.contacts.resize(contacts.contacts.size());
  for (int c = 0; c < contacts.count(); ++c) {
    if (after.contacts.status[c] == ContactStatus::open) continue;
    const ContactWork done = contact_work(contacts, c, before, start, after, end, known);
    work.contacts[c] = done.sum();
    ledger.loss_impacts -= done.normal;
    ledger.loss_friction -= done.tangential;
    ledger.loss_rolling -= done.rolling;
    ledger.loss_spinning -= done.spinning;
    if (known) continue;
    const Contact& contact = contacts[c];
    for (int i = contact.row; i < contact.row + contact.rows; ++i)
      ledger.work_drives -= 0.5 * after.contacts.reaction[i] * (start.motion[i] + end.motion[i]);
  }
}

}  // namespace percuss
