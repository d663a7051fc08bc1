#pragma once

#include "percuss/io/scene.h"
#include "percuss/simulation/run.h"

namespace percuss {

/// Runs a scene from its start to its end into a results file. Throws IoError.
RunOutcome run_to_file(const Scene& scene, const std::string& results_path, const RunHooks& hooks = {});

}  // namespace percuss
