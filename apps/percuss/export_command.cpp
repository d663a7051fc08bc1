#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "commands.h"
#include "percuss/io/csv.h"
#include "percuss/io/results_reader.h"
#include "percuss/io/xdmf.h"
#include "percuss/io/xml_escape.h"
#include "say.h"
#include "text_file.h"

using namespace percuss;

namespace {

/// The probes of the scene, or, if it has none, everything that was recorded.
std::vector<std::string> default_columns(const ResultsReader& results) {
  std::vector<std::string> names = results.probe_names();
  if (names.empty()) names = results.columns();
  std::erase(names, "time");
  return names;
}

void write_columns(const ResultsReader& results, std::vector<std::string> names, const std::string& path) {
  if (names.empty()) names = default_columns(results);
  names.insert(names.begin(), "time");
  std::vector<std::vector<double>> columns;
  std::vector<std::string> units;
  for (const auto& name : names) {
    columns.push_back(results.column(name));
    units.push_back(results.unit(name));
  }
  for (auto* cells : {&units, &names})
    for (auto& cell : *cells) cell = csv_cell(cell);
  TextFile file(path);
  file.write(fmt::format("# units: {}\n{}\n", fmt::join(units, ","), fmt::join(names, ",")));
  std::string line;
  for (size_t f = 0; f < columns[0].size(); ++f) {
    line.clear();
    for (size_t c = 0; c < columns.size(); ++c)
      fmt::format_to(std::back_inserter(line), "{}{}", c ? "," : "", columns[c][f]);
    line += '\n';
    file.write(line);
  }
  file.close();
  if (path != "-") say("wrote {}: {} rows, {} columns\n", path, columns[0].size(), columns.size());
}

void write_impacts(const ResultsReader& results, const std::string& path) {
  TextFile file(path);
  file.write("# units: s,,,m/s,m/s,N s,J\ntime,body,obstacle,velocity_before,velocity_after,impulse,work\n");
  const auto impacts = results.impacts();
  for (const auto& impact : impacts) {
    const auto& pair = results.contacts()[static_cast<size_t>(impact.contact)];
    file.write(fmt::format("{},{},{},{},{},{},{}\n", impact.time, csv_cell(pair.body),
                           csv_cell(pair.obstacle), impact.u_before, impact.u_after, impact.impulse,
                           impact.work));
  }
  file.close();
  if (path != "-") say("wrote {}: {} impacts\n", path, impacts.size());
}

/// Where the results are, seen from the folder of a file that refers to them; both may then be moved
/// together.
std::string path_seen_from(const std::string& file, const std::string& results) {
  namespace fs = std::filesystem;
  const fs::path folder =
      file == "-" ? fs::current_path() : fs::weakly_canonical(fs::absolute(file)).parent_path();
  return fs::weakly_canonical(fs::absolute(results)).lexically_relative(folder).string();
}

void write_bodies(const ResultsReader& results, const std::string& path) {
  TextFile file(path);
  std::optional<XdmfShapes> shapes;
  const std::string beside = path + ".h5";
  if (path != "-" && results.frames() > 0) {
    shapes = write_xdmf_shapes(results, beside);
    shapes->path = xml_escape(path_seen_from(path, beside));
  }
  write_xdmf(results, path_seen_from(path, results.path()), shapes ? &*shapes : nullptr,
             [&](const std::string& text) { file.write(text); });
  file.close();
  if (path != "-")
    say("wrote {} and {}: {} frames, {} flexible bodies, {} rigid shapes and walls\n", path, beside,
        results.frames(), results.flexibles().size(), results.shapes().size());
  if (results.run().status == RunStatus::running)
    say(stderr,
        "note: the run has not ended; until it has, or was continued with --resume, other programs "
        "refuse {}\n",
        results.path());
}

}  // namespace

void export_command(const ExportOptions& options) {
  const ResultsReader results(options.file);
  if (!options.csv.empty()) write_columns(results, options.columns, options.csv);
  if (!options.impacts.empty()) write_impacts(results, options.impacts);
  if (!options.xdmf.empty()) write_bodies(results, options.xdmf);
}
