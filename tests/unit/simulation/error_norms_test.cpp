#include "percuss/simulation/error_norms.h"

#include <cmath>
#include <limits>
#include <random>

#include <Eigen/SVD>
#include <gtest/gtest.h>

namespace percuss {
namespace {

using Function = std::function<double(double)>;

/// f at n + 1 times in [0, 1].
Trajectory sampled(const Function& f, int n) {
  Trajectory run{{}, {{}}};
  for (int i = 0; i <= n; ++i) {
    run.time.push_back(static_cast<double>(i) / n);
    run.values[0].push_back(f(run.time.back()));
  }
  return run;
}
double jump(double t) { return t < 0.5 ? 1 : -1; }
double wave(double t) { return std::sin(7 * t); }

TEST(Interpolation, IsExactForPolynomialsAndHoldsTheEnds) {
  const auto cubic = [](double t) { return 1 - 2 * t + 3 * t * t - 4 * t * t * t; };
  const auto line = [](double t) { return 1 - 2 * t; };
  const Trajectory a = sampled(cubic, 7), b = sampled(line, 7);
  for (double t = 0; t <= 1; t += 0.01) {
    EXPECT_NEAR(interpolate(a.time, a.values[0], t, Interpolation::cubic), cubic(t), 1e-14);
    EXPECT_NEAR(interpolate(b.time, b.values[0], t, Interpolation::linear), line(t), 1e-15);
  }
  EXPECT_EQ(interpolate(b.time, b.values[0], -1, Interpolation::cubic), 1);
  EXPECT_EQ(interpolate(b.time, b.values[0], 2, Interpolation::linear), -1);
}

TEST(Graph, FollowsAFunctionAndFindsItsJumps) {
  const Function f = [](double t) { return t < 1 / 3.0 ? wave(t) : -2.0; };
  const Graph graph = sample_graph(f, 0, 1);
  double widest_jump = 0;
  for (size_t i = 1; i < graph.time.size(); ++i) {
    ASSERT_LT(graph.time[i - 1], graph.time[i]);
    if (std::abs(graph.values[i] - graph.values[i - 1]) > 0.5)
      widest_jump = std::max(widest_jump, graph.time[i] - graph.time[i - 1]);
  }
  EXPECT_GT(widest_jump, 0) << "the jump is there";
  EXPECT_LT(widest_jump, 2e-12);
  for (double t = 0; t < 1; t += 0.00137)
    EXPECT_NEAR(interpolate(graph.time, graph.values, t, Interpolation::linear), f(t), 5e-8);
}

TEST(L1Error, IsTheRelativeMean) {
  const Trajectory run = sampled([](double t) { return 1.1 * wave(t); }, 50);
  EXPECT_NEAR(l1_error(run.time, run.values[0], wave), 0.1, 1e-14);
  const Trajectory two = {{0, 1, 2}, {{1, 5, 3}}};
  EXPECT_NEAR(l1_error(two.time, two.values[0], [](double t) { return t; }), (1 + 4 + 1) / 3.0, 1e-15);
  EXPECT_TRUE(std::isnan(l1_error(two.time, two.values[0], [](double) { return 0; })));
}

TEST(GraphError, ForgivesAShiftedJump) {
  const Graph graph = sample_graph(jump, 0, 1);
  std::vector<double> shifts, errors;
  for (const double shift : {0.08, 0.04, 0.02, 0.01, 0.005}) {
    const Trajectory run = sampled([&](double t) { return jump(t - shift); }, 3000);
    double largest = 0;
    for (size_t n = 0; n < run.time.size(); ++n)
      largest = std::max(largest, std::abs(run.values[0][n] - jump(run.time[n])));
    EXPECT_EQ(largest, 2) << "pointwise there is no convergence";
    shifts.push_back(shift);
    errors.push_back(graph_error(run.time, run.values[0], jump, graph));
    EXPECT_NEAR(errors.back(), shift, 1.0 / 3000);
  }
  EXPECT_NEAR(fit_order(shifts, errors).order, 1, 0.05);
}

TEST(GraphError, SeesAWrongSizeOfAJump) {
  const Graph graph = sample_graph(jump, 0, 1);
  const Trajectory run = sampled([](double t) { return t < 0.5 ? 1 : -1.3; }, 100);
  EXPECT_NEAR(graph_error(run.time, run.values[0], jump, graph), 0.3, 1e-12);
}

TEST(GraphError, IsAtMostTheLargestErrorAndLikeItWhereTheMotionIsSmooth) {
  const Graph graph = sample_graph(wave, 0, 1);
  for (const double amplitude : {1e-1, 1e-3, 1e-5, 1e-6}) {
    const Trajectory run = sampled([&](double t) { return wave(t) + amplitude * std::cos(31 * t); }, 400);
    double largest = 0, size = 0;
    for (size_t n = 0; n < run.time.size(); ++n) {
      largest = std::max(largest, std::abs(run.values[0][n] - wave(run.time[n])));
      size = std::max(size, std::abs(wave(run.time[n])));
    }
    const double error = graph_error(run.time, run.values[0], wave, graph);
    EXPECT_LE(error, largest / size);
    EXPECT_GT(error, 0.1 * largest / size) << "amplitude " << amplitude;
  }
}

TEST(SpectralError, IsTheLargestSingularValue) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const int steps = 40, quantities = 3;
  Eigen::MatrixXd D(steps, quantities);
  Trajectory run;
  ReferenceSolution reference;
  run.values.resize(quantities);
  for (int k = 0; k < quantities; ++k) reference.functions.emplace_back([k](double t) { return k * t; });
  for (int n = 0; n < steps; ++n) {
    run.time.push_back(0.1 * n);
    for (int k = 0; k < quantities; ++k) {
      D(n, k) = normal(random);
      run.values[k].push_back(reference.functions[k](run.time[n]) + D(n, k));
    }
  }
  const double expected = D.jacobiSvd().singularValues()[0];
  EXPECT_NEAR(spectral_error(run, reference), expected, 1e-12 * expected);
  EXPECT_EQ(errors_of(run, reference, Norm::spectral).size(), 1u) << "one for all quantities";
  EXPECT_EQ(errors_of(run, reference, Norm::l1).size(), 3u);
}

TEST(ObservedOrder, IsTheSlopeAndLeavesOutWhatHasNone) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NEAR(order_between(1e-2, 5e-4, 1e-3, 5e-6), 2, 1e-12);
  EXPECT_TRUE(std::isnan(order_between(1e-2, 0, 1e-3, 1)));
  EXPECT_TRUE(std::isnan(order_between(1e-2, nothing, 1e-3, 1)));
  const FittedOrder fit = fit_order({1e-1, 1e-2, 1e-3, 1e-4, 1e-5}, {3e-2, 3e-3, nothing, 3e-5, 0});
  EXPECT_NEAR(fit.order, 1, 1e-12);
  EXPECT_EQ(fit.steps, 3);
  EXPECT_TRUE(std::isnan(fit_order({1e-1}, {1}).order));
}

}  // namespace
}  // namespace percuss
