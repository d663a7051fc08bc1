#include <filesystem>

#include <fmt/format.h>

#include "commands.h"
#include "gnuplot.h"
#include "percuss/io/io_error.h"
#include "percuss/io/results_reader.h"
#include "percuss/io/scene.h"
#include "say.h"

using namespace percuss;
namespace fs = std::filesystem;

namespace {

Curve read_curve(const ResultsReader& results, const std::string& name, const std::vector<double>& times,
                 const PlotOptions& options) {
  Curve curve{name, results.unit(name), {}};
  const auto values = results.column(name);
  for (size_t i = 0; i < times.size(); ++i)
    if (times[i] >= options.from && times[i] <= options.to) curve.values.push_back(values[i]);
  return curve;
}

}  // namespace

void plot_command(const PlotOptions& options) {
  const ResultsReader results(options.file);
  const std::string output = options.output.empty()
                                 ? fs::path(options.file).replace_extension(".png").filename().string()
                                 : options.output;
  const auto ending = fs::path(output).extension();
  if (ending != ".png" && ending != ".svg")
    throw SceneError({fmt::format("error: {}: pictures end in .png or .svg", output)});
  auto names = options.columns;
  if (names.empty()) names = results.probe_names();
  if (names.empty()) names = {"energy.kinetic", "energy.potential", "energy.strain", "energy.total"};
  const auto times = results.column("time");
  const Curve x = read_curve(results, options.x, times, options);
  if (x.values.size() < 2)
    throw SceneError({fmt::format("error: {}: there are {} frames to draw; at least 2 are needed",
                                  options.file, x.values.size())});
  std::vector<Curve> curves;
  for (const auto& name : names) curves.push_back(read_curve(results, name, times, options));
  draw_curves(results.info().title, x, curves, output);
  say("wrote {}\n", output);
}
