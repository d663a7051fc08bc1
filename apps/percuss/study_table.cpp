#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "say.h"
#include "study_costs.h"
#include "study_report.h"

using namespace percuss;

namespace {

constexpr size_t side_by_side = 4;  ///< quantities in one table

/// One letter width for all tables: that of the longest label.
size_t label_width(const Study& study) {
  size_t width = std::string("integrator").size();
  for (const auto& label : study.labels) width = std::max(width, label.size());
  return width;
}

/// The fitted order, with a warning if a line through so few points says little.
std::string order_remark(const FittedOrder& fit) {
  if (fit.steps < 2) return "";
  return fmt::format("fit {:.2f}{}", fit.order, fit.steps < 3 ? " (2 steps)" : "");
}

std::string error_text(const StudyResults& results, size_t task, size_t column) {
  if (results.is_reference(task)) return "reference";
  if (results.errors[task].empty()) return status_of(results.runs[task]);
  return number_text(results.error(task, column), "{:.4g}");
}

/// Errors and orders of the columns from `first` to before `end`, beside each other.
void print_errors(const StudyResults& results, size_t first, size_t end) {
  const Study& study = results.study;
  const size_t width = label_width(study);
  say("\n  {:<{}}{:>12}", "", width, "");
  for (size_t column = first; column < end; ++column) say("{:>22}", results.error_names()[column]);
  say("\n  {:<{}}{:>12}", "integrator", width, "step [s]");
  for (size_t column = first; column < end; ++column) say("{:>14}{:>8}", "error", "order");
  for (size_t m = 0; m < results.integrator_count(); ++m) {
    for (size_t i = 0; i < results.step_count(); ++i) {
      say("\n  {:<{}}{:>12.4g}", i == 0 ? study.labels[m] : "", width, study.description.steps[i]);
      for (size_t column = first; column < end; ++column)
        say("{:>14}{:>8}", error_text(results, study.task_of(m, i), column),
            number_text(results.order(m, i, column), "{:.2f}"));
    }
    say("\n  {:<{}}{:>12}", "", width, "");
    for (size_t column = first; column < end; ++column)
      say("{:>22}", order_remark(results.fitted_order(m, column)));
  }
  say("\n");
}

/// The columns of the table: those with something to say about one of the runs.
std::vector<CostColumn> shown_columns(const StudyResults& results) {
  std::vector<CostColumn> shown;
  for (const auto& column : cost_columns)
    if (column.heading &&
        std::ranges::any_of(results.runs, [&](const auto& r) { return column.value(r) != 0; }))
      shown.push_back(column);
  return shown;
}

/// Counts in full, everything else to four digits.
std::string cost_text(double value) {
  const bool is_count = value == std::floor(value) && value < 1e9;
  return is_count ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

void print_cost(const StudyResults& results) {
  const Study& study = results.study;
  const size_t width = label_width(study);
  const auto columns = shown_columns(results);
  say("\ncost\n  {:<{}}{:>12}", "integrator", width, "step [s]");
  for (const auto& column : columns) say("{:>11}", column.heading);
  say("\n");
  for (size_t task = 0; task < results.runs.size(); ++task) {
    const StudyRun& run = results.runs[task];
    const size_t m = task / results.step_count();
    const bool is_extra = m >= results.integrator_count();
    const bool is_first = task % results.step_count() == 0;
    say("  {:<{}}{:>12.4g}",
        is_extra   ? "reference"
        : is_first ? study.labels[m]
                   : "",
        width, study.plan.tasks[task].config.time.step);
    for (const auto& column : columns) say("{:>11}", cost_text(column.value(run)));
    say("\n");
  }
}

void print_failures(const StudyResults& results) {
  for (size_t task = 0; task < results.runs.size(); ++task) {
    const StudyRun& run = results.runs[task];
    if (run.end != RunEnd::failed) continue;
    const size_t m = task / results.step_count();
    say("\n{}, step {:.6g} s failed at t = {:.6g} s: {}\n",
        m < results.integrator_count() ? results.study.labels[m] : "the reference",
        results.study.plan.tasks[task].config.time.step, run.reached, run.message);
  }
}

}  // namespace

void print_study(const StudyResults& results) {
  const Study& study = results.study;
  const auto& time = study.plan.tasks.front().config.time;
  say("{}\n{}; t = {:.6g} s to {:.6g} s\n", study.description.title, describe_errors(study), time.start,
      time.end);
  const size_t columns = results.error_names().size();
  for (size_t first = 0; first < columns; first += side_by_side)
    print_errors(results, first, std::min(first + side_by_side, columns));
  print_cost(results);
  print_failures(results);
}
