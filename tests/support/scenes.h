#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "percuss/io/scene.h"

namespace percuss::testing {

using Overrides = std::vector<std::string>;

inline std::string scene_path(const std::string& name) {
  return std::string(PERCUSS_SOURCE_DIR "/scenes/") + name + ".yaml";
}

/// A shipped scene with overrides, ready to run.
inline Simulation scene_simulation(const std::string& name, const Overrides& overrides = {}) {
  const Scene scene = load_scene(scene_path(name), overrides);
  return Simulation(scene.model, scene.run);
}

/// A shipped scene with overrides, run to its end.
inline Simulation finished(const std::string& scene, const Overrides& overrides) {
  Simulation simulation = scene_simulation(scene, overrides);
  EXPECT_EQ(simulation.advance_to(1e9).status, SolveStatus::converged);
  return simulation;
}

}  // namespace percuss::testing
