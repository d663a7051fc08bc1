#include <cmath>
#include <thread>

#include "commands.h"
#include "percuss/io/mesh_import.h"
#include "percuss/io/version.h"
#include "percuss/math/blas_kernel.h"
#include "percuss/simulation/simulation.h"
#include "say.h"

namespace {

/// A ball that falls from 1 m and flies back with half of its speed.
percuss::Model falling_ball() {
  percuss::Model model;
  model.gravity = {0, 0, -9.81};
  model.materials = {{"steel", {}}};
  model.pairs = {{{"steel", "steel"}, 0.5, 0}};
  percuss::Particle body;
  body.name = "ball";
  body.mass = 1;
  body.material = "steel";
  body.position = {0, 0, 1};
  model.bodies = {body};
  percuss::HalfSpaceObstacle ground;
  ground.name = "floor";
  ground.material = "steel";
  model.obstacles = {ground};
  model.contacts = {{"ball", "floor"}};
  return model;
}

/// Relative error of the speed after the impact.
double error_of_rebound() {
  percuss::RunConfig config;
  config.integrator = percuss::EventDrivenOptions{};
  const double fall = std::sqrt(2 / 9.81);
  config.time.end = fall + 0.01;
  config.time.step = 0.1;
  percuss::Simulation simulation(falling_ball(), config);
  simulation.advance_to(config.time.end);
  const double expected = 0.5 * 9.81 * fall - 9.81 * 0.01;
  return std::abs(simulation.velocity("ball").z() - expected) / expected;
}

}  // namespace

int doctor_command() {
  const std::string kernel = percuss::load_blas_kernel();
  say("percuss {}\n", percuss::version());
  say("  processor     {} threads\n", std::thread::hardware_concurrency());
  say("  dense kernels {}\n",
      kernel.empty() ? "none: large matrices are factorised by percuss itself, more slowly" : kernel);
  say("  Gmsh          {}\n", percuss::reads_with_gmsh()
                                  ? "yes: .msh, .stl and .step files are read"
                                  : "no: this build reads no .msh, .stl and .step files");
  const double error = error_of_rebound();
  const bool is_right = error < 1e-9;
  say("  self-test     {}: a ball flies back from a floor with the relative error {:.1e} in its speed\n",
      is_right ? "passed" : "FAILED", error);
  return is_right ? exit_code::done : exit_code::numerical_failure;
}
