#pragma once

#include <optional>
#include <variant>

#include <nlohmann/json.hpp>

#include "percuss/math/expression.h"
#include "percuss/math/fields.h"
#include "percuss/math/vector.h"

namespace percuss {

using Json = nlohmann::ordered_json;

/// The visitor that turns a described struct into a tree of values, every key spelled out.
class SceneWriter {
 public:
  template <class T>
  void operator()(std::string_view name, const T& member, const Field&) {
    Json value = write(member);
    if (!value.is_null()) tree_[std::string(name)] = std::move(value);
  }
  Json take() { return std::move(tree_); }

  static Json write(double x) { return x; }
  static Json write(int x) { return x; }
  static Json write(bool x) { return x; }
  static Json write(const std::string& text) { return text.empty() ? Json() : Json(text); }
  static Json write(const Vector3& x) { return {x[0], x[1], x[2]}; }
  static Json write(const Expression& e) { return e.is_constant() ? Json(e.value(0)) : Json(e.canonical()); }
  template <class E>
  requires std::is_enum_v<E>
  static Json write(E value) { return std::string(enum_name(value)); }
  template <class T>
  static Json write(const std::optional<T>& x) {
    return x ? write(*x) : Json();
  }
  template <class T, size_t N>
  static Json write(const std::array<T, N>& items) {
    Json list = Json::array();
    for (const auto& item : items) list.push_back(write(item));
    return list;
  }
  template <class T>
  static Json write(const std::vector<T>& items) {
    if (items.empty()) return {};
    Json list = Json::array();
    for (const auto& item : items) list.push_back(write(item));
    return list;
  }
  template <class T>
  static Json write(const NamedMap<T>& items) {
    if (items.empty()) return {};
    Json map = Json::object();
    for (const auto& [name, item] : items) {
      Json value = write(item);
      if (value.is_null()) value = Json::object();
      map[name] = std::move(value);
    }
    return map;
  }
  template <class... T>
  static Json write(const std::variant<T...>& item) {
    return std::visit([](const auto& value) { return write(value); }, item);
  }
  template <class T>
  requires std::is_class_v<T>
  static Json write(const T& item) {
    SceneWriter writer;
    if constexpr (requires { T::kind; }) writer.tree_[std::string(T::kind)] = item.name;
    if constexpr (requires { T::scheme; }) writer.tree_["scheme"] = std::string(T::scheme);
    T::fields(item, writer);
    return writer.take();
  }

 private:
  Json tree_;
};

/// Block-style YAML of a tree.
std::string to_yaml(const Json& tree);

}  // namespace percuss
