#pragma once

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "percuss/io/source_tree.h"
#include "percuss/math/expression.h"

namespace percuss {

/// Collects what is wrong, with places; reading goes on after each.
class Faults {
 public:
  explicit Faults(std::string file) : file_(std::move(file)) {}
  /// Of the copies that `repeat:` or an alias makes of a place, the first speaks for all.
  void add(const Location& where, const std::string& path, const std::string& message);
  bool empty() const { return lines_.empty(); }
  /// One for each fault; of very many the first, and how many more there are.
  std::vector<std::string> lines() const;
  /// More faults are only counted: nobody reads them, and it is not worth while to search for advice.
  bool is_full() const { return lines_.size() >= most_lines; }
  /// This path, or something in it, has a fault already.
  bool covers(const std::string& path) const { return covered_.contains(path); }

 private:
  static constexpr std::size_t most_lines = 1000;

  std::string file_;
  std::vector<std::string> lines_;
  std::size_t more_ = 0;
  std::unordered_set<std::string> covered_;
  std::unordered_map<std::string, std::string> first_copy_;  ///< place and path without indices -> path
};

/// The path of what is around: `bodies[3]` of `bodies[3].mass`, and `bodies` of that; at last the empty one.
std::string enclosing(const std::string& path);

/// Why a word cannot be the name of a parameter or an index; empty if it can.
std::string fault_of_variable(std::string_view name);

/// Returns the value. Throws ExpressionError if it is infinite or undefined.
double require_finite(double value);

/// The values of `parameters:` and the tables, for every number and expression of a scene.
class Environment {
 public:
  explicit Environment(std::string directory) : directory_(std::move(directory)) {}

  /// Evaluates `parameters:`; they may refer to each other in any order.
  void read_parameters(const SourceNode& parameters, Faults& faults);
  /// The value of a parameter that is a word, for fields that take one of a list; null if there is none.
  const std::string* word(std::string_view parameter) const;
  /// Throws ExpressionError.
  Expression parse(const std::string& text, const std::shared_ptr<const Scope>& scope, bool allow_time) const;
  /// The value of an expression without t. Throws ExpressionError, also if it is not finite.
  double number(const std::string& text, const std::shared_ptr<const Scope>& scope) const;
  /// Replaces each {expression} in a text inside of `repeat:`. Throws ExpressionError.
  std::string substitute(const std::string& text, const std::shared_ptr<const Scope>& scope) const;

 private:
  std::shared_ptr<const Table> load_table(const std::string& file) const;
  std::vector<std::string> names_in(const Scope* scope) const;

  std::string directory_;
  std::map<std::string, double, std::less<>> parameters_;
  std::map<std::string, std::string, std::less<>> words_;
  mutable std::map<std::string, std::shared_ptr<const Table>> tables_;
  mutable int proposals_ = 0;  ///< for unknown names, so far
};

/// Replaces every list item that has `repeat: {count, index}` by its copies, or marks it as broken.
void expand_repeats(SourceNode& node, const Environment& environment, Faults& faults);

/// Applies `path=value` to the tree. With `parameters_only` those under `parameters`, else all others.
void apply_overrides(SourceNode& root, const std::vector<std::string>& overrides, bool parameters_only,
                     Faults& faults, std::vector<std::string>& notes);

/// The words that mark the kind of a body, obstacle, spring or force, and give it its name.
const std::vector<std::string>& kind_keys();

}  // namespace percuss
