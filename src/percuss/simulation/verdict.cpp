#include "percuss/simulation/verdict.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "percuss/contacts/contact_kinematics.h"

namespace percuss {
namespace {

/// A scheme that keeps less than second order with joints should be named with its remedy.
std::string more_exact(const Simulation& simulation) {
  const SchemeFacts scheme = facts(simulation.config().integrator);
  const bool has_joints = simulation.assembly().system.constraint_count() > 0;
  const int order = has_joints ? scheme.joint_order : scheme.smooth_order;
  return order >= 2
             ? "take a smaller time.step"
             : "take a smaller time.step, or a scheme of second order (`percuss integrators` lists them)";
}

void judge_energy(const Simulation& simulation, Verdict& verdict) {
  const EnergyLedger& energy = simulation.energy();
  const double exchanged = exchanged_energy(energy, simulation.extremes());
  const double lost = energy.loss_algorithmic;
  const double rounding =
      1e-12 * (std::abs(energy.potential) + std::abs(energy.strain) + std::abs(energy.initial));
  if (exchanged == 0 || std::abs(lost) <= rounding) {
    verdict.good.emplace_back("the scheme keeps the energy to rounding");
    return;
  }
  const double share = std::abs(lost) / exchanged;
  const std::string what = fmt::format("the scheme {} {:.2g} % of the energy exchanged ({:.3g} of {:.3g} J)",
                                       lost > 0 ? "lost" : "gained", 100 * share, std::abs(lost), exchanged);
  if (share <= trust::energy)
    verdict.good.push_back(what);
  else
    verdict.doubtful.push_back(
        fmt::format("{}, more than {:g} %: {}", what, 100 * trust::energy, more_exact(simulation)));
}

void judge_joints(const Simulation& simulation, Verdict& verdict) {
  if (simulation.assembly().system.constraint_count() == 0) return;
  const double joint_violation = simulation.extremes().joint_violation;
  const std::string what =
      fmt::format("joints are open by at most {:.2g} of the size or rad", joint_violation);
  if (joint_violation <= trust::joint_violation)
    verdict.good.push_back(what);
  else
    verdict.doubtful.push_back(
        fmt::format("{}, more than {:g}: take a smaller time.step, or for moreau-jean `stabilisation: "
                    "combined-projection`; "
                    "a drive that jumps cannot be followed",
                    what, trust::joint_violation));
}

void judge_contacts(const Simulation& simulation, Verdict& verdict) {
  const RunExtremes& extremes = simulation.extremes();
  if (simulation.assembly().interactions.empty()) return;
  const auto name = [&](const ContactId& id) {
    const ContactName& names = simulation.contact_name(id);
    return fmt::format("'{}' and '{}'", names.first, names.second);
  };
  const std::string depth = fmt::format("penetration at most {:.2g} % of a body", 100 * extremes.overlap);
  if (extremes.overlap <= trust::overlap)
    verdict.good.push_back(depth);
  else
    verdict.doubtful.push_back(fmt::format("{} ({}), more than {:g} %: take a smaller time.step", depth,
                                           name(extremes.overlapping), 100 * trust::overlap));
  if (extremes.fast_steps > 0)
    verdict.doubtful.push_back(fmt::format(
        "{} met with {:.3g} m/s at t = {:.6g} s, which is {:.2g} times half the thickness of the thinner one "
        "in a "
        "step: one may have passed through the other ({} such steps); take time.step at most {:.2g} s",
        name(extremes.fast_contact), extremes.fast_speed, extremes.fast_time, extremes.fast_ratio,
        extremes.fast_steps, simulation.statistics().largest_step / extremes.fast_ratio));
}

void judge_steps(const Simulation& simulation, Verdict& verdict) {
  const StepStatistics& total = simulation.statistics();
  const SolverChoice& solver = simulation.config().solver;
  if (total.accepted > 0)
    verdict.doubtful.push_back(
        fmt::format("in {} of {} steps contacts were solved to {:.2g} only, above solver.tolerance ({:g}), "
                    "which moves them "
                    "by at most {:.2g} m in a step and was accepted (solver.acceptable: {:g}); `percuss "
                    "info` lists these "
                    "steps; take a smaller time.step, or `--strict` to end the run there",
                    total.accepted, total.steps, total.max_residual, solver.tolerance, total.max_displacement,
                    solver.acceptable));
  else if (const double tolerance = solver.tolerance; total.max_residual > tolerance)
    verdict.good.push_back(fmt::format(
        "contact problems are solved to {:.2g}, above solver.tolerance ({:g}), which is rounding or "
        "less than a step can tell: contacts move by at most {:.2g} m",
        total.max_residual, tolerance, total.max_displacement));
  if (total.halved > 0)
    verdict.good.push_back(fmt::format("{} of {} steps failed and were taken with half their size or less",
                                       total.halved, total.steps));
  if (total.inaccurate > 0)
    verdict.doubtful.push_back(fmt::format(
        "{} adaptive steps missed the tolerance at their smallest size: lower time.adaptive.min, or "
        "raise time.adaptive.tolerance",
        total.inaccurate));
}

}  // namespace

double exchanged_energy(const EnergyLedger& energy, const RunExtremes& extremes) {
  const double work = std::abs(energy.work_loads) + std::abs(energy.work_drives);
  const double losses = std::abs(energy.loss_dampers) + std::abs(energy.loss_impacts) +
                        std::abs(energy.loss_friction) + std::abs(energy.loss_rolling) +
                        std::abs(energy.loss_spinning);
  return std::max({extremes.kinetic, energy.kinetic, work, losses});
}

Verdict judge_run(const Simulation& simulation, RunEnd end) {
  Verdict verdict;
  if (end == RunEnd::failed)
    verdict.doubtful.push_back(
        fmt::format("the run failed: there is nothing after t = {:.6g} s", simulation.time()));
  judge_energy(simulation, verdict);
  judge_joints(simulation, verdict);
  judge_contacts(simulation, verdict);
  judge_steps(simulation, verdict);
  return verdict;
}

std::vector<std::string> verdict_lines(const Verdict& verdict) {
  std::vector<std::string> lines;
  if (verdict.doubtful.empty()) {
    lines.push_back(fmt::format("verdict: good; {}", fmt::join(verdict.good, ", ")));
    return lines;
  }
  lines.emplace_back("verdict: doubtful");
  for (const auto& finding : verdict.doubtful) lines.push_back("  - " + finding);
  return lines;
}

}  // namespace percuss
