#include "score_table.h"

#include <algorithm>

namespace contact_benchmark {
namespace {

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

}  // namespace

ScoreTable::ScoreTable(const std::vector<Score>& scores, std::size_t goal_index)
    : scores_(&scores), goal_index_(goal_index) {
  for (const Score& score : scores) {
    add_once(problems_, score.problem);
    add_once(solvers_, score.solver);
    if (score.is_percuss && favourite_.empty()) favourite_ = score.solver;
  }
}

std::optional<double> ScoreTable::seconds(const std::string& problem, const std::string& solver) const {
  for (const Score& score : *scores_)
    if (score.problem == problem && score.solver == solver && score.applies())
      return score.seconds[goal_index_];
  return std::nullopt;
}

template <class Accepts>
ScoreTable::Best ScoreTable::best_of(const std::string& problem, Accepts accepts) const {
  Best best;
  for (const Score& score : *scores_) {
    if (score.problem != problem || !score.applies() || !accepts(score)) continue;
    if (score.seconds[goal_index_] < best.seconds) best = {score.seconds[goal_index_], score.solver};
  }
  return best;
}

ScoreTable::Best ScoreTable::best(const std::string& problem) const {
  return best_of(problem, [](const Score&) { return true; });
}
ScoreTable::Best ScoreTable::best_peer(const std::string& problem) const {
  return best_of(problem, [](const Score& score) { return !score.is_percuss; });
}
ScoreTable::Best ScoreTable::best_other_of_percuss(const std::string& problem) const {
  return best_of(problem,
                 [this](const Score& score) { return score.is_percuss && score.solver != favourite_; });
}

}  // namespace contact_benchmark
