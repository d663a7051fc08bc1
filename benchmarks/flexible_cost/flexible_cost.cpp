#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cholmod_reference.h"
#include "percuss/contacts/contact_kinematics.h"
#include "percuss/dynamics/forces.h"
#include "percuss/io/scene.h"
#include "support/count_allocations.h"

/// Cost of flexible bodies against CHOLMOD called directly on the same matrices, on one thread.
///
///   build/release/bin/flexible_cost
///
/// Targets: a step of elastic_bar at most 1.5 times as long as the linear solves in it, and without any
/// allocation; a step of flexible_cube at most 1.3 times as long as the assembly, factorisations and solves
/// in it; memory linear in the size of the factors.
namespace {

using percuss::Simulation;

percuss::Scene load(const std::string& name, const std::vector<std::string>& overrides) {
  return percuss::load_scene(PERCUSS_SOURCE_DIR "/scenes/" + name + ".yaml", overrides);
}

constexpr const char* row_option = "--row";  ///< one row of the table of cubes, for the program itself

struct Cost {
  double seconds_per_step = 0;  ///< of the fastest batch
  double solves_per_step = 0, factorisations_per_step = 0, allocations_per_step = 0;
};

/// Some steps again and again from the present state.
Cost measure_steps(Simulation& simulation, int steps, int batches) {
  const percuss::Checkpoint start = simulation.checkpoint();
  Cost cost;
  cost.seconds_per_step = shortest(batches, [&] {
    simulation.restore(start);
    cost.solves_per_step = cost.factorisations_per_step = 0;
    const long allocations = allocation_count();
    const double begin = thread_seconds();
    for (int i = 0; i < steps; ++i) {
      const percuss::StepReport report = simulation.step();
      if (report.status != percuss::SolveStatus::converged) {
        std::fprintf(stderr, "%s\n", simulation.why_it_failed(report).c_str());
        std::exit(1);
      }
      cost.solves_per_step += report.iterations;
      cost.factorisations_per_step += report.factorisations;
    }
    const double seconds = thread_seconds() - begin;
    cost.allocations_per_step = static_cast<double>(allocation_count() - allocations) / steps;
    return seconds / steps;
  });
  simulation.restore(start);
  cost.solves_per_step /= steps;
  cost.factorisations_per_step /= steps;
  return cost;
}

/// M + h^2/4 K at the present state.
percuss::SparseMatrix iteration_matrix(const Simulation& simulation, double h) {
  const percuss::System& system = simulation.assembly().system;
  const percuss::State& state = simulation.state();
  percuss::Kinematics kinematics = percuss::make_kinematics(system);
  percuss::update(system, state.q, state.v, state.time, kinematics);
  percuss::SparseMatrix A = system.pattern;
  percuss::assemble_iteration_matrix(system, state.q, state.v, state.time, 0, h * h / 4, kinematics, A);
  return A;
}

/// A step to what is solved in it; "-" for a step without a solve.
std::string ratio(double step, double solves) {
  char text[16] = "-";
  if (solves > 0) std::snprintf(text, sizeof text, "%.2f", step / solves);
  return text;
}

void bar_row(int elements, const std::string& scheme, bool in_contact) {
  std::vector<std::string> overrides{"parameters.elements=" + std::to_string(elements),
                                     "integrator.scheme=" + scheme,
                                     "time.step=" + std::to_string(0.2 / elements)};
  if (in_contact) overrides.emplace_back("parameters.distance=0");
  // With forces at the start it is Euler's method, by which waves without damping grow at any step.
  if (scheme == "moreau-explicit") overrides.emplace_back("integrator.forces=end");
  percuss::Scene scene = load("elastic_bar", overrides);
  // Explicit schemes are stable up to l / (sqrt(3) c) = 0.192 s over the number of elements.
  if (percuss::facts(scene.run.integrator).is_explicit) scene.run.time.step /= 2;
  Simulation simulation(scene.model, scene.run);
  for (int i = 0; i < 5; ++i) simulation.step();
  const percuss::SparseMatrix A = iteration_matrix(simulation, scene.run.time.step);
  CholmodReference simplicial(A, false), supernodal(A, true);
  simplicial.factorise();
  supernodal.factorise();
  double solve = std::numeric_limits<double>::infinity();
  Cost cost;
  // In turns: the clock of the processor changes from one second to the next.
  for (int turn = 0; turn < 5; ++turn) {
    for (CholmodReference* reference : {&simplicial, &supernodal})
      solve = std::min(solve, shortest(50, [&] { return reference->solve(); }));
    const Cost next = measure_steps(simulation, elements < 10000 ? 200 : 50, 10);
    if (turn == 0 || next.seconds_per_step < cost.seconds_per_step) cost = next;
  }
  std::printf("| %d | %s | %s | %.2f | %.4g | %.4g | %s | %g | %g |\n", elements, scheme.c_str(),
              in_contact ? "contact" : "flight", cost.solves_per_step, 1e6 * solve,
              1e6 * cost.seconds_per_step, ratio(cost.seconds_per_step, cost.solves_per_step * solve).c_str(),
              cost.factorisations_per_step, cost.allocations_per_step);
  std::fflush(stdout);
}

void bars() {
  std::printf(
      "elastic_bar\n\n| elements | scheme | | solves | CHOLMOD's solve [us] | step [us] | step / solves | "
      "factorisations | allocations |\n|---|---|---|---|---|---|---|---|---|\n");
  for (const int elements : {200, 2000, 20000})
    for (const char* scheme :
         {"generalized-alpha", "moreau-jean", "schatzman-paoli", "hht", "half-explicit-velocity",
          "half-explicit-acceleration", "explicit-velocity", "moreau-explicit"})
      for (const bool in_contact : {false, true}) bar_row(elements, scheme, in_contact);
}

/// A value of /proc/self/status [MB]: VmRSS now, VmHWM at most. The peak of getrusage is no use: a new
/// process begins with that of its parent.
double memory_megabytes(const char* name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name)) return std::stod(line.substr(line.find(':') + 1)) / 1024;
  return 0;
}

/// Forgets the peak so far, which is that of reading the scene.
double begin_peak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;
  return memory_megabytes("VmRSS");
}

/// Force, which each Newton iteration needs, and iteration matrix, which each factorisation needs.
struct Assembly {
  double force = 0, matrix = 0;  ///< [s]
};

Assembly assembly_seconds(const Simulation& simulation, percuss::SparseMatrix& A, double h) {
  const percuss::System& system = simulation.assembly().system;
  const percuss::State& state = simulation.state();
  percuss::Kinematics kinematics = percuss::make_kinematics(system);
  percuss::update(system, state.q, state.v, state.time, kinematics);
  percuss::VectorX f(system.dof_count());
  const double force = shortest(5, [&] {
    const double start = thread_seconds();
    percuss::evaluate_force(system, state.q, state.v, state.time, kinematics, f);
    return thread_seconds() - start;
  });
  const double matrix = shortest(5, [&] {
    const double start = thread_seconds();
    percuss::assemble_iteration_matrix(system, state.q, state.v, state.time, 0, h * h / 4, kinematics, A);
    return thread_seconds() - start;
  });
  return {force, matrix};
}

void cube_row(int cells, bool in_contact) {
  std::vector<std::string> overrides{"parameters.cells=" + std::to_string(cells), "time.step=1e-4"};
  if (in_contact) {  // as after the fall, a step before the floor is reached
    overrides.emplace_back("bodies[cube].mesh.box.corner=[-0.05, -0.05, 1e-4]");
    overrides.emplace_back("bodies[cube].points={corner: [-0.05, -0.05, 1e-4], top: [-0.05, -0.05, 0.1001]}");
    overrides.emplace_back("bodies[cube].velocity=[0, 0, -2.4]");
  }
  const percuss::Scene scene = load("flexible_cube", overrides);
  const double without = begin_peak();
  Simulation simulation(scene.model, scene.run);
  for (int i = 0; i < 2; ++i) simulation.step();
  const int repetitions = cells <= 10 ? 10 : 2;
  const Cost cost = measure_steps(simulation, 4, repetitions);
  const double megabytes = memory_megabytes("VmHWM") - without;

  percuss::SparseMatrix A = iteration_matrix(simulation, 1e-4);
  const Assembly assembly = assembly_seconds(simulation, A, 1e-4);
  CholmodReference reference(A, true);
  const double factorisation = shortest(repetitions, [&] { return reference.factorise(); });
  const double solve = shortest(repetitions, [&] { return reference.solve(); });
  // A step with fewer factorisations than iterations has kept some.
  const double sum = cost.solves_per_step * (assembly.force + solve) +
                     cost.factorisations_per_step * (assembly.matrix + factorisation);
  const double nonzeros = reference.factor_nonzeros();
  const double nodes = (cells + 1.0) * (cells + 1.0) * (cells + 1.0);
  std::printf(
      "| %d | %s | %.2f | %.2f | %.3g | %.3g | %.3g | %.3g | %.3g | %.4g | %s | %.3g | %.1f | %.1f | %.1f "
      "|\n",
      cells, in_contact ? "contact" : "flight", cost.solves_per_step, cost.factorisations_per_step,
      1e6 * (assembly.force + assembly.matrix) / (8.0 * cells * cells * cells), 1e3 * assembly.force,
      1e3 * assembly.matrix, 1e3 * factorisation, 1e3 * solve, 1e3 * cost.seconds_per_step,
      ratio(cost.seconds_per_step, sum).c_str(), nonzeros, megabytes, 1024 * megabytes / nodes,
      1024 * 1024 * megabytes / nonzeros);
  std::fflush(stdout);
}

/// Each size in a program of its own, so that its memory is its own. A fork alone would not do: threads of
/// OpenMP that have worked here are not there, and the child would wait for them for ever.
void cubes(const std::vector<int>& sizes) {
  std::printf(
      "\nflexible_cube; sum = iterations (force + solve) + factorisations (matrix + factorisation)\n\n"
      "| cells | | iterations per step | factorisations per step | assembly per point [us] | force [ms] | "
      "matrix [ms] | factorisation [ms] | solve [ms] | step [ms] | step / sum | nonzeros of L | memory [MB] "
      "| "
      "KB per node | bytes per nonzero |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const int cells : sizes)
    for (const bool in_contact : {false, true}) {
      std::fflush(stdout);
      const pid_t child = fork();
      if (child == 0) {
        const std::string text = std::to_string(cells);
        execl("/proc/self/exe", "flexible_cost", row_option, text.c_str(), in_contact ? "contact" : "flight",
              static_cast<char*>(nullptr));
        std::_Exit(1);
      }
      int status = 0;
      waitpid(child, &status, 0);
      if (status != 0) std::printf("| %d | failed |\n", cells);
    }
}

/// OpenBLAS, which is linked here, has started a thread for each core before main: with them a step waits for
/// threads that have no core, and its time is not that of the one thread that is measured.
void begin_again_with_one_thread(char** argv) {
  if (std::getenv("OPENBLAS_NUM_THREADS")) return;
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  setenv("OMP_NUM_THREADS", "1", 1);
  execv("/proc/self/exe", argv);
}

}  // namespace

/// Arguments: sizes of cubes alone; without any: everything.
int main(int argc, char** argv) {
  begin_again_with_one_thread(argv);
  if (argc == 4 && std::string(argv[1]) == row_option) {
    cube_row(std::atoi(argv[2]), std::string(argv[3]) == "contact");
    return 0;
  }
  if (argc > 1) {
    std::vector<int> sizes;
    for (int i = 1; i < argc; ++i) sizes.push_back(std::atoi(argv[i]));
    if (std::ranges::any_of(sizes, [](int cells) { return cells < 1; })) {
      std::fprintf(stderr,
                   "usage: flexible_cost [CELLS ...]   cells along the edge of a cube, whole numbers > 0\n");
      return 2;
    }
    cubes(sizes);
    return 0;
  }
  bars();
  cubes({5, 10, 20, 30});
}
