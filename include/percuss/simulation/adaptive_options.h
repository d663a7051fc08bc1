#pragma once

#include <optional>
#include <vector>

#include "percuss/math/fields.h"

namespace percuss {

/// How steps of varying size are chosen.  docs/theory/adaptive.md
struct AdaptiveOptions {
  double tolerance = 1e-4;
  std::optional<double> min, max;
  std::optional<double> penetration, energy;

  static void fields(auto& self, auto& visit) {
    visit(
        "tolerance", self.tolerance,
        Field{.help =
                  "error aimed at over the whole run: of positions as a part of the model's size, of angles "
                  "in rad; velocities between impacts as a part of the largest so far in each step",
              .range = allow::positive,
              .required = true});
    visit("min", self.min,
          Field{.unit = "s",
                .help = "smallest step, taken however large its error is; default: 1e-9 of the duration",
                .range = allow::positive});
    visit(
        "max", self.max,
        Field{
            .unit = "s", .help = "largest step; default: a tenth of the duration", .range = allow::positive});
    visit(
        "penetration", self.penetration,
        Field{.unit = "m", .help = "deepest penetration in which a step may end", .range = allow::positive});
    visit(
        "energy", self.energy,
        Field{.unit = "J",
              .help =
                  "energy that the scheme may lose or gain in the smooth motion of the whole run; an impact "
                  "may take as much again",
              .range = allow::positive});
  }
};

/// What decides on the steps to come; part of a checkpoint.
struct StepControl {
  double smooth_step = 0;    ///< accurate enough where nothing is hit [s]; 0 before the first step
  double recovery_step = 0;  ///< size of the step after an impact [s]; 0 if there was none
  double speed = 0;          ///< largest |v|_M so far, the root of twice the kinetic energy [J^1/2]
  /// Of each contact of the list in its last step without impact [m/s^2].
  std::vector<double> gap_acceleration;
};

}  // namespace percuss
