#include "percuss/math/table.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace percuss {
namespace {

const std::vector<double> uneven{-1, 0, 0.5, 2, 3.25};

std::string message_of(std::vector<double> x, std::vector<double> y) {
  try {
    const Table table(std::move(x), std::move(y));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Table, refuses_bad_data) {
  EXPECT_EQ(message_of({1, 2}, {1}), "a table needs as many x as y values, got 2 and 1");
  EXPECT_EQ(message_of({1}, {1}), "a table needs at least 2 points, got 1");
  EXPECT_EQ(message_of({}, {}), "a table needs at least 2 points, got 0");
  EXPECT_EQ(message_of({0, 1, 1}, {0, 0, 0}),
            "the x values of a table must increase strictly, but point 3 has x = 1 after 1");
  EXPECT_EQ(message_of({0, std::nan("")}, {0, 0}), "point 2 of the table is not finite: (nan, 0)");
  EXPECT_EQ(message_of({0, 1}, {std::numeric_limits<double>::infinity(), 0}),
            "point 1 of the table is not finite: (0, inf)");
  EXPECT_EQ(message_of({0, 1}, {2, 3}), "");
}

TEST(Table, passes_through_the_points) {
  const Table table(uneven, {3, -1, 0.1, 7, 2});
  for (std::size_t i = 0; i < uneven.size(); ++i) {
    EXPECT_EQ(table.linear(Jet::constant(uneven[i])).value, table.y()[i]);
    EXPECT_EQ(table.spline(Jet::constant(uneven[i])).value, table.y()[i]);
  }
}

TEST(Table, is_exact_on_linear_data) {
  std::vector<double> y;
  for (const double x : uneven) y.push_back(3 - 2 * x);
  const Table table(uneven, y);
  for (double x = -1; x <= 3.25; x += 0.05) {
    for (const Jet& jet : {table.linear(Jet::variable(x)), table.spline(Jet::variable(x))}) {
      EXPECT_NEAR(jet.value, 3 - 2 * x, 1e-14);
      EXPECT_NEAR(jet.first, -2, 1e-13);
      EXPECT_NEAR(jet.second, 0, 1e-13);
    }
  }
}

TEST(Table, holds_the_end_values_outside) {
  const Table table(uneven, {3, -1, 0.1, 7, 2});
  EXPECT_EQ(table.linear(Jet::variable(-1.001)), Jet::constant(3));
  EXPECT_EQ(table.spline(Jet::variable(-100)), Jet::constant(3));
  EXPECT_EQ(table.linear(Jet::variable(3.251)), Jet::constant(2));
  EXPECT_EQ(table.spline(Jet::variable(1e9)), Jet::constant(2));
}

TEST(Table, spline_is_twice_continuously_differentiable) {
  const Table table(uneven, {3, -1, 0.1, 7, 2});
  const double eps = 1e-9;
  for (std::size_t i = 1; i + 1 < uneven.size(); ++i) {
    const Jet left = table.spline(Jet::variable(uneven[i] - eps));
    const Jet right = table.spline(Jet::variable(uneven[i] + eps));
    EXPECT_NEAR(left.value, right.value, 1e-6);
    EXPECT_NEAR(left.first, right.first, 1e-6);
    EXPECT_NEAR(left.second, right.second, 1e-6);
  }
  EXPECT_EQ(table.spline(Jet::variable(uneven.front())).second, 0);
  EXPECT_EQ(table.spline(Jet::variable(uneven.back())).second, 0);
}

TEST(Table, spline_reproduces_a_natural_cubic) {
  // Two cubics that meet at x = 1 with equal y, y', y'', and with y'' = 0 at x = 0 and x = 2.
  const auto cubic = [](double x) {
    return x <= 1 ? x * x * x : 1 + 3 * (x - 1) + 3 * (x - 1) * (x - 1) - std::pow(x - 1, 3);
  };
  const Table table({0, 1, 2}, {cubic(0), cubic(1), cubic(2)});
  for (double x = 0; x <= 2; x += 0.1) EXPECT_NEAR(table.spline(Jet::constant(x)).value, cubic(x), 1e-14);
}

TEST(Table, derivatives_follow_the_argument) {
  const Table table(uneven, {3, -1, 0.1, 7, 2});
  const double h = 1e-5;
  const auto spline = [&](double t) { return table.spline(sin(Jet::variable(t)) + 1.0); };
  const auto linear = [&](double t) { return table.linear(sin(Jet::variable(t)) + 1.0); };
  for (const double t : {-0.9, 0.2, 0.8, 2.0}) {
    EXPECT_NEAR(spline(t).first, (spline(t + h).value - spline(t - h).value) / (2 * h), 1e-7);
    EXPECT_NEAR(spline(t).second, (spline(t + h).first - spline(t - h).first) / (2 * h), 1e-6);
    EXPECT_NEAR(linear(t).first, (linear(t + h).value - linear(t - h).value) / (2 * h), 1e-7);
    EXPECT_NEAR(linear(t).second, (linear(t + h).first - linear(t - h).first) / (2 * h), 1e-6);
  }
}

TEST(Table, two_points_make_a_line) {
  const Table table({0, 2}, {1, 5});
  EXPECT_EQ(table.spline(Jet::variable(1)), (Jet{3, 2, 0}));
  EXPECT_EQ(table.linear(Jet::variable(1)), (Jet{3, 2, 0}));
}

}  // namespace
}  // namespace percuss
