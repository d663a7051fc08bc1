#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "percuss/math/expression_program.h"

namespace percuss {

/// How tightly an operator binds, loosest first.
enum class Precedence : std::uint8_t {
  disjunction,
  conjunction,
  negation,
  comparison,
  additive,
  multiplicative,
  sign,
  power,
  primary,
};

struct BinaryOperator {
  std::string_view symbol;
  Op op;
  Precedence precedence;
};

/// nullptr if the symbol is not a binary operator.
const BinaryOperator* find_binary_operator(std::string_view symbol);

/// A piece of an expression on its way to a program: its code and its canonical text grow together, and a
/// piece made of constants becomes a constant at once.
struct Fragment {
  std::vector<Instruction> code;
  std::string text;
  Precedence precedence = Precedence::primary;
  std::size_t stack = 1;  ///< values on the stack at most

  bool is_constant() const { return code.size() == 1 && code[0].op == Op::push_number; }
};

Fragment constant_fragment(double value);
Fragment time_fragment();
Fragment negate_fragment(Fragment operand);
Fragment not_fragment(Fragment operand);
Fragment binary_fragment(const BinaryOperator& binary, Fragment left, Fragment right);
/// name(a, b, ...); more than two operands are taken pairwise from the left.
Fragment call_fragment(std::string_view name, Op op, std::vector<Fragment> operands);
Fragment if_fragment(Fragment condition, Fragment yes, Fragment no);
/// Interpolation in tables.back().
Fragment table_fragment(std::string_view name, Op op, std::string_view file, Fragment at,
                        const std::vector<std::shared_ptr<const Table>>& tables);

}  // namespace percuss
