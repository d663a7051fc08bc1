#include "measure.h"

#include <algorithm>
#include <cmath>

namespace contact_benchmark {
namespace {

constexpr double shortest_limit = 0.5;  // [s]

void note(const Run& run, Score& score) {
  score.end = run.end;
  score.residual = std::min(score.residual, run.residual);
}

/// With nothing to win, a solve is ended early. The sharpest goal decides for all: who is slow to a loose one
/// may be the fastest to a sharp one.
RunLimits limits_of(const Rules& rules, const std::vector<Score>& rivals, bool is_percuss) {
  RunLimits made = rules.limits;
  for (const Score& rival : rivals) {
    if (!rival.applies() || rival.is_percuss != is_percuss) continue;
    made.seconds = std::min(made.seconds, std::max(shortest_limit, rules.give_up * rival.seconds.back()));
  }
  return made;
}

/// In the global form rounding can put the verdict just above the goal that the solver met.
void measure_with_residual(const Contender& contender, const Task& task, const std::vector<double>& goals,
                           const RunLimits& limits, Score& score) {
  for (std::size_t k = 0; k < goals.size(); ++k) {
    for (const double sharper : {1.0, 0.5, 0.1}) {
      const Run run = run_forked(contender, task, sharper * goals[k], goals[k], limits);
      note(run, score);
      if (run.residual <= goals[k]) score.seconds[k] = run.seconds;
      if (run.residual <= goals[k] || !run.claims_success) break;
    }
    if (score.end == RunEnd::time_limit || score.end == RunEnd::not_applicable) return;
  }
}

void measure_with_own_tolerance(const Contender& contender, const Task& task,
                                const std::vector<double>& goals, const RunLimits& limits, Score& score) {
  std::size_t next = 0;
  int failures = 0;  // in succession; a sharper tolerance will not help then
  for (int digits = 2; digits <= 14 && next < goals.size() && failures < 2; ++digits) {
    const Run run = run_forked(contender, task, std::pow(10.0, -digits), goals[next], limits);
    note(run, score);
    while (next < goals.size() && run.residual <= goals[next]) score.seconds[next++] = run.seconds;
    if (run.end == RunEnd::time_limit || run.end == RunEnd::not_applicable) return;
    failures = run.claims_success ? 0 : failures + 1;
  }
}

}  // namespace

Score measure(const Contender& contender, const Task& task, const Rules& rules,
              const std::vector<Score>& rivals) {
  Score score{.problem = task.name, .solver = contender.name, .is_percuss = contender.is_percuss};
  score.seconds.assign(rules.goals.size(), INFINITY);
  const auto run = contender.knows_residual ? measure_with_residual : measure_with_own_tolerance;
  run(contender, task, rules.goals, limits_of(rules, rivals, contender.is_percuss), score);
  return score;
}

}  // namespace contact_benchmark
