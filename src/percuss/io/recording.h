#pragma once

#include "percuss/io/results_writer.h"
#include "percuss/io/scene.h"

namespace percuss {

/// What a results file says about the scene it came from.
ResultsWriter::Header results_header(const Scene& scene, const System& system,
                                     const std::string& results_path);

/// Runs a scene from its start to its end into a results file. Throws IoError.
RunOutcome run_to_file(const Scene& scene, const std::string& results_path, const RunHooks& hooks = {});

}  // namespace percuss
