#include "percuss/simulation/diagnosis.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace percuss {
namespace {

/// The closest contacts by name, for messages about the contact problem.
std::string nearest_contacts(const Assembly& assembly, const State& state) {
  const auto& contacts = assembly.contacts.contacts;
  std::vector<int> order(contacts.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  const auto count = std::min<size_t>(order.size(), 4);
  std::partial_sort(order.begin(), order.begin() + static_cast<long>(count), order.end(),
                    [&](int a, int b) { return contacts[a].gap(state.q) < contacts[b].gap(state.q); });
  std::string text;
  for (size_t i = 0; i < count; ++i)
    text += fmt::format(
        "{}{} with {} (gap {:.3g} m)", i ? ", " : "", assembly.system.bodies[contacts[order[i]].body].name,
        assembly.contacts.walls[contacts[order[i]].wall].name, contacts[order[i]].gap(state.q));
  return text;
}

std::string fastest_body(const Assembly& assembly, const State& state) {
  const BodyData* fastest = nullptr;
  double speed = -1;
  for (const auto& body : assembly.system.bodies)
    if (const double s = body.point.velocity(state.v).norm(); s > speed) {
      speed = s;
      fastest = &body;
    }
  return fastest ? fmt::format("'{}' is fastest with {:.4g} m/s", fastest->name, speed) : std::string();
}

/// Products of a few numbers beyond this one leave the range of floating point.
constexpr double too_large = 1e100;

std::string overflow_by(std::string_view what, double value, std::string_view unit) {
  return fmt::format("numbers overflow, because {} is {:.3g} {}; use values below {:.0g}", what, value, unit,
                     too_large);
}

/// Of the state only that at the start: later ones may be large because the steps are.
std::string overflow_by_body(const BodyData& body, const State& state) {
  const double x = body.point.position(state.q).cwiseAbs().maxCoeff();
  const double v = body.point.velocity(state.v).cwiseAbs().maxCoeff();
  if (body.mass > too_large) return overflow_by(fmt::format("the mass of '{}'", body.name), body.mass, "kg");
  if (state.step > 0) return {};
  if (x > too_large) return overflow_by(fmt::format("the position of '{}'", body.name), x, "m");
  if (v > too_large) return overflow_by(fmt::format("the velocity of '{}'", body.name), v, "m/s");
  return {};
}

std::string overflow_by_spring(const std::string& name, double stiffness, double damping) {
  if (stiffness > too_large) return overflow_by(fmt::format("the stiffness of '{}'", name), stiffness, "N/m");
  if (damping > too_large) return overflow_by(fmt::format("the damping of '{}'", name), damping, "N s/m");
  return {};
}

/// Names a given quantity that is too large to compute with; empty if there is none.
std::string find_overflow(const System& system, const State& state) {
  for (const auto& body : system.bodies)
    if (auto text = overflow_by_body(body, state); !text.empty()) return text;
  for (const auto& spring : system.springs) {
    const auto check = [&](const auto& data) {
      return overflow_by_spring(spring.name, data.stiffness, data.damping);
    };
    auto text = spring.along_axis ? check(system.axis_springs[spring.index])
                                  : check(system.distance_springs[spring.index]);
    if (!text.empty()) return text;
  }
  for (const auto& load : system.constant_loads)
    for (const auto& component : load.value)
      if (const double force = std::abs(component.value(0)); force > too_large)
        return overflow_by(fmt::format("the force '{}'", load.name), force, "N");
  const double gravity = system.gravity.cwiseAbs().maxCoeff();
  return gravity > too_large ? overflow_by("gravity", gravity, "m/s^2") : std::string();
}

}  // namespace

std::string non_finite_load(const System& system, double t) {
  for (const auto* list : {&system.loads, &system.constant_loads})
    for (const auto& load : *list)
      for (int axis = 0; axis < 3; ++axis)
        if (const double value = load.value[axis].value(t); !std::isfinite(value))
          return fmt::format("force '{}' is not finite at t = {:.9g} s: component {} = {} is {}", load.name,
                             t, "xyz"[axis], load.value[axis].canonical(),
                             std::isnan(value) ? "undefined" : "infinite");
  return {};
}

std::string explain_failure(const Assembly& assembly, const StepReport& report, const State& state,
                            double h) {
  const std::string where =
      fmt::format("step {} from t = {:.9g} s with h = {:.4g} s: ", state.step + 1, state.time, h);
  switch (report.status) {
    case SolveStatus::converged: return {};
    case SolveStatus::not_finite:
      for (const double fraction : {0.0, 0.5, 1.0})
        if (const auto load = non_finite_load(assembly.system, state.time + fraction * h); !load.empty())
          return where + load;
      if (const auto cause = find_overflow(assembly.system, state); !cause.empty()) return where + cause;
      return where + "a velocity is no longer a finite number; " + fastest_body(assembly, state) +
             "; use a smaller time.step (an explicit scheme needs one below 2 over the highest frequency)";
    case SolveStatus::singular:
      if (const auto cause = find_overflow(assembly.system, state); !cause.empty()) return where + cause;
      return where +
             "the iteration matrix is not positive definite, because a compressed spring buckles within "
             "the step; use a smaller time.step";
    case SolveStatus::infeasible:
      return where +
             "the impact laws contradict each other (opposed walls without clearance and with different "
             "restitution?); closest contacts: " +
             nearest_contacts(assembly, state);
    case SolveStatus::iteration_limit:
      return where + fmt::format(
                         "no convergence after {} iterations; use a smaller time.step, or raise "
                         "integrator.newton_iterations; {}",
                         report.iterations, fastest_body(assembly, state));
    case SolveStatus::stalled:
      return where +
             fmt::format(
                 "the contact solver stopped at a relative residual of {:.3g}, above solver.tolerance; "
                 "closest contacts: {}",
                 report.residual, nearest_contacts(assembly, state));
  }
  return {};
}

}  // namespace percuss
