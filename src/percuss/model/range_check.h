#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "percuss/math/expression.h"
#include "percuss/math/fields.h"
#include "percuss/math/vector.h"
#include "percuss/model/tree_path.h"

namespace percuss {

/// What a range allows, in words: "> 0", ">= 0", "in [0, 1]".
inline std::string describe(const Range& range) {
  if (std::isfinite(range.high))
    return fmt::format("in {}{}, {}]", range.low_open ? '(' : '[', range.low, range.high);
  return fmt::format("{} {}", range.low_open ? ">" : ">=", range.low);
}

/// Numbers of a model lie between these or are zero: so products of six of them neither overflow nor vanish.
inline constexpr double smallest_number = 1e-50, largest_number = 1e50;
inline bool is_sensible(double x) {
  return x == 0 || (std::abs(x) >= smallest_number && std::abs(x) <= largest_number);
}

/// Visits a described struct and complains about every number that is not sensible or out of its range.
class RangeCheck {
 public:
  explicit RangeCheck(std::vector<Complaint>& complaints, const TreePath& path = {})
      : complaints_(complaints), path_(path) {}

  template <class T>
  void operator()(std::string_view name, const T& member, const Field& field) {
    if (name == alone_) return check(path_, owner_, member, field);
    check(path_.key(name), name, member, field);
  }

 private:
  void check(const TreePath& path, std::string_view name, double x, const Field& field) {
    if (!std::isfinite(x))
      complaints_.push_back(
          {path.text(), fmt::format("{} is not allowed; {} must be a finite number", x, name)});
    else if (!field.range.contains(x))
      complaints_.push_back(
          {path.text(), fmt::format("{} is not allowed; {} must be {}", x, name, describe(field.range))});
    else if (!is_sensible(x))
      complaints_.push_back(
          {path.text(),
           fmt::format("{} is not allowed; {} must lie between {} and {} in size: calculations with "
                       "numbers beyond overflow or lose them",
                       x, name, smallest_number, largest_number)});
  }
  void check(const TreePath&, std::string_view, bool, const Field&) {}
  void check(const TreePath& path, std::string_view name, int x, const Field& field) {
    check(path, name, static_cast<double>(x), field);
  }
  void check(const TreePath& path, std::string_view name, const Vector3& x, const Field&) {
    if (!x.allFinite())
      complaints_.push_back(
          {path.text(), fmt::format("[{}, {}, {}] is not allowed; {} must have finite components", x[0], x[1],
                                    x[2], name)});
    else if (x.cwiseAbs().maxCoeff() > largest_number)
      complaints_.push_back(
          {path.text(), fmt::format("[{}, {}, {}] is not allowed; the components of {} must be at "
                                    "most {} in size: calculations with larger numbers overflow",
                                    x[0], x[1], x[2], name, largest_number)});
  }
  template <class T>
  void check(const TreePath& path, std::string_view name, const std::optional<T>& x, const Field& field) {
    if (x) check(path, name, *x, field);
  }
  template <class T>
  void check(const TreePath& path, std::string_view name, const std::vector<T>& items, const Field& field) {
    for (size_t i = 0; i < items.size(); ++i) check(path.item(i), name, items[i], field);
  }
  template <class T>
  void check(const TreePath& path, std::string_view name, const NamedMap<T>& items, const Field& field) {
    for (const auto& [key, item] : items) check(path.key(key), name, item, field);
  }
  template <class... T>
  void check(const TreePath& path, std::string_view name, const std::variant<T...>& item,
             const Field& field) {
    std::visit([&](const auto& value) { check(path, name, value, field); }, item);
  }
  template <class T>
  void check(const TreePath& path, [[maybe_unused]] std::string_view name, const T& item, const Field&) {
    if constexpr (requires(RangeCheck & inner) { T::fields(item, inner); }) {
      RangeCheck inner(complaints_, path);
      if constexpr (requires { T::scalar_field; }) {
        inner.alone_ = T::scalar_field;
        inner.owner_ = name;
      }
      T::fields(item, inner);
    }
  }

  std::vector<Complaint>& complaints_;
  TreePath path_;
  std::string_view alone_, owner_;  ///< of a struct: the field that may stand in its place, and its own name
};

}  // namespace percuss
