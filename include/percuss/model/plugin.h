#pragma once

#include <map>
#include <string>

#include "percuss/model/lagrangian_system.h"

namespace percuss {

/// Changes when LagrangianSystem or the two functions below do.
inline constexpr int plugin_abi = 2;
using PluginParameters = std::map<std::string, double>;

}  // namespace percuss

/// Makes a shared object a plugin: its class is constructed from the parameters of the scene and throws
/// std::invalid_argument with a sentence for the user if it does not like them.
#define PERCUSS_PLUGIN(Class)                                                                              \
  extern "C" int percuss_plugin_abi() { return percuss::plugin_abi; }                                      \
  extern "C" percuss::LagrangianSystem* percuss_make_system(const percuss::PluginParameters& parameters) { \
    return new Class(parameters);                                                                          \
  }
