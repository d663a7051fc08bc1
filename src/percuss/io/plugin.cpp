#include "percuss/io/plugin.h"

#include <cmath>
#include <filesystem>
#include <stdexcept>

#include <dlfcn.h>
#include <fmt/format.h>

#include "percuss/model/plugin.h"

namespace percuss {
namespace {

namespace fs = std::filesystem;
using MakeSystem = LagrangianSystem*(const PluginParameters&);

/// Where the plugins of percuss are, in the build tree and after installation.
fs::path own_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : program.parent_path().parent_path() / "lib" / "percuss" / "plugins";
}

bool is_file(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error);
}

fs::path find_file(const std::string& name, const std::string& directory,
                   const std::vector<std::string>& path) {
  if (name.empty() || name.find('/') != name.npos)
    throw PluginError(
        fmt::format("'{}' is not the name of a plugin; give the name of NAME.so without folder", name));
  std::vector<fs::path> folders(path.begin(), path.end());
  if (const fs::path own = own_folder(); !own.empty()) folders.push_back(own);
  std::string searched;
  for (const auto& folder : folders) {
    const fs::path file = folder / (name + ".so");
    if (is_file(file)) return fs::absolute(file).lexically_normal();
    searched += (searched.empty() ? "" : ", ") + folder.string();
  }
  if (const fs::path beside = fs::path(directory) / (name + ".so"); is_file(beside))
    throw PluginError(fmt::format(
        "{} is a program, which a scene alone cannot start; if you trust it, write --plugin-path {}",
        beside.string(), directory));
  throw PluginError(fmt::format("there is no {}.so in {}; build it, or name its folder with --plugin-path",
                                name, searched.empty() ? "any folder of plugins" : searched));
}

template <class Function>
Function* find_function(void* library, const char* symbol, const fs::path& file) {
  auto* found = reinterpret_cast<Function*>(dlsym(library, symbol));
  if (!found)
    throw PluginError(fmt::format("{} is not a percuss plugin: it has no {} (PERCUSS_PLUGIN is missing)",
                                  file.string(), symbol));
  return found;
}

/// The initial state must be one: of the right size and finite.
std::string initial_defect(const LagrangianSystem& system) {
  const auto names = system.coordinate_names();
  const auto n = static_cast<Eigen::Index>(names.size());
  VectorX q = VectorX::Zero(n), v = VectorX::Zero(n);
  system.initial_state(q, v);
  if (q.size() != n || v.size() != n)
    return fmt::format("initial_state gives {} positions and {} velocities for {} coordinates", q.size(),
                       v.size(), n);
  for (Eigen::Index i = 0; i < n; ++i)
    if (!std::isfinite(q[i]) || !std::isfinite(v[i]))
      return fmt::format("the initial state of coordinate '{}' is not finite: position {}, velocity {}",
                         names[static_cast<size_t>(i)], q[i], v[i]);
  return {};
}

/// Whatever a plugin throws is a fault of the plugin; only std::invalid_argument speaks about parameters.
std::shared_ptr<const LagrangianSystem> make_system(MakeSystem* make, const PluginParameters& parameters,
                                                    const fs::path& file) {
  std::string defect;
  try {
    const std::shared_ptr<const LagrangianSystem> system(make(parameters));
    defect = system ? initial_defect(*system) : "percuss_make_system returns nothing";
    if (defect.empty()) return system;
  } catch (const std::invalid_argument&) {
    throw;
  } catch (const std::exception& e) {
    defect = e.what();
  } catch (...) {
    defect = "it throws something that is not a std::exception";
  }
  throw PluginError(fmt::format("{} makes no system: {}; mend the plugin", file.string(), defect));
}

}  // namespace

std::shared_ptr<const LagrangianSystem> load_plugin(const std::string& name,
                                                    const NamedMap<double>& parameters,
                                                    const std::string& directory,
                                                    const std::vector<std::string>& path) {
  const fs::path file = find_file(name, directory, path);
  // Never closed: the code of the system must live as long as the system, and it is loaded only once.
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw PluginError(
        fmt::format("cannot load the plugin: {}; is it a shared object for this computer?", dlerror()));
  const int abi = find_function<int()>(library, "percuss_plugin_abi", file)();
  if (abi != plugin_abi)
    throw PluginError(fmt::format("{} was built for plugin interface {}, this program has {}; build it again",
                                  file.string(), abi, plugin_abi));
  auto* make = find_function<MakeSystem>(library, "percuss_make_system", file);
  return make_system(make, PluginParameters(parameters.begin(), parameters.end()), file);
}

}  // namespace percuss
