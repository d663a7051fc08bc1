#include <algorithm>
#include <cmath>
#include <limits>

#include "percuss/integrators/integrator.h"
#include "percuss/simulation/energy_accounting.h"
#include "percuss/simulation/simulation_parts.h"

// One step of a run: how long it may be, what is done if it fails, and what is booked.
namespace percuss {
namespace {

/// Steps between two whose wall time is measured.
constexpr std::int64_t timing_stride = 16;
/// Which steps stand for the others: not the first one, that prepares what the others use.
bool is_measured(std::int64_t step) { return step % timing_stride == 1; }

/// More motion than this times all energy that entered it comes out of nothing.
constexpr double largest_gain = 10;
constexpr std::string_view out_of_nothing =
    "the motion has more than ten times the energy that entered it: the scheme is unstable with this step; "
    "use a "
    "smaller time.step (an explicit scheme needs one below 2 over the highest frequency, which `percuss "
    "suggest` "
    "tells), or an implicit scheme";

/// A step that ended as it should.
bool is_good(const StepReport& report) {
  return report.status == SolveStatus::converged && report.accepted == 0;
}

/// Whether a shorter step may succeed. Forces that are not finite, and laws that nothing obeys, are not
/// stepped over.
bool ends_shorter(const StepReport& report) {
  return !report.stopped &&
         (report.status == SolveStatus::iteration_limit || report.status == SolveStatus::stalled ||
          report.status == SolveStatus::singular || report.accepted > 0);
}

}  // namespace

StepReport Simulation::step() {
  parts_->impacts.clear();
  parts_->accepted.clear();
  if (parts_->stepper) return adaptive_step();
  const double distance = distance_to_grid(), longest = longest_step(distance);
  StepReport report = find_step(longest);
  if (report.status != SolveStatus::converged) return report;
  report.shortened = longest < distance;
  parts_->current.step_start = parts_->before.time;
  book(report, parts_->current.state.last_step == distance);
  return report;
}

/// The longest of h, h/2, h/4, ... whose equations are solved and whose contacts meet the tolerance. If there
/// is none, the one of the smallest residual among those that solver.acceptable lets pass.
/// docs/theory/moreau.md, section "Steps that miss their tolerance"
StepReport Simulation::find_step(double h) {
  const int most = parts_->may_halve ? parts_->config.time.halvings : 0;
  StepReport report;
  double least = std::numeric_limits<double>::infinity();
  int best = -1, halvings = 0;
  for (;; ++halvings) {
    report = try_step(std::ldexp(h, -halvings));
    report.halved = halvings > 0;
    if (is_good(report) || !ends_shorter(report)) return report;
    if (report.accepted > 0 && report.residual < least) {
      least = report.residual;
      best = halvings;
    }
    if (halvings == most) break;
    if (report.accepted > 0) take_back_step();
  }
  if (best < 0 || best == halvings) return report;
  if (report.accepted > 0) take_back_step();
  report = try_step(std::ldexp(h, -best));
  report.halved = best > 0;
  return report;
}

/// The last step that was tried is as if it had never been.
void Simulation::take_back_step() {
  parts_->current.state = parts_->before;
  std::swap(parts_->start, parts_->now);
}

/// From the current state, which stays if the step fails.
StepReport Simulation::try_step(double h) {
  State& state = parts_->current.state;
  parts_->tried = h;
  if (parts_->detection.choose(parts_->assembly, state, h)) follow_contacts();
  parts_->workspace->measure_time = is_measured(state.step);
  parts_->before = state;
  std::swap(parts_->start, parts_->now);
  const StepReport report = parts_->integrator->step(
      {parts_->assembly, contact_list(), h, *parts_->start, *parts_->now, parts_->hooks, parts_->before,
       parts_->grid.step_size(parts_->current.intervals)},
      state, *parts_->workspace);
  if (report.status != SolveStatus::converged) std::swap(parts_->start, parts_->now);
  return report;
}

StepReport Simulation::adaptive_step() {
  const double distance = distance_to_grid();
  const std::int64_t step = parts_->current.state.step;
  parts_->stepper->measure_time(is_measured(step) || (step > 0 && is_measured(step + 1)));
  const double wanted = parts_->stepper->longest(distance, parts_->current.control),
               longest = longest_step(wanted);
  if (parts_->detection.choose(parts_->assembly, parts_->current.state, longest)) follow_contacts();
  contacts();  // all of them
  const SolveStatus status = parts_->stepper->find_step(
      {parts_->current.state, contact_list(), *parts_->now, energy(), parts_->hooks},
      longest < wanted ? longest : distance, parts_->current.control);
  if (status != SolveStatus::converged) return parts_->stepper->second_report();
  parts_->current.step_start = parts_->current.state.time;
  StepReport report;
  for (const bool is_second : {false, true}) {
    parts_->before = parts_->current.state;
    std::swap(parts_->start, parts_->now);
    std::swap(*parts_->now, is_second ? parts_->stepper->at_end() : parts_->stepper->at_middle());
    parts_->current.state = is_second ? parts_->stepper->end() : parts_->stepper->middle();
    report = is_second ? parts_->stepper->second_report() : parts_->stepper->first_report();
    report.shortened = is_second && longest < wanted && parts_->stepper->size() == longest;
    book(report, is_second && parts_->stepper->size() == distance);
    if (report.status != SolveStatus::converged) break;
  }
  return report;
}

/// A step of at most h in which nothing passes through anything.
/// docs/theory/worlds.md, section 9
double Simulation::longest_step(double h) {
  constexpr double last_part = 0.01;  // of the step: what would be left for the next one
  if (!parts_->may_shorten || !may_pass(parts_->current.state.v, h)) return h;
  const double longest = parts_->detection.longest_step(parts_->assembly, parts_->current.state, h);
  return longest < h ? std::min(longest, (1 - last_part) * h) : h;
}

/// Whether anything is so fast that it could pass through the thinnest body in a step.
bool Simulation::may_pass(const VectorX& v, double h) const {
  // Nothing is faster than this, also not the rim of what turns.
  const double fastest = (1 + parts_->assembly.system.size) * v.lpNorm<Eigen::Infinity>();
  return 4 * h * fastest > parts_->thinnest;
}

/// On the grid all steps have the same bits; after a step that ended at an event it is what is left.
double Simulation::distance_to_grid() const {
  const std::int64_t n = parts_->current.intervals;
  const double t = parts_->current.state.time;
  return t == parts_->grid.time(n) ? parts_->grid.step_size(n) : parts_->grid.time(n + 1) - t;
}

void Simulation::book(StepReport& report, bool reaches_grid) {
  State& state = parts_->current.state;
  const bool measure = is_measured(parts_->before.step);
  PhaseClock clock;
  clock.start(measure);
  const EnergyLedger energy_before = parts_->current.energy;
  if (reaches_grid) state.time = parts_->grid.time(parts_->current.intervals + 1);
  parts_->now->complete(parts_->assembly, contact_list(), state, parts_->contact_horizon);
  accumulate_energies(parts_->assembly, contact_list(), state.last_step, parts_->before, *parts_->start,
                      state, *parts_->now, report.work, parts_->booking, parts_->current.energy);
  parts_->has_energies = false;
  const bool is_finite = has_finite_energy();
  if (!is_finite || !watch_run()) {
    // The energies of a run that blows up overflow before its velocities do: no such state is recorded.
    if (is_finite) report.reason = out_of_nothing;
    take_back_step();
    parts_->current.energy = energy_before;
    parts_->has_energies = false;
    report.status = SolveStatus::not_finite;
    return;
  }
  if (reaches_grid) ++parts_->current.intervals;
  add_sums(report);
  report.work.reset();  // it looks into the scratch memory of the step
  ++parts_->steps_taken;
  if (!measure) return;
  clock.mark(parts_->measured.ledger);
  parts_->measured.step += report.seconds;
  ++parts_->measured_steps;
}

bool Simulation::has_finite_energy() const {
  if (!is_finite(parts_->current.energy)) return false;
  constexpr double large = 1e100;  // far below what overflows with any mass or stiffness
  const State& state = parts_->current.state;
  const bool is_far_from_overflow = state.q.squaredNorm() + state.v.squaredNorm() < large;
  // Elements with large displacements that are turned inside out have no energy at all.
  return (parts_->assembly.system.has_constant_matrices() && is_far_from_overflow) || is_finite(energy());
}

bool Simulation::watch_run() {
  const State& state = parts_->current.state;
  RunExtremes& extremes = parts_->current.extremes;
  const double h = state.last_step;
  if (may_pass(parts_->before.v, h))
    extremes.watch_approach(contact_list(), parts_->assembly.interactions, parts_->may_shorten,
                            parts_->start->contacts, parts_->before.v, parts_->before.time, h);
  if (!is_measured(parts_->before.step) && !finished()) return true;
  extremes.joint_violation = std::max(extremes.joint_violation, relative_joint_violation());
  const EnergyLedger& now = energy();
  extremes.kinetic = std::max(extremes.kinetic, now.kinetic);
  // Users' systems need not tell all of their energy, and schemes for study show what goes wrong.
  const bool is_for_study = facts(parts_->config.integrator).is_for_study;
  // In the first steps from rest a scheme of first order has no digit of the energies right.
  if (!parts_->assembly.system.user_systems.empty() || is_for_study || h == 0 ||
      parts_->before.step < timing_stride)
    return true;
  extremes.entered = std::max(extremes.entered, extremes.start_motion + std::abs(now.work_loads) +
                                                    std::abs(now.work_drives) +
                                                    std::abs(now.potential - extremes.start_potential));
  return now.kinetic + now.strain <= largest_gain * (extremes.entered + parts_->still_energy / (h * h));
}

}  // namespace percuss
