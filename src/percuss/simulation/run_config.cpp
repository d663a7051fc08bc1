#include "percuss/simulation/run_config.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/model/range_check.h"
#include "percuss/nonsmooth/solvers.h"

namespace percuss {

namespace {

/// What is contradictory in the limits of the steps, and what the scheme cannot.
void complain_about_adaptive(const RunConfig& config, std::vector<Complaint>& complaints) {
  const AdaptiveOptions& given = *config.time.adaptive;
  if (std::holds_alternative<EventDrivenOptions>(config.integrator))
    complaints.push_back({"time.adaptive",
                          "'event-driven' keeps its error within integrator.relative_tolerance and "
                          "absolute_tolerance by itself; leave `adaptive` out",
                          "integrator.scheme"});
  else if (!facts(config.integrator).varies_step)
    complaints.push_back(
        {"time.adaptive",
         fmt::format("'{}' makes larger errors where the step changes, whatever its size, so it has "
                     "constant steps only; choose another scheme (`percuss integrators`)",
                     scheme_name(config.integrator)),
         "integrator.scheme"});
  if (given.min && given.max && *given.min > *given.max)
    complaints.push_back({"time.adaptive.min", fmt::format("{} is not allowed; min must be at most max = {}",
                                                           *given.min, *given.max)});
  if (given.min && *given.min > config.time.step)
    complaints.push_back({"time.adaptive.min",
                          fmt::format("{} is not allowed; min must be at most the first step {} (time.step)",
                                      *given.min, config.time.step)});
  if (given.max && *given.max < config.time.step)
    complaints.push_back({"time.adaptive.max",
                          fmt::format("{} is not allowed; max must be at least the first step {} (time.step)",
                                      *given.max, config.time.step)});
  if (given.min && config.time.end - *given.min == config.time.end)
    complaints.push_back(
        {"time.adaptive.min", fmt::format("{} is not allowed; it is lost in the rounding of t = {}",
                                          *given.min, config.time.end)});
}

}  // namespace

std::vector<Complaint> validate(const RunConfig& config) {
  std::vector<Complaint> complaints;
  RangeCheck ranges(complaints);
  RunConfig::fields(config, ranges);
  if (!complaints.empty()) return complaints;
  std::visit(
      [&](const auto& scheme) {
        if constexpr (requires { scheme.complain(complaints); }) scheme.complain(complaints);
        if constexpr (requires { scheme.allow_inconsistent; })
          if (!scheme.allow_inconsistent)
            complaints.push_back({"integrator.scheme",
                                  fmt::format("'{}' does not converge and is meant for study only; to run it "
                                              "all the same, set integrator.allow_inconsistent: true",
                                              scheme.scheme),
                                  "integrator.allow_inconsistent"});
      },
      config.integrator);
  if (const MisplacedOption option = find_misplaced(config.solver.name, config.solver.method);
      !option.name.empty())
    complaints.push_back({fmt::format("solver.{}", option.name),
                          fmt::format("is an option of {}, and the solver is '{}'; set solver.name as well, "
                                      "or take it out",
                                      option.methods, enum_name(config.solver.name))});
  if (config.time.adaptive) complain_about_adaptive(config, complaints);
  const double duration = config.time.end - config.time.start;
  if (!(duration > 0))
    complaints.push_back({"time.end", fmt::format("{} is not allowed; end must be later than start = {}",
                                                  config.time.end, config.time.start)});
  else if (config.time.step > duration * (1 + 1e-9))
    complaints.push_back({"time.step", fmt::format("{} is not allowed; step must be at most the duration {}",
                                                   config.time.step, duration)});
  else if (duration / config.time.step > 1e12)
    complaints.push_back(
        {"time.step",
         fmt::format("{} is not allowed; the run would take {:.3g} steps, at most 1e12 are possible",
                     config.time.step, duration / config.time.step)});
  else if (config.time.start + config.time.step == config.time.start ||
           config.time.end - config.time.step == config.time.end)
    complaints.push_back({"time.step", fmt::format("{} is not allowed; it is lost in the rounding of t = {}",
                                                   config.time.step, config.time.end)});
  return complaints;
}

std::vector<Complaint> restrictions(const RunConfig& config, const Assembly& assembly) {
  const SchemeFacts facts = percuss::facts(config.integrator);
  if (!facts.has_joints && assembly.system.constraint_count() > 0)
    return {{"integrator.scheme",
             fmt::format("'{}' knows no joints, but this model has some (bodies in natural coordinates have "
                         "them, too); choose another scheme (`percuss integrators`)",
                         scheme_name(config.integrator))}};
  std::vector<Complaint> complaints;
  std::visit(
      [&](const auto& scheme) {
        if constexpr (requires { scheme.complain_about(assembly.system, complaints); })
          scheme.complain_about(assembly.system, complaints);
      },
      config.integrator);
  if (!complaints.empty()) return complaints;
  const auto check = [&](const ContactLaw& law, const std::string& first, const std::string& second) {
    if (!complaints.empty()) return;
    if (!facts.any_restitution && !law.has_constant_restitution())
      complaints.push_back(
          {"integrator.scheme",
           fmt::format("'{}' needs a restitution that does not depend on the velocity, but that of '{}' "
                       "against '{}' does; choose another scheme (`percuss integrators`)",
                       scheme_name(config.integrator), first, second)});
    else if (!(facts.has_moments && facts.has_friction) && law.has_moments())
      complaints.push_back(
          {"integrator.scheme",
           fmt::format(
               "'{}' knows no resistance to rolling and spinning, but '{}' against '{}' has some; choose "
               "another scheme (`percuss integrators`), or leave `rolling` and `spinning` out",
               scheme_name(config.integrator), first, second)});
    else if (!facts.has_friction && law.has_friction())
      complaints.push_back(
          {"integrator.scheme",
           fmt::format("'{}' has no friction, but '{}' against '{}' has; choose another scheme (`percuss "
                       "integrators`) or friction: 0",
                       scheme_name(config.integrator), first, second)});
  };
  for (const Contact& contact : assembly.interactions.declared.contacts) {
    const ContactName name = assembly.interactions.name(contact);
    check(contact.law, name.first, name.second);
  }
  if (const auto& things = assembly.interactions.things)
    for (size_t i = 0; i < things->laws.size(); ++i)
      check(things->laws[i], things->materials[i / things->materials.size()],
            things->materials[i % things->materials.size()]);
  return complaints;
}

namespace {

double grid_step(const RunConfig& config) {
  const double duration = config.time.end - config.time.start;
  const double frames = std::min(config.record.every.value_or(duration), duration);
  if (config.time.adaptive) return frames;
  return facts(config.integrator).chooses_steps ? std::min(frames, config.time.step) : config.time.step;
}

}  // namespace

TimeGrid::TimeGrid(const TimeOptions& options) : TimeGrid(options.start, options.end, options.step) {}
TimeGrid::TimeGrid(const RunConfig& config)
    : TimeGrid(config.time.start, config.time.end, grid_step(config)) {}
TimeGrid::TimeGrid(double start, double end, double step)
    : start_(start), end_(end), step_(step), last_step_(step) {
  const double ratio = (end_ - start_) / step_;
  const double nearest = std::round(ratio);
  if (nearest >= 1 && std::abs(ratio - nearest) <= 1e-9) {
    steps_ = static_cast<std::int64_t>(nearest);
  } else {
    steps_ = static_cast<std::int64_t>(std::ceil(ratio));
    last_step_ = end_ - (start_ + static_cast<double>(steps_ - 1) * step_);
  }
}

double TimeGrid::time(std::int64_t n) const {
  if (n >= steps_ && last_step_is_shorter()) return end_;
  return start_ + static_cast<double>(n) * step_;
}

}  // namespace percuss
