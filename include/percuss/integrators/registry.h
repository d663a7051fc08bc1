#pragma once

#include <variant>
#include <vector>

#include "percuss/integrators/event_driven.h"
#include "percuss/integrators/floating_trapezoidal.h"
#include "percuss/integrators/generalized_alpha.h"
#include "percuss/integrators/moreau_explicit.h"
#include "percuss/integrators/moreau_jean.h"
#include "percuss/integrators/schatzman_paoli.h"
#include "percuss/integrators/study/explicit_velocity.h"
#include "percuss/integrators/study/hht_variants.h"

namespace percuss {

/// The options of one scheme; the alternative says which. A new scheme is one file and one entry here.
using SchemeOptions =
    std::variant<MoreauJeanOptions, MoreauExplicitOptions, SchatzmanPaoliOptions, HhtOptions,
                 GeneralizedAlphaOptions, HalfExplicitVelocityOptions, HalfExplicitAccelerationOptions,
                 ExplicitVelocityOptions, FloatingTrapezoidalOptions, EventDrivenOptions, HhtDirectOptions,
                 HhtPositionOptions, NewmarkPositionOptions>;

inline std::string_view scheme_name(const SchemeOptions& options) {
  return std::visit([](const auto& o) { return o.scheme; }, options);
}

inline SchemeFacts facts(const SchemeOptions& options) {
  return std::visit([](const auto& o) { return o.facts(); }, options);
}
/// Every scheme with its defaults, in the order of the variant.
std::vector<SchemeOptions> all_schemes();

std::unique_ptr<Integrator> make_integrator(const SchemeOptions& options, const SolverChoice& solver);

}  // namespace percuss
