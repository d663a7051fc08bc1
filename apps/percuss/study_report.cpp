#include "study_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "text_file.h"

using namespace percuss;

namespace {

constexpr size_t side_by_side = 4;  ///< quantities in one table

/// A column about the cost of a run, for the table and the CSV file.
struct CostColumn {
  const char *name, *heading, *unit;
  double (*value)(const StudyRun&);
};
double per_step(std::int64_t sum, const StudyRun& run) {
  return static_cast<double>(sum) / static_cast<double>(std::max<std::int64_t>(run.statistics.steps, 1));
}
template <int level>
double mean_of_level(const StudyRun& run) {
  return per_step(run.statistics.by_level[level], run);
}
template <int level>
double max_of_level(const StudyRun& run) {
  return run.statistics.max_by_level[level];
}
// Smooth motion, positions and velocities are sub-problems of the schemes that split a step; 0 for the
// others.
const std::vector<CostColumn> cost_columns = {
    {"steps", "steps", "1", [](const StudyRun& r) { return double(r.statistics.steps); }},
    {"iterations_mean", "it. mean", "1",
     [](const StudyRun& r) { return per_step(r.statistics.iterations, r); }},
    {"iterations_max", "max", "1", [](const StudyRun& r) { return double(r.statistics.max_iterations); }},
    {"smooth_mean", "smooth mean", "1", mean_of_level<0>},
    {"smooth_max", "max", "1", max_of_level<0>},
    {"position_mean", "pos. mean", "1", mean_of_level<1>},
    {"position_max", "max", "1", max_of_level<1>},
    {"velocity_mean", "vel. mean", "1", mean_of_level<2>},
    {"velocity_max", "max", "1", max_of_level<2>},
    {"linear_solves", "solves", "1", [](const StudyRun& r) { return double(r.statistics.iterations); }},
    {"factorisations", "factoris.", "1",
     [](const StudyRun& r) { return double(r.statistics.factorisations); }},
    {"impacts", "impacts", "1", [](const StudyRun& r) { return double(r.statistics.impacts); }},
    {"max_penetration", "penetr. [m]", "m", [](const StudyRun& r) { return r.statistics.max_penetration; }},
    {"contact_solver_time", "contacts [s]", "s", [](const StudyRun& r) { return r.solver_seconds; }},
    {"cpu_time", "CPU [s]", "s", [](const StudyRun& r) { return r.cpu_seconds; }},
};

std::string status_of(const StudyRun& run) {
  switch (run.end) {
    case RunEnd::finished: return "finished";
    case RunEnd::stopped: return "stopped";
    case RunEnd::failed: return "failed";
  }
  return "";
}

/// Text of a number for the table: nothing where there is none.
std::string number_text(double value, const char* form) {
  return std::isfinite(value) ? fmt::format(fmt::runtime(form), value) : "";
}

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c == '\n' ? ' ' : c);
  return quoted + "\"";
}

/// One letter width for all tables: that of the longest label.
size_t label_width(const Study& study) {
  size_t width = std::string("integrator").size();
  for (const auto& label : study.labels) width = std::max(width, label.size());
  return width;
}

/// The fitted order, with a warning if a line through so few points says little.
std::string order_remark(const FittedOrder& fit) {
  if (fit.steps < 2) return "";
  return fmt::format("{}fit {:.2f}", fit.steps < 3 ? "only 2 steps: " : "", fit.order);
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
  fmt::print("\n  {:<{}}{:>12}", "", width, "");
  for (size_t column = first; column < end; ++column) fmt::print("{:>22}", results.error_names()[column]);
  fmt::print("\n  {:<{}}{:>12}", "integrator", width, "step [s]");
  for (size_t column = first; column < end; ++column) fmt::print("{:>14}{:>8}", "error", "order");
  for (size_t m = 0; m < results.integrator_count(); ++m) {
    for (size_t i = 0; i < results.step_count(); ++i) {
      fmt::print("\n  {:<{}}{:>12.4g}", i == 0 ? study.labels[m] : "", width, study.description.steps[i]);
      for (size_t column = first; column < end; ++column)
        fmt::print("{:>14}{:>8}", error_text(results, study.task_of(m, i), column),
                   number_text(results.order(m, i, column), "{:.2f}"));
    }
    fmt::print("\n  {:<{}}{:>12}", "", width, "");
    for (size_t column = first; column < end; ++column)
      fmt::print("{:>22}", order_remark(results.fitted_order(m, column)));
  }
  fmt::print("\n");
}

void print_cost(const StudyResults& results) {
  const Study& study = results.study;
  const size_t width = label_width(study);
  fmt::print("\ncost\n  {:<{}}{:>12}", "integrator", width, "step [s]");
  for (const auto& column : cost_columns) fmt::print("{:>13}", column.heading);
  fmt::print("\n");
  for (size_t task = 0; task < results.runs.size(); ++task) {
    const StudyRun& run = results.runs[task];
    const size_t m = task / results.step_count();
    const bool is_extra = m >= results.integrator_count();
    const bool is_first = task % results.step_count() == 0;
    fmt::print("  {:<{}}{:>12.6g}",
               is_extra   ? "reference"
               : is_first ? study.labels[m]
                          : "",
               width, study.plan.tasks[task].config.time.step);
    for (const auto& column : cost_columns) fmt::print("{:>13.6g}", column.value(run));
    fmt::print("\n");
  }
}

void print_failures(const StudyResults& results) {
  for (size_t task = 0; task < results.runs.size(); ++task) {
    const StudyRun& run = results.runs[task];
    if (run.end != RunEnd::failed) continue;
    const size_t m = task / results.step_count();
    fmt::print("\n{}, step {:.6g} s failed at t = {:.6g} s: {}\n",
               m < results.integrator_count() ? results.study.labels[m] : "the reference",
               results.study.plan.tasks[task].config.time.step, run.reached, run.message);
  }
}

}  // namespace

std::vector<std::string> StudyResults::error_names() const {
  if (study.description.norm != Norm::spectral) return study.quantities;
  return {fmt::format("{}", fmt::join(study.quantities, ", "))};
}

double StudyResults::order(size_t integrator, size_t step, size_t column) const {
  const auto& steps = study.description.steps;
  std::optional<size_t> larger;
  for (size_t i = 0; i < steps.size(); ++i)
    if (steps[i] > steps[step] && (!larger || steps[i] < steps[*larger])) larger = i;
  if (!larger) return std::numeric_limits<double>::quiet_NaN();
  return order_between(steps[step], error(study.task_of(integrator, step), column), steps[*larger],
                       error(study.task_of(integrator, *larger), column));
}

FittedOrder StudyResults::fitted_order(size_t integrator, size_t column) const {
  std::vector<double> values;
  for (size_t i = 0; i < step_count(); ++i) values.push_back(error(study.task_of(integrator, i), column));
  return fit_order(study.description.steps, values);
}

std::string describe_errors(const Study& study) {
  const auto norm = study.description.norm;
  const char* what = norm == Norm::l1      ? "relative L1 error over the time steps"
                     : norm == Norm::graph ? "distance from the graph of the reference"
                                           : "spectral norm of the differences at all time steps";
  return fmt::format("{}; reference: {}", what, study.reference_name);
}

void print_study(const StudyResults& results) {
  const Study& study = results.study;
  const auto& time = study.plan.tasks.front().config.time;
  fmt::print("{}\n{}; t = {:.6g} s to {:.6g} s\n", study.description.title, describe_errors(study),
             time.start, time.end);
  const size_t columns = results.error_names().size();
  for (size_t first = 0; first < columns; first += side_by_side)
    print_errors(results, first, std::min(first + side_by_side, columns));
  print_cost(results);
  print_failures(results);
}

void write_errors(const StudyResults& results, const std::string& path) {
  const Study& study = results.study;
  const auto names = results.error_names();
  std::vector<std::string> heads = {"integrator", "step", "status", "t_end"}, units = {"", "s", "", "s"};
  for (const auto& name : names)
    for (const char* kind : {"error", "order", "fitted_order"}) {
      heads.push_back(csv_text(fmt::format("{} {}", kind, name)));
      units.emplace_back("1");
    }
  for (const auto& column : cost_columns) {
    heads.emplace_back(column.name);
    units.emplace_back(column.unit);
  }
  heads.emplace_back("message");
  units.emplace_back("");
  TextFile file(path);
  file.write(fmt::format("# {}\n# units: {}\n{}\n", describe_errors(study), fmt::join(units, ","),
                         fmt::join(heads, ",")));
  for (size_t m = 0; m < results.integrator_count(); ++m)
    for (size_t i = 0; i < results.step_count(); ++i) {
      const size_t task = study.task_of(m, i);
      const StudyRun& run = results.runs[task];
      std::vector<std::string> cells = {
          csv_text(study.labels[m]), fmt::format("{}", study.description.steps[i]),
          results.is_reference(task) ? "reference" : status_of(run), fmt::format("{}", run.reached)};
      for (size_t column = 0; column < names.size(); ++column)
        for (const double value : {results.error(task, column), results.order(m, i, column),
                                   results.fitted_order(m, column).order})
          cells.push_back(number_text(value, "{}"));
      for (const auto& column : cost_columns) cells.push_back(fmt::format("{}", column.value(run)));
      cells.push_back(csv_text(run.message));
      file.write(fmt::format("{}\n", fmt::join(cells, ",")));
    }
  file.close();
}
