#pragma once

#include <filesystem>

#include "percuss/nonsmooth/problem.h"
#include "percuss/simulation/simulation.h"

namespace percuss {

/// Saves the contact problems of a run as FCLIB files, so that a hard step becomes a test.
class ProblemDump {
 public:
  /// Keeps problems whose residual is above `worse_than`. Throws IoError if the folder cannot be made.
  ProblemDump(std::filesystem::path folder, double worse_than);

  void see(const LocalProblem& problem, const Solution& solution, const State& at);

  int saved() const { return saved_; }
  int left_out() const { return left_out_; }  ///< with dry joints, which the layout does not know

 private:
  std::filesystem::path folder_;
  double worse_than_;
  int saved_ = 0, left_out_ = 0;
};

/// Every cone as friction in space: contacts without friction get mu = 0, and tangents that are missing
/// become rows of zeros, which change nothing. `r` likewise.
LocalProblem with_spatial_cones(const LocalProblem& problem);
std::vector<double> with_spatial_rows(const LocalProblem& problem, const std::vector<double>& values);

}  // namespace percuss
