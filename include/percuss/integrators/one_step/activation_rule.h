#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "percuss/math/fields.h"

namespace percuss {

/// Which contacts enter the one-step problem: those with g_n + c h u_n <= tolerance, where c is 0, 1/2 or 1.
/// docs/theory/moreau.md (M-4). The rule is part of a scheme: it decides the size of its error.
enum class Activation { start_gap, half_step_gap, predicted_gap };
template <>
struct EnumNames<Activation> {
  static constexpr std::array<std::pair<Activation, std::string_view>, 3> values = {
      {{Activation::start_gap, "start-gap"},
       {Activation::half_step_gap, "half-step-gap"},
       {Activation::predicted_gap, "predicted-gap"}}};
};

/// The fields of the schemes that have a rule or a tolerance.
namespace activation_fields {
inline constexpr Field rule = {
    .help =
        "a contact takes part in a step if g + c h u <= tolerance, with the gap g and its rate u at the "
        "start and c = 0 (start-gap), 1/2 (half-step-gap) or 1 (predicted-gap)"};
inline constexpr Field tolerance = {
    .unit = "m", .help = "default: 1e-12 of the model's size", .range = allow::nonnegative};
}  // namespace activation_fields

}  // namespace percuss
