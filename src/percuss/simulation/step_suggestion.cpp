#include "percuss/simulation/step_suggestion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/dynamics/forces.h"
#include "percuss/dynamics/saddle_point.h"
#include "percuss/simulation/step_controller.h"

namespace percuss {
namespace {

constexpr int power_iterations = 200;
constexpr double power_tolerance = 1e-4;   ///< of the frequency
constexpr double stability_margin = 0.5;   ///< of the largest stable step of an explicit scheme
constexpr double steps_per_period = 20;    ///< of a vibration that is to be followed
constexpr double followed_periods = 2000;  ///< more in a run are left to the damping of an implicit scheme
constexpr double travel = 0.01;            ///< of the model's size in a step
constexpr double turn = 0.05;              ///< rad in a step
constexpr double steps_to_impact = 50;
constexpr double steps_in_clearance = 10;  ///< across the clearance of a pin in a hole
constexpr double fewest_steps = 200;       ///< of a run

/// K x with K = (M + K) - M, both by their lower triangles.
void multiply_stiffness(const SparseMatrix& with_stiffness, const SparseMatrix& mass, const VectorX& x,
                        VectorX& y) {
  y = with_stiffness.selfadjointView<Eigen::Lower>() * x;
  y -= mass.selfadjointView<Eigen::Lower>() * x;
}

bool is_users(const System& system, int i) {
  return std::ranges::any_of(system.user_systems,
                             [i](const auto& user) { return i >= user.first && i < user.first + user.size; });
}

enum class Coordinate { length, angle, users };
Coordinate kind_of(const System& system, int i) {
  if (is_users(system, i)) return Coordinate::users;
  return system.is_rotation[i] ? Coordinate::angle : Coordinate::length;
}

double largest_entry(const System& system, const VectorX& x, Coordinate kind) {
  double largest = 0;
  for (int i = 0; i < system.dof_count(); ++i)
    if (kind_of(system, i) == kind) largest = std::max(largest, std::abs(x[i]));
  return largest;
}

/// Accelerations at the start. Of nodes that of gravity alone: the internal forces of a flexible body that
/// does not start smoothly are large and over at once, and say nothing about where it goes.
VectorX lasting_acceleration(const Assembly& assembly) {
  VectorX acceleration = assembly.start.acceleration;
  for (const auto& flexible : assembly.system.flexibles)
    for (int node = 0; node < flexible.node_count(); ++node) {
      const BodyData& body = assembly.system.bodies[static_cast<size_t>(flexible.first_node + node)];
      if (body.frame_q >= 0 || body.kind == BodyKind::shaft) continue;  // not along those of space
      for (int coordinate = 0; coordinate < body.coordinate_count(); ++coordinate)
        if (body.dof[coordinate] >= 0)
          acceleration[body.dof[coordinate]] = coordinate < 3 ? assembly.system.gravity[coordinate] : 0.0;
    }
  return acceleration;
}

/// Speeds that bodies have at the start, or reach when they fall to the nearest contact.
double expected_speed(const Simulation& simulation, double acceleration) {
  const System& system = simulation.assembly().system;
  const double speed = largest_entry(system, simulation.state().v, Coordinate::length);
  double drop = 0;
  for (int c = 0; c < simulation.contact_count(); ++c)
    if (std::isfinite(simulation.gap(c)) && simulation.gap(c) < 10 * system.size)
      drop = std::max(drop, simulation.gap(c));
  return std::hypot(speed, std::sqrt(2 * acceleration * drop));
}

void limit_by_vibrations(const Simulation& simulation, StepSuggestion& suggestion) {
  const auto omega = highest_frequency(simulation.assembly().system);
  if (!omega) {
    suggestion.remarks.emplace_back(
        "the highest frequency is not known: the mass matrix cannot be factorised");
    return;
  }
  if (*omega == 0) return;
  const RunConfig& config = simulation.config();
  const double period = 2 * std::numbers::pi / *omega, duration = config.time.end - config.time.start;
  if (facts(config.integrator).is_explicit)
    suggestion.limits.push_back(
        {stability_margin * 2 / *omega, fmt::format("stiffness: '{}' is explicit and unstable above 2/omega "
                                                    "= {:.3g} s, where omega = {:.4g} rad/s is "
                                                    "the highest frequency; half of that",
                                                    scheme_name(config.integrator), 2 / *omega, *omega)});
  else if (duration / period <= followed_periods)
    suggestion.limits.push_back(
        {period / steps_per_period,
         fmt::format("stiffness: a {:.0f}th of the shortest period {:.3g} s (omega = {:.4g} rad/s)",
                     steps_per_period, period, *omega)});
  else
    suggestion.remarks.push_back(fmt::format(
        "the shortest period, {:.3g} s, is left to the scheme, which is implicit: the run has {:.2g} of them",
        period, duration / period));
}

void limit_by_motion(const Simulation& simulation, StepSuggestion& suggestion) {
  const System& system = simulation.assembly().system;
  const VectorX acceleration = lasting_acceleration(simulation.assembly());
  const double speed = expected_speed(simulation, largest_entry(system, acceleration, Coordinate::length));
  if (speed > 0)
    suggestion.limits.push_back(
        {travel * system.size / speed,
         fmt::format(
             "speed: {:.0f} % of the model's size {:.3g} m at {:.3g} m/s, which something has or reaches",
             100 * travel, system.size, speed)});
  const double spin = largest_entry(system, simulation.state().v, Coordinate::angle);
  if (spin > 0)
    suggestion.limits.push_back({turn / spin, fmt::format("rotation: {} rad at {:.3g} rad/s", turn, spin)});
  if (const double rate = largest_entry(system, simulation.state().v, Coordinate::users); rate > 0)
    suggestion.limits.push_back(
        {turn / rate,
         fmt::format("coordinates of a user's system: {} of their unit at {:.3g} per second", turn, rate)});
  const double duration = simulation.config().time.end - simulation.config().time.start;
  suggestion.limits.push_back(
      {duration / fewest_steps, fmt::format("duration: a {:.0f}th of {:.4g} s", fewest_steps, duration)});
}

void limit_by_first_impact(const Simulation& simulation, StepSuggestion& suggestion) {
  const Assembly& assembly = simulation.assembly();
  const VectorX faster = simulation.state().v + lasting_acceleration(assembly);
  double first = std::numeric_limits<double>::infinity();
  int hit = -1;
  for (int c = 0; c < simulation.contact_count(); ++c) {
    if (!simulation.contact_list()[c].has_gap() || simulation.gap(c) <= 1e-9 * assembly.system.size) continue;
    const double u = simulation.contact_velocity(c), a = simulation.contact_velocity(c, faster) - u;
    const auto time = time_to_impact({simulation.gap(c), u, a, 0});
    if (!time || *time >= first) continue;
    first = *time;
    hit = c;
  }
  if (hit < 0 || first > simulation.config().time.end - simulation.config().time.start) return;
  const ContactName& contact = simulation.contact_name(simulation.contact_list()[hit].id);
  suggestion.limits.push_back(
      {first / steps_to_impact, fmt::format("impact: a {:.0f}th of the {:.3g} s until '{}' reaches '{}'",
                                            steps_to_impact, first, contact.first, contact.second)});
}

/// Time in which a pin crosses the clearance of its hole, with the speed and the acceleration that it has
/// against the hole at the start. From the middle no normal leads to a wall, so that there is no first impact
/// to wait for.
void limit_by_clearances(const Simulation& simulation, StepSuggestion& suggestion) {
  const Assembly& assembly = simulation.assembly();
  Kinematics kinematics = simulation.kinematics();
  const auto velocity = [&](const Attached& point) -> Vector3 {
    const PoseAndVelocity& place = kinematics.of(point.body);
    return place.v + place.R_dot * point.local;
  };
  const State& state = simulation.state();
  const VectorX faster = state.v + lasting_acceleration(assembly);
  for (const Contact& contact : assembly.interactions.declared.contacts) {
    if (!contact.is_in_hole()) continue;
    const double clearance = contact.radius_b - contact.radius_a;
    update(assembly.system, state.q, state.v, state.time, kinematics);
    const Vector3 speed = velocity(contact.a) - velocity(contact.b);
    update(assembly.system, state.q, faster, state.time, kinematics);
    const Vector3 acceleration = velocity(contact.a) - velocity(contact.b) - speed;
    const auto time = time_to_impact({clearance, -speed.norm(), -acceleration.norm(), 0});
    if (clearance <= 0 || !time || *time <= 0) continue;
    suggestion.limits.push_back(
        {*time / steps_in_clearance,
         fmt::format("clearance: a {:.0f}th of the {:.3g} s in which '{}' crosses its clearance of {:.3g} m",
                     steps_in_clearance, *time, simulation.contact_name(contact.id).first, clearance)});
  }
}

}  // namespace

std::optional<double> highest_frequency(const System& system) {
  const State& start = system.initial;
  const int n = system.dof_count();
  if (n == 0) return 0.0;
  SaddlePoint saddle(system);
  Kinematics kinematics = make_kinematics(system);
  kinematics.angles = start.angles;
  update(system, start.q, start.v, start.time, kinematics);
  SparseMatrix with_stiffness = saddle.matrix();
  assemble_iteration_matrix(system, start.q, start.v, start.time, 0, 1, kinematics, with_stiffness);
  assemble_iteration_matrix(system, start.q, start.v, start.time, 0, 0, kinematics, saddle.matrix());
  constraint_jacobian(system, kinematics, saddle.constraint_jacobian());
  const SparseMatrix mass = saddle.matrix();
  if (!saddle.factorise()) return std::nullopt;
  VectorX x(n), y(n), b = VectorX::Zero(saddle.size()), z = b, solution = b;
  for (int i = 0; i < n; ++i) x[i] = 1 + std::sin(7.0 * i);  // has a part of every mode
  double value = 0;
  for (int i = 0; i < power_iterations; ++i) {
    x.normalize();
    multiply_stiffness(with_stiffness, mass, x, y);
    if (y.norm() == 0) return 0.0;
    b.setZero();
    b.head(n) = y;
    saddle.factor().forward(b, z);
    saddle.factor().backward(z, solution);
    const double last = value;
    value = solution.head(n).norm();
    x = solution.head(n);
    if (!(value > 0)) return 0.0;
    if (std::abs(value - last) <= power_tolerance * value) break;
  }
  return std::sqrt(value);
}

double rounded_down(double step) {
  const double decade = std::pow(10, std::floor(std::log10(step)));
  for (const double digit : {5.0, 2.0})
    if (digit * decade <= step * (1 + 1e-12)) return digit * decade;
  return decade;
}

StepSuggestion suggest_step(const Simulation& simulation) {
  StepSuggestion suggestion;
  limit_by_vibrations(simulation, suggestion);
  limit_by_motion(simulation, suggestion);
  limit_by_first_impact(simulation, suggestion);
  limit_by_clearances(simulation, suggestion);
  std::ranges::sort(suggestion.limits, {}, &StepLimit::step);
  suggestion.step = rounded_down(suggestion.limits.front().step);
  return suggestion;
}

}  // namespace percuss
