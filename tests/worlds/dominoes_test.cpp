// A row of falling dominoes: the speed of the wave against the theory of stones that lean on each other.

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "support/scenes.h"

namespace percuss {
namespace {

using testing::scene_simulation;

/// The wave after [van Leeuwen 2010]: stones turn about their lower front edges without slip, impacts are
/// inelastic, and a stone that was hit and all behind it go on leaning on each other, with friction where the
/// upper edge of one slides down the back of the next. So a single angle moves, that of the first stone of
/// the chain; in what follows stones are counted from it backwards.
class DominoWave {
 public:
  DominoWave(double height, double thickness, double spacing, double friction)
      : h_(height), d_(thickness), p_(spacing), mu_(friction) {}

  /// Speed between the hits of neighbours, after `hits` of them.
  double speed_after(int hits) const {
    const double hit_at = std::asin((p_ - d_) / h_);
    double omega = 5, speed = 0;
    for (int stones = 1; stones <= hits; ++stones) {
      double theta = 0, t = 0;
      for (constexpr int steps = 40; theta < hit_at * (1 - 0.5 / steps);) {  // over angles: they end at one
        const double step = hit_at / steps;
        const auto rate = [&](double x, double u) { return acceleration(x, u, stones) / u; };
        const double k1 = rate(theta, omega), k2 = rate(theta + step / 2, omega + step / 2 * k1),
                     k3 = rate(theta + step / 2, omega + step / 2 * k2),
                     k4 = rate(theta + step, omega + step * k3);
        const double halfway = omega + step / 4 * (k1 + k2),
                     after = omega + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        t += step / 6 * (1 / omega + 4 / halfway + 1 / after);
        omega = after;
        theta += step;
      }
      speed = p_ / t;
      omega = omega_after_hit(hit_at, omega, stones);
    }
    return speed;
  }

 private:
  struct Chain {
    std::vector<double> angle;
    std::vector<double> rate;    ///< d angle / d angle of the first
    std::vector<double> weight;  ///< sum of weight (I angle'' - moment) = 0: contact forces do no work on it
  };
  /// h sin(theta_behind - theta) = p cos(theta) - d: the upper edge of the one behind is on the back.
  Chain chain(double first, int stones) const {
    Chain c{{first}, {1}, {1}};
    while (static_cast<int>(c.angle.size()) < stones) {
      const double theta = c.angle.back(), lean = std::asin((p_ * std::cos(theta) - d_) / h_);
      c.angle.push_back(theta + lean);
      c.rate.push_back(c.rate.back() * (1 - p_ * std::sin(theta) / (h_ * std::cos(lean))));
      const double lever = h_ * std::cos(lean) - p_ * std::sin(theta) - mu_ * d_,  // of the force on this one
          lever_behind = h_ * (std::cos(lean) + mu_ * std::sin(lean));
      c.weight.push_back(c.weight.back() * lever / lever_behind);
    }
    return c;
  }
  double acceleration(double first, double omega, int stones) const {
    constexpr double e = 1e-5;
    const Chain c = chain(first, stones), more = chain(first + e, stones), less = chain(first - e, stones);
    double moment = 0, inertia = 0;
    for (size_t k = 0; k < c.angle.size(); ++k) {
      const double rate_change = (more.rate[k] - less.rate[k]) / (2 * e);
      moment += c.weight[k] * (9.81 / 2 * (h_ * std::sin(c.angle[k]) - d_ * std::cos(c.angle[k])) -
                               inertia_ * rate_change * omega * omega);
      inertia += c.weight[k] * inertia_ * c.rate[k];
    }
    return moment / inertia;
  }
  double omega_after_hit(double hit_at, double omega, int stones) const {
    const Chain before = chain(hit_at, stones), after = chain(0, stones + 1);
    double momentum = 0, inertia = 0;
    for (size_t k = 0; k < after.angle.size(); ++k) {
      if (k > 0) momentum += after.weight[k] * before.rate[k - 1] * omega;
      inertia += after.weight[k] * after.rate[k];
    }
    return momentum / inertia;
  }

  double h_, d_, p_, mu_;
  double inertia_ = (h_ * h_ + d_ * d_) / 3;  ///< about the edge, of 1 kg
};

/// When each of the first stones of the shipped scene begins to turn, with given friction [s].
std::vector<double> times_of_hits(const char* between_stones, const char* on_table) {
  constexpr size_t count = 20;
  Simulation s = scene_simulation(
      "dominoes",
      {fmt::format("parameters.count={}", count), fmt::format("pairs[0].friction={}", between_stones),
       fmt::format("pairs[1].friction={}", on_table), "time.step=2e-4", "record={every: 1}"});
  std::vector<double> times;
  while (times.size() < count) {
    const StepReport report = s.step();
    if (report.status != SolveStatus::converged || s.finished()) {
      ADD_FAILURE() << s.time() << s.why_it_failed(report);
      times.resize(count);
      break;
    }
    if (s.probe(fmt::format("stone{}.omega.y", times.size())) > 0.05) times.push_back(s.time());
  }
  return times;
}

/// The speed becomes constant, the one of the theory: where the table holds the feet of the stones, and as
/// shipped, where they slip a little.
TEST(Dominoes, TheWaveHasItsSpeed) {
  constexpr double height = 0.048, thickness = 0.0075, spacing = 0.022;
  struct Case {
    const char *between_stones, *on_table;
    double mu, bound;
  };
  for (const auto& [between_stones, on_table, mu, bound] :
       {Case{"0.2", "0.6", 0.2, 0.01}, Case{"0", "2", 0, 0.02}}) {
    const auto times = times_of_hits(between_stones, on_table);
    const auto speed = [&](size_t from, size_t to) {
      return spacing * static_cast<double>(to - from) / (times[to] - times[from]);
    };
    const double theory = DominoWave(height, thickness, spacing, mu).speed_after(30);
    EXPECT_NEAR(speed(15, 19), theory, bound * theory) << on_table;
    EXPECT_NEAR(speed(10, 11), theory, 0.1 * theory) << on_table;
    EXPECT_LT(speed(4, 5), 0.75 * theory) << on_table;
  }
}

}  // namespace
}  // namespace percuss
