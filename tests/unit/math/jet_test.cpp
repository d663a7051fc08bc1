#include "percuss/math/jet.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace percuss {
namespace {

struct Case {
  std::string name;
  std::function<Jet(const Jet&)> function;
  std::function<double(double)> reference;
  std::vector<double> points;
};

/// Every function also has an inner function, so that both terms of the second derivative are tested.
std::vector<Case> cases() {
  const std::vector<double> anywhere{-1.3, -0.4, 0.0, 0.7, 2.1};
  const std::vector<double> positive{0.2, 0.9, 3.0};
  const std::vector<double> unit{-0.8, -0.1, 0.0, 0.6};
  return {
      {"sum", [](Jet t) { return 2.0 + t + t * t + 1.0; }, [](double t) { return 3 + t + t * t; }, anywhere},
      {"difference", [](Jet t) { return 2.0 - t * t - t - 1.0; }, [](double t) { return 1 - t * t - t; },
       anywhere},
      {"product", [](Jet t) { return 3.0 * t * sin(t) * 2.0; }, [](double t) { return 6 * t * std::sin(t); },
       anywhere},
      {"quotient", [](Jet t) { return sin(t) / (2.0 + t * t) / 4.0; },
       [](double t) { return std::sin(t) / (2 + t * t) / 4; }, anywhere},
      {"reciprocal", [](Jet t) { return 2.0 / (t * t); }, [](double t) { return 2 / (t * t); }, positive},
      {"negation", [](Jet t) { return -(t * t); }, [](double t) { return -t * t; }, anywhere},
      {"sin", [](Jet t) { return sin(t * t); }, [](double t) { return std::sin(t * t); }, anywhere},
      {"cos", [](Jet t) { return cos(t * t); }, [](double t) { return std::cos(t * t); }, anywhere},
      {"tan", [](Jet t) { return tan(t * t); }, [](double t) { return std::tan(t * t); }, unit},
      {"asin", [](Jet t) { return asin(t * t * t); }, [](double t) { return std::asin(t * t * t); }, unit},
      {"acos", [](Jet t) { return acos(t * t * t); }, [](double t) { return std::acos(t * t * t); }, unit},
      {"atan", [](Jet t) { return atan(t * t); }, [](double t) { return std::atan(t * t); }, anywhere},
      {"atan2", [](Jet t) { return atan2(sin(t), 2.0 * cos(t)); },
       [](double t) { return std::atan2(std::sin(t), 2 * std::cos(t)); }, anywhere},
      {"sinh", [](Jet t) { return sinh(t * t); }, [](double t) { return std::sinh(t * t); }, unit},
      {"cosh", [](Jet t) { return cosh(t * t); }, [](double t) { return std::cosh(t * t); }, unit},
      {"tanh", [](Jet t) { return tanh(t * t); }, [](double t) { return std::tanh(t * t); }, anywhere},
      {"exp", [](Jet t) { return exp(t * t); }, [](double t) { return std::exp(t * t); }, unit},
      {"log", [](Jet t) { return log(t * t * t); }, [](double t) { return std::log(t * t * t); }, positive},
      {"log10", [](Jet t) { return log10(t * t * t); }, [](double t) { return std::log10(t * t * t); },
       positive},
      {"sqrt", [](Jet t) { return sqrt(t * t * t); }, [](double t) { return std::sqrt(t * t * t); },
       positive},
      {"abs",
       [](Jet t) { return abs(t * t * t); },
       [](double t) { return std::abs(t * t * t); },
       {-2, -0.3, 0.3, 2}},
      {"cube", [](Jet t) { return pow(t, 3); }, [](double t) { return t * t * t; }, anywhere},
      {"real power", [](Jet t) { return pow(t, 2.5); }, [](double t) { return std::pow(t, 2.5); }, positive},
      {"exponential", [](Jet t) { return pow(3, t * t); }, [](double t) { return std::pow(3, t * t); }, unit},
      {"self power", [](Jet t) { return pow(t, t); }, [](double t) { return std::pow(t, t); }, positive},
      {"min", [](Jet t) { return min(t, t * t); }, [](double t) { return std::min(t, t * t); }, {-1, 0.5, 2}},
      {"max", [](Jet t) { return max(t, t * t); }, [](double t) { return std::max(t, t * t); }, {-1, 0.5, 2}},
  };
}

TEST(Jet, agrees_with_central_differences) {
  const double h = 1e-5;
  for (const Case& c : cases()) {
    for (const double t : c.points) {
      SCOPED_TRACE(c.name + " at " + std::to_string(t));
      const Jet jet = c.function(Jet::variable(t));
      const auto slope = [&](double at) { return c.function(Jet::variable(at)).first; };
      EXPECT_NEAR(jet.value, c.reference(t), 1e-14 * (1 + std::abs(jet.value)));
      EXPECT_NEAR(jet.first, (c.reference(t + h) - c.reference(t - h)) / (2 * h),
                  1e-7 * (1 + std::abs(jet.first)));
      EXPECT_NEAR(jet.second, (slope(t + h) - slope(t - h)) / (2 * h), 1e-7 * (1 + std::abs(jet.second)));
    }
  }
}

TEST(Jet, integer_powers_hold_for_any_base) {
  EXPECT_EQ(pow(Jet::variable(-2), 3), (Jet{-8, 12, -12}));
  EXPECT_EQ(pow(Jet::variable(0), 2), (Jet{0, 0, 2}));
  EXPECT_EQ(pow(Jet::variable(0), 1), (Jet{0, 1, 0}));
  EXPECT_EQ(pow(Jet::variable(0), 0), (Jet{1, 0, 0}));
  EXPECT_EQ(pow(Jet::variable(-2), -1), (Jet{-0.5, -0.25, -0.25}));
}

TEST(Jet, constants_stay_constant_at_singular_points) {
  EXPECT_EQ(sqrt(Jet::constant(0)), Jet::constant(0));
  EXPECT_EQ(pow(Jet::constant(0), 0.5), Jet::constant(0));
  EXPECT_EQ(pow(Jet::constant(0), Jet::variable(1)), Jet::constant(0));
  EXPECT_EQ(asin(Jet::constant(1)), Jet::constant(std::asin(1.0)));
  EXPECT_EQ(atan2(Jet::constant(0), Jet::constant(0)), Jet::constant(0));
  EXPECT_EQ(sqrt(Jet::variable(0)).first, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace percuss
