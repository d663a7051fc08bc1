#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "percuss/integrators/registry.h"

namespace percuss::testing {

struct SchemeCase {
  std::string label;
  SchemeOptions options;
};

/// A scheme that a test leaves out with its defaults, or a variant by its label, and why.
struct Exclusion {
  std::string_view label, reason;
};
/// Its error follows its tolerances, which tests of its own look at.
inline constexpr Exclusion event_driven = {"event-driven", "time.step is not the length of its steps"};

/// Every registered scheme with its defaults; those for study are allowed to be what they are.
inline std::vector<SchemeCase> registered_schemes(const std::vector<Exclusion>& excluded) {
  std::vector<SchemeCase> cases;
  for (SchemeOptions scheme : all_schemes()) {
    const std::string_view name = scheme_name(scheme);
    if (std::ranges::any_of(excluded, [&](const Exclusion& e) { return e.label == name; })) continue;
    std::visit(
        [](auto& options) {
          if constexpr (requires { options.allow_inconsistent; }) options.allow_inconsistent = true;
        },
        scheme);
    cases.push_back({std::string(name), scheme});
  }
  return cases;
}

/// The same with further options of schemes; those are excluded by their own labels.
inline std::vector<SchemeCase> schemes_and_variants(const std::vector<Exclusion>& excluded,
                                                    const std::vector<SchemeCase>& variants) {
  std::vector<SchemeCase> cases = registered_schemes(excluded);
  for (const SchemeCase& variant : variants)
    if (std::ranges::none_of(excluded, [&](const Exclusion& e) { return e.label == variant.label; }))
      cases.push_back(variant);
  return cases;
}

}  // namespace percuss::testing
