
#include <fmt/format.h>

#include "commands.h"
#include "percuss/geometry/mass_properties.h"
#include "percuss/io/scene.h"

namespace {

/// Principal moments and axes of the rigid bodies whose axes are not principal, moments of the others.
void print_inertia(const percuss::System& system) {
  constexpr size_t most = 12;
  size_t printed = 0;
  for (const auto& body : system.bodies) {
    if (body.kind != percuss::BodyKind::spatial && body.kind != percuss::BodyKind::natural) continue;
    if (++printed > most) continue;
    const auto [moments, axes] = percuss::principal_axes(body.inertia);
    fmt::print("  inertia       '{}': {:.6g} kg, principal moments {:.6g}, {:.6g}, {:.6g} kg m^2\n",
               body.name, body.mass, moments[0], moments[1], moments[2]);
    if (body.inertia.isDiagonal(1e-12)) continue;
    for (int k = 0; k < 3; ++k)
      fmt::print("                axis {}: [{:.6g}, {:.6g}, {:.6g}]\n", k + 1, axes(0, k), axes(1, k),
                 axes(2, k));
  }
  if (printed > most) fmt::print("                and {} more bodies\n", printed - most);
}

void print_joints(const percuss::Assembly& assembly) {
  const auto& joints = assembly.system.joints;
  if (joints.joints.empty()) return;
  const auto& dependent = assembly.start.dependent_rows;
  fmt::print("  joints        {} with {} equations", joints.joints.size(), joints.row_count());
  if (dependent.empty()) {
    fmt::print(", all independent\n");
    return;
  }
  fmt::print(", of which {} depend on the others (the multipliers of least norm are taken):\n",
             dependent.size());
  for (const auto& row : dependent) fmt::print("                {}\n", row);
}

void print_summary(const percuss::Scene& scene) {
  const percuss::Simulation simulation(scene.model, scene.run);
  const auto& system = simulation.assembly().system;
  double mass = 0;
  for (const auto& body : system.bodies) mass += body.mass;
  const auto& grid = simulation.grid();
  fmt::print("{}: {}\n", scene.path, scene.model.title.empty() ? "(no title)" : scene.model.title);
  fmt::print("  bodies        {} with {} coordinates, {:.6g} kg in all\n", system.bodies.size(),
             system.dof_count(), mass);
  for (const auto& user : system.user_systems)
    fmt::print("  system        '{}' with {} coordinates\n", user.name, user.size);
  print_inertia(system);
  print_joints(simulation.assembly());
  fmt::print("  springs       {}{}\n", system.springs.size(),
             system.springs.empty()           ? ""
             : system.has_constant_matrices() ? " (linear: matrices are factorised once)"
                                              : " (nonlinear: Newton iterations in each step)");
  fmt::print("  forces        {}\n", scene.model.forces.size());
  fmt::print("  contacts      {}\n", simulation.contact_count());
  fmt::print("  scheme        {}\n", percuss::scheme_name(scene.run.integrator));
  fmt::print("  time          {} s to {} s, {} steps of {} s{}\n", scene.run.time.start, scene.run.time.end,
             grid.step_count(), scene.run.time.step,
             grid.last_step_is_shorter() ? " (the last one shorter)" : "");
  fmt::print("  energy        {:.9g} J at the start\n", simulation.energy().total());
  for (const auto& warning : simulation.start_warnings()) fmt::print("  warning: {}\n", warning);
  fmt::print("no errors\n");
}

}  // namespace

void check_command(const CheckOptions& options) {
  const percuss::Scene scene = percuss::load_scene(options.scene, options.overrides, options.plugin_path);
  for (const auto& note : scene.notes) fmt::print(stderr, "note: {}\n", note);
  if (options.print)
    fmt::print("{}", percuss::resolved_text(scene));
  else
    print_summary(scene);
}
