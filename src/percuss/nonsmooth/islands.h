#pragma once

#include <deque>
#include <vector>

#include "percuss/nonsmooth/auto.h"
#include "percuss/nonsmooth/cone_order.h"

namespace percuss {

/// Solves every island of a problem apart (N-25a), each by AutoSolver. Threads share the islands; those whose
/// sweeps are shared come first, one after the other.
class IslandSolver final : public Solver {
 public:
  /// With fewer cones in all one thread solves all islands: waking others would take longer.
  static constexpr int shared_from = 64;

  explicit IslandSolver(const SolverOptions& options);

  void solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) override;
  /// As one.
  void solve_global(const GlobalProblem& problem, const std::vector<double>& guess, Solution& out) override;
  void reserve(int rows) override;

 private:
  /// What a thread needs for one island after the other.
  struct Worker {
    explicit Worker(const SolverOptions& options) : solver(options) {}
    AutoSolver solver;
    ProblemPart part;
    std::vector<double> guess;
    Solution solution;
  };
  struct Island {
    double tolerance = 0;  ///< relative to its own free velocities
    SolveStatus status = SolveStatus::not_finite;
    int iterations = 0;
    const char* method = "auto";
  };

  void set_tolerances(const LocalProblem& problem);
  bool shares_sweeps(int k) const;
  /// Improves the reactions of an island.
  void solve_island(const LocalProblem& problem, int k, bool has_guess, AutoSolver& solver, Worker& worker,
                    std::vector<double>& r);
  void end_islands(const LocalProblem& problem, Solution& out);

  SolverOptions options_;
  AutoSolver whole_;            ///< the one that has the threads
  std::deque<Worker> workers_;  ///< one for each thread
  ConeGroups groups_;
  std::vector<Island> islands_;
};

}  // namespace percuss
