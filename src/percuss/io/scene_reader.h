#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_set>

#include <fmt/format.h>

#include "percuss/io/degrees.h"
#include "percuss/io/place_finder.h"
#include "percuss/io/preprocess.h"
#include "percuss/io/printable.h"
#include "percuss/math/fields.h"
#include "percuss/math/nearest_name.h"
#include "percuss/math/shorten.h"
#include "percuss/math/vector.h"
#include "percuss/model/range_check.h"
#include "percuss/model/tree_path.h"

namespace percuss {

/// What all parts of one reading share.
struct ReadContext {
  const Environment& environment;
  Faults& faults;
  /// So that later checks can point into the file.
  PlaceFinder places;
  /// Paths that got no value because of a reported fault; nothing more is said about what is in them.
  std::unordered_set<std::string> unreadable = {};
  /// Of the item that is being read.
  std::shared_ptr<const Scope> scope = {};
};

/// The visitor that fills a described struct from a mapping of the scene file.
class SceneReader {
 public:
  SceneReader(ReadContext& context, const SourceNode& node, const TreePath& path = {})
      : context_(context), node_(node), path_(path) {}

  /// One field of the struct.
  template <class T>
  void operator()(std::string_view name, T& member, const Field& field) {
    known_.emplace_back(name);
    const SourceNode* value = name == short_for_ ? &node_ : node_.find(name);
    if (value) {
      range_ = field.range;
      unit_ = field.unit;
      read(*value, path_.key(name), member);
    } else if (field.required) {
      missing_.emplace_back(name, field.help);
    }
  }

  /// Call after the last field: complains about keys that no field has asked for, and about missing ones.
  void finish(std::initializer_list<std::string_view> also_known = {}) {
    for (const auto key : also_known) known_.emplace_back(key);
    report_unknown_keys();
    for (const auto& [name, help] : missing_)
      if (context_.unreadable.insert(path_of(name)).second)
        fault(node_, path_, fmt::format("the key '{}' is missing{}{}", name, help.empty() ? "" : ": ", help));
  }

 private:
  std::string path_of(std::string_view name) const { return path_.key(name).text(); }
  void report_unknown_keys() {
    for (size_t i = 0; i < node_.keys.size(); ++i) {
      const std::string& key = node_.keys[i];
      if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
      const auto nearest = context_.faults.is_full() ? std::nullopt : nearest_key(key);
      const std::string hint = nearest ? fmt::format("did you mean '{}'?", *nearest)
                                       : fmt::format("known: {}", fmt::join(known_, ", "));
      context_.faults.add(node_.key_locations[i], path_of(key), fmt::format("unknown key; {}", hint));
      if (nearest && !node_.find(*nearest)) context_.unreadable.insert(path_of(*nearest));  // meant by it
    }
  }

  /// The known key that is meant: `in_plane` by `in_plan`, and by `planar` since no other has its beginning.
  std::optional<std::string> nearest_key(const std::string& key) const {
    if (auto nearest = nearest_name(key, std::vector<std::string>(known_.begin(), known_.end())))
      return nearest;
    constexpr size_t beginning = 4;
    if (key.size() < beginning) return std::nullopt;
    const auto alike = [&](std::string_view known) {
      return known.find(key.substr(0, beginning)) != known.npos;
    };
    if (std::ranges::count_if(known_, alike) != 1) return std::nullopt;
    return std::string(*std::ranges::find_if(known_, alike));
  }

  void fault(const SourceNode& node, const TreePath& path, const std::string& message) {
    context_.faults.add(node.location, path.text(), message);
  }
  bool expect(const SourceNode& node, const TreePath& path, SourceNode::Kind kind, std::string_view what) {
    if (node.kind == kind) return true;
    if (node.kind != SourceNode::Kind::broken)
      fault(node, path, fmt::format("expected {}, found {}", what, describe(node)));
    context_.unreadable.insert(path.text());
    return false;
  }

  void read(const SourceNode& node, const TreePath& path, double& out) {
    Expression expression;
    if (read_formula(node, path, "a number", false, expression)) out = expression.value(0);
  }
  void read(const SourceNode& node, const TreePath& path, int& out) {
    double value = out;
    read(node, path, value);
    if (value == std::round(value) && std::abs(value) < 1e9)
      out = static_cast<int>(value);
    else
      fault(node, path,
            fmt::format("{} is not allowed; it must be a whole number{}{}", value,
                        range_.bounded() ? " " + describe(range_) : "",
                        value == std::round(value) ? " and below 1e9" : ""));
  }
  void read(const SourceNode& node, const TreePath& path, bool& out) {
    if (!expect(node, path, SourceNode::Kind::scalar, "true or false")) return;
    out = node.scalar == "true";
    if (out || node.scalar == "false") return;
    fault(node, path, fmt::format("'{}' is not allowed; it must be true or false", shorten(node.scalar)));
    context_.unreadable.insert(path.text());
  }
  void read(const SourceNode& node, const TreePath& path, Expression& out) {
    read_formula(node, path, "a number or an expression in t", true, out);
  }
  bool read_formula(const SourceNode& node, const TreePath& path, std::string_view what, bool allow_time,
                    Expression& out) {
    if (!expect(node, path, SourceNode::Kind::scalar, what)) return false;
    try {
      const std::string formula = is_angle(unit_) ? angle_formula(node.scalar) : node.scalar;
      Expression expression = context_.environment.parse(formula, context_.scope, allow_time);
      if (expression.is_constant()) require_finite(expression.value(0));
      out = std::move(expression);
      return true;
    } catch (const ExpressionError& e) {
      fault(node, path, fmt::format("'{}' is not {}: {}", shorten(node.scalar), what, e.what()));
      return false;
    }
  }

  /// What YAML adds to a text written with > or |.
  static std::string without_last_break(const std::string& text) {
    return text.substr(0, text.find_last_not_of("\r\n") + 1);
  }
  void read(const SourceNode& node, const TreePath& path, std::string& out) {
    if (!expect(node, path, SourceNode::Kind::scalar, "a text")) return;
    const std::string text = without_last_break(node.scalar);
    if (find_control(text) != text.npos) {
      fault(node, path,
            fmt::format("'{}' has a line break or a tab; write it on one line", shorten(printable(text))));
      context_.unreadable.insert(path.text());
      return;
    }
    try {
      out = context_.environment.substitute(text, context_.scope);
    } catch (const ExpressionError& e) {
      fault(node, path, e.what());
      context_.unreadable.insert(path.text());
    }
  }

  template <class E>
  requires std::is_enum_v<E>
  void read(const SourceNode& node, const TreePath& path, E& out) {
    std::string text;
    if (!expect(node, path, SourceNode::Kind::scalar, "a word")) return;
    const std::string* parameter = context_.environment.word(node.scalar);
    const std::string& given = parameter ? *parameter : node.scalar;
    std::vector<std::string> names;
    for (const auto& [value, name] : EnumNames<E>::values) {
      if (given == name) {
        out = value;
        return;
      }
      names.emplace_back(name);
    }
    const auto nearest = nearest_name(given, names);
    fault(node, path,
          fmt::format("'{}' is not allowed; {}it must be one of {}", shorten(given),
                      nearest ? fmt::format("did you mean '{}'? ", *nearest) : "", fmt::join(names, ", ")));
  }

  /// In [0, 0, max(t, 1)] YAML takes the comma of the formula for one of the list.
  static std::string_view comma_hint(const SourceNode& list) {
    const bool open = std::any_of(list.items.begin(), list.items.end(), [](const SourceNode& item) {
      return std::count(item.scalar.begin(), item.scalar.end(), '(') !=
             std::count(item.scalar.begin(), item.scalar.end(), ')');
    });
    return open ? " (a formula with a comma needs quotes: \"max(t, 1)\")" : "";
  }
  template <class Array>
  void read_fixed(const SourceNode& node, const TreePath& path, Array& out, int size, std::string_view what) {
    if (!expect(node, path, SourceNode::Kind::list, what)) return;
    if (static_cast<int>(node.items.size()) != size)
      return fault(
          node, path,
          fmt::format("expected {}, found a list of {}{}", what, node.items.size(), comma_hint(node)));
    for (int i = 0; i < size; ++i) {
      read_item(node.items[i], path.item(i), out[i]);
    }
  }
  void read(const SourceNode& node, const TreePath& path, Vector3& out) {
    read_fixed(node, path, out, 3, "a list of three numbers");
  }
  void read(const SourceNode& node, const TreePath& path, std::array<double, 2>& out) {
    read_fixed(node, path, out, 2, "a list of two numbers");
  }
  void read(const SourceNode& node, const TreePath& path, std::array<int, 3>& out) {
    read_fixed(node, path, out, 3, "a list of three whole numbers");
  }
  void read(const SourceNode& node, const TreePath& path, std::array<Expression, 3>& out) {
    read_fixed(node, path, out, 3, "a list of three numbers or expressions in t");
  }
  void read(const SourceNode& node, const TreePath& path, std::array<std::string, 2>& out) {
    read_fixed(node, path, out, 2, "a list of two names");
  }

  /// A value to read into; Eigen leaves its numbers as they happen to be.
  template <class T>
  static T blank() {
    if constexpr (std::is_same_v<T, Vector3>)
      return Vector3::Zero();
    else
      return T{};
  }

  template <class T>
  void read(const SourceNode& node, const TreePath& path, std::optional<T>& out) {
    T value = blank<T>();
    read(node, path, value);
    out = value;
  }
  /// An item of a list; one that `repeat:` has made has values of its own for the names in it.
  template <class T>
  void read_item(const SourceNode& item, const TreePath& path, T& out) {
    const auto outside = context_.scope;
    if (item.scope) context_.scope = item.scope;
    read(item.content(), path, out);
    context_.scope = outside;
  }

  template <class T>
  void read(const SourceNode& node, const TreePath& path, std::vector<T>& out) {
    if (!expect(node, path, SourceNode::Kind::list, "a list")) return;
    out.clear();
    out.assign(node.items.size(), blank<T>());
    for (size_t i = 0; i < out.size(); ++i) {
      read_item(node.items[i], path.item(i), out[i]);
    }
  }
  template <class T>
  void read(const SourceNode& node, const TreePath& path, NamedMap<T>& out) {
    if (!expect(node, path, SourceNode::Kind::map, "a mapping from names")) return;
    for (size_t i = 0; i < node.items.size(); ++i) {
      out.emplace_back(node.keys[i], blank<T>());
      read(node.items[i], path.key(node.keys[i]), out.back().second);
    }
  }

  /// A variant whose alternatives are told apart by a key of their own (`particle: ball`) or by `scheme:`.
  template <class... T>
  void read(const SourceNode& node, const TreePath& path, std::variant<T...>& out) {
    if (!expect(node, path, SourceNode::Kind::map, "a mapping")) return;
    if constexpr (requires { (T::scheme, ...); }) {
      read_scheme(node, path, out);
    } else {
      static const std::vector<std::string> kinds = {std::string(T::kind)...};
      const std::string kind = kind_of(node, kinds);
      const bool found = (try_kind<T>(node, path, kind, out) || ...);
      if (found) return;
      context_.unreadable.insert(path.text());
      for (size_t i = 0; i < node.keys.size(); ++i)
        if (const auto nearest = nearest_name(node.keys[i], kinds))
          return context_.faults.add(node.key_locations[i], path.key(node.keys[i]).text(),
                                     fmt::format("unknown kind; did you mean '{}'?", *nearest));
      fault(node, path,
            fmt::format("it must say what it is: one of {}, followed by its name", fmt::join(kinds, ", ")));
    }
  }
  /// The first key that is a kind. A later one is a mistake in it: a beam with `planar: true`.
  static std::string kind_of(const SourceNode& node, const std::vector<std::string>& kinds) {
    std::string kind;
    for (size_t i = 0; i < node.keys.size(); ++i) {
      if (std::ranges::find(kinds, node.keys[i]) == kinds.end()) continue;
      const std::string& name = node.items[i].scalar;
      if (name != "true" && name != "false") return node.keys[i];
      if (kind.empty()) kind = node.keys[i];
    }
    return kind;
  }
  template <class T, class Variant>
  bool try_kind(const SourceNode& node, const TreePath& path, const std::string& kind, Variant& out) {
    if (kind != T::kind) return false;
    T value;
    read_struct(node, path, value);
    out = std::move(value);
    return true;
  }
  template <class... T>
  void read_scheme(const SourceNode& node, const TreePath& path, std::variant<T...>& out) {
    std::string scheme =
        std::string(std::visit([](const auto& o) { return o.scheme; }, std::variant<T...>{}));
    const SourceNode* name = node.find("scheme");
    if (name) read(*name, path.key("scheme"), scheme);
    const auto try_scheme = [&]<class S>(const S*) {
      if (S::scheme != scheme) return false;
      S value;
      SceneReader reader(context_, node, path);
      S::fields(value, reader);
      reader.finish({"scheme"});
      out = std::move(value);
      return true;
    };
    if ((try_scheme(static_cast<const T*>(nullptr)) || ...)) return;
    const std::vector<std::string> schemes = {std::string(T::scheme)...};
    const auto nearest = nearest_name(scheme, schemes);
    fault(name ? *name : node, path.key("scheme"),
          fmt::format("unknown scheme '{}'; {}available: {}", shorten(scheme),
                      nearest ? fmt::format("did you mean '{}'? ", *nearest) : "", fmt::join(schemes, ", ")));
  }

  /// What scenes give in one of several forms.
  template <class T>
  requires requires { typename T::Forms; }
  void read(const SourceNode& node, const TreePath& path, T& out) {
    typename T::Forms forms;
    read_struct(node, path, forms);
    if (context_.faults.covers(path.text()) || context_.unreadable.contains(path.text())) return;
    try {
      out = forms.value();
    } catch (const std::invalid_argument& e) {
      fault(node, path, e.what());
    }
  }
  /// A struct with a field list.
  template <class T>
  requires(std::is_class_v<T> && !requires { typename T::Forms; }) void read(const SourceNode& node,
                                                                             const TreePath& path, T& out) {
    read_struct(node, path, out);
  }
  template <class T>
  void read_struct(const SourceNode& node, const TreePath& path, T& out) {
    const bool is_alone = node.kind == SourceNode::Kind::null;  // `rubber:`, all of it by default
    SceneReader reader(context_, node, path);
    if constexpr (requires { T::scalar_field; })
      if (node.kind == SourceNode::Kind::scalar) reader.short_for_ = T::scalar_field;
    if (node.kind != SourceNode::Kind::map && !is_alone && reader.short_for_.empty()) {
      expect(node, path, SourceNode::Kind::map, mapping_of(out));
      return;
    }
    if constexpr (requires { T::kind; })
      reader(T::kind, out.name, Field{.help = "its name", .required = true});
    T::fields(out, reader);
    reader.finish();
  }

  /// What a mapping looks like, for those who wrote a list: `{w: ..., x: ...}`.
  template <class T>
  static std::string mapping_of(T& out) {
    std::string keys;
    int count = 0;
    const auto add = [&](std::string_view name, auto&, const Field&) {
      if (++count <= 4) keys += fmt::format("{}{}: ...", count > 1 ? ", " : "", name);
    };
    T::fields(out, add);
    return fmt::format("a mapping such as {{{}}}", keys);
  }

  ReadContext& context_;
  const SourceNode& node_;
  TreePath path_;
  std::string_view short_for_;  ///< the key whose value stands alone, instead of a mapping
  std::vector<std::string_view> known_;
  std::vector<std::pair<std::string, std::string>> missing_;  ///< required keys and their help
  // Of the field that is being read.
  Range range_;
  std::string_view unit_;
};

}  // namespace percuss
