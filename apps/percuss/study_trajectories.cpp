#include <cmath>

#include <fmt/format.h>

#include "gnuplot.h"
#include "percuss/io/csv.h"
#include "study_report.h"
#include "text_file.h"

using namespace percuss;

void write_trajectories(const StudyResults& results, size_t step, const std::string& folder, bool draw) {
  const Study& study = results.study;
  const std::string name = fmt::format("{}/trajectories_{:.6g}", folder, study.description.steps[step]);
  const StudyRun* longest = nullptr;
  for (size_t m = 0; m < results.integrator_count(); ++m) {
    const StudyRun& run = results.runs[study.task_of(m, step)];
    if (!longest || run.trajectory.time.size() > longest->trajectory.time.size()) longest = &run;
  }
  const Curve time{"time", "s", longest->trajectory.time};
  std::vector<Curve> curves;
  for (size_t k = 0; k < study.quantities.size(); ++k) {
    const auto add = [&](const std::string& label) -> std::vector<double>& {
      curves.push_back({fmt::format("{} {}", study.quantities[k], label), study.units[k], {}});
      return curves.back().values;
    };
    for (size_t m = 0; m < results.integrator_count(); ++m) {
      const Trajectory& run = results.runs[study.task_of(m, step)].trajectory;
      auto& values = add(study.labels[m]);
      if (!run.values.empty()) values = run.values[k];
      values.resize(time.values.size(), std::nan(""));  // of a run that ended early
    }
    if (!results.reference) continue;
    auto& values = add("reference");
    for (const double t : time.values) values.push_back(results.reference->functions[k](t));
  }
  TextFile file(name + ".csv");
  std::string heads = "time", units = "s";
  for (const auto& curve : curves) {
    heads += "," + csv_cell(curve.name);
    units += "," + curve.unit;
  }
  file.write(fmt::format("# units: {}\n{}\n", units, heads));
  for (size_t n = 0; n < time.values.size(); ++n) {
    std::string line = fmt::format("{}", time.values[n]);
    for (const auto& curve : curves) line += fmt::format(",{}", curve.values[n]);
    file.write(line + "\n");
  }
  file.close();
  if (draw && time.values.size() > 1)
    draw_curves(fmt::format("{}, step {:.6g} s", study.description.title, study.description.steps[step]),
                time, curves, name + ".png");
}
