#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <numbers>
#include <string_view>

#include "percuss/math/expression_program.h"

namespace percuss {

/// The constants of the language. They cannot be shadowed by parameters.
struct NamedConstant {
  std::string_view name;
  double value;
};
inline constexpr std::array named_constants{
    NamedConstant{"pi", std::numbers::pi},
    NamedConstant{"deg", std::numbers::pi / 180},
};

/// The functions of the language.
struct NamedFunction {
  std::string_view name;
  std::size_t min_arguments;
  std::size_t max_arguments;
  Op op;  ///< for `if`, the jump that it compiles to
};
inline constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();
inline constexpr std::array named_functions{
    NamedFunction{"sin", 1, 1, Op::sin},          NamedFunction{"cos", 1, 1, Op::cos},
    NamedFunction{"tan", 1, 1, Op::tan},          NamedFunction{"asin", 1, 1, Op::asin},
    NamedFunction{"acos", 1, 1, Op::acos},        NamedFunction{"atan", 1, 1, Op::atan},
    NamedFunction{"atan2", 2, 2, Op::atan2},      NamedFunction{"sinh", 1, 1, Op::sinh},
    NamedFunction{"cosh", 1, 1, Op::cosh},        NamedFunction{"tanh", 1, 1, Op::tanh},
    NamedFunction{"exp", 1, 1, Op::exp},          NamedFunction{"log", 1, 1, Op::log},
    NamedFunction{"log10", 1, 1, Op::log10},      NamedFunction{"sqrt", 1, 1, Op::sqrt},
    NamedFunction{"abs", 1, 1, Op::abs},          NamedFunction{"min", 2, any_number, Op::min},
    NamedFunction{"max", 2, any_number, Op::max}, NamedFunction{"pow", 2, 2, Op::power},
    NamedFunction{"sign", 1, 1, Op::sign},        NamedFunction{"floor", 1, 1, Op::floor},
    NamedFunction{"ceil", 1, 1, Op::ceil},        NamedFunction{"mod", 2, 2, Op::mod},
    NamedFunction{"step", 1, 1, Op::step},        NamedFunction{"if", 3, 3, Op::jump_if_zero},
    NamedFunction{"table", 2, 2, Op::table},      NamedFunction{"spline", 2, 2, Op::spline},
};

/// The words of the language that are neither constants nor functions.
inline constexpr std::array<std::string_view, 4> reserved_words{"t", "and", "or", "not"};

/// Words by which other programs mean what is no finite number; the language has none, so that it can
/// explain.
inline constexpr std::array<std::string_view, 3> not_finite_words{"nan", "inf", "infinity"};

/// True for `nan`, `Inf` and the like.
inline bool is_not_finite_word(std::string_view word) {
  const auto same_letter = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  return std::ranges::any_of(
      not_finite_words, [&](std::string_view known) { return std::ranges::equal(word, known, same_letter); });
}

/// The entry of a list above with this name, or nullptr.
template <class List>
auto find_named(const List& list, std::string_view name) -> decltype(&list[0]) {
  const auto found = std::ranges::find(list, name, [](const auto& entry) { return entry.name; });
  return found == list.end() ? nullptr : &*found;
}

}  // namespace percuss
