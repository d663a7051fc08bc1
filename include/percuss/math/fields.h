#pragma once

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace percuss {

/// The numbers a field accepts.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;

  constexpr bool contains(double x) const { return (low_open ? x > low : x >= low) && x <= high; }
  constexpr bool bounded() const { return low > -std::numeric_limits<double>::infinity(); }
};
namespace allow {
inline constexpr Range positive{.low = 0, .low_open = true};
inline constexpr Range nonnegative{.low = 0};
inline constexpr Range unit_interval{.low = 0, .high = 1};
}  // namespace allow

/// What the scene reader, the writer, the schema and the reference page know about one field.
///
/// A struct lists its fields once, in a static member
///     static void fields(auto& self, auto& visit) { visit("mass", self.mass, Field{.unit = "kg", ...}); }
/// and every tool that handles scenes is a visitor over these lists.
struct Field {
  std::string_view unit = {};
  std::string_view help = {};
  Range range = {};
  bool required = false;
};

/// A mapping from user-chosen names to things, in the order of the file.
template <class T>
using NamedMap = std::vector<std::pair<std::string, T>>;

template <class T>
const T* find_named(const NamedMap<T>& map, std::string_view name) {
  for (const auto& [key, value] : map)
    if (key == name) return &value;
  return nullptr;
}

/// The names of an enumeration, specialised beside each one: a static constexpr array `values` of pairs.
template <class E>
struct EnumNames;

template <class E>
constexpr std::string_view enum_name(E value) {
  for (const auto& [candidate, name] : EnumNames<E>::values)
    if (candidate == value) return name;
  return "?";
}

/// One thing that is wrong with a description, and where: path as in `bodies[2].mass`.
struct Complaint {
  std::string path;
  std::string message;
  std::string depends_on = {};  ///< path of what may be the cause: if that is wrong, this is not worth saying
};

}  // namespace percuss
