#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "percuss/math/fields.h"

namespace percuss {

enum class ReductionMethod { fixed_interface, free_interface };
template <>
struct EnumNames<ReductionMethod> {
  static constexpr std::array<std::pair<ReductionMethod, std::string_view>, 2> values = {
      {{ReductionMethod::fixed_interface, "fixed-interface"},
       {ReductionMethod::free_interface, "free-interface"}}};
};
/// Some nodes and the lowest modes instead of all nodes.  docs/theory/reduction.md
struct ModelReduction {
  ReductionMethod method = ReductionMethod::fixed_interface;
  std::optional<int> modes;
  std::optional<double> frequency;
  std::vector<std::string> keep;

  static void fields(auto& self, auto& visit) {
    visit(
        "method", self.method,
        Field{.help = "`fixed-interface` (Craig-Bampton: modes with the kept nodes held, and static modes), "
                      "or `free-interface` (Rubin: modes of the free body, and residual flexibility)"});
    visit("modes", self.modes,
          Field{.help = "number of modes; rigid motions do not count", .range = allow::nonnegative});
    visit("frequency", self.frequency,
          Field{.unit = "Hz", .help = "instead of `modes`: all up to this one", .range = allow::positive});
    visit("keep", self.keep,
          Field{.help = "nodes or node sets that stay as they are, besides those with a name in `points` and "
                        "those that contacts, joints, springs, forces and walls refer to"});
  }
};

}  // namespace percuss
