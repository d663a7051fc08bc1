#include "study_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "percuss/io/csv.h"
#include "percuss/io/printable.h"
#include "study_costs.h"
#include "text_file.h"

using namespace percuss;

std::string status_of(const StudyRun& run) {
  switch (run.end) {
    case RunEnd::finished: return "finished";
    case RunEnd::stopped: return "stopped";
    case RunEnd::failed: return "failed";
  }
  return "";
}

std::string number_text(double value, const char* form) {
  return std::isfinite(value) ? fmt::format(fmt::runtime(form), value) : "";
}

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

void write_errors(const StudyResults& results, const std::string& path) {
  const Study& study = results.study;
  const auto names = results.error_names();
  std::vector<std::string> heads = {"integrator", "step", "status", "t_end"}, units = {"", "s", "", "s"};
  for (const auto& name : names)
    for (const char* kind : {"error", "order", "fitted_order"}) {
      heads.push_back(csv_cell(fmt::format("{} {}", kind, name)));
      units.emplace_back("1");
    }
  for (const auto& column : cost_columns) {
    heads.emplace_back(column.name);
    units.emplace_back(column.unit);
  }
  heads.emplace_back("message");
  units.emplace_back("");
  TextFile file(path);
  file.write(fmt::format("# {}\n# units: {}\n{}\n", printable(describe_errors(study)), fmt::join(units, ","),
                         fmt::join(heads, ",")));
  for (size_t m = 0; m < results.integrator_count(); ++m)
    for (size_t i = 0; i < results.step_count(); ++i) {
      const size_t task = study.task_of(m, i);
      const StudyRun& run = results.runs[task];
      std::vector<std::string> cells = {
          csv_cell(study.labels[m]), fmt::format("{}", study.description.steps[i]),
          results.is_reference(task) ? "reference" : status_of(run), fmt::format("{}", run.reached)};
      for (size_t column = 0; column < names.size(); ++column)
        for (const double value : {results.error(task, column), results.order(m, i, column),
                                   results.fitted_order(m, column).order})
          cells.push_back(number_text(value, "{}"));
      for (const auto& column : cost_columns) cells.push_back(fmt::format("{}", column.value(run)));
      cells.push_back(csv_cell(run.message));
      file.write(fmt::format("{}\n", fmt::join(cells, ",")));
    }
  file.close();
}
