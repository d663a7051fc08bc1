#pragma once

#include <string>

#include "percuss/math/vector.h"

namespace percuss {

/// As in `contact(first, second)`.
struct ContactName {
  std::string first, second;

  bool operator==(const ContactName&) const = default;
};

/// A contact as a person wants to see it.
struct ContactView {
  std::string first, second;
  Vector3 point;     ///< in space [m]; zero for a stop of a joint or a user's gap
  Vector3 normal;    ///< from the second body to the first
  double gap;        ///< [m], negative = penetration
  Vector3 tangent;   ///< T1; T2 = normal x tangent
  Vector3 velocity;  ///< (u_N, u_T1, u_T2) in the contact frame [m/s]
};
}  // namespace percuss
