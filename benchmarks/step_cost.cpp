#include <string>

#include <benchmark/benchmark.h>

#include "percuss/io/scene.h"

/// Cost of a step without recording, the energy ledger included.
///
///   build/release/bin/step_cost
///
/// Targets: bouncing_ball at most 1 us per step; oscillator_chain linear, at most 100 ns per mass and step.
/// slider_crank at most 2 us, half-explicit-velocity there at most 1.3 times moreau-explicit;
/// slider_crank_joints at most 10 us; hinged_chain linear.
/// generalized-alpha at most 1.3 times moreau-jean per linear solve.
/// `per_mass` is the time divided by the number of masses, `per_solve` by that of linear solves.
namespace {

percuss::Scene load(const std::string& name, const std::vector<std::string>& overrides) {
  return percuss::load_scene(PERCUSS_SOURCE_DIR "/scenes/" + name + ".yaml", overrides);
}

/// Steps through the scene again and again, so that flight, impacts and rest have their share.
void step_through(benchmark::State& state, const percuss::Scene& scene) {
  percuss::Simulation simulation(scene.model, scene.run);
  const percuss::Checkpoint start = simulation.checkpoint();
  std::int64_t solves = 0;
  for (auto _ : state) {
    if (simulation.finished()) simulation.restore(start);
    const percuss::StepReport report = simulation.step();
    solves += report.iterations;
    benchmark::DoNotOptimize(report.status);
  }
  state.counters["per_solve"] = benchmark::Counter(static_cast<double>(solves),
                                                   benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["per_mass"] =
      benchmark::Counter(static_cast<double>(scene.model.bodies.size()),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void bouncing_ball(benchmark::State& state) { step_through(state, load("bouncing_ball", {})); }
void bouncing_ball_explicit(benchmark::State& state) {
  step_through(state, load("bouncing_ball", {"integrator.scheme=moreau-explicit"}));
}
void ball_in_box(benchmark::State& state) { step_through(state, load("ball_in_box", {})); }

void oscillator_chain_in_flight(benchmark::State& state) {
  step_through(state, load("oscillator_chain",
                           {"parameters.masses=" + std::to_string(state.range(0)), "time.end=0.9"}));
}
/// The first mass rests on the wall: every step has a contact whose Delassus operator needs the whole chain.
void oscillator_chain_in_contact(benchmark::State& state, const char* scheme) {
  step_through(state, load("oscillator_chain", {"parameters.masses=" + std::to_string(state.range(0)),
                                                "parameters.gap=0", "parameters.restitution=0",
                                                "time.end=0.5", "integrator.scheme=" + std::string(scheme)}));
}
/// Independent balls: contacts that do not know each other.
void many_balls(benchmark::State& state) {
  step_through(state, percuss::parse_scene(R"(percuss: 1
parameters: {n: 1}
gravity: [0, 0, -10]
materials: {steel: {}}
pairs: [{between: [steel, steel], restitution: 0.8}]
bodies:
  - {repeat: {count: n, index: i}, particle: "ball{i}", mass: 1, material: steel, position: [i, 0, 0.1 + 0.001*i]}
obstacles: [{half_space: floor, material: steel}]
contacts: [{body: all, against: floor}]
time: {end: 3, step: 1e-3}
)",
                                           "many_balls", {"parameters.n=" + std::to_string(state.range(0))}));
}

/// Minimal coordinates: 3 coordinates, 4 contacts.
void slider_crank(benchmark::State& state, const char* scheme) {
  step_through(state, load("slider_crank", {"integrator.scheme=" + std::string(scheme)}));
}
/// The same with 9 coordinates, 6 joint equations and 8 contacts.
constexpr int rotor_steps = 40000;
/// All of its 0.2 s count: half-explicit-velocity divides its steps around impacts.
void rotor(benchmark::State& state, const std::vector<std::string>& integrator) {
  step_through(state, load("rotor", integrator));
}

void slider_crank_joints(benchmark::State& state) { step_through(state, load("slider_crank_joints", {})); }

/// Bodies in space, one hanging from the other, with the hinges turned against each other.
void hinged_chain(benchmark::State& state, const char* scheme) {
  step_through(state, percuss::parse_scene(R"scene(percuss: 1
parameters: {n: 1}
gravity: [0, 0, -10]
bodies:
  - {repeat: {count: n, index: i}, rigid: "link{i}", mass: 1, inertia: [0.1, 0.1, 0.1], position: [i + 0.5, 0, 0]}
joints:
  - {hinge: first, body: link0, at: [0, 0, 0], axis: [0, 1, 0]}
  - {repeat: {count: n - 1, index: i}, hinge: "h{i}", body: "link{i + 1}", to: "link{i}", at: [i + 1, 0, 0], axis: ["mod(i, 2)", 1, 0]}
time: {end: 0.1, step: 1e-4}
)scene",
                                           "hinged_chain",
                                           {"parameters.n=" + std::to_string(state.range(0)),
                                            "integrator.scheme=" + std::string(scheme)}));
}

BENCHMARK(bouncing_ball);
BENCHMARK(bouncing_ball_explicit);
BENCHMARK(ball_in_box);
BENCHMARK(oscillator_chain_in_flight)->Arg(100)->Arg(1000)->Arg(10000);
BENCHMARK_CAPTURE(oscillator_chain_in_contact, moreau_jean, "moreau-jean")->Arg(100)->Arg(1000)->Arg(10000);
BENCHMARK_CAPTURE(oscillator_chain_in_contact, generalized_alpha, "generalized-alpha")
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10000);
BENCHMARK_CAPTURE(slider_crank, moreau_explicit, "moreau-explicit");
BENCHMARK_CAPTURE(slider_crank, half_explicit_velocity, "half-explicit-velocity");
BENCHMARK_CAPTURE(slider_crank, moreau_jean, "moreau-jean");
BENCHMARK_CAPTURE(slider_crank, generalized_alpha, "generalized-alpha");
BENCHMARK(slider_crank_joints);
BENCHMARK_CAPTURE(rotor, half_explicit_velocity, {})->Iterations(rotor_steps);
BENCHMARK_CAPTURE(rotor, moreau_explicit, {"integrator={scheme: moreau-explicit, forces: end}"})
    ->Iterations(rotor_steps);
BENCHMARK_CAPTURE(hinged_chain, explicit, "moreau-explicit")->Arg(10)->Arg(100)->Arg(1000)->Arg(10000);
BENCHMARK_CAPTURE(hinged_chain, implicit, "moreau-jean")->Arg(10)->Arg(100)->Arg(1000)->Arg(10000);
BENCHMARK(many_balls)->Arg(10)->Arg(100)->Arg(1000);

}  // namespace

BENCHMARK_MAIN();
