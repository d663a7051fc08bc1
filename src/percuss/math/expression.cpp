#include "percuss/math/expression.h"

#include <utility>

#include "percuss/math/expression_fragment.h"

namespace percuss {

Expression::Expression() : Expression(constant(0)) {}

Expression::Expression(Program program, std::string canonical)
    : program_(std::move(program)), canonical_(std::move(canonical)) {}

Expression Expression::constant(double value) {
  Fragment fragment = constant_fragment(value);
  return {Program{.code = std::move(fragment.code), .tables = {}}, std::move(fragment.text)};
}

bool Expression::is_constant() const {
  return program_.code.size() == 1 && program_.code[0].op == Op::push_number;
}

double Expression::value(double t) const {
  return is_constant() ? program_.code[0].number : evaluate<double>(program_.code, program_.tables, t);
}

Jet Expression::jet(double t) const {
  return is_constant() ? Jet::constant(program_.code[0].number)
                       : evaluate<Jet>(program_.code, program_.tables, t);
}

}  // namespace percuss
