#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <fmt/format.h>

#include "percuss/io/scene.h"

/// How many grains leave the scene hopper in a second through openings of several widths, against Beverloo's
/// law
///   rate = C (phi / V) sqrt(g) (D - k d)^(5/2),
/// with the width D of the opening, the mean diameter d and volume V of a grain and the part phi of the
/// volume that grains fill, 0.6: so rate^(2/5) is a straight line over D, and its zero is k d. Takes 5
/// minutes.
///
///   cmake --build build/release --target hopper_flow && build/release/bin/hopper_flow
namespace {

constexpr int grains = 400;
constexpr double diameter = 0.02;  // m

/// Number per second, between the first 60 grains, until the flow is steady, and the last 160, when less than
/// the width of the opening is above it.
double rate_through(double opening) {
  percuss::Scene scene = percuss::load_scene(
      PERCUSS_SOURCE_DIR "/scenes/hopper.yaml",
      {fmt::format("parameters.grains={}", grains), fmt::format("parameters.opening={}", opening),
       "time.end=10", "time.step=1e-3", "record={every: 1}"});
  percuss::Simulation simulation(scene.model, scene.run);
  constexpr int from = 60, to = grains - 160;
  double began = 0;
  while (!simulation.finished()) {
    if (const auto report = simulation.step(); report.status != percuss::SolveStatus::converged) {
      fmt::print("{}\n", simulation.why_it_failed(report));
      return NAN;
    }
    int out = 0;
    for (int i = 0; i < grains; ++i)
      if (simulation.position(fmt::format("grain{}", i)).z() < 0) ++out;
    if (began == 0 && out >= from) began = simulation.time();
    if (out >= to) return (to - from) / (simulation.time() - began);
  }
  return NAN;
}

}  // namespace

int main() {
  const std::vector<double> openings = {3.5, 4, 4.5, 5};  // in diameters
  double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  std::vector<double> roots;
  for (const double opening : openings) {
    const double rate = rate_through(opening * diameter), y = std::pow(rate, 0.4);
    fmt::print("D = {} d: {:.1f} grains/s\n", opening, rate);
    std::fflush(stdout);
    roots.push_back(y);
    sum_x += opening;
    sum_y += y;
    sum_xx += opening * opening;
    sum_xy += opening * y;
  }
  const double n = static_cast<double>(openings.size());
  const double slope = (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
  const double k = (sum_x - sum_y / slope) / n;
  double worst = 0;
  for (size_t i = 0; i < openings.size(); ++i)
    worst = std::max(worst, std::abs(std::pow(roots[i] / (slope * (openings[i] - k)), 2.5) - 1));
  constexpr double pi = 3.14159265358979;
  const double C = std::pow(slope, 2.5) / (0.6 * 6 / pi * std::sqrt(9.81 / diameter));
  fmt::print("rate ~ (D - {:.2f} d)^(5/2) with C = {:.2f}; the rates are within {:.1f} % of it\n", k, C,
             100 * worst);
}
