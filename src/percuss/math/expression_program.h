#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "percuss/math/jet.h"
#include "percuss/math/table.h"

namespace percuss {

/// What one instruction does to the stack. The order matters: is_binary() and the evaluator rely on it.
enum class Op : std::uint8_t {
  push_number,
  push_time,
  jump,          ///< skip `index` instructions
  jump_if_zero,  ///< the same, if the popped value is zero
  table,         ///< interpolate in tables[index]
  spline,
  // Two operands.
  add,
  subtract,
  multiply,
  divide,
  power,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  atan2,
  min,
  max,
  mod,
  // One operand.
  negate,
  logical_not,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  log10,
  sqrt,
  abs,
  sign,
  floor,
  ceil,
  step,
};

constexpr bool is_binary(Op op) { return op >= Op::add && op <= Op::mod; }

struct Instruction {
  Op op = Op::push_number;
  std::int32_t index = 0;
  double number = 0;
};

/// A compiled expression. Jumps are relative, so pieces of code can be put together as they are.
struct Program {
  std::vector<Instruction> code;
  std::vector<std::shared_ptr<const Table>> tables;
};

/// The stack of the evaluator; the compiler refuses an expression that needs more.
inline constexpr std::size_t stack_capacity = 64;

/// Runs the code at time t, for Value = double or Jet. Neither allocates nor recurses.
template <class Value>
Value evaluate(std::span<const Instruction> code, std::span<const std::shared_ptr<const Table>> tables,
               double t);

}  // namespace percuss
