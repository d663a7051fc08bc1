#include "percuss/math/expression.h"

#include <utility>

#include "percuss/math/expression_fragment.h"

namespace percuss {

Expression::Expression() : Expression(constant(0)) {}

Expression::Expression(Program program, std::string canonical) : canonical_(std::move(canonical)) {
  if (program.code.size() == 1 && program.code[0].op == Op::push_number)
    constant_ = program.code[0].number;
  else
    program_ = std::make_shared<const Program>(std::move(program));
}

Expression Expression::constant(double value) {
  Fragment fragment = constant_fragment(value);
  return {Program{.code = std::move(fragment.code), .tables = {}}, std::move(fragment.text)};
}

double Expression::value(double t) const {
  return program_ ? evaluate<double>(program_->code, program_->tables, t) : constant_;
}

Jet Expression::jet(double t) const {
  return program_ ? evaluate<Jet>(program_->code, program_->tables, t) : Jet::constant(constant_);
}

}  // namespace percuss
