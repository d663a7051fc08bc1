#pragma once

#include <optional>

#include "measure.h"

namespace contact_benchmark {

/// The scores of all problems at one goal, sorted for the reports.
class ScoreTable {
 public:
  ScoreTable(const std::vector<Score>& scores, std::size_t goal_index);

  const std::vector<std::string>& problems() const { return problems_; }
  const std::vector<std::string>& solvers() const { return solvers_; }  ///< in the order of their first score
  /// The first solver of percuss; empty if there is none.
  const std::string& favourite() const { return favourite_; }

  /// CPU time [s], infinite if not solved; nullopt if the solver does not treat the problem.
  std::optional<double> seconds(const std::string& problem, const std::string& solver) const;

  struct Best {
    double seconds = std::numeric_limits<double>::infinity();
    std::string solver = "none";
  };
  Best best(const std::string& problem) const;
  Best best_peer(const std::string& problem) const;
  Best best_other_of_percuss(const std::string& problem) const;

 private:
  template <class Accepts>
  Best best_of(const std::string& problem, Accepts accepts) const;

  const std::vector<Score>* scores_;
  std::size_t goal_index_;
  std::vector<std::string> problems_, solvers_;
  std::string favourite_;
};

}  // namespace contact_benchmark
