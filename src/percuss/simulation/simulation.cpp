#include "percuss/simulation/simulation.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/contacts/declared_overlaps.h"
#include "percuss/integrators/integrator.h"
#include "percuss/nonsmooth/solvers.h"
#include "percuss/simulation/diagnosis.h"
#include "percuss/simulation/energy_accounting.h"
#include "percuss/simulation/simulation_parts.h"

namespace percuss {
namespace {

/// Motion in a step that counts as none, as a part of the model's size.
constexpr double still_motion = 1e-9;
RunConfig checked(const RunConfig& config, const Assembly& assembly) {
  auto complaints = validate(config);
  if (complaints.empty()) complaints = restrictions(config, assembly);
  if (!complaints.empty()) throw ModelError(std::move(complaints));
  if (assembly.system.initial.time != config.time.start)
    throw std::invalid_argument(fmt::format("the model was built for a start at {} s, not at {} s",
                                            assembly.system.initial.time, config.time.start));
  return config;
}

/// The threads are there before the memory of the steps is, whose size depends on them.
Assembly assembly_for_run(Assembly assembly, const RunConfig& config) {
  if (config.threads > 1) assembly.system.workers = std::make_shared<Workers>(config.threads);
  assembly.steps_vary = config.time.adaptive.has_value();
  return assembly;
}

}  // namespace

void StepStatistics::add(const StepReport& report, const State& after, int new_impacts, double penetration) {
  const double h = after.last_step;
  ++steps;
  iterations += report.iterations;
  factorisations += report.factorisations;
  impacts += new_impacts;
  max_iterations = std::max(max_iterations, report.iterations);
  for (size_t level = 0; level < by_level.size(); ++level) {
    by_level[level] += report.by_level[level];
    max_by_level[level] = std::max(max_by_level[level], report.by_level[level]);
  }
  fallbacks += report.fallbacks;
  accumulations += report.accumulations;
  if (report.accumulations > 0) last_accumulation = after.time;
  parts += report.parts;
  impulsive += report.impulsive_parts > 0 || report.parts > 1 ? report.impulsive_parts : new_impacts > 0;
  max_active_contacts = std::max(max_active_contacts, report.active_contacts);
  rejected += report.rejected;
  inaccurate += report.inaccurate;
  accepted += report.accepted;
  shortened += report.shortened;
  halved += report.halved;
  computed += report.computed;
  max_error = std::max(max_error, report.error);
  max_residual = std::max(max_residual, report.residual);
  max_displacement = std::max(max_displacement, report.displacement);
  max_force_error = std::max(max_force_error, report.force_error);
  max_penetration = std::max(max_penetration, penetration);
  if (h > 0) smallest_step = smallest_step > 0 ? std::min(smallest_step, h) : h;
  largest_step = std::max(largest_step, h);
}

Simulation::Simulation(const Model& model, const RunConfig& config)
    : Simulation(build_assembly(model, config.time.start), config) {}

Simulation::Parts::Parts(Assembly built, const RunConfig& given)
    : assembly(assembly_for_run(std::move(built), given)),
      config(checked(given, assembly)),
      probes(parse_probes(config.record.probes, assembly)),
      grid(config),
      integrator(make_integrator(config.integrator, config.solver)),
      workspace(integrator->make_workspace(assembly)),
      detection(assembly),
      contact_horizon(integrator->contact_horizon(assembly)),
      start(std::make_unique<Configuration>(assembly)),
      now(std::make_unique<Configuration>(assembly)),
      joint_values(VectorX::Zero(assembly.system.constraint_count())),
      booking(assembly) {
  std::ranges::copy_if(probes, std::back_inserter(peaks), &Probe::is_peak);
}

Simulation::Simulation(Assembly assembly, const RunConfig& config)
    : parts_(std::make_unique<Parts>(std::move(assembly), config)) {
  parts_->current.state = parts_->assembly.system.initial;
  parts_->current.state.time = parts_->current.step_start = parts_->config.time.start;
  parts_->current.state.memory.setZero(parts_->integrator->memory_size(parts_->assembly.system));
  for (const Contact& contact : contact_list().contacts)
    if (contact.is_always_listed) parts_->current.contacts.push_back({.id = contact.id});
  parts_->numbers.know(parts_->current.contacts);
  parts_->current.state.contacts = {};  // all are new: the scheme has its own memory for each
  realign(contact_list(), parts_->integrator->contact_memory_size(), parts_->current.state.contacts,
          parts_->realignment);
  parts_->numbers.follow(contact_list());
  parts_->now->complete(parts_->assembly, contact_list(), parts_->current.state, parts_->contact_horizon);
  parts_->thinnest = std::numeric_limits<double>::infinity();
  for (const Contact& contact : parts_->assembly.interactions.declared.contacts)
    parts_->thinnest = std::min(parts_->thinnest, contact.thickness);
  if (const auto& things = parts_->assembly.interactions.things)
    for (const Thing& thing : things->all) parts_->thinnest = std::min(parts_->thinnest, thing.thickness);
  const SchemeFacts promised = facts(parts_->config.integrator);
  parts_->may_shorten = parts_->assembly.interactions.things && !promised.is_for_study;
  parts_->may_halve = !promised.is_for_study && !promised.chooses_steps;
  if (parts_->detection.choose(parts_->assembly, parts_->current.state, longest_step(distance_to_grid())))
    follow_contacts();
  number_closed();
  parts_->current.energy =
      open_ledger(parts_->assembly, parts_->current.state, parts_->now->kinematics, parts_->booking);
  parts_->current.extremes.start_motion = parts_->current.energy.kinetic + parts_->current.energy.strain;
  parts_->current.extremes.start_potential = parts_->current.energy.potential;
  for (const BodyData& body : parts_->assembly.system.bodies)
    parts_->still_energy += body.mass * std::pow(still_motion * parts_->assembly.system.size, 2);
  parts_->impacts.reserve(2 * contact_list().contacts.size());
  if (parts_->config.time.adaptive)
    parts_->stepper =
        std::make_unique<AdaptiveStepper>(parts_->assembly, *parts_->integrator, parts_->config);
  parts_->before = parts_->current.state;
  parts_->current.peaks.assign(parts_->peaks.size(), 0.0);
}

Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

bool Simulation::finished() const { return parts_->current.intervals >= parts_->grid.step_count(); }
void Simulation::stop_when(std::function<bool()> should_stop) {
  parts_->hooks.should_stop = std::move(should_stop);
}
void Simulation::observe_problems(
    std::function<void(const LocalProblem&, const Solution&, const State&)> observer) {
  parts_->hooks.observer = std::move(observer);
}
const State& Simulation::state() const { return parts_->current.state; }
const RunConfig& Simulation::config() const { return parts_->config; }
const TimeGrid& Simulation::grid() const { return parts_->grid; }
const std::vector<Impact>& Simulation::impacts() const { return parts_->impacts; }
const std::vector<AcceptedStep>& Simulation::accepted() const { return parts_->accepted; }
const StepStatistics& Simulation::statistics() const { return parts_->current.total; }
const StepStatistics& Simulation::interval_statistics() const { return parts_->current.interval; }
const RunExtremes& Simulation::extremes() const { return parts_->current.extremes; }
double Simulation::last_step_start() const { return parts_->current.step_start; }
const std::vector<Probe>& Simulation::probes() const { return parts_->probes; }
const Assembly& Simulation::assembly() const { return parts_->assembly; }
const Kinematics& Simulation::kinematics() const { return parts_->now->kinematics; }

void Simulation::renew_workspace() {
  parts_->workspace = parts_->integrator->make_workspace(parts_->assembly);
  if (parts_->stepper) parts_->stepper->renew_workspaces();
}

Simulation::WallTimes Simulation::wall_times() const {
  WallTimes all = parts_->measured;
  const double scale = parts_->measured_steps > 0 ? static_cast<double>(parts_->steps_taken) /
                                                        static_cast<double>(parts_->measured_steps)
                                                  : 0.0;
  for (double* phase : {&all.step.forces, &all.step.contacts, &all.step.solver, &all.ledger}) *phase *= scale;
  return all;
}

const EnergyLedger& Simulation::energy() const {
  if (!parts_->has_energies) {
    parts_->energies = parts_->current.energy;
    evaluate_energies(parts_->assembly.system, parts_->current.state, parts_->now->kinematics,
                      parts_->booking, parts_->energies);
    parts_->has_energies = true;
  }
  return parts_->energies;
}

Checkpoint Simulation::checkpoint() const {
  Checkpoint checkpoint = parts_->current;
  checkpoint.energy = energy();
  return checkpoint;
}

double Simulation::joint_violation() const {
  VectorX g = VectorX::Zero(parts_->assembly.system.constraint_count());
  constraint_values(parts_->assembly.system, parts_->now->kinematics, parts_->current.state.time, g);
  return g.size() > 0 ? g.lpNorm<Eigen::Infinity>() : 0.0;
}

double Simulation::relative_joint_violation() const {
  if (parts_->assembly.system.constraint_count() == 0) return 0;
  constraint_values(parts_->assembly.system, parts_->now->kinematics, parts_->current.state.time,
                    parts_->joint_values);
  return relative_violation(parts_->assembly.system, parts_->joint_values);
}

double Simulation::joint_velocity_violation() const {
  const System& system = parts_->assembly.system;
  VectorX rates = VectorX::Zero(system.constraint_count()), g_t = rates;
  std::vector<double> G(system.joints.dof.size());
  constraint_jacobian(system, parts_->now->kinematics, G);
  constraint_rates(system, parts_->now->kinematics, parts_->current.state.time, g_t);
  multiply(system.joints, G, parts_->current.state.v, rates);
  rates += g_t;
  return rates.size() > 0 ? rates.lpNorm<Eigen::Infinity>() : 0.0;
}

StepReport Simulation::advance_to(double time) {
  StepReport report;
  const double tolerance = 1e-9 * parts_->config.time.step;
  while (!finished() && parts_->current.state.time < time - tolerance &&
         report.status == SolveStatus::converged)
    report = step();
  return report;
}

std::string Simulation::why_it_failed(const StepReport& report) const {
  const State& state = parts_->current.state;
  const bool has_limit = std::visit(
      [](const auto& scheme) {
        return requires { scheme.newton_iterations; };
      },
      parts_->config.integrator);
  return explain_failure(parts_->assembly, contact_list(), report, state,
                         parts_->stepper ? parts_->stepper->size() : parts_->tried, has_limit);
}

BodyId Simulation::body(const std::string& name) const {
  const auto& index = parts_->assembly.system.body_index;
  const auto found = index.find(name);
  if (found == index.end()) throw std::out_of_range(fmt::format("the model has no body '{}'", name));
  return {found->second};
}
/// The steps need not have placed it.
PoseAndVelocity Simulation::pose(BodyId body) const {
  const System& system = parts_->assembly.system;
  PoseAndVelocity pose =
      place(system.bodies.at(static_cast<size_t>(body.index)), state().q, state().v, time());
  for (const FloatingFrame& frame : system.floating)
    if (frame.body == body.index) {
      const FrameMotion motion = frame_motion(frame, state().v);
      pose.v = frame.attitude(state().q) * motion.v;
      pose.R_dot = pose.R * skew(motion.omega);
    }
  return pose;
}
Vector3 Simulation::position(BodyId body) const { return pose(body).x; }
Matrix3 Simulation::rotation(BodyId body) const { return pose(body).R; }
Vector3 Simulation::velocity(BodyId body) const { return pose(body).v; }
/// From R_dot = skew(omega) R.
Vector3 Simulation::angular_velocity(BodyId body) const {
  const PoseAndVelocity p = pose(body);
  const Matrix3 spin = p.R_dot * p.R.transpose();
  return 0.5 * Vector3(spin(2, 1) - spin(1, 2), spin(0, 2) - spin(2, 0), spin(1, 0) - spin(0, 1));
}
double Simulation::peak(std::string_view text) const {
  const auto found = std::ranges::find(parts_->peaks, text, &Probe::peak_text);
  if (found == parts_->peaks.end())
    throw ProbeError(fmt::format("'{}' is followed from step to step; name it in `record.probes`", text));
  return parts_->current.peaks[static_cast<size_t>(found - parts_->peaks.begin())];
}
Probe Simulation::make_probe(const std::string& text) const { return Probe::parse(text, parts_->assembly); }

/// Where adaptive steps become so short that a run seems to stand still.  docs/theory/adaptive.md
void Simulation::warn_of_short_steps(std::vector<std::string>& warnings) const {
  if (!parts_->config.time.adaptive) return;
  const auto& flexibles = parts_->assembly.system.flexibles;
  const auto undamped = std::ranges::find_if(
      flexibles, [](const FlexibleData& body) { return body.declared.damping.stiffness == 0; });
  if (undamped != flexibles.end())
    warnings.push_back(
        fmt::format("'{}' has no damping: adaptive steps follow its fastest vibrations and may become very "
                    "short; give it "
                    "`damping: {{stiffness: ...}}`, or take constant steps (leave `time.adaptive` out)",
                    undamped->declared.name));
  if (!flexibles.empty() && contact_count() > 0 &&
      std::holds_alternative<GeneralizedAlphaOptions>(parts_->config.integrator))
    warnings.push_back(
        "generalized-alpha is of order 1 while flexible bodies touch, and adaptive steps become very short "
        "there; `integrator: {scheme: moreau-jean}` needs far fewer");
}

std::vector<std::string> Simulation::start_warnings() const {
  std::vector<std::string> warnings = parts_->assembly.system.notes;
  warn_of_short_steps(warnings);
  const StartReport& start = parts_->assembly.start;
  if (start.position_change > 1e-9 * parts_->assembly.system.size)
    warnings.push_back(fmt::format("positions were changed to close the joints, '{}' most: by {:.6g}",
                                   start.most_moved, start.position_change));
  if (start.velocity_change > 1e-9 * (1 + parts_->current.state.v.lpNorm<Eigen::Infinity>()))
    warnings.push_back(fmt::format("velocities were changed to fit the joints, '{}' most: by {:.6g}",
                                   start.most_accelerated, start.velocity_change));
  const double tolerance = 1e-12 * parts_->assembly.system.size;
  const ContactKinematics& at = contacts();
  const auto of_bodies = declared_overlaps(parts_->assembly, parts_->now->kinematics);
  const auto is_one_of_them = [&](const Contact& contact) {
    return !contact.is_of_joint() && !contact.is_in_hole() &&
           of_bodies.contains(std::minmax(contact.a.body, contact.b.body));
  };
  const auto warn_of_overlap = [&](const ContactName& name, double depth) {
    warnings.push_back(
        fmt::format("'{}' overlaps '{}' by {:.6g} m at the start", name.first, name.second, depth));
  };
  for (const auto& [pair, overlap] : of_bodies)
    if (overlap.depth > tolerance) warn_of_overlap(overlap.names, overlap.depth);
  for (int c = 0, next; c < contact_count(); c = next) {
    // Of bodies that find each other the deepest contact speaks for all: they stand together in the list.
    const std::int64_t interaction = contact_list()[c].id.interaction;
    int deepest = c;
    for (next = c + 1; next < contact_count() && contact_list()[next].id.interaction == interaction; ++next)
      if (at.gap[next] < at.gap[deepest]) deepest = next;
    const Contact& contact = contact_list()[deepest];
    if (at.gap[deepest] >= -tolerance || is_one_of_them(contact)) continue;
    const ContactName name = contact_name(contact.id);
    if (contact.is_of_joint())
      warnings.push_back(fmt::format("joint '{}' starts beyond its {} limit by {:.6g}", name.first,
                                     name.second, -at.gap[deepest]));
    else
      warn_of_overlap(name, -at.gap[deepest]);
  }
  return warnings;
}

void Simulation::restore(const Checkpoint& checkpoint) {
  const State& initial = parts_->assembly.system.initial;
  const ContactState& contacts = checkpoint.state.contacts;
  const auto memory_size = static_cast<size_t>(parts_->integrator->contact_memory_size());
  const auto knows = [&](const ContactSums& sums) { return parts_->assembly.interactions.knows(sums.id); };
  if (contacts.status.size() != contacts.entries().size() || checkpoint.state.q.size() != initial.q.size() ||
      checkpoint.state.v.size() != initial.v.size() ||
      checkpoint.state.memory.size() != parts_->current.state.memory.size() ||
      checkpoint.peaks.size() != parts_->current.peaks.size() ||
      checkpoint.state.angles.size() != initial.angles.size() ||
      checkpoint.state.joint_impulse.size() != initial.joint_impulse.size() ||
      contacts.memory.size() != memory_size * contacts.entries().size() ||
      !std::ranges::all_of(checkpoint.contacts, knows) ||
      (!checkpoint.control.gap_acceleration.empty() &&
       checkpoint.control.gap_acceleration.size() != contacts.entries().size()) ||
      !parts_->detection.list_again(parts_->assembly, contacts))
    throw std::invalid_argument("the checkpoint belongs to another model: its sizes or contacts differ");
  parts_->current = checkpoint;
  RunExtremes& extremes = parts_->current.extremes;
  for (ContactId* id : {&extremes.overlapping, &extremes.fast_contact})
    if (!parts_->assembly.interactions.knows(*id)) *id = {};
  parts_->numbers.know(parts_->current.contacts);
  parts_->numbers.follow(contact_list());
  parts_->has_energies = false;
  parts_->now->complete(parts_->assembly, contact_list(), parts_->current.state, parts_->contact_horizon);
}

void Simulation::begin_interval() {
  parts_->current.interval = {};
  parts_->current.departed.clear();
  for (ContactSums& sums : parts_->current.contacts) {
    sums.interval_impulse = {};
    sums.interval_work = 0;
    sums.interval_status = ContactStatus::open;
    sums.interval_impacts = 0;
    sums.interval_impact_impulse = 0;
  }
  std::ranges::fill(parts_->current.peaks, 0.0);
}

}  // namespace percuss
