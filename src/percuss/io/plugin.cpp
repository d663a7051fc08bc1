#include "percuss/io/plugin.h"

#include <filesystem>

#include <dlfcn.h>
#include <fmt/format.h>

#include "percuss/model/plugin.h"

namespace percuss {
namespace {

namespace fs = std::filesystem;

/// Where the plugins of percuss are, in the build tree and after installation.
fs::path own_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : program.parent_path().parent_path() / "lib" / "percuss" / "plugins";
}

fs::path find_file(const std::string& name, const std::string& directory,
                   const std::vector<std::string>& path) {
  if (name.empty() || name.find('/') != name.npos)
    throw PluginError(
        fmt::format("'{}' is not the name of a plugin; give the name of NAME.so without folder", name));
  std::vector<fs::path> folders = {directory};
  folders.insert(folders.end(), path.begin(), path.end());
  if (const fs::path own = own_folder(); !own.empty()) folders.push_back(own);
  std::string searched;
  for (const auto& folder : folders) {
    const fs::path file = folder / (name + ".so");
    std::error_code error;
    if (fs::is_regular_file(file, error)) return fs::absolute(file);
    searched += (searched.empty() ? "" : ", ") + folder.string();
  }
  throw PluginError(fmt::format("there is no {}.so in {}; build it, or name its folder with --plugin-path",
                                name, searched));
}

template <class Function>
Function* find_function(void* library, const char* symbol, const fs::path& file) {
  auto* found = reinterpret_cast<Function*>(dlsym(library, symbol));
  if (!found)
    throw PluginError(fmt::format("{} is not a percuss plugin: it has no {} (PERCUSS_PLUGIN is missing)",
                                  file.string(), symbol));
  return found;
}

}  // namespace

std::shared_ptr<const LagrangianSystem> load_plugin(const std::string& name,
                                                    const NamedMap<double>& parameters,
                                                    const std::string& directory,
                                                    const std::vector<std::string>& path) {
  const fs::path file = find_file(name, directory, path);
  // Never closed: the code of the system must live as long as the system, and it is loaded only once.
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw PluginError(fmt::format("cannot load it: {}", dlerror()));
  const int abi = find_function<int()>(library, "percuss_plugin_abi", file)();
  if (abi != plugin_abi)
    throw PluginError(fmt::format("{} was built for plugin interface {}, this program has {}; build it again",
                                  file.string(), abi, plugin_abi));
  auto* make =
      find_function<LagrangianSystem*(const PluginParameters&)>(library, "percuss_make_system", file);
  return std::shared_ptr<const LagrangianSystem>(
      make(PluginParameters(parameters.begin(), parameters.end())));
}

}  // namespace percuss
