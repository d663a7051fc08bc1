#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "percuss/simulation/simulation.h"

namespace percuss {

/// A scene file, read: the model, how to run it, and the texts it came from.
struct Scene {
  int format = 1;
  Model model;
  RunConfig run;

  std::string path;                    ///< of the file
  std::string text;                    ///< of the file
  std::vector<std::string> overrides;  ///< `path=value` as given
  std::vector<std::string> notes;      ///< what the user should know, such as options dropped by an override

  static void fields(auto& self, auto& visit) {
    visit("percuss", self.format,
          Field{.help = "version of the scene format: 1", .range = {.low = 1, .high = 1}, .required = true});
    Model::fields(self.model, visit);
    RunConfig::fields(self.run, visit);
  }
};

/// Something is wrong with a scene: one line for each fault, `file:line:column: path: message`.
class SceneError : public std::runtime_error {
 public:
  explicit SceneError(std::vector<std::string> faults);
  const std::vector<std::string>& faults() const { return faults_; }

 private:
  std::vector<std::string> faults_;
};

/// Reads and checks a scene. Throws SceneError with every fault found, or IoError if the file cannot be read.
/// Plugins are programs: they are sought in `plugin_path`, which the user gives, then among those that come
/// with percuss; not next to the scene.
Scene load_scene(const std::string& path, const std::vector<std::string>& overrides = {},
                 const std::vector<std::string>& plugin_path = {});
/// The same from memory; `name` stands for the file in messages, tables and meshes are sought in
/// `directory`.
Scene parse_scene(const std::string& text, const std::string& name,
                  const std::vector<std::string>& overrides = {}, const std::string& directory = ".",
                  const std::vector<std::string>& plugin_path = {});

/// A scene and its model in motion, which was built while the scene was checked.
struct LoadedScene {
  Scene scene;
  Simulation simulation;
};
/// load_scene and parse_scene with the simulation, which they throw away. `threads` is RunConfig::threads.
LoadedScene load_simulation(const std::string& path, const std::vector<std::string>& overrides = {},
                            const std::vector<std::string>& plugin_path = {}, int threads = 1);
LoadedScene parse_simulation(const std::string& text, const std::string& name,
                             const std::vector<std::string>& overrides = {},
                             const std::string& directory = ".",
                             const std::vector<std::string>& plugin_path = {}, int threads = 1);

/// The scene with all parameters, repeats and defaults worked out, as YAML that loads to the same scene.
std::string resolved_text(const Scene& scene);
/// The same without what a resumed run may change (the end of the run and the flush interval).
std::string resume_fingerprint(Scene scene);

/// JSON Schema (draft 2020-12) of scene files.
std::string scene_schema();
/// The reference page docs/formats/scene.md.
std::string scene_reference();

}  // namespace percuss
