#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "interrupt.h"
#include "progress.h"
#include "text_file.h"

namespace fs = std::filesystem;

namespace {

/// Solids with many elements, and studies with references of very small steps: left out unless everything is
/// wanted.
constexpr std::array long_scenes = {"flexible_cube", "rubber_block_drop", "rubber_stack", "three_cuboids"};
constexpr std::array long_studies = {"elastic_bar", "flexible_cube", "flexible_pendulum", "parallelepiped",
                                     "rotor"};

struct GalleryItem {
  fs::path file;
  bool is_study = false;
  std::string name() const { return file.stem().string(); }
};

fs::path gallery_scenes() {
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "share" / "percuss" / "scenes";
}

std::vector<GalleryItem> gallery_items(bool all) {
  std::vector<GalleryItem> items;
  const auto add = [&](const fs::path& folder, bool is_study, const auto& too_long) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    std::ranges::sort(files);
    for (const auto& file : files)
      if (all || std::ranges::find(too_long, file.stem().string()) == too_long.end())
        items.push_back({file, is_study});
  };
  add(gallery_scenes() / "studies", true, long_studies);
  add(gallery_scenes(), false, long_scenes);
  return items;
}

/// The comments at the head of a file: what it is about, and which paper it belongs to.
std::string first_comments(const fs::path& file) {
  std::ifstream stream(file);
  std::string text;
  for (std::string line; std::getline(stream, line) && line.starts_with("#");)
    if (!line.starts_with("# yaml-language-server"))
      text += line.substr(std::min<size_t>(2, line.size())) + "\n";
  return text;
}

/// Cells of a line of CSV; those with commas are in quotes.
std::vector<std::string> csv_cells(const std::string& line) {
  std::vector<std::string> cells(1);
  bool is_quoted = false;
  for (const char c : line) {
    if (c == '"')
      is_quoted = !is_quoted;
    else if (c == ',' && !is_quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

/// From errors.csv: the fitted orders of each integrator, and its error with its smallest step.
std::string study_numbers(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  while (std::getline(stream, line) && line.starts_with("#")) {
  }
  const auto names = csv_cells(line);
  std::string text = "| integrator | smallest step [s] |";
  std::vector<size_t> shown;
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i].starts_with("error ") || names[i].starts_with("fitted_order ")) {
      shown.push_back(i);
      text += fmt::format(" {} |", names[i]);
    }
  text += "\n|---|---|";
  for (size_t i = 0; i < shown.size(); ++i) text += "---|";
  std::vector<std::vector<std::string>> last;  // finished rows come with ever smaller steps
  while (std::getline(stream, line)) {
    auto cells = csv_cells(line);
    if (cells.size() != names.size() || cells[2] != "finished" || shown.empty() || cells[shown[0]].empty())
      continue;
    if (last.empty() || last.back()[0] != cells[0]) last.emplace_back();
    last.back() = std::move(cells);
  }
  for (const auto& cells : last) {
    text += fmt::format("\n| {} | {} |", cells[0], cells[1]);
    for (const size_t i : shown)
      text += cells[i].empty() ? " |" : fmt::format(" {:.3g} |", std::stod(cells[i]));
  }
  return text + "\n";
}

std::string read_claim(const std::string& study) {
  std::ifstream stream(gallery_scenes() / "studies" / "claims.json");
  const auto claims = nlohmann::json::parse(stream, nullptr, false);
  return claims.is_object() && claims.contains(study) ? claims[study].get<std::string>() : std::string();
}

/// Runs a study and returns its part of the page.
std::string show_study(const GalleryItem& item, const std::string& folder) {
  StudyOptions study;
  study.file = item.file.string();
  study.output = (fs::path(folder) / ("study_" + item.name())).string();
  study.quiet = true;
  const int code = study_command(study);
  std::string text = fmt::format("## Study {}\n\n{}\n", item.name(), first_comments(item.file));
  if (const std::string claim = read_claim(item.name()); !claim.empty())
    text += fmt::format("**The paper:** {}\n\n", claim);
  if (code != exit_code::done) return text + "The study has failed.\n\n";
  return text + fmt::format("**We measure:**\n\n{}\n![{}](study_{}/convergence.png)\n\n",
                            study_numbers(fs::path(study.output) / "errors.csv"), item.name(), item.name());
}

/// Runs a scene, draws it and writes its report.
std::string show_scene(const GalleryItem& item, const std::string& folder) {
  const std::string base = (fs::path(folder) / item.name()).string(), results = base + ".h5";
  RunOptions run;
  run.scene = item.file.string();
  run.output = results;
  run.quiet = true;
  const int code = run_command(run);
  std::string text = fmt::format("## Scene {}\n\n{}\n", item.name(), first_comments(item.file));
  if (code != exit_code::done) return text + "The run has not finished; its report says why.\n\n";
  PlotOptions plot;
  plot.file = results;
  plot.output = base + ".png";
  plot_command(plot);
  ReportOptions report;
  report.file = results;
  report.output = base + ".html";
  report_command(report);
  return text + fmt::format("![{0}]({0}.png)\n\n[Report]({0}.html)\n\n", item.name());
}

}  // namespace

int gallery_command(const GalleryOptions& options) {
  interrupt::install();
  const std::string folder = options.output.empty() ? "gallery" : options.output;
  fs::create_directories(folder);
  const auto items = gallery_items(options.all);
  fmt::print("{} scenes and studies go to {}; {}\n", items.size(), folder,
             options.all ? "some take many minutes" : "long ones are left out, --all runs them too");
  std::string page =
      "# Gallery\n\nWritten by `percuss report --gallery`: every scene and study, run again.\n\n";
  int failed = 0;
  Progress progress(false);
  for (size_t i = 0; i < items.size() && interrupt::received_signal() == 0; ++i) {
    const GalleryItem& item = items[i];
    progress.update(static_cast<double>(i) / static_cast<double>(items.size()), item.name());
    try {
      page += item.is_study ? show_study(item, folder) : show_scene(item, folder);
    } catch (const std::runtime_error& e) {  // one that cannot be drawn must not end the others
      progress.clear();
      fmt::print(stderr, "warning: {}: {}\n", item.name(), e.what());
      page += fmt::format("## {}\n\n{}\n\n", item.name(), e.what());
      ++failed;
    }
  }
  progress.clear();
  TextFile file((fs::path(folder) / "index.md").string());
  file.write(page);
  file.close();
  fmt::print("wrote {}/index.md{}\n", folder,
             failed > 0 ? fmt::format("; {} could not be shown", failed) : "");
  if (const int signal = interrupt::received_signal(); signal != 0) return 128 + signal;
  return failed > 0 ? exit_code::numerical_failure : exit_code::done;
}
