
#include <fmt/format.h>

#include "commands.h"
#include "percuss/io/scene.h"

namespace {

void print_summary(const percuss::Scene& scene) {
  const percuss::Simulation simulation(scene.model, scene.run);
  const auto& system = simulation.assembly().system;
  double mass = 0;
  for (const auto& body : system.bodies) mass += body.mass;
  const auto& grid = simulation.grid();
  fmt::print("{}: {}\n", scene.path, scene.model.title.empty() ? "(no title)" : scene.model.title);
  fmt::print("  bodies        {} with {} coordinates, {:.6g} kg in all\n", system.bodies.size(),
             system.dof_count(), mass);
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
  for (const auto& overlap : simulation.initial_overlaps()) fmt::print("  warning: {}\n", overlap);
  fmt::print("no errors\n");
}

}  // namespace

void check_command(const CheckOptions& options) {
  const percuss::Scene scene = percuss::load_scene(options.scene, options.overrides);
  for (const auto& note : scene.notes) fmt::print(stderr, "note: {}\n", note);
  if (options.print)
    fmt::print("{}", percuss::resolved_text(scene));
  else
    print_summary(scene);
}
