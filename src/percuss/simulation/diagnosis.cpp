#include "percuss/simulation/diagnosis.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "percuss/contacts/contact_kinematics.h"

namespace percuss {
namespace {

/// The closest contacts by name, for messages about the contact problem.
std::string nearest_contacts(const Assembly& assembly, const ContactList& contacts, const State& state) {
  Kinematics kinematics = make_kinematics(assembly.system);
  kinematics.angles = state.angles;
  update(assembly.system, state.q, state.v, state.time, kinematics);
  ContactKinematics at = make_contact_kinematics(assembly.interactions, contacts);
  evaluate_contacts(assembly, contacts, state.q, kinematics, at);
  std::vector<int> order(contacts.contacts.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  const auto count = std::min<size_t>(order.size(), 4);
  std::partial_sort(order.begin(), order.begin() + static_cast<long>(count), order.end(),
                    [&](int a, int b) { return at.gap[a] < at.gap[b]; });
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    const ContactName name = assembly.interactions.name(contacts[order[i]]);
    text +=
        fmt::format("{}{} with {} (gap {:.3g} m)", i ? ", " : "", name.first, name.second, at.gap[order[i]]);
  }
  return text;
}

PoseAndVelocity placed(const BodyData& body, const State& state) {
  return place(body, state.q, state.v, state.time);
}

std::string fastest_body(const Assembly& assembly, const State& state) {
  const BodyData* fastest = nullptr;
  double speed = -1;
  for (const auto& body : assembly.system.bodies)
    if (const double s = placed(body, state).v.norm(); s > speed) {
      speed = s;
      fastest = &body;
    }
  return fastest ? fmt::format("'{}' is fastest with {:.4g} m/s", fastest->name, speed) : std::string();
}

/// What can make the matrix of a model indefinite.
std::string softening(const System& system) {
  std::string causes;
  const auto add = [&](bool is_there, std::string_view cause) {
    if (is_there) causes += fmt::format("{}{}", causes.empty() ? "" : ", or ", cause);
  };
  add(!system.distance_springs.empty(), "a compressed spring buckles within the step");
  add(!system.flexibles.empty(),
      "a flexible body is compressed so much that it buckles or an element turns inside out");
  add(!system.user_systems.empty(), "the mass matrix of a user's system is not positive");
  return causes.empty() ? "a mass or inertia is not positive along a motion that the joints allow" : causes;
}

std::string after_semicolon(const std::string& text) { return text.empty() ? text : "; " + text; }

/// Products of a few numbers beyond this one leave the range of floating point.
constexpr double too_large = 1e100;

std::string overflow_by(std::string_view what, double value, std::string_view unit) {
  return fmt::format("numbers overflow, because {} is {:.3g} {}; use values below {:.0g}", what, value, unit,
                     too_large);
}

/// Of the state only that at the start: later ones may be large because the steps are.
std::string overflow_by_body(const BodyData& body, const State& state) {
  const double x = placed(body, state).x.cwiseAbs().maxCoeff();
  const double v = placed(body, state).v.cwiseAbs().maxCoeff();
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
    std::string text;
    if (spring.kind == SpringData::Kind::axis) text = check(system.axis_springs[spring.index]);
    if (spring.kind == SpringData::Kind::distance) text = check(system.distance_springs[spring.index]);
    if (spring.kind == SpringData::Kind::coordinate) {
      const auto& data = system.coordinate_springs[spring.index];
      text = overflow_by_spring(spring.name, data.stiffness.maxCoeff(), data.damping.maxCoeff());
    }
    if (!text.empty()) return text;
  }
  for (const auto& load : system.loads.plain_constant)
    for (const auto& component : load.value)
      if (const double force = std::abs(component.value(0)); force > too_large)
        return overflow_by(fmt::format("the force '{}'", load.name), force, "N");
  const double gravity = system.gravity.cwiseAbs().maxCoeff();
  return gravity > too_large ? overflow_by("gravity", gravity, "m/s^2") : std::string();
}

}  // namespace

std::string non_finite_load(const System& system, double t) {
  std::string fault;
  // A prescribed motion must have a rate as well.
  const auto check = [&](std::string_view kind, const std::string& name, char component, const Expression& e,
                         bool with_rate = false) {
    double value = e.value(t);
    const bool is_rate = with_rate && std::isfinite(value);
    if (is_rate) value = e.jet(t).first;
    if (fault.empty() && !std::isfinite(value))
      fault = fmt::format("{} '{}' is not finite at t = {:.9g} s: {}{}{} is {}", kind, name, t,
                          is_rate ? "the rate of " : "",
                          component ? fmt::format("component {} = ", component) : "", e.canonical(),
                          std::isnan(value) ? "undefined" : "infinite");
  };
  const auto check_vector = [&](std::string_view kind, const std::string& name,
                                const std::array<Expression, 3>& e, bool with_rate = false) {
    for (int axis = 0; axis < 3; ++axis) check(kind, name, "xyz"[axis], e[axis], with_rate);
  };
  for (const auto* list : {&system.loads.plain, &system.loads.plain_constant})
    for (const auto& load : *list) check_vector("force", load.name, load.value);
  for (const auto& load : system.loads.attached)
    check_vector(load.is_torque ? "torque" : "force", load.name, load.value);
  for (const auto& load : system.loads.spread) check_vector("load", load.name, load.value);
  for (const auto& load : system.loads.coordinate) check("drive", load.name, 0, load.value);
  for (const auto& joint : system.joints.joints)
    for (int i = joint.first_row; i < joint.first_row + joint.row_count; ++i)
      if (const auto& target = system.joints.rows[i].target)
        check("drive of", joint.name, 0, *target, !system.joints.rows[i].speed_only);
  for (const auto& body : system.bodies)
    if (body.motion) {
      check_vector("frame", body.name, body.motion->position, true);
      check("frame", body.name, 0, body.motion->angle, true);
    }
  return fault;
}

std::string explain_failure(const Assembly& assembly, const ContactList& contacts, const StepReport& report,
                            const State& state, double h, bool can_raise_limit) {
  const std::string where =
      fmt::format("step {} from t = {:.9g} s with h = {:.4g} s: ", state.step + 1, state.time, h);
  if (report.status != SolveStatus::converged)
    for (const double fraction : {0.0, 0.5, 1.0})
      if (const auto load = non_finite_load(assembly.system, state.time + fraction * h); !load.empty())
        return where + load;
  if (!report.reason.empty())
    return where + std::string(report.reason) +
           (report.status == SolveStatus::not_finite || contacts.count() == 0
                ? after_semicolon(fastest_body(assembly, state))
                : "; closest contacts: " + nearest_contacts(assembly, contacts, state));
  switch (report.status) {
    case SolveStatus::converged: return {};
    case SolveStatus::not_finite:
      if (const auto cause = find_overflow(assembly.system, state); !cause.empty()) return where + cause;
      return where + "a velocity is no longer a finite number" +
             after_semicolon(fastest_body(assembly, state)) +
             "; use a smaller time.step (an explicit scheme needs one below 2 over the highest frequency)";
    case SolveStatus::singular:
      if (const auto cause = find_overflow(assembly.system, state); !cause.empty()) return where + cause;
      return where + "the iteration matrix is not positive definite, because " + softening(assembly.system) +
             "; use a smaller time.step";
    case SolveStatus::unsupported:
      return where +
             "solver.name: this solver cannot treat friction or dry joints; use `auto`, or another one of "
             "the "
             "list that `percuss schema --reference` prints";
    case SolveStatus::infeasible:
      return where +
             "the impact laws contradict each other (opposed walls without clearance and with different "
             "restitution?); closest contacts: " +
             nearest_contacts(assembly, contacts, state);
    case SolveStatus::iteration_limit:
      return where + fmt::format("no convergence after {} iterations; use a smaller time.step{}{}",
                                 report.iterations,
                                 can_raise_limit ? ", or raise integrator.newton_iterations" : "",
                                 after_semicolon(fastest_body(assembly, state)));
    case SolveStatus::time_limit:  // no step sets one
    case SolveStatus::stalled:
      return where +
             fmt::format(
                 "the contact solver stopped at a relative residual of {:.3g}, above solver.tolerance; "
                 "closest contacts: {}",
                 report.residual, nearest_contacts(assembly, contacts, state));
  }
  return {};
}

}  // namespace percuss
