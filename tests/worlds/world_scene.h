// Scenes in which bodies find each other.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "percuss/integrators/registry.h"
#include "percuss/io/scene.h"

namespace percuss::testing {

struct WorldScene {
  std::vector<std::string> bodies = {};
  std::vector<std::string> obstacles = {"{half_space: floor, material: stone}"};
  double friction = 0.5, restitution = 0;
  std::string gravity = "[0, 0, -9.81]";
  std::string scheme = "moreau-jean";
  double step = 1e-3, end = 1;
  double adaptive = 0;  ///< tolerance of steps of varying size; none if zero
  std::string contacts = "all";
  std::string more = {};
  std::string law = {};        ///< more of the pair of materials
  std::string whole_law = {};  ///< in the place of `friction`, `restitution` and `law`

  std::string pair_law() const {
    return fmt::format("friction: {}, restitution: {}{}", friction, restitution,
                       law.empty() ? "" : ", " + law);
  }
  std::string text() const {
    std::string text = fmt::format(
        "percuss: 1\ngravity: {}\nmaterials: {{stone: {{density: 2000}}}}\n"
        "pairs: [{{between: [stone, stone], {}}}]\nbodies:\n",
        gravity, whole_law.empty() ? pair_law() : whole_law);
    for (const std::string& body : bodies) text += "  - " + body + "\n";
    text += "obstacles:\n";
    for (const std::string& obstacle : obstacles) text += "  - " + obstacle + "\n";
    if (obstacles.empty()) text += "  []\n";
    const std::string varying = adaptive > 0 ? fmt::format(", adaptive: {{tolerance: {}}}", adaptive) : "";
    return text + fmt::format("contacts: {}\nintegrator: {{scheme: {}}}\ntime: {{end: {}, step: {}{}}}\n{}",
                              contacts, scheme, end, step, varying, more);
  }
  Simulation simulation() const { return std::move(parse_simulation(text(), "world.yaml").simulation); }
  /// Run to its end.
  Simulation run() const {
    Simulation simulation = this->simulation();
    const StepReport report = simulation.advance_to(1e9);
    EXPECT_EQ(report.status, SolveStatus::converged) << simulation.why_it_failed(report);
    return simulation;
  }
};

inline std::string rigid(const std::string& name, const std::string& shape, const Vector3& position,
                         const std::string& more = "") {
  return fmt::format("{{rigid: {}, material: stone, shape: {}, position: [{:.17g}, {:.17g}, {:.17g}]{}}}",
                     name, shape, position.x(), position.y(), position.z(), more.empty() ? "" : ", " + more);
}

/// Schemes that simulate worlds with friction. Left out, because they fail with declared contacts too:
/// explicit-velocity (a ball sinks into the floor on which it lies) and floating-trapezoidal (its iteration
/// stalls under a tetrahedron that stands still).
inline std::vector<std::string> friction_schemes() {
  std::vector<std::string> names;
  for (const SchemeOptions& scheme : all_schemes()) {
    const SchemeFacts known = facts(scheme);
    const std::string_view name = scheme_name(scheme);
    if (name == "explicit-velocity" || name == "floating-trapezoidal") continue;
    if (!known.is_for_study && known.has_friction) names.emplace_back(scheme_name(scheme));
  }
  return names;
}

/// Sum of the normal forces of all contacts between two things.
inline double pair_force(const Simulation& simulation, const std::string& first, const std::string& second,
                         const std::string& what = "force") {
  return simulation.probe(fmt::format("contact({}, {}).{}", first, second, what));
}

}  // namespace percuss::testing
