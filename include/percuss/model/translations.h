#pragma once

#include <array>

#include "percuss/math/fields.h"

namespace percuss {

/// The directions in which a body may move; the other coordinates keep their initial value.
enum class Translations { x, y, z, xy, xz, yz, xyz };
template <>
struct EnumNames<Translations> {
  static constexpr std::array<std::pair<Translations, std::string_view>, 7> values = {
      {{Translations::x, "x"},
       {Translations::y, "y"},
       {Translations::z, "z"},
       {Translations::xy, "xy"},
       {Translations::xz, "xz"},
       {Translations::yz, "yz"},
       {Translations::xyz, "xyz"}}};
};
inline bool moves_along(Translations t, int axis) {
  return enum_name(t).find("xyz"[axis]) != std::string_view::npos;
}

}  // namespace percuss
