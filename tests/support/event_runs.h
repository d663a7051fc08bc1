#pragma once

#include <gtest/gtest.h>

#include "support/scenes.h"

namespace percuss::testing {

inline const Overrides sharp = {"integrator.relative_tolerance=1e-12", "integrator.absolute_tolerance=1e-14",
                                "solver.tolerance=1e-13"};
inline Overrides operator+(Overrides a, const Overrides& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// The next impact, or one at t = 0 if there is none any more.
inline Impact next_impact(Simulation& s) {
  while (!s.finished()) {
    if (const StepReport report = s.step(); report.status != SolveStatus::converged) {
      ADD_FAILURE() << s.why_it_failed(report);
      return {};
    }
    if (!s.impacts().empty()) return s.impacts().front();
  }
  return {};
}

}  // namespace percuss::testing
