// Masonry whose stones find each other: the thinnest arch.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "percuss/contacts/assembly.h"
#include "support/scenes.h"

namespace percuss {
namespace {

using testing::Overrides;

/// Limit analysis of a half-circular arch of mean radius 1 with an even number of stones (trapezia): without
/// sliding it stands iff a line of thrust fits into it (Heyman). By symmetry the thrust H at the crown is
/// horizontal, at a height y; the resultant at each joint has to pass between its inner and its outer corner,
/// which is linear in H and H y, for stones of weight 1.
class ThrustLines {
 public:
  ThrustLines(int stones, double thickness) {
    const double half = std::numbers::pi / (2 * stones), inner = 1 - thickness / 2, outer = 1 + thickness / 2;
    const double centre = inner * std::cos(half) +
                          (outer - inner) * std::cos(half) * (inner + 2 * outer) / (3 * (inner + outer));
    limits_ = {{-inner, 1, 0}, {outer, -1, 0}};
    double weight = 0, moment = 0;
    for (int k = 0; k < stones / 2; ++k) {
      weight += 1;
      moment += centre * std::sin((2 * k + 1) * half);
      const double x = std::sin((2 * k + 2) * half), y = std::cos((2 * k + 2) * half);
      limits_.push_back({-inner * y, 1, moment - weight * inner * x});
      limits_.push_back({outer * y, -1, weight * outer * x - moment});
    }
  }
  /// If so, one of the crossings of two limits is within all others.
  bool has_one() const {
    for (const Limit& first : limits_)
      for (const Limit& second : limits_) {
        const double det = first[0] * second[1] - first[1] * second[0];
        if (std::abs(det) < 1e-14) continue;
        const double H = (first[1] * second[2] - first[2] * second[1]) / det;
        const double Hy = (first[2] * second[0] - first[0] * second[2]) / det;
        if (H > 0 && std::ranges::all_of(limits_, [&](const Limit& limit) {
              return limit[0] * H + limit[1] * Hy + limit[2] >= -1e-12;
            }))
          return true;
      }
    return false;
  }

 private:
  using Limit = std::array<double, 3>;  ///< a H + b (H y) + c >= 0
  std::vector<Limit> limits_;
};

double smallest_thickness(int stones) {
  double falls = 0.09, stands = 0.13;
  while (stands - falls > 1e-8) {
    const double middle = (falls + stands) / 2;
    (ThrustLines(stones, middle).has_one() ? stands : falls) = middle;
  }
  return stands;
}

TEST(FreeArch, ThrustLinesGiveMilankovitchsThickness) {
  EXPECT_NEAR(smallest_thickness(10), 0.107011, 1e-6);
  EXPECT_NEAR(smallest_thickness(20), 0.107348, 1e-6);
  EXPECT_NEAR(smallest_thickness(200), 0.1075, 1e-4);
}

TEST(FreeArch, StandsFromTheSmallestThicknessOn) {
  for (const int stones : {10, 20})
    for (const double factor : {0.999, 1.001}) {
      SCOPED_TRACE(fmt::format("{} stones, {}", stones, factor));
      const Simulation s = testing::finished(
          "free_arch",
          {fmt::format("parameters.stones={}", stones), "time.end=0.8", "time.step=4e-3", "record=null",
           fmt::format("parameters.thickness={:.17g}", factor * smallest_thickness(stones))});
      const double crown = s.probe(fmt::format("stone{}.displacement.y", stones / 2));
      if (factor > 1)
        EXPECT_LT(std::abs(crown), 1e-10);
      else
        EXPECT_LT(crown, -1e-3);
    }
}

}  // namespace
}  // namespace percuss
