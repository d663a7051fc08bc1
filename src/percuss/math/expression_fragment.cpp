#include "percuss/math/expression_fragment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace percuss {
namespace {

constexpr std::array binary_operators{
    BinaryOperator{"or", Op::logical_or, Precedence::disjunction},
    BinaryOperator{"and", Op::logical_and, Precedence::conjunction},
    BinaryOperator{"<", Op::less, Precedence::comparison},
    BinaryOperator{"<=", Op::less_equal, Precedence::comparison},
    BinaryOperator{">", Op::greater, Precedence::comparison},
    BinaryOperator{">=", Op::greater_equal, Precedence::comparison},
    BinaryOperator{"==", Op::equal, Precedence::comparison},
    BinaryOperator{"!=", Op::not_equal, Precedence::comparison},
    BinaryOperator{"+", Op::add, Precedence::additive},
    BinaryOperator{"-", Op::subtract, Precedence::additive},
    BinaryOperator{"*", Op::multiply, Precedence::multiplicative},
    BinaryOperator{"/", Op::divide, Precedence::multiplicative},
    BinaryOperator{"^", Op::power, Precedence::power},
};

void append(std::vector<Instruction>& code, const std::vector<Instruction>& more) {
  code.insert(code.end(), more.begin(), more.end());
}

std::int32_t length(const std::vector<Instruction>& code) { return static_cast<std::int32_t>(code.size()); }

/// The value of code made of constants.
Fragment fold(std::span<const Instruction> code, std::span<const std::shared_ptr<const Table>> tables = {}) {
  return constant_fragment(evaluate<double>(code, tables, 0));
}

void parenthesize(std::string& text, bool needed) {
  if (needed) text = fmt::format("({})", text);
}

Fragment prefix_fragment(std::string_view prefix, Op op, Precedence precedence, Fragment operand) {
  const bool constant = operand.is_constant();
  operand.code.push_back({.op = op});
  if (constant) return fold(operand.code);
  parenthesize(operand.text, operand.precedence < precedence || operand.text.starts_with('-'));
  operand.text = fmt::format("{}{}", prefix, operand.text);
  operand.precedence = precedence;
  return operand;
}

}  // namespace

const BinaryOperator* find_binary_operator(std::string_view symbol) {
  const auto found = std::ranges::find(binary_operators, symbol, &BinaryOperator::symbol);
  return found == binary_operators.end() ? nullptr : &*found;
}

Fragment constant_fragment(double value) {
  Fragment result{.code = {{.op = Op::push_number, .number = value}}, .text = {}};
  if (std::isfinite(value)) {
    result.text = fmt::format("{}", value);
    if (std::signbit(value)) result.precedence = Precedence::sign;
  } else {
    // The language has no name for these.
    result.text = std::isnan(value) ? "0 / 0" : (value > 0 ? "1 / 0" : "-1 / 0");
    result.precedence = Precedence::multiplicative;
  }
  return result;
}

Fragment time_fragment() { return {.code = {{.op = Op::push_time}}, .text = "t"}; }

Fragment negate_fragment(Fragment operand) {
  return prefix_fragment("-", Op::negate, Precedence::sign, std::move(operand));
}

Fragment not_fragment(Fragment operand) {
  return prefix_fragment("not ", Op::logical_not, Precedence::negation, std::move(operand));
}

Fragment binary_fragment(const BinaryOperator& binary, Fragment left, Fragment right) {
  const bool constant = left.is_constant() && right.is_constant();
  append(left.code, right.code);
  left.code.push_back({.op = binary.op});
  if (constant) return fold(left.code);

  // Rounding makes a + (b + c) and a + b + c different, so only the order of the parser needs no parentheses.
  // A sign after an operator would parse, but reads badly.
  const Precedence precedence = binary.precedence;
  const bool groups_left = precedence != Precedence::power && precedence != Precedence::comparison;
  const bool groups_right = precedence == Precedence::power;
  parenthesize(left.text, left.precedence < precedence || (left.precedence == precedence && !groups_left));
  parenthesize(right.text, right.precedence < precedence || right.text.starts_with('-') ||
                               (right.precedence == precedence && !groups_right));
  left.text.append(" ").append(binary.symbol).append(" ").append(right.text);
  left.precedence = precedence;
  left.stack = std::max(left.stack, 1 + right.stack);
  return left;
}

Fragment call_fragment(std::string_view name, Op op, std::vector<Fragment> operands) {
  const bool constant = std::ranges::all_of(operands, &Fragment::is_constant);
  Fragment result = std::move(operands.front());
  if (operands.size() == 1) result.code.push_back({.op = op});
  for (const Fragment& operand : std::span(operands).subspan(1)) {
    append(result.code, operand.code);
    result.code.push_back({.op = op});
    result.text.append(", ").append(operand.text);
    result.stack = std::max(result.stack, 1 + operand.stack);
  }
  if (constant) return fold(result.code);
  result.text = fmt::format("{}({})", name, result.text);
  result.precedence = Precedence::primary;
  return result;
}

Fragment if_fragment(Fragment condition, Fragment yes, Fragment no) {
  if (condition.is_constant()) return condition.code[0].number != 0 ? yes : no;
  Fragment result{.code = {},
                  .text = fmt::format("if({}, {}, {})", condition.text, yes.text, no.text),
                  .stack = std::max({condition.stack, yes.stack, no.stack})};
  result.code = std::move(condition.code);
  result.code.push_back({.op = Op::jump_if_zero, .index = length(yes.code) + 1});
  append(result.code, yes.code);
  result.code.push_back({.op = Op::jump, .index = length(no.code)});
  append(result.code, no.code);
  return result;
}

Fragment table_fragment(std::string_view name, Op op, std::string_view file, Fragment at,
                        const std::vector<std::shared_ptr<const Table>>& tables) {
  const bool constant = at.is_constant();
  at.code.push_back({.op = op, .index = static_cast<std::int32_t>(tables.size() - 1)});
  if (constant) return fold(at.code, tables);
  // A text in quotes cannot contain its own kind of quote, so one of the two kinds always fits.
  const char quote = file.find('\'') == std::string_view::npos ? '\'' : '"';
  at.text = fmt::format("{0}({1}{2}{1}, {3})", name, quote, file, at.text);
  at.precedence = Precedence::primary;
  return at;
}

}  // namespace percuss
