#include "percuss/io/recording.h"

#include <fmt/format.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/io/results_writer.h"
#include "percuss/io/version.h"

namespace percuss {

ResultsWriter::Header results_header(const Scene& scene, const System& system,
                                     const std::string& results_path) {
  ResultsWriter::Header header;
  header.path = results_path;
  header.title = scene.model.title;
  header.scene_path = scene.path;
  header.scene_text = scene.text;
  header.scene_resolved = resolved_text(scene);
  header.overrides = fmt::format("{}", fmt::join(scene.overrides, "\n"));
  header.version = version();
  header.fingerprint = resume_fingerprint(scene);
  header.shapes = drawn_shapes(scene.model, system);
  return header;
}

RunOutcome run_to_file(const Scene& scene, const std::string& results_path, const RunHooks& hooks) {
  Simulation simulation(scene.model, scene.run);
  ResultsWriter writer(results_header(scene, simulation.assembly().system, results_path), simulation);
  const RunOutcome outcome = run(simulation, writer, hooks);
  writer.finish(simulation, outcome);
  return outcome;
}

}  // namespace percuss
