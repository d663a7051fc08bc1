#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "commands.h"
#include "gnuplot.h"
#include "percuss/io/io_error.h"
#include "percuss/io/results_reader.h"
#include "percuss/io/scene.h"

using namespace percuss;
namespace fs = std::filesystem;

namespace {

struct Options {
  std::string file, output, x = "time";
  std::vector<std::string> columns;
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
};

Curve read_curve(const ResultsReader& results, const std::string& name, const std::vector<double>& times,
                 const Options& options) {
  Curve curve{name, results.unit(name), {}};
  const auto values = results.column(name);
  for (size_t i = 0; i < times.size(); ++i)
    if (times[i] >= options.from && times[i] <= options.to) curve.values.push_back(values[i]);
  return curve;
}

void plot(const Options& options) {
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
  fmt::print("wrote {}\n", output);
}

}  // namespace

void add_plot_command(CLI::App& app, int& result) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("plot", "Draw recorded quantities into a PNG or SVG file");
  command->footer(R"(
Examples:
  percuss plot ball.h5                                   the probes of the scene, into ball.png
  percuss plot ball.h5 height energy -o ball.svg
  percuss plot ball.h5 ball.velocity.z --x ball.position.z --from 0 --to 2

Quantities with the same unit share a panel; `percuss info --json` lists all names.)");
  command->add_option("results", options->file, "results file (HDF5)")->required();
  command->add_option("columns", options->columns, "quantities to draw; default: the probes of the scene");
  command->add_option("-o,--output", options->output,
                      "picture; default: name of the results with .png, here");
  command->add_option("--x", options->x, "quantity of the horizontal axis")->capture_default_str();
  command->add_option("--from", options->from, "first time to draw [s]");
  command->add_option("--to", options->to, "last time to draw [s]");
  command->callback([options, &result] {
    plot(*options);
    result = exit_code::done;
  });
}
