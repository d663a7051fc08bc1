#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "percuss/contacts/assembly.h"
#include "percuss/io/scene.h"
#include "percuss/nonsmooth/problem.h"

/// Piles of spheres and boxes that are dropped into a box with default options (mu = 0.3): steps, how many
/// were halved and accepted, what a step, a contact and an iteration of the contact solver cost, and how
/// still the pile lies at the end.
///
///   cmake --build build/release --target pile_cost
///   build/release/bin/pile_cost [SECONDS [SCHEME [BODIES OF LARGEST PILE]]]
///
/// SECONDS are simulated, 2 by default; SCHEME is moreau-jean by default, the largest pile has 1000 bodies by
/// default. 10000 take hours.
namespace {

using percuss::Simulation;

constexpr double gravity = 9.81, radius = 0.02, density = 2500, friction = 0.3;

/// Layers of side x side bodies, each body moved and turned a little, so that none stands on the top of
/// another. The side grows with the number, so that piles of all sizes are about as high as they are wide.
std::string pile(std::string_view shape, int count, double seconds, std::string_view scheme) {
  const int side = std::max(3, static_cast<int>(std::lround(std::cbrt(count))));
  const double spacing = 2.25 * radius, wall = 0.5 * (side + 0.1) * spacing;
  std::string text = fmt::format(
      "percuss: 1\ngravity: [0, 0, {}]\nmaterials: {{glass: {{density: {}}}}}\n"
      "pairs: [{{between: [glass, glass], friction: {}}}]\nbodies:\n",
      -gravity, density, friction);
  for (int i = 0; i < count; ++i) {
    const int column = i % side, row = i / side % side, layer = i / (side * side);
    text += fmt::format(
        "  - {{rigid: b{}, material: glass, shape: {}, position: [{}, {}, {}], orientation: {{axis: "
        "[{}, {}, {}], angle: {}}}}}\n",
        i, shape, (column - 0.5 * (side - 1)) * spacing + 0.1 * radius * std::sin(1.7 * i),
        (row - 0.5 * (side - 1)) * spacing + 0.1 * radius * std::sin(2.3 * i),
        1.25 * radius + layer * spacing, std::sin(i + 1), std::cos(2 * i), std::sin(3 * i + 1),
        0.3 * std::sin(5 * i));
  }
  return text + fmt::format(
                    "obstacles: [{{box: bin, lower: [{}, {}, 0], upper: [{}, {}, {}], material: glass,\n"
                    "  faces: [x_min, x_max, y_min, y_max, z_min]}}]\n"
                    "contacts: all\nintegrator: {{scheme: {}}}\ntime: {{end: {}, step: 1e-3}}\n"
                    "record: {{every: 1}}\n",
                    -wall, -wall, wall, wall, 4 * side * spacing, scheme, seconds);
}

double processor_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/// Largest memory of the process so far [MB].
double memory() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

struct Cost {
  double contacts = 0;  ///< of a contact problem
  double per_step = 0;  ///< processor time [s]
};

/// One row of the table.
Cost run(std::string_view kind, std::string_view shape, int count, double seconds, std::string_view scheme) {
  const double memory_before = memory();
  auto [scene, simulation] =
      percuss::parse_simulation(pile(shape, count, seconds, scheme), fmt::format("{}{}", kind, count));
  double cones = 0, problems = 0, cone_iterations = 0;
  simulation.observe_problems(
      [&](const percuss::LocalProblem& problem, const percuss::Solution& solution, const percuss::State&) {
        cones += problem.W.cones();
        ++problems;
        cone_iterations += static_cast<double>(solution.iterations) * problem.W.cones();
      });
  double weight = 0;
  for (const auto& body : simulation.assembly().system.bodies) weight += gravity * body.mass;
  const double began = processor_seconds();
  std::string end = "ran through";
  while (!simulation.finished()) {
    if (const auto report = simulation.step(); report.status != percuss::SolveStatus::converged) {
      end = simulation.why_it_failed(report);
      break;
    }
  }
  const double took = processor_seconds() - began;
  const auto& total = simulation.statistics();
  const auto steps = static_cast<double>(total.steps), contacts = cones / problems;

  // A body that lies loose rolls on for ever, so the median stands beside the largest.
  std::vector<double> energies;
  for (const auto& body : simulation.assembly().system.bodies) {
    const auto id = simulation.body(body.name);
    const double v = simulation.velocity(id).norm() + radius * simulation.angular_velocity(id).norm();
    energies.push_back(0.5 * v * v / (gravity * radius));
  }
  std::ranges::sort(energies);
  const double floor = simulation.probe("contact(bin, *).force.z");
  const auto& energy = simulation.energy();
  const double lost_by_scheme = std::abs(energy.loss_algorithmic) / (energy.initial - energy.total());
  fmt::print(
      "| {} {} | {} | {} | {} | {:.2g} | {:.2g} | {:.0f} | {:.3g} | {:.3g} | {:.3g} | {:.0f} | {:.1e} | "
      "{:.1e} | {:.1e} | {:.1e} |\n",
      count, kind, total.steps, total.halved, total.accepted, total.max_residual,
      1e6 * total.max_displacement, contacts, 1e3 * took / steps, 1e6 * took / (contacts * steps),
      1e9 * took / cone_iterations, memory() - memory_before, energies[energies.size() / 2], energies.back(),
      std::abs(std::abs(floor) - weight) / weight, lost_by_scheme);
  if (end != "ran through") fmt::print("|   | {} |\n", end);
  std::fflush(stdout);
  return {contacts, took / steps};
}

}  // namespace

int main(int count, char** argument) {
  const double seconds = count > 1 ? std::atof(argument[1]) : 2;
  const std::string scheme = count > 2 ? argument[2] : "moreau-jean";
  const int largest = count > 3 ? std::atoi(argument[3]) : 1000;
  fmt::print(
      "| pile | steps | halved | accepted | largest residual | moves contacts [um] | contacts | ms a step | "
      "us "
      "a contact | ns a contact and iteration | MB | kinetic energy / m g R: median | largest | weight "
      "missed "
      "| lost by the scheme, of all that was lost "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  const std::string sphere = fmt::format("{{sphere: {}}}", radius);
  std::vector<Cost> costs;
  for (int bodies = 100; bodies <= largest; bodies *= 10)
    costs.push_back(run("spheres", sphere, bodies, seconds, scheme));
  const std::string box = fmt::format("{{box: [{}, {}, {}]}}", 1.8 * radius, 1.4 * radius, 1.1 * radius);
  for (int bodies = 100; bodies <= std::min(largest, 1000); bodies *= 10)
    run("boxes", box, bodies, seconds, scheme);
  if (costs.size() > 1)
    fmt::print("time of a step grows with the contacts by the power {:.2f}\n",
               std::log(costs.back().per_step / costs.front().per_step) /
                   std::log(costs.back().contacts / costs.front().contacts));
}
