
#include <fmt/format.h>

#include "commands.h"
#include "percuss/contacts/contact_kinematics.h"
#include "percuss/contacts/things.h"
#include "percuss/geometry/mass_properties.h"
#include "percuss/geometry/mesh_report.h"
#include "percuss/io/scene.h"
#include "percuss/model/profile_corners.h"
#include "say.h"

namespace {

/// The nodes of flexible bodies come after all other bodies.
size_t first_node(const percuss::System& system) {
  return system.flexibles.empty() ? system.bodies.size()
                                  : static_cast<size_t>(system.flexibles.front().first_node);
}

/// Size, volume and quality of the meshes.
void print_meshes(const percuss::System& system) {
  for (const auto& flexible : system.flexibles) {
    const percuss::MeshReport report = percuss::mesh_report(*flexible.mesh);
    std::string cells;
    for (const auto& [shape, count] : report.cell_counts)
      cells += fmt::format("{}{} {}", cells.empty() ? "" : ", ", count, name_of(shape));
    const int dimension = flexible.mesh->dimension();
    say("  flexible      '{}': {} nodes, {}, {:.6g} kg, {} {:.6g} {}\n", flexible.declared.name,
        report.node_count, cells, system.bodies[static_cast<size_t>(flexible.body)].mass,
        dimension == 3   ? "volume"
        : dimension == 2 ? "area"
                         : "length",
        report.volume,
        dimension == 3   ? "m^3"
        : dimension == 2 ? "m^2"
                         : "m");
    if (dimension > 1)
      say("                worst element {} with quality {:.3g} (1 is perfect){}\n", report.worst_cell,
          report.worst_quality,
          report.part_count > 1 ? fmt::format("; {} parts share no node", report.part_count) : "");
    if (!report.duplicates.empty())
      say("                {} elements lie on the nodes of another one (first: {} and {})\n",
          report.duplicates.size(), report.duplicates[0].first, report.duplicates[0].second);
  }
}

/// Principal moments and axes of the rigid bodies whose axes are not principal, moments of the others.
void print_inertia(const percuss::System& system) {
  constexpr size_t most = 12;
  size_t printed = 0;
  for (size_t b = 0; b < first_node(system); ++b) {
    const auto& body = system.bodies[b];
    if (body.kind != percuss::BodyKind::spatial && body.kind != percuss::BodyKind::natural) continue;
    if (++printed > most) continue;
    const auto [moments, axes] = percuss::principal_axes(body.inertia);
    say("  inertia       '{}': {:.6g} kg, principal moments {:.6g}, {:.6g}, {:.6g} kg m^2\n", body.name,
        body.mass, moments[0], moments[1], moments[2]);
    if (body.inertia.isDiagonal(1e-12)) continue;
    for (int k = 0; k < 3; ++k)
      say("                axis {}: [{:.6g}, {:.6g}, {:.6g}]\n", k + 1, axes(0, k), axes(1, k), axes(2, k));
  }
  if (printed > most) say("                and {} more bodies\n", printed - most);
}

void print_joints(const percuss::Assembly& assembly) {
  const auto& joints = assembly.system.joints;
  if (joints.joints.empty()) return;
  const auto& dependent = assembly.start.dependent_rows;
  say("  joints        {} with {} equations", joints.joints.size(), joints.row_count());
  if (dependent.empty()) {
    say(", all independent\n");
    return;
  }
  say(", of which {} depend on the others (the multipliers of least norm are taken):\n", dependent.size());
  for (const auto& row : dependent) say("                {}\n", row);
}

void print_profiles(const percuss::Model& model) {
  constexpr size_t most = 10;
  const auto notes = percuss::profile_notes(model);
  for (size_t i = 0; i < std::min(most, notes.size()); ++i)
    say("{:<16}{}\n", i == 0 ? "  profiles" : "", notes[i]);
  if (notes.size() > most) say("                and {} more\n", notes.size() - most);
}

std::string describe_steps(const percuss::RunConfig& run) {
  if (run.time.adaptive) return fmt::format("adaptive steps, tolerance {}", run.time.adaptive->tolerance);
  const percuss::TimeGrid grid(run);
  if (percuss::facts(run.integrator).chooses_steps)
    return fmt::format("the scheme chooses its steps, each at most {} s", grid.step_size(0));
  return fmt::format("{} steps of {} s{}", grid.step_count(), run.time.step,
                     grid.last_step_is_shorter() ? " (the last one shorter)" : "");
}

void print_summary(const percuss::Scene& scene, const percuss::Simulation& simulation) {
  const auto& system = simulation.assembly().system;
  double mass = 0;
  for (size_t b = 0; b < first_node(system); ++b) mass += system.bodies[b].mass;
  const percuss::TimeOptions& time = scene.run.time;
  say("{}: {}\n", scene.path, scene.model.title.empty() ? "(no title)" : scene.model.title);
  say("  bodies        {} with {} coordinates, {:.6g} kg in all\n", first_node(system), system.dof_count(),
      mass);
  print_meshes(system);
  for (const auto& user : system.user_systems)
    say("  system        '{}' with {} coordinates\n", user.name, user.size);
  print_inertia(system);
  print_profiles(scene.model);
  print_joints(simulation.assembly());
  say("  springs       {}{}\n", system.springs.size(),
      system.springs.empty()           ? ""
      : system.has_constant_matrices() ? " (linear: matrices are factorised once)"
                                       : " (nonlinear: Newton iterations in each step)");
  say("  forces        {}\n", scene.model.forces.size());
  const auto& things = simulation.assembly().interactions.things;
  say("  contacts      {}{}\n", simulation.contact_count(),
      things ? fmt::format(" at the start; {} surfaces find each other", things->count()) : "");
  say("  scheme        {}\n", percuss::scheme_name(scene.run.integrator));
  say("  time          {} s to {} s, {}\n", time.start, time.end, describe_steps(scene.run));
  say("  energy        {:.9g} J at the start\n", simulation.energy().total());
  for (const auto& warning : simulation.start_warnings()) say("  warning: {}\n", warning);
  say("no errors\n");
}

}  // namespace

void check_command(const CheckOptions& options) {
  const auto [scene, simulation] =
      percuss::load_simulation(options.scene, options.overrides, options.plugin_path);
  for (const auto& note : scene.notes) say(stderr, "note: {}\n", note);
  if (options.print)
    say("{}", percuss::resolved_text(scene));
  else
    print_summary(scene, simulation);
}
