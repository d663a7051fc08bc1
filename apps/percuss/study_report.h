#pragma once

#include <limits>

#include "percuss/io/study.h"

/// A study that was run, and what came out.
struct StudyResults {
  const percuss::Study& study;
  std::vector<percuss::StudyRun> runs;                  ///< by task
  std::vector<std::vector<double>> errors;              ///< by task and column; empty where nothing is known
  std::optional<percuss::ReferenceSolution> reference;  ///< nothing if it is a run that has not finished

  size_t integrator_count() const { return study.labels.size(); }
  size_t step_count() const { return study.description.steps.size(); }
  /// Heading of each column of errors: a quantity, or all of them in the spectral norm.
  std::vector<std::string> error_names() const;
  /// Not a number if the run has not finished or there is no reference.
  double error(size_t task, size_t column) const {
    return errors[task].empty() ? std::numeric_limits<double>::quiet_NaN() : errors[task][column];
  }
  /// Order against the next larger step of the same integrator; not a number for the largest.
  double order(size_t integrator, size_t step, size_t column) const;
  percuss::FittedOrder fitted_order(size_t integrator, size_t column) const;
  bool is_reference(size_t task) const { return study.plan.reference == task; }
};

std::string status_of(const percuss::StudyRun& run);  ///< one word
/// A number with a format such as {:.3g}; nothing if it is not finite.
std::string number_text(double value, const char* form);
/// What the errors are, in a sentence.
std::string describe_errors(const percuss::Study& study);
void print_study(const StudyResults& results);
/// One row for each run, with all errors, orders and costs.
void write_errors(const StudyResults& results, const std::string& path);
/// The quantities of the runs with this step beside each other, as CSV and, if wanted, as a picture.
void write_trajectories(const StudyResults& results, size_t step, const std::string& folder, bool draw);

/// Error against step, and error against CPU time.
void draw_convergence(const StudyResults& results, const std::string& path);
void draw_work_precision(const StudyResults& results, const std::string& path);
