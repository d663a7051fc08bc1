#pragma once

#include <cstdint>
#include <string>

namespace percuss {

/// A spring of the model, for messages and probes.
struct SpringData {
  enum class Kind : std::uint8_t { axis, distance, coordinate };
  std::string name;
  Kind kind = Kind::distance;
  int index = 0;           ///< into the pool of its kind
  double rest_length = 0;  ///< [m] or [rad]
};

}  // namespace percuss
