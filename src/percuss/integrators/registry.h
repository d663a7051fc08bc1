#pragma once

#include <variant>

#include "percuss/integrators/moreau_explicit.h"
#include "percuss/integrators/moreau_jean.h"

namespace percuss {

/// The options of one scheme; the alternative says which. A new scheme is one file and one entry here.
using SchemeOptions = std::variant<MoreauJeanOptions, MoreauExplicitOptions>;

inline std::string_view scheme_name(const SchemeOptions& options) {
  return std::visit([](const auto& o) { return o.scheme; }, options);
}

std::unique_ptr<Integrator> make_integrator(const SchemeOptions& options, const SolverChoice& solver);

}  // namespace percuss
