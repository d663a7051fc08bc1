#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "commands.h"
#include "percuss/io/io_error.h"
#include "percuss/io/scene.h"
#include "percuss/math/nearest_name.h"
#include "say.h"

namespace fs = std::filesystem;

namespace {

/// The scenes stand beside the program: PREFIX/bin/percuss and PREFIX/share/percuss/scenes.
fs::path scene_folder() {
  const fs::path program = fs::read_symlink("/proc/self/exe");
  fs::path folder = program.parent_path().parent_path() / "share" / "percuss" / "scenes";
  if (!fs::is_directory(folder))
    throw percuss::IoError::cannot("read", folder.string(), "the example scenes are missing",
                                   "install percuss again");
  return folder;
}

std::vector<fs::path> scene_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(scene_folder()))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Without loading the scene: its meshes and plugins are not needed for this.
std::string title_of(const fs::path& scene) {
  constexpr std::string_view key = "title: ";
  std::ifstream file(scene);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key)) return line.substr(key.size());
  return {};
}

void list_examples() {
  for (const auto& file : scene_files()) say("{:<22} {}\n", file.stem().string(), title_of(file));
  say("\n`percuss examples NAME` writes NAME.yaml into this folder.\n");
}

fs::path find_example(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& file : scene_files()) {
    if (file.stem() == name) return file;
    names.push_back(file.stem().string());
  }
  const auto nearest = percuss::nearest_name(name, names);
  throw percuss::SceneError({fmt::format("error: there is no example '{}'; {}", name,
                                         nearest ? fmt::format("did you mean '{}'?", *nearest)
                                                 : fmt::format("known: {}", fmt::join(names, ", ")))});
}

void copy_here(const fs::path& file) {
  const fs::path target = file.filename();
  std::error_code error;
  if (fs::exists(target))
    throw percuss::IoError::cannot("write", target.string(), "it is already here", "move it away first");
  fs::copy_file(file, target, error);
  if (!error) return;
  std::error_code ignored;
  fs::remove(target, ignored);  // half of it may be there
  throw percuss::IoError::cannot("write", target.string(), error.message());
}

void write_example(const std::string& name, bool print) {
  const fs::path file = find_example(name);
  if (print) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    say("{}", text.str());
    return;
  }
  const fs::path target = file.filename();
  copy_here(file);
  for (const auto& entry : fs::directory_iterator(file.parent_path()))  // a drawing, a table
    if (entry.path().stem() == name && entry.path() != file) {
      copy_here(entry.path());
      say("wrote {}\n", entry.path().filename().string());
    }
  say("wrote {}\nnext: percuss run {}\n", target.string(), target.string());
}

}  // namespace

void examples_command(const ExamplesOptions& options) {
  if (options.name.empty())
    list_examples();
  else
    write_example(options.name, options.print);
}
