#pragma once

#include <string>
#include <string_view>

namespace percuss {

/// The formula of an angle in radians: `30 deg` as `(30)*deg`; others as they are.
std::string angle_formula(const std::string& text);
/// Whether numbers with this unit may be followed by `deg`.
inline bool is_angle(std::string_view unit) { return unit == "rad" || unit == "rad or m"; }

}  // namespace percuss
