#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "percuss/math/fields.h"
#include "percuss/model/lagrangian_system.h"

namespace percuss {

/// There is no such plugin, or it cannot be loaded.
class PluginError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Loads NAME.so from the folders of `path`, or from those that come with percuss. To load a plugin is to run
/// it, so the scene alone cannot choose where it comes from: one in `directory`, where the scene is, is only
/// named in the message. Throws PluginError, or std::invalid_argument if the plugin does not accept the
/// parameters.
std::shared_ptr<const LagrangianSystem> load_plugin(const std::string& name,
                                                    const NamedMap<double>& parameters,
                                                    const std::string& directory,
                                                    const std::vector<std::string>& path);

}  // namespace percuss
