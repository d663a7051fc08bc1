#include "percuss/simulation/simulation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "percuss/simulation/diagnosis.h"
#include "percuss/simulation/probe.h"

namespace percuss {
namespace {

/// Steps between two whose wall time is measured.
constexpr std::int64_t timing_stride = 16;
/// Which steps stand for the others: not the first one, that prepares what the others use.
bool is_measured(std::int64_t step) { return step % timing_stride == 1; }

/// Motion in a step that counts as none, as a part of the model's size.
constexpr double still_motion = 1e-9;
/// More motion than this times all energy that entered it comes out of nothing.
constexpr double largest_gain = 10;
constexpr std::string_view out_of_nothing =
    "the motion has more than ten times the energy that entered it: the scheme is unstable with this step; "
    "use a "
    "smaller time.step (an explicit scheme needs one below 2 over the highest frequency, which `percuss "
    "suggest` "
    "tells), or an implicit scheme";

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
  const auto nonlinear = [](const SolidSet& set) { return !set.group.is_linear(); };
  if (config.threads > 1 && std::ranges::any_of(assembly.system.solids, nonlinear))
    assembly.system.workers = std::make_shared<Workers>(config.threads);
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
  computed += report.computed;
  max_error = std::max(max_error, report.error);
  max_residual = std::max(max_residual, report.residual);
  max_penetration = std::max(max_penetration, penetration);
  if (h > 0) smallest_step = smallest_step > 0 ? std::min(smallest_step, h) : h;
  largest_step = std::max(largest_step, h);
}

Simulation::Simulation(const Model& model, const RunConfig& config)
    : Simulation(build_assembly(model, config.time.start), config) {}

Simulation::Simulation(Assembly assembly, const RunConfig& config)
    : assembly_(std::make_unique<const Assembly>(assembly_for_run(std::move(assembly), config))),
      config_(checked(config, *assembly_)),
      probes_(parse_probes(config_.record.probes, *assembly_)),
      grid_(config_),
      integrator_(make_integrator(config_.integrator, config_.solver)),
      workspace_(integrator_->make_workspace(*assembly_)),
      detection_(std::make_unique<Detection>(*assembly_)),
      contact_horizon_(integrator_->contact_horizon(*assembly_)),
      start_(std::make_unique<Configuration>(*assembly_)),
      now_(std::make_unique<Configuration>(*assembly_)),
      joint_values_(VectorX::Zero(assembly_->system.constraint_count())),
      booking_(*assembly_) {
  current_.state = assembly_->system.initial;
  current_.state.time = current_.step_start = config_.time.start;
  current_.state.memory.setZero(integrator_->memory_size(assembly_->system));
  for (const Contact& contact : contact_list().contacts)
    if (contact.is_always_listed) current_.contacts.push_back({.id = contact.id});
  numbers_.know(current_.contacts);
  current_.state.contacts = {};  // all are new: the scheme has its own memory for each
  realign(contact_list(), integrator_->contact_memory_size(), current_.state.contacts, realignment_);
  numbers_.follow(contact_list());
  now_->complete(*assembly_, contact_list(), current_.state, contact_horizon_);
  if (detection_->choose(*assembly_, current_.state, distance_to_grid())) follow_contacts();
  number_closed();
  current_.energy = open_ledger(*assembly_, current_.state, now_->kinematics, booking_);
  current_.extremes.start_motion = current_.energy.kinetic + current_.energy.strain;
  current_.extremes.start_potential = current_.energy.potential;
  thinnest_ = std::numeric_limits<double>::infinity();
  for (const Contact& contact : assembly_->interactions.declared.contacts)
    thinnest_ = std::min(thinnest_, contact.thickness);
  for (const BodyData& body : assembly_->system.bodies)
    still_energy_ += body.mass * std::pow(still_motion * assembly_->system.size, 2);
  impacts_.reserve(2 * contact_list().contacts.size());
  if (config_.time.adaptive) stepper_ = std::make_unique<AdaptiveStepper>(*assembly_, *integrator_, config_);
  before_ = current_.state;
}

Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

StepReport Simulation::step() {
  impacts_.clear();
  if (stepper_) return adaptive_step();
  State& state = current_.state;
  const double h = distance_to_grid();
  if (detection_->choose(*assembly_, state, h)) follow_contacts();
  workspace_->measure_time = is_measured(state.step);
  before_ = state;
  std::swap(start_, now_);
  StepReport report =
      integrator_->step({*assembly_, contact_list(), h, *start_, *now_, hooks_, before_}, state, *workspace_);
  if (report.status != SolveStatus::converged) {
    std::swap(start_, now_);
    return report;
  }
  current_.step_start = before_.time;
  book(report, state.last_step == h);
  return report;
}

StepReport Simulation::adaptive_step() {
  const double distance = distance_to_grid();
  const std::int64_t step = current_.state.step;
  stepper_->measure_time(is_measured(step) || (step > 0 && is_measured(step + 1)));
  const double longest = stepper_->longest(distance, current_.control);
  if (detection_->choose(*assembly_, current_.state, longest)) follow_contacts();
  contacts();  // all of them
  const SolveStatus status = stepper_->find_step({current_.state, contact_list(), *now_, energy(), hooks_},
                                                 distance, current_.control);
  if (status != SolveStatus::converged) return stepper_->second_report();
  current_.step_start = current_.state.time;
  StepReport report;
  for (const bool is_second : {false, true}) {
    before_ = current_.state;
    std::swap(start_, now_);
    std::swap(*now_, is_second ? stepper_->at_end() : stepper_->at_middle());
    current_.state = is_second ? stepper_->end() : stepper_->middle();
    report = is_second ? stepper_->second_report() : stepper_->first_report();
    book(report, is_second && stepper_->size() == distance);
    if (report.status != SolveStatus::converged) break;
  }
  return report;
}

void Simulation::renew_workspace() {
  workspace_ = integrator_->make_workspace(*assembly_);
  if (stepper_) stepper_->renew_workspaces();
}

/// On the grid all steps have the same bits; after a step that ended at an event it is what is left.
double Simulation::distance_to_grid() const {
  const std::int64_t n = current_.intervals;
  const double t = current_.state.time;
  return t == grid_.time(n) ? grid_.step_size(n) : grid_.time(n + 1) - t;
}

void Simulation::book(StepReport& report, bool reaches_grid) {
  State& state = current_.state;
  const bool measure = is_measured(before_.step);
  PhaseClock clock;
  clock.start(measure);
  const EnergyLedger energy_before = current_.energy;
  if (reaches_grid) state.time = grid_.time(current_.intervals + 1);
  now_->complete(*assembly_, contact_list(), state, contact_horizon_);
  accumulate_energies(*assembly_, contact_list(), state.last_step, before_, *start_, state, *now_,
                      report.work, booking_, current_.energy);
  has_energies_ = false;
  const bool is_finite = has_finite_energy();
  if (!is_finite || !watch_run()) {
    // The energies of a run that blows up overflow before its velocities do: no such state is recorded.
    if (is_finite) report.reason = out_of_nothing;
    state = before_;
    current_.energy = energy_before;
    has_energies_ = false;
    std::swap(start_, now_);
    report.status = SolveStatus::not_finite;
    return;
  }
  if (reaches_grid) ++current_.intervals;
  add_sums(report);
  report.work.reset();  // it looks into the scratch memory of the step
  ++steps_taken_;
  if (!measure) return;
  clock.mark(measured_.ledger);
  measured_.step += report.seconds;
  ++measured_steps_;
}

Simulation::WallTimes Simulation::wall_times() const {
  WallTimes all = measured_;
  const double scale =
      measured_steps_ > 0 ? static_cast<double>(steps_taken_) / static_cast<double>(measured_steps_) : 0.0;
  for (double* phase : {&all.step.forces, &all.step.contacts, &all.step.solver, &all.ledger}) *phase *= scale;
  return all;
}

const EnergyLedger& Simulation::energy() const {
  if (!has_energies_) {
    weighed_ = current_.energy;
    evaluate_energies(assembly_->system, current_.state, now_->kinematics, booking_, weighed_);
    has_energies_ = true;
  }
  return weighed_;
}

bool Simulation::has_finite_energy() const {
  if (!is_finite(current_.energy)) return false;
  constexpr double large = 1e100;  // far below what overflows with any mass or stiffness
  const State& state = current_.state;
  const bool is_far_from_overflow = state.q.squaredNorm() + state.v.squaredNorm() < large;
  // Elements with large displacements that are turned inside out have no energy at all.
  return (assembly_->system.has_constant_matrices() && is_far_from_overflow) || is_finite(energy());
}

bool Simulation::watch_run() {
  const State& state = current_.state;
  RunExtremes& extremes = current_.extremes;
  const double size = assembly_->system.size, h = state.last_step;
  // Nothing is faster than this, also not the rim of what turns.
  const double fastest = (1 + size) * before_.v.lpNorm<Eigen::Infinity>();
  if (4 * h * fastest > thinnest_)
    extremes.watch_approach(contact_list(), start_->contacts, before_.v, before_.time, h);
  if (!is_measured(before_.step) && !finished()) return true;
  extremes.joint_violation = std::max(extremes.joint_violation, relative_joint_violation());
  const EnergyLedger& now = energy();
  extremes.kinetic = std::max(extremes.kinetic, now.kinetic);
  // Users' systems need not tell all of their energy, and schemes for study show what goes wrong.
  const bool is_for_study = facts(config_.integrator).is_for_study;
  // In the first steps from rest a scheme of first order has no digit of the energies right.
  if (!assembly_->system.user_systems.empty() || is_for_study || h == 0 || before_.step < timing_stride)
    return true;
  extremes.entered = std::max(extremes.entered, extremes.start_motion + std::abs(now.work_loads) +
                                                    std::abs(now.work_drives) +
                                                    std::abs(now.potential - extremes.start_potential));
  return now.kinetic + now.strain <= largest_gain * (extremes.entered + still_energy_ / (h * h));
}

Checkpoint Simulation::checkpoint() const {
  Checkpoint checkpoint = current_;
  checkpoint.energy = energy();
  return checkpoint;
}

double Simulation::joint_violation() const {
  VectorX g = VectorX::Zero(assembly_->system.constraint_count());
  constraint_values(assembly_->system, now_->kinematics, current_.state.time, g);
  return g.size() > 0 ? g.lpNorm<Eigen::Infinity>() : 0.0;
}

double Simulation::relative_joint_violation() const {
  if (assembly_->system.constraint_count() == 0) return 0;
  constraint_values(assembly_->system, now_->kinematics, current_.state.time, joint_values_);
  return relative_violation(assembly_->system, joint_values_);
}

double Simulation::joint_velocity_violation() const {
  const System& system = assembly_->system;
  VectorX rates = VectorX::Zero(system.constraint_count()), g_t = rates;
  std::vector<double> G(system.joints.dof.size());
  constraint_jacobian(system, now_->kinematics, G);
  constraint_rates(system, now_->kinematics, current_.state.time, g_t);
  multiply(system.joints, G, current_.state.v, rates);
  rates += g_t;
  return rates.size() > 0 ? rates.lpNorm<Eigen::Infinity>() : 0.0;
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
  const bool has_limit = std::visit(
      [](const auto& scheme) {
        return requires { scheme.newton_iterations; };
      },
      config_.integrator);
  return explain_failure(*assembly_, contact_list(), report, state,
                         stepper_ ? stepper_->size() : distance_to_grid(), has_limit);
}

Vector3 Simulation::position(const std::string& body) const {
  const BodyData& data = assembly_->system.bodies[assembly_->system.body_index.at(body)];
  return place(data, current_.state.q, current_.state.v, current_.state.time).x;
}
Vector3 Simulation::velocity(const std::string& body) const {
  const System& system = assembly_->system;
  const int index = system.body_index.at(body);
  for (const FloatingFrame& frame : system.floating)
    if (frame.body == index)
      return frame.attitude(current_.state.q) * frame_motion(frame, current_.state.v).v;
  const BodyData& data = system.bodies[index];
  return place(data, current_.state.q, current_.state.v, current_.state.time).v;
}
double Simulation::probe(const std::string& text) const {
  return Probe::parse(text, *assembly_).value(*this);
}

/// Where adaptive steps become so short that a run seems to stand still.  docs/theory/adaptive.md
void Simulation::warn_of_short_steps(std::vector<std::string>& warnings) const {
  if (!config_.time.adaptive) return;
  const auto& flexibles = assembly_->system.flexibles;
  const auto undamped = std::ranges::find_if(
      flexibles, [](const FlexibleData& body) { return body.declared.damping.stiffness == 0; });
  if (undamped != flexibles.end())
    warnings.push_back(
        fmt::format("'{}' has no damping: adaptive steps follow its fastest vibrations and may become very "
                    "short; give it "
                    "`damping: {{stiffness: ...}}`, or take constant steps (leave `time.adaptive` out)",
                    undamped->declared.name));
  if (!flexibles.empty() && contact_count() > 0 &&
      std::holds_alternative<GeneralizedAlphaOptions>(config_.integrator))
    warnings.push_back(
        "generalized-alpha is of order 1 while flexible bodies touch, and adaptive steps become very short "
        "there; `integrator: {scheme: moreau-jean}` needs far fewer");
}

std::vector<std::string> Simulation::start_warnings() const {
  std::vector<std::string> warnings = assembly_->system.notes;
  warn_of_short_steps(warnings);
  const StartReport& start = assembly_->start;
  if (start.position_change > 1e-9 * assembly_->system.size)
    warnings.push_back(fmt::format("positions were changed to close the joints, '{}' most: by {:.6g}",
                                   start.most_moved, start.position_change));
  if (start.velocity_change > 1e-9 * (1 + current_.state.v.lpNorm<Eigen::Infinity>()))
    warnings.push_back(fmt::format("velocities were changed to fit the joints, '{}' most: by {:.6g}",
                                   start.most_accelerated, start.velocity_change));
  const double tolerance = 1e-12 * assembly_->system.size;
  const ContactKinematics& at = contacts();
  for (int c = 0; c < contact_count(); ++c) {
    const Contact& contact = contact_list()[c];
    const ContactName& name = contact_name(contact.id);
    if (at.gap[c] >= -tolerance) continue;
    if (contact.is_of_joint())
      warnings.push_back(fmt::format("joint '{}' starts beyond its {} limit by {:.6g}", name.first,
                                     name.second, -at.gap[c]));
    else
      warnings.push_back(
          fmt::format("'{}' overlaps '{}' by {:.6g} m at the start", name.first, name.second, -at.gap[c]));
  }
  return warnings;
}

void Simulation::restore(const Checkpoint& checkpoint) {
  const State& initial = assembly_->system.initial;
  const ContactState& contacts = checkpoint.state.contacts;
  const auto memory_size = static_cast<size_t>(integrator_->contact_memory_size());
  const auto knows = [&](const ContactSums& sums) { return assembly_->interactions.knows(sums.id); };
  if (contacts.status.size() != contacts.entries().size() || checkpoint.state.q.size() != initial.q.size() ||
      checkpoint.state.v.size() != initial.v.size() ||
      checkpoint.state.memory.size() != current_.state.memory.size() ||
      checkpoint.state.angles.size() != initial.angles.size() ||
      checkpoint.state.joint_impulse.size() != initial.joint_impulse.size() ||
      contacts.memory.size() != memory_size * contacts.entries().size() ||
      !std::ranges::all_of(checkpoint.contacts, knows) ||
      (!checkpoint.control.gap_acceleration.empty() &&
       checkpoint.control.gap_acceleration.size() != contacts.entries().size()) ||
      !detection_->list_again(*assembly_, contacts))
    throw std::invalid_argument("the checkpoint belongs to another model: its sizes or contacts differ");
  current_ = checkpoint;
  RunExtremes& extremes = current_.extremes;
  for (ContactId* id : {&extremes.overlapping, &extremes.fast_contact})
    if (!assembly_->interactions.knows(*id)) *id = {};
  numbers_.know(current_.contacts);
  numbers_.follow(contact_list());
  has_energies_ = false;
  now_->complete(*assembly_, contact_list(), current_.state, contact_horizon_);
}

void Simulation::begin_interval() {
  current_.interval = {};
  current_.departed.clear();
  for (ContactSums& sums : current_.contacts) {
    sums.interval_impulse = {};
    sums.interval_work = 0;
    sums.interval_status = ContactStatus::open;
  }
}

}  // namespace percuss
