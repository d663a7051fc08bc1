#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "percuss/math/jet.h"
#include "percuss/math/table.h"

namespace percuss {

struct Program;

/// What is wrong with the text of an expression, and where.
class ExpressionError : public std::runtime_error {
 public:
  explicit ExpressionError(const std::string& message, std::size_t position = 0)
      : std::runtime_error(message), position_(position) {}

  /// Column in the text, counted from 0.
  std::size_t position() const { return position_; }

 private:
  std::size_t position_;
};

/// A formula in the time t, compiled once and evaluated without allocation.
///
///   numbers      1  1.5  .5  1e-3
///   constants    pi  deg (= pi/180)  t, where time is allowed
///   operators    loosest first: or, and, not, comparisons (< <= > >= == !=), + -, * /, signs, ^ (also **)
///   functions    sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 sqrt abs sign floor ceil step
///                min max (two or more arguments)  pow  mod (the remainder has the sign of the divisor)
///   choice       if(condition, a, b) evaluates only the branch it takes; zero is false, anything else true
///   data         table('file.csv', x) and spline('file.csv', x), see Table
///
/// The derivatives of a piecewise function are those of the active branch.
class Expression {
 public:
  /// Values of parameters, which become constants; nothing for a name it does not know.
  using Variables = std::function<std::optional<double>(std::string_view name)>;
  /// May throw ExpressionError or std::invalid_argument; parse() adds the position.
  using TableLoader = std::function<std::shared_ptr<const Table>(const std::string& file)>;

  struct Options {
    Variables variables;
    TableLoader tables;
    bool allow_time = false;
    /// Names that are proposed in place of an unknown one; asked only then, since there may be very many.
    std::function<std::vector<std::string>()> known_names;
  };

  /// Throws ExpressionError.
  static Expression parse(std::string_view text, const Options& options);
  static Expression constant(double value);

  /// The constant 0.
  Expression();

  /// Whether the value is the same for all t.
  bool is_constant() const { return !program_; }
  double value(double t) const;
  Jet jet(double t) const;

  /// A text that parses to the same expression, with the parameters replaced by their values.
  std::string canonical() const { return canonical_; }

 private:
  Expression(Program program, std::string canonical);

  double constant_ = 0;                     ///< the value, without a program
  std::shared_ptr<const Program> program_;  ///< never changes: copies share it
  std::string canonical_;
};

}  // namespace percuss
