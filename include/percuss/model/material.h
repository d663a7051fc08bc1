#pragma once

#include <array>
#include <optional>
#include <string>

#include "percuss/laws/rolling.h"

namespace percuss {

struct Material {
  std::optional<double> density, young;
  double poisson = 0;

  static void fields(auto& self, auto& visit) {
    visit("density", self.density,
          Field{.unit = "kg/m^3",
                .help =
                    "mass per volume; gives a sphere or a body with a shape its mass when `mass` is left out",
                .range = allow::positive});
    visit("young", self.young,
          Field{.unit = "Pa", .help = "Young's modulus; flexible bodies need it", .range = allow::positive});
    visit("poisson", self.poisson,
          Field{.help = "Poisson's ratio, below 0.5", .range = {.low = -0.99, .high = 0.4999}});
  }
};

/// The contact law of a pair of materials.
struct PairLaw {
  std::array<std::string, 2> between;
  RestitutionDescription restitution = 0;
  FrictionDescription friction = 0;
  double tangential_restitution = 0;
  double rolling = 0, spinning = 0;  ///< [m]

  bool has_moments() const { return rolling > 0 || spinning > 0; }

  static void fields(auto& self, auto& visit) {
    visit("between", self.between,
          Field{.help = "the two materials (may be the same twice)", .required = true});
    Rolling::fields(self, visit);
  }
};

}  // namespace percuss
