#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "percuss/math/expression.h"
#include "percuss/math/expression_fragment.h"
#include "percuss/math/expression_lexer.h"
#include "percuss/math/expression_names.h"
#include "percuss/math/nearest_name.h"
#include "percuss/math/shorten.h"

namespace percuss {
namespace {

constexpr std::size_t max_length = 10000;
constexpr int max_nesting = 200;

Precedence tighter(Precedence precedence) {
  return static_cast<Precedence>(static_cast<std::uint8_t>(precedence) + 1);
}

std::string described(const Token& token) {
  if (token.kind == TokenKind::end) return "the end";
  if (token.kind == TokenKind::quoted) return "a text in quotes";
  return fmt::format("'{}'", shorten(token.text));
}

/// Precedence climbing: every parse_ function leaves token_ at the first token it did not use.
class Parser {
 public:
  Parser(std::string_view text, const Expression::Options& options) : lexer_(text), options_(options) {}

  Fragment parse_all();
  std::vector<std::shared_ptr<const Table>> take_tables() { return std::move(tables_); }

 private:
  /// Counts the levels of recursion that the text can ask for without bound.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : depth_(parser.depth_) {
      if (++depth_ > max_nesting) {
        fail(parser.token_, fmt::format("nested too deeply (more than {} levels)", max_nesting));
      }
    }
    ~Nesting() { --depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    int& depth_;
  };

  Fragment parse_expression(Precedence loosest);
  Fragment parse_prefixed(Precedence loosest);
  Fragment parse_primary();
  Fragment parse_name();
  Fragment parse_call(const Token& name);
  Fragment finish_call(const NamedFunction& function, const Token& name, std::optional<Token> file,
                       std::vector<Fragment> arguments);
  std::shared_ptr<const Table> load_table(const Token& name, const Token& file) const;

  [[noreturn]] static void fail(const Token& where, const std::string& message) {
    throw ExpressionError(message, where.position);
  }
  [[noreturn]] void fail_unknown(const Token& name) const;

  std::optional<double> variable(std::string_view name) const {
    return options_.variables ? options_.variables(name) : std::nullopt;
  }
  Token advance() { return std::exchange(token_, lexer_.next()); }
  void close_parenthesis() {
    if (!token_.is(")")) fail(token_, fmt::format("missing ')' before {}", described(token_)));
    advance();
  }

  ExpressionLexer lexer_;
  const Expression::Options& options_;
  Token token_;
  int depth_ = 0;
  std::vector<std::shared_ptr<const Table>> tables_;
};

Fragment Parser::parse_all() {
  advance();
  if (token_.kind == TokenKind::end) fail({}, "the expression is empty");
  Fragment result = parse_expression(Precedence::disjunction);
  if (token_.is(")")) fail(token_, "unexpected ')': missing '(' before it");
  if (token_.kind != TokenKind::end) {
    fail(token_, fmt::format("unexpected {} after the end of the expression", described(token_)));
  }
  return result;
}

Fragment Parser::parse_expression(Precedence loosest) {
  Fragment left = parse_prefixed(loosest);
  bool compared = false;
  while (token_.kind == TokenKind::symbol || token_.kind == TokenKind::name) {
    const BinaryOperator* binary = find_binary_operator(token_.text);
    if (binary == nullptr || binary->precedence < loosest) break;
    const Precedence precedence = binary->precedence;
    if (compared && precedence == Precedence::comparison) {
      fail(token_, "comparisons cannot be chained; join them with 'and'");
    }
    compared = precedence == Precedence::comparison;
    const Token where = advance();
    if (precedence == Precedence::power) {
      const Nesting nesting(*this);
      left = binary_fragment(*binary, std::move(left), parse_expression(precedence));
    } else {
      left = binary_fragment(*binary, std::move(left), parse_expression(tighter(precedence)));
    }
    if (left.stack > stack_capacity) fail(where, "too complicated: name a part of it as a parameter");
  }
  return left;
}

Fragment Parser::parse_prefixed(Precedence loosest) {
  if (token_.is("not")) {
    if (loosest > Precedence::negation) fail(token_, "write parentheses around 'not ...' here");
    int count = 0;
    for (; token_.is("not"); advance()) ++count;
    Fragment result = parse_expression(Precedence::comparison);
    while (count-- > 0) result = not_fragment(std::move(result));
    return result;
  }
  if (token_.is("+") || token_.is("-")) {
    bool negative = false;
    for (; token_.is("+") || token_.is("-"); advance()) negative ^= token_.is("-");
    Fragment result = parse_expression(Precedence::sign);
    return negative ? negate_fragment(std::move(result)) : result;
  }
  return parse_primary();
}

Fragment Parser::parse_primary() {
  if (token_.kind == TokenKind::number) return constant_fragment(advance().number);
  if (token_.kind == TokenKind::name && !token_.is("and") && !token_.is("or")) return parse_name();
  if (token_.is("(")) {
    const Nesting nesting(*this);
    advance();
    Fragment result = parse_expression(Precedence::disjunction);
    close_parenthesis();
    return result;
  }
  if (token_.kind == TokenKind::quoted) {
    fail(token_, "a text in quotes is only allowed as the first argument of table or spline");
  }
  fail(token_, fmt::format("expected a value, found {}", described(token_)));
}

Fragment Parser::parse_name() {
  const Token name = advance();
  if (token_.is("(")) return parse_call(name);
  if (const NamedConstant* constant = find_named(named_constants, name.text)) {
    return constant_fragment(constant->value);
  }
  if (name.text == "t") {
    if (!options_.allow_time) fail(name, "t is not allowed here: this value must not depend on time");
    return time_fragment();
  }
  if (const auto value = variable(name.text)) return constant_fragment(*value);
  if (find_named(named_functions, name.text) != nullptr) {
    fail(name, fmt::format("{0} is a function: write {0}(...)", name.text));
  }
  fail_unknown(name);
}

Fragment Parser::parse_call(const Token& name) {
  const NamedFunction* function = find_named(named_functions, name.text);
  if (function == nullptr) {
    const bool is_value = find_named(named_constants, name.text) || name.text == "t" || variable(name.text);
    if (is_value) fail(name, fmt::format("'{}' is not a function", shorten(name.text)));
    fail_unknown(name);
  }
  const Nesting nesting(*this);
  advance();
  const bool needs_file = function->op == Op::table || function->op == Op::spline;
  std::optional<Token> file;
  std::vector<Fragment> arguments;
  if (!token_.is(")")) {
    while (true) {
      if (needs_file && !file && arguments.empty() && token_.kind == TokenKind::quoted) {
        file = advance();
      } else {
        arguments.push_back(parse_expression(Precedence::disjunction));
      }
      if (!token_.is(",")) break;
      advance();
    }
  }
  close_parenthesis();
  return finish_call(*function, name, file, std::move(arguments));
}

Fragment Parser::finish_call(const NamedFunction& function, const Token& name, std::optional<Token> file,
                             std::vector<Fragment> arguments) {
  const std::size_t count = arguments.size() + (file ? 1 : 0);
  if (count < function.min_arguments || count > function.max_arguments) {
    const std::size_t wanted = function.min_arguments;
    fail(name, fmt::format("{} takes {}{} argument{}, got {}", name.text,
                           function.max_arguments == any_number ? "at least " : "", wanted,
                           wanted == 1 ? "" : "s", count));
  }
  Fragment result;
  switch (function.op) {
    case Op::jump_if_zero:
      result = if_fragment(std::move(arguments[0]), std::move(arguments[1]), std::move(arguments[2]));
      break;
    case Op::power:
      result = binary_fragment(*find_binary_operator("^"), std::move(arguments[0]), std::move(arguments[1]));
      break;
    case Op::table:
    case Op::spline:
      if (!file) fail(name, fmt::format("{} needs a file name in quotes as its first argument", name.text));
      tables_.push_back(load_table(name, *file));
      result = table_fragment(name.text, function.op, file->text, std::move(arguments[0]), tables_);
      if (result.is_constant()) tables_.pop_back();
      break;
    default: result = call_fragment(name.text, function.op, std::move(arguments));
  }
  if (result.stack > stack_capacity) fail(name, "too complicated: name a part of it as a parameter");
  return result;
}

std::shared_ptr<const Table> Parser::load_table(const Token& name, const Token& file) const {
  if (!options_.tables) fail(name, fmt::format("{} is not allowed here: no files can be read", name.text));
  std::shared_ptr<const Table> table;
  try {
    table = options_.tables(std::string(file.text));
  } catch (const ExpressionError& error) {
    fail(file, error.what());
  } catch (const std::invalid_argument& error) {
    fail(file, fmt::format("'{}': {}", file.text, error.what()));
  }
  if (table == nullptr) fail(file, fmt::format("the table '{}' cannot be loaded", file.text));
  return table;
}

void Parser::fail_unknown(const Token& name) const {
  if (is_not_finite_word(name.text)) fail(name, fmt::format("a number must be finite, not {}", name.text));
  std::vector<std::string> candidates;
  if (options_.known_names) candidates = options_.known_names();
  for (const NamedConstant& constant : named_constants) candidates.emplace_back(constant.name);
  for (const NamedFunction& function : named_functions) candidates.emplace_back(function.name);
  if (options_.allow_time) candidates.emplace_back("t");
  const auto nearest = nearest_name(name.text, candidates);
  fail(name, fmt::format("unknown name '{}'{}", shorten(name.text),
                         nearest ? fmt::format("; did you mean '{}'?", *nearest) : ""));
}

}  // namespace

Expression Expression::parse(std::string_view text, const Options& options) {
  if (text.size() > max_length) {
    throw ExpressionError(fmt::format("the expression is longer than {} characters", max_length), max_length);
  }
  Parser parser(text, options);
  Fragment result = parser.parse_all();
  // Otherwise canonical() could not be parsed again.
  if (result.text.size() > max_length) {
    throw ExpressionError(fmt::format(
        "with its parameters written out the expression is longer than {} characters", max_length));
  }
  Program program{.code = std::move(result.code), .tables = parser.take_tables()};
  return {std::move(program), std::move(result.text)};
}

}  // namespace percuss
