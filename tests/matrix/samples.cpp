#include "matrix/samples.h"

#include <fmt/format.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/math/expression.h"
#include "percuss/simulation/probe.h"

namespace percuss::matrix {
namespace {

/// The message of `place: path: message`.
std::string without_place(const std::string& fault) {
  const size_t place = fault.find(": "), path = fault.find(": ", place + 1);
  return path == fault.npos ? fault : fault.substr(path + 2);
}

Simulation start(const Scene& scene) {
  try {
    return Simulation(scene.model, scene.run);
  } catch (const ModelError& e) {
    throw Refusal(e.complaints().front().message);
  }
}

/// A scheme that looks for events takes several steps to the next time, adaptive ones many.
void advance(Simulation& simulation, double time) {
  constexpr int patience = 20000;
  const double start = simulation.time();
  for (int taken = 0; !simulation.finished() && simulation.time() < time; ++taken) {
    if (taken == patience)
      throw Failure(fmt::format("{} steps from t = {:.4g} s have not come to {:.4g} s", taken, start, time));
    const StepReport report = simulation.step();
    if (report.status != SolveStatus::converged) throw Failure(simulation.why_it_failed(report));
  }
}

}  // namespace

std::string scene_file(const Feature& feature) {
  return PERCUSS_SOURCE_DIR "/tests/matrix/scenes/" + feature.name + ".yaml";
}

Scene feature_scene(const Feature& feature, const Overrides& overrides) {
  try {
    return load_scene(scene_file(feature), overrides);
  } catch (const SceneError& e) {
    throw Refusal(without_place(e.faults().front()));
  }
}

Samples run_scene(Scene scene, int steps) {
  TimeOptions& time = scene.run.time;
  const double interval = (time.end - time.start) / steps;
  if (time.adaptive)
    scene.run.record.every = interval;
  else
    time.step = interval, scene.run.record.every.reset();
  Simulation simulation = start(scene);
  std::vector<Probe> probes;
  for (const auto& [name, text] : scene.run.record.probes)
    probes.push_back(Probe::parse(text, simulation.assembly()));
  Samples samples;
  samples.values.resize(probes.size());
  for (int n = 1; n <= steps; ++n) {
    advance(simulation, simulation.grid().time(n));
    samples.time.push_back(simulation.time());
    for (size_t k = 0; k < probes.size(); ++k) samples.values[k].push_back(probes[k].value(simulation));
  }
  return samples;
}

Samples exact_samples(const Feature& feature, const Scene& scene, int steps) {
  Expression::Options options;
  options.allow_time = true;
  const TimeOptions& time = scene.run.time;
  Samples samples;
  for (int n = 1; n <= steps; ++n) samples.time.push_back(time.start + (time.end - time.start) * n / steps);
  for (const auto& [name, text] : scene.run.record.probes) {
    const std::string* formula = find_named(feature.exact, name);
    if (!formula) throw std::logic_error(feature.name + " has no closed form of its probe " + name);
    const Expression f = Expression::parse(*formula, options);
    auto& values = samples.values.emplace_back();
    for (const double t : samples.time) values.push_back(f.value(t));
  }
  return samples;
}

}  // namespace percuss::matrix
