#include "percuss/io/preprocess.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

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
  if (is_full()) {
    ++more_;
    return;
  }
  lines_.push_back(path.empty() ? fmt::format("{}: {}", place, message)
                                : fmt::format("{}: {}: {}", place, shorten(path), message));
  std::ranges::replace(lines_.back(), '\n', ' ');  // of a name in quotes
}

std::vector<std::string> Faults::lines() const {
  std::vector<std::string> lines = lines_;
  if (more_ > 0) lines.push_back(fmt::format("{}: and {} more faults", file_, more_));
  return lines;
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

/// Names are proposed for the first unknown ones only: to search takes long where there are very many.
constexpr int most_proposals = 100;

/// "a -> b -> c -> a", with the middle left out where it is long.
std::string describe_cycle(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 8;
  const auto first = names.begin();
  if (names.size() <= 2 * shown) return fmt::format("{}", fmt::join(names, " -> "));
  return fmt::format("{} -> ({} more) -> {}", fmt::join(first, first + shown, " -> "),
                     names.size() - 2 * shown, fmt::join(names.end() - shown, names.end(), " -> "));
}

/// Evaluates parameters in an order in which each comes after those that it needs; finds cycles. What is
/// still needed is kept in a list and not on the stack of the processor, which long chains would overflow.
class ParameterReader {
 public:
  ParameterReader(const SourceNode& node, Faults& faults, std::map<std::string, double, std::less<>>& values,
                  std::map<std::string, std::string, std::less<>>& words)
      : node_(node),
        faults_(faults),
        values_(values),
        words_(words),
        states_(node.keys.size(), State::unknown) {
    for (std::size_t i = 0; i < node.keys.size(); ++i) index_.emplace(node.keys[i], i);
  }

  void run() {
    for (std::size_t i = 0; i < node_.keys.size(); ++i) {
      check_name(i);
      pending_.push_back(i);
      while (!pending_.empty()) work_on(pending_.back());
    }
  }

 private:
  enum class State { unknown, active, known, failed };

  void check_name(std::size_t i) {
    if (const auto fault = fault_of_variable(node_.keys[i]); !fault.empty())
      faults_.add(node_.key_locations[i], "parameters", fault);
  }

  /// Finishes the last of those that are pending, or adds what it needs.
  void work_on(std::size_t i) {
    if (states_[i] == State::known || states_[i] == State::failed) return pending_.pop_back();
    states_[i] = State::active;
    if (node_.items[i].kind != SourceNode::Kind::scalar)
      return fail(i, fmt::format("expected a number or a formula, found {}", describe(node_.items[i])));
    needed_.clear();
    is_blocked_ = false;
    try {
      const Expression expression = Expression::parse(node_.items[i].scalar, options());
      if (needed_.empty()) {
        values_.emplace(node_.keys[i], require_finite(expression.value(0)));
        states_[i] = State::known;
      }
    } catch (const ExpressionError& e) {
      if (needed_.empty()) give_up(i, e.what());
    }
    for (auto other = needed_.rbegin(); other != needed_.rend(); ++other)
      if (states_[*other] == State::active)
        report_cycle(*other);
      else
        pending_.push_back(*other);
  }

  Expression::Options options() {
    Expression::Options options;
    options.variables = [this](std::string_view name) -> std::optional<double> {
      const auto found = index_.find(name);
      if (found == index_.end()) return std::nullopt;
      const State state = states_[found->second];
      if (state == State::known) return values_.find(name)->second;
      if (state == State::failed) {
        is_blocked_ = true;
        return std::nullopt;
      }
      needed_.push_back(found->second);
      return 1;  // any number: the formula is read again
    };
    options.known_names = [this] {
      return is_blocked_ || ++proposals_ > most_proposals ? std::vector<std::string>() : node_.keys;
    };
    return options;
  }

  /// A text that is no formula: a word, or a fault, unless that of another parameter has been reported.
  void give_up(std::size_t i, const std::string& reason) {
    const std::string& text = node_.items[i].scalar;
    if (!is_blocked_ && is_word(text, reason))
      words_.emplace(node_.keys[i], text);
    else if (!is_blocked_)
      fail(i, reason);
    states_[i] = State::failed;
  }

  void report_cycle(std::size_t i) {
    std::vector<std::string> names;
    for (const std::size_t other : pending_)
      if (states_[other] == State::active && (!names.empty() || other == i))
        names.push_back(node_.keys[other]);
    names.push_back(node_.keys[i]);
    fail(i, fmt::format("the value depends on itself: {}", describe_cycle(names)));
  }

  void fail(std::size_t i, const std::string& message) {
    faults_.add(node_.items[i].location, fmt::format("parameters.{}", node_.keys[i]), message);
    states_[i] = State::failed;
  }

  const SourceNode& node_;
  Faults& faults_;
  std::map<std::string, double, std::less<>>& values_;
  std::map<std::string, std::string, std::less<>>& words_;
  std::map<std::string_view, std::size_t> index_;
  std::vector<State> states_;
  std::vector<std::size_t> pending_;  ///< the last comes first
  std::vector<std::size_t> needed_;   ///< by the formula that was read last
  bool is_blocked_ = false;           ///< by the fault of another parameter, which has been reported
  int proposals_ = 0;
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
  options.known_names = [&] { return names_in(scope.get()); };
  return Expression::parse(text, options);
}

std::vector<std::string> Environment::names_in(const Scope* scope) const {
  std::vector<std::string> names;
  if (++proposals_ > most_proposals) return names;
  for (const auto& [name, value] : parameters_) names.push_back(name);
  if (scope)
    for (const auto& [name, value] : *scope) names.push_back(name);
  return names;
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
