#include <fmt/format.h>

#include "commands.h"
#include "percuss/io/results_reader.h"
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
  if (path != "-") fmt::print("wrote {}: {} rows, {} columns\n", path, columns[0].size(), columns.size());
}

void write_impacts(const ResultsReader& results, const std::string& path) {
  TextFile file(path);
  file.write("# units: s,,,m/s,m/s,N s,J\ntime,body,obstacle,velocity_before,velocity_after,impulse,work\n");
  const auto impacts = results.impacts();
  for (const auto& impact : impacts) {
    const auto& pair = results.contacts()[static_cast<size_t>(impact.contact)];
    file.write(fmt::format("{},{},{},{},{},{},{}\n", impact.time, pair.body, pair.obstacle, impact.u_before,
                           impact.u_after, impact.impulse, impact.work));
  }
  file.close();
  if (path != "-") fmt::print("wrote {}: {} impacts\n", path, impacts.size());
}

}  // namespace

void export_command(const ExportOptions& options) {
  const ResultsReader results(options.file);
  if (!options.csv.empty()) write_columns(results, options.columns, options.csv);
  if (!options.impacts.empty()) write_impacts(results, options.impacts);
}
