#include "percuss/math/expression_program.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace percuss {
namespace {

template <class Value>
Value constant(double c) {
  return Value{c};
}

double value_of(double x) { return x; }
double value_of(const Jet& x) { return x.value; }

void set_time(double& x, double t) { x = t; }
void set_time(Jet& x, double t) { x = Jet::variable(t); }

double interpolate(Op op, const Table& table, double x) {
  const Jet at = Jet::constant(x);
  return (op == Op::table ? table.linear(at) : table.spline(at)).value;
}
Jet interpolate(Op op, const Table& table, const Jet& x) {
  return op == Op::table ? table.linear(x) : table.spline(x);
}

/// The remainder with the sign of the divisor, so that mod(t, period) also saws for t < 0.
double modulo(double a, double b) {
  const double remainder = std::fmod(a, b);
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}
Jet modulo(const Jet& a, const Jet& b) {
  const double remainder = modulo(a.value, b.value);
  const double quotient = std::round((a.value - remainder) / b.value);
  return {remainder, a.first - quotient * b.first, a.second - quotient * b.second};
}

double sign(double x) { return x > 0 ? 1 : (x < 0 ? -1 : x); }

template <class Value>
Value apply_binary(Op op, const Value& a, const Value& b) {
  using std::atan2, std::max, std::min, std::pow;
  const double x = value_of(a);
  const double y = value_of(b);
  switch (op) {
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return a / b;
    case Op::power: return pow(a, b);
    case Op::less: return constant<Value>(x < y);
    case Op::less_equal: return constant<Value>(x <= y);
    case Op::greater: return constant<Value>(x > y);
    case Op::greater_equal: return constant<Value>(x >= y);
    case Op::equal: return constant<Value>(x == y);
    case Op::not_equal: return constant<Value>(x != y);
    case Op::logical_and: return constant<Value>(x != 0 && y != 0);
    case Op::logical_or: return constant<Value>(x != 0 || y != 0);
    case Op::atan2: return atan2(a, b);
    case Op::min: return min(a, b);
    case Op::max: return max(a, b);
    default: return modulo(a, b);
  }
}

template <class Value>
Value apply_unary(Op op, const Value& a) {
  using std::abs, std::sqrt, std::exp, std::log, std::log10;
  using std::sin, std::cos, std::tan, std::asin, std::acos, std::atan, std::sinh, std::cosh, std::tanh;
  const double x = value_of(a);
  switch (op) {
    case Op::negate: return -a;
    case Op::logical_not: return constant<Value>(x == 0);
    case Op::sin: return sin(a);
    case Op::cos: return cos(a);
    case Op::tan: return tan(a);
    case Op::asin: return asin(a);
    case Op::acos: return acos(a);
    case Op::atan: return atan(a);
    case Op::sinh: return sinh(a);
    case Op::cosh: return cosh(a);
    case Op::tanh: return tanh(a);
    case Op::exp: return exp(a);
    case Op::log: return log(a);
    case Op::log10: return log10(a);
    case Op::sqrt: return sqrt(a);
    case Op::abs: return abs(a);
    case Op::sign: return constant<Value>(sign(x));
    case Op::floor: return constant<Value>(std::floor(x));
    case Op::ceil: return constant<Value>(std::ceil(x));
    default: return constant<Value>(x < 0 ? 0 : 1);  // Op::step
  }
}

}  // namespace

template <class Value>
Value evaluate(std::span<const Instruction> code, std::span<const std::shared_ptr<const Table>> tables,
               double t) {
  std::array<Value, stack_capacity> stack;
  Value* end = stack.data();
  for (std::size_t i = 0; i < code.size(); ++i) {
    const Instruction& instruction = code[i];
    const auto index = static_cast<std::size_t>(instruction.index);
    switch (instruction.op) {
      case Op::push_number: *end++ = constant<Value>(instruction.number); break;
      case Op::push_time: set_time(*end++, t); break;
      case Op::jump: i += index; break;
      case Op::jump_if_zero:
        if (value_of(*--end) == 0) i += index;
        break;
      case Op::table:
      case Op::spline: end[-1] = interpolate(instruction.op, *tables[index], end[-1]); break;
      default:
        if (is_binary(instruction.op)) {
          --end;
          end[-1] = apply_binary(instruction.op, end[-1], end[0]);
        } else {
          end[-1] = apply_unary(instruction.op, end[-1]);
        }
    }
  }
  return end[-1];
}

template double evaluate(std::span<const Instruction>, std::span<const std::shared_ptr<const Table>>, double);
template Jet evaluate(std::span<const Instruction>, std::span<const std::shared_ptr<const Table>>, double);

}  // namespace percuss
