#include "percuss/simulation/simulation.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "percuss/simulation/diagnosis.h"
#include "percuss/simulation/probe.h"

namespace percuss {
namespace {

/// Steps between two whose wall time is measured.
constexpr std::int64_t timing_stride = 16;

RunConfig checked(const RunConfig& config) {
  if (auto complaints = validate(config); !complaints.empty()) throw ModelError(std::move(complaints));
  return config;
}

}  // namespace

void StepStatistics::add(const StepReport& report, int new_impacts, double penetration) {
  ++steps;
  iterations += report.iterations;
  factorisations += report.factorisations;
  impacts += new_impacts;
  max_iterations = std::max(max_iterations, report.iterations);
  max_active_contacts = std::max(max_active_contacts, report.active_contacts);
  max_residual = std::max(max_residual, report.residual);
  max_penetration = std::max(max_penetration, penetration);
}

Simulation::Simulation(const Model& model, const RunConfig& config)
    : assembly_(build_assembly(model)),
      config_(checked(config)),
      grid_(config_.time),
      integrator_(make_integrator(config_.integrator, config_.solver)),
      workspace_(integrator_->make_workspace(assembly_)) {
  current_.state = assembly_.system.initial;
  current_.state.time = config_.time.start;
  current_.energy = open_ledger(assembly_.system, current_.state);
  current_.contacts.resize(assembly_.contacts.contacts.size());
  impacts_.reserve(assembly_.contacts.contacts.size());
  const int n = assembly_.system.dof_count();
  for (VectorX* x : {&displacement_, &scratch_}) x->setZero(n);
  before_ = current_.state;
}

StepReport Simulation::step() {
  State& state = current_.state;
  const double h = grid_.step_size(state.step);
  const bool measure = state.step % timing_stride == 0;
  workspace_->measure_time = measure;
  before_ = state;
  StepReport report = integrator_->step(assembly_, h, state, *workspace_);
  if (report.status != SolveStatus::converged) return report;
  PhaseClock clock;
  clock.start(measure);
  if (!book(report, h)) {
    // The energies of a run that blows up overflow before its velocities do: no such state is recorded.
    state = before_;
    report.status = SolveStatus::not_finite;
    return report;
  }
  double ledger = 0;
  clock.mark(ledger);
  if (measure) {
    PhaseTimes scaled = report.seconds;
    for (double* phase : {&scaled.forces, &scaled.contacts, &scaled.solver}) *phase *= timing_stride;
    wall_.step += scaled;
    wall_.ledger += ledger * timing_stride;
  }
  return report;
}

bool Simulation::book(const StepReport& report, double h) {
  State& state = current_.state;
  EnergyLedger energy = current_.energy;
  book_step(assembly_, h, before_.q, before_.v, state, energy, displacement_, scratch_);
  impacts_.clear();
  if (!is_finite(energy)) return false;
  current_.energy = energy;
  current_.last_step = h;
  state.time = grid_.time(state.step);
  double penetration = 0;
  for (int c = 0; c < contact_count(); ++c) {
    const Contact& contact = assembly_.contacts.contacts[c];
    penetration = std::max(penetration, -contact.gap(state.q));
    if (state.contact_status[c] == ContactStatus::open) continue;
    const double r = state.reaction[c];
    const double work = contact_work(contact, r, before_.v, state.v);
    ContactSums& sums = current_.contacts[c];
    sums.impulse += r;
    sums.interval_impulse += r;
    sums.interval_work += work;
    sums.interval_status = std::max(sums.interval_status, state.contact_status[c]);
    if (state.contact_status[c] == ContactStatus::impact)
      impacts_.push_back({state.time, c, contact.velocity(before_.v), contact.velocity(state.v), r, work});
  }
  const int new_impacts = static_cast<int>(impacts_.size());
  current_.total.add(report, new_impacts, penetration);
  current_.interval.add(report, new_impacts, penetration);
  return true;
}

StepReport Simulation::advance_to(double time) {
  StepReport report;
  const double tolerance = 1e-9 * config_.time.step;
  while (!finished() && current_.state.time < time - tolerance && report.status == SolveStatus::converged)
    report = step();
  return report;
}

std::string Simulation::why_it_failed(const StepReport& report) const {
  const State& state = current_.state;
  return explain_failure(assembly_, report, state, grid_.step_size(state.step));
}

Vector3 Simulation::position(const std::string& body) const {
  return assembly_.system.bodies[assembly_.system.body_index.at(body)].point.position(current_.state.q);
}
Vector3 Simulation::velocity(const std::string& body) const {
  return assembly_.system.bodies[assembly_.system.body_index.at(body)].point.velocity(current_.state.v);
}
double Simulation::probe(const std::string& text) const { return Probe::parse(text, assembly_).value(*this); }

double Simulation::contact_force(int contact) const {
  const bool carries_force = current_.state.contact_status[contact] == ContactStatus::slip ||
                             current_.state.contact_status[contact] == ContactStatus::stick;
  return carries_force ? current_.state.reaction[contact] / current_.last_step : 0.0;
}

ContactReport Simulation::contact_report(int contact) const {
  const ContactSums& sums = current_.contacts[contact];
  const State& state = current_.state;
  return {view_contact(assembly_.system, assembly_.contacts, contact, state.q, state.v),
          contact_force(contact), sums.interval_impulse, sums.interval_status, sums.interval_work};
}

std::vector<std::string> Simulation::initial_overlaps() const {
  std::vector<std::string> overlaps;
  const double tolerance = 1e-12 * assembly_.system.size;
  for (const Contact& contact : assembly_.contacts.contacts) {
    const double gap = contact.gap(assembly_.system.initial.q);
    if (gap < -tolerance)
      overlaps.push_back(fmt::format("'{}' overlaps '{}' by {:.6g} m at the start",
                                     assembly_.system.bodies[contact.body].name,
                                     assembly_.contacts.walls[contact.wall].name, -gap));
  }
  return overlaps;
}

void Simulation::restore(const Checkpoint& checkpoint) {
  const State& initial = assembly_.system.initial;
  if (checkpoint.state.q.size() != initial.q.size() || checkpoint.state.v.size() != initial.v.size() ||
      checkpoint.contacts.size() != current_.contacts.size() ||
      checkpoint.state.reaction.size() != initial.reaction.size())
    throw std::invalid_argument("the checkpoint belongs to another model: its sizes differ");
  current_ = checkpoint;
}

void Simulation::begin_interval() {
  current_.interval = {};
  for (ContactSums& sums : current_.contacts) {
    sums.interval_impulse = sums.interval_work = 0;
    sums.interval_status = ContactStatus::open;
  }
}

}  // namespace percuss
