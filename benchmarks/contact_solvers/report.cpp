#include "report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "score_table.h"

namespace contact_benchmark {
namespace {

/// Shorter peers' times say more about a call's overhead than about methods.
constexpr double shortest_peer = 2e-4;  // [s]

std::string milliseconds(double seconds) {
  if (!std::isfinite(seconds)) return "-";
  return fmt::format("{:.3g}", 1e3 * seconds);
}

std::string end_of(const Score& score) {
  switch (score.end) {
    case RunEnd::time_limit: return "time limit";
    case RunEnd::crashed: return "crashed";
    default: return "";
  }
}

struct GeometricMean {
  double log_sum = 0.0;
  int count = 0;
  void add(double x) {
    log_sum += std::log(x);
    ++count;
  }
  double value() const { return count > 0 ? std::exp(log_sum / count) : std::nan(""); }
};

struct WorstRatio {
  double ratio = 0.0;
  std::string problem = "none";
};

/// The two numbers that say how a default compares with the best choice in hindsight.
void print_verdict(std::FILE* out, const ScoreTable& table, double goal) {
  GeometricMean mean;
  WorstRatio worst;
  int favourite_only = 0, peer_only = 0, neither = 0;
  for (const std::string& problem : table.problems()) {
    const double ours = table.seconds(problem, table.favourite()).value_or(INFINITY);
    const double peers = table.best_peer(problem).seconds;
    if (std::isfinite(ours) && std::isfinite(peers)) {
      mean.add(ours / peers);
      if (peers >= shortest_peer && ours / peers > worst.ratio) worst = {ours / peers, problem};
    } else {
      ++(std::isfinite(ours) ? favourite_only : std::isfinite(peers) ? peer_only : neither);
    }
  }
  fmt::print(out,
             "goal {:.0e}: {} / best peer in hindsight: geometric mean {:.3g} over the {} problems both "
             "solve;\n  worst {:.3g} ({}) of those that take the peer {} ms or more;\n"
             "  solved by {} only: {}, by a peer only: {}, by neither: {}\n",
             goal, table.favourite(), mean.value(), mean.count, worst.ratio, worst.problem,
             1e3 * shortest_peer, table.favourite(), favourite_only, peer_only, neither);
}

/// Factor behind the fastest of all, for every problem that the solver treats and somebody solves.
std::vector<double> factors(const ScoreTable& table, const std::string& solver) {
  std::vector<double> made;
  for (const std::string& problem : table.problems()) {
    const double best = table.best(problem).seconds;
    const std::optional<double> seconds = table.seconds(problem, solver);
    if (seconds && std::isfinite(best)) made.push_back(*seconds / best);
  }
  return made;
}

void print_profile_row(std::FILE* out, const std::string& name, const std::vector<double>& factors,
                       const std::vector<double>& taus) {
  GeometricMean mean;
  for (const double factor : factors)
    if (std::isfinite(factor)) mean.add(factor);
  fmt::print(out, "{:30} {:5d}/{:<3d}", name, mean.count, factors.size());
  for (const double tau : taus) {
    const auto within = std::ranges::count_if(factors, [tau](double factor) { return factor <= tau; });
    fmt::print(out, " {:5.0f}%", 100.0 * static_cast<double>(within) / static_cast<double>(factors.size()));
  }
  fmt::print(out, "  {:.3g}\n", mean.value());
}

}  // namespace

void print_problem(std::FILE* out, const std::vector<Score>& scores, const std::vector<double>& goals) {
  if (scores.empty()) return;
  fmt::print(out, "\n{}: ms of CPU time to the goal\n{:30}", scores.front().problem, "");
  for (const double goal : goals) fmt::print(out, " {:>9.0e}", goal);
  fmt::print(out, "   best residual\n");
  for (const Score& score : scores) {
    if (!score.applies()) continue;
    fmt::print(out, "{:30}", score.solver);
    for (const double seconds : score.seconds) fmt::print(out, " {:>9}", milliseconds(seconds));
    fmt::print(out, "   {:.1e} {}\n", score.residual, end_of(score));
  }
  std::fflush(out);
}

void print_comparison(std::FILE* out, const std::vector<Score>& scores, double goal, std::size_t goal_index) {
  const ScoreTable table(scores, goal_index);
  if (table.favourite().empty()) return;
  fmt::print(out, "\nto {:.0e}, ms{:34} {:>9} {:>26} {:>32} {:>9}\n", goal, "", table.favourite(),
             "best other of percuss", "best peer", "ratio");
  for (const std::string& problem : table.problems()) {
    const double ours = table.seconds(problem, table.favourite()).value_or(INFINITY);
    const auto other = table.best_other_of_percuss(problem), peer = table.best_peer(problem);
    const bool both = std::isfinite(ours) && std::isfinite(peer.seconds);
    fmt::print(out, "{:45} {:>9} {:>9} {:16} {:>9} {:22} {:>9}\n", problem, milliseconds(ours),
               milliseconds(other.seconds), other.solver, milliseconds(peer.seconds), peer.solver,
               both ? fmt::format("{:.3g}", ours / peer.seconds) : "-");
  }
  print_verdict(out, table, goal);
}

void print_profile(std::FILE* out, const std::vector<Score>& scores, double goal, std::size_t goal_index) {
  const ScoreTable table(scores, goal_index);
  const std::vector<double> taus = {1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0};
  fmt::print(out, "\nshare solved to {:.0e} within tau of the fastest\n{:30} {:>9}", goal, "", "solved");
  for (const double tau : taus) fmt::print(out, " {:>6g}", tau);
  fmt::print(out, "  geometric mean of the factor where solved\n");
  std::vector<double> hindsight;
  for (const std::string& problem : table.problems())
    if (const double best = table.best(problem).seconds; std::isfinite(best))
      hindsight.push_back(table.best_peer(problem).seconds / best);
  for (const std::string& solver : table.solvers())
    if (const auto own = factors(table, solver); !own.empty()) print_profile_row(out, solver, own, taus);
  if (!hindsight.empty()) print_profile_row(out, "best peer in hindsight", hindsight, taus);
}

}  // namespace contact_benchmark
