#include "percuss/io/preprocess.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "percuss/io/csv.h"
#include "percuss/math/expression_names.h"
#include "percuss/math/shorten.h"

namespace percuss {

namespace {

/// `bodies[].position[]` of `bodies[3].position[2]`.
std::string without_indices(const std::string& path) {
  std::string result;
  bool in_brackets = false;
  for (const char c : path) {
    if (c == ']') in_brackets = false;
    if (!in_brackets) result += c;
    if (c == '[') in_brackets = true;
  }
  return result;
}

}  // namespace

void Faults::add(const Location& where, const std::string& path, const std::string& message) {
  for (std::string part = path; !part.empty(); part = enclosing(part)) covered_.insert(part);
  const bool in_file = where.override_text.empty();
  const std::string place = in_file ? fmt::format("{}:{}:{}", file_, where.line, where.column)
                            : where.override_text.starts_with("--")
                                ? shorten(where.override_text)
                                : fmt::format("--set {}", shorten(where.override_text));
  if (in_file && first_copy_.try_emplace(place + without_indices(path), path).first->second != path) return;
  lines_.push_back(path.empty() ? fmt::format("{}: {}", place, message)
                                : fmt::format("{}: {}: {}", place, shorten(path), message));
  std::ranges::replace(lines_.back(), '\n', ' ');  // of a name in quotes
}

std::string enclosing(const std::string& path) {
  const auto cut = path.find_last_of(".[");
  return cut == path.npos ? std::string() : path.substr(0, cut);
}

std::string fault_of_variable(std::string_view name) {
  const bool identifier =
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == name.npos;
  if (name.empty() || !identifier || (name[0] >= '0' && name[0] <= '9'))
    return fmt::format("'{}' cannot be used in a formula; use letters, digits and _", shorten(name));
  if (std::ranges::find(reserved_words, name) != reserved_words.end() || find_named(named_constants, name))
    return fmt::format("'{}' has a meaning of its own; use another name", name);
  return {};
}

double require_finite(double value) {
  if (std::isnan(value)) throw ExpressionError("its value is undefined; a finite number is needed");
  if (std::isinf(value)) throw ExpressionError("its value is infinite; a finite number is needed");
  return value;
}

namespace {

/// Whether the text of a parameter that is no formula is meant as a word: nothing known has a name like it.
bool is_word(const std::string& text, std::string_view fault) {
  const bool plain = std::all_of(text.begin(), text.end(),
                                 [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; });
  return plain && !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) &&
         fault.find("unknown name") != fault.npos && fault.find("did you mean") == fault.npos;
}

/// Evaluates parameters on demand, so that they may stand in any order; finds cycles.
class ParameterReader {
 public:
  ParameterReader(const SourceNode& node, Faults& faults, std::map<std::string, double, std::less<>>& values,
                  std::map<std::string, std::string, std::less<>>& words)
      : node_(node), faults_(faults), values_(values), words_(words) {}

  void run() {
    for (size_t i = 0; i < node_.keys.size(); ++i) {
      check_name(i);
      evaluate(node_.keys[i]);
    }
  }

 private:
  void check_name(size_t i) {
    if (const auto fault = fault_of_variable(node_.keys[i]); !fault.empty())
      faults_.add(node_.key_locations[i], "parameters", fault);
  }

  std::optional<double> evaluate(std::string_view name) {
    if (const auto known = values_.find(name); known != values_.end()) return known->second;
    const SourceNode* node = node_.find(name);
    if (!node || failed_.contains(std::string(name))) return std::nullopt;
    const std::string path = fmt::format("parameters.{}", name);
    if (std::find(active_.begin(), active_.end(), name) != active_.end()) {
      fail(path, *node, name,
           fmt::format("the value depends on itself: {} -> {}", fmt::join(active_, " -> "), name));
      return std::nullopt;
    }
    if (node->kind != SourceNode::Kind::scalar) {
      fail(path, *node, name, fmt::format("expected a number or a formula, found {}", describe(*node)));
      return std::nullopt;
    }
    active_.emplace_back(name);
    std::optional<double> value;
    bool blocked = false;  // by the fault of another parameter, which has been reported
    try {
      Expression::Options options;
      options.variables = [&](std::string_view other) {
        const auto found = evaluate(other);
        blocked = blocked || failed_.contains(std::string(other));
        return found;
      };
      options.known_names = node_.keys;
      value = require_finite(Expression::parse(node->scalar, options).value(0));
    } catch (const ExpressionError& e) {
      if (!blocked && is_word(node->scalar, e.what()))
        words_.emplace(name, node->scalar);
      else if (!blocked)
        fail(path, *node, name, e.what());
      failed_.insert(std::string(name));
    }
    active_.pop_back();
    if (value) values_.emplace(name, *value);
    return value;
  }

  void fail(const std::string& path, const SourceNode& node, std::string_view name,
            const std::string& message) {
    faults_.add(node.location, path, message);
    failed_.insert(std::string(name));
  }

  const SourceNode& node_;
  Faults& faults_;
  std::map<std::string, double, std::less<>>& values_;
  std::map<std::string, std::string, std::less<>>& words_;
  std::vector<std::string> active_;
  std::set<std::string> failed_;
};

}  // namespace

void Environment::read_parameters(const SourceNode& node, Faults& faults) {
  if (node.kind != SourceNode::Kind::map) {
    faults.add(node.location, "parameters",
               fmt::format("expected a mapping from names to numbers, found {}", describe(node)));
    return;
  }
  ParameterReader(node, faults, parameters_, words_).run();
}

const std::string* Environment::word(std::string_view parameter) const {
  const auto found = words_.find(parameter);
  return found == words_.end() ? nullptr : &found->second;
}

Expression Environment::parse(const std::string& text, const std::shared_ptr<const Scope>& scope,
                              bool allow_time) const {
  Expression::Options options;
  options.allow_time = allow_time;
  options.variables = [&](std::string_view name) -> std::optional<double> {
    if (scope)
      for (auto it = scope->rbegin(); it != scope->rend(); ++it)
        if (it->first == name) return it->second;
    if (const std::string* meant = word(name))
      throw ExpressionError(fmt::format("the parameter '{}' is the word '{}', not a number", name, *meant));
    const auto found = parameters_.find(name);
    return found == parameters_.end() ? std::nullopt : std::optional(found->second);
  };
  options.tables = [&](const std::string& file) { return load_table(file); };
  for (const auto& [name, value] : parameters_) options.known_names.push_back(name);
  if (scope)
    for (const auto& [name, value] : *scope) options.known_names.push_back(name);
  return Expression::parse(text, options);
}

double Environment::number(const std::string& text, const std::shared_ptr<const Scope>& scope) const {
  return require_finite(parse(text, scope, false).value(0));
}

std::string Environment::substitute(const std::string& text,
                                    const std::shared_ptr<const Scope>& scope) const {
  if (!scope) return text;
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const auto open = text.find('{', at);
    const auto close = open == text.npos ? open : text.find('}', open);
    result += text.substr(at, close == text.npos ? text.npos : open - at);
    if (close == text.npos) break;
    const std::string formula = text.substr(open + 1, close - open - 1);
    const double value = number(formula, scope);
    if (value != std::round(value) || std::abs(value) > 1e15)
      throw ExpressionError(
          fmt::format("{{{}}} gives {}; a name needs a whole number", shorten(formula), value));
    result += fmt::format("{}", static_cast<long>(value));
    at = close + 1;
  }
  return result;
}

std::shared_ptr<const Table> Environment::load_table(const std::string& file) const {
  auto& table = tables_[file];
  if (!table) table = std::make_shared<const Table>(read_table(std::filesystem::path(directory_) / file));
  return table;
}

}  // namespace percuss
