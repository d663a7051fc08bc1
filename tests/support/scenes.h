#pragma once

#include <string>
#include <vector>

#include "percuss/io/scene.h"

namespace percuss::testing {

inline std::string scene_path(const std::string& name) {
  return std::string(PERCUSS_SOURCE_DIR "/scenes/") + name + ".yaml";
}

/// A shipped scene with overrides, ready to run.
inline Simulation scene_simulation(const std::string& name, const std::vector<std::string>& overrides = {}) {
  const Scene scene = load_scene(scene_path(name), overrides);
  return Simulation(scene.model, scene.run);
}

}  // namespace percuss::testing
