#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "interrupt.h"
#include "percuss/io/csv.h"
#include "percuss/io/results_reader.h"
#include "percuss/io/scene.h"
#include "percuss/math/nearest_name.h"
#include "progress.h"
#include "say.h"
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

/// Only the names that are wanted, if any are; each must be there.
void select(std::vector<GalleryItem>& items, const std::vector<std::string>& only) {
  if (only.empty()) return;
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.name());
  for (const auto& name : only) {
    if (std::ranges::find(names, name) != names.end()) continue;
    const auto nearest = percuss::nearest_name(name, names);
    throw percuss::SceneError({fmt::format(
        "error: --only: there is no scene or study '{}'; {}", name,
        nearest ? fmt::format("did you mean '{}'?", *nearest) : "`percuss examples` lists the scenes")});
  }
  std::erase_if(items, [&](const auto& item) { return std::ranges::find(only, item.name()) == only.end(); });
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

/// The first comments of a file: what it is about, and which paper it belongs to.
std::string first_comments(const fs::path& file) {
  std::ifstream stream(file);
  std::string text;
  for (std::string line; std::getline(stream, line) && (text.empty() || line.starts_with("#"));)
    if (line.starts_with("#") && !line.starts_with("# yaml-language-server"))
      text += line.substr(std::min<size_t>(2, line.size())) + "\n";
  return text;
}

/// From errors.csv: the fitted orders of each integrator, and its error with its smallest step.
std::string study_numbers(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  while (std::getline(stream, line) && line.starts_with("#")) {
  }
  const auto names = percuss::split_csv(line);
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
    auto cells = percuss::split_csv(line);
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

/// What a paper says of a scene or study, and numbers to compare with; empty if nothing is known.
nlohmann::json claim_about(const GalleryItem& item) {
  std::ifstream stream(gallery_scenes() / "claims.json");
  const auto claims = nlohmann::json::parse(stream, nullptr, false);
  const auto nothing = nlohmann::json::object();
  return claims.is_object()
             ? claims.value(item.is_study ? "studies" : "scenes", nothing).value(item.name(), nothing)
             : nothing;
}

std::string paper_text(const nlohmann::json& claim) {
  return claim.contains("paper") ? fmt::format("**The paper:** {}\n\n", claim["paper"].get<std::string>())
                                 : "";
}

/// Whether what the paper says was found, and why not where it was not.
std::string verdict_text(const nlohmann::json& claim) {
  return claim.contains("verdict")
             ? fmt::format("**Does it reproduce?** {}\n\n", claim["verdict"].get<std::string>())
             : "";
}

/// Numbers of a run beside those that they should be.
std::string scene_numbers(const nlohmann::json& claim, const std::string& results) {
  if (!claim.contains("numbers")) return "";
  const percuss::ResultsReader reader(results);
  const auto times = reader.times();
  std::string text =
      "**We measure:**\n\n| | t [s] | expected | here | difference | expected is "
      "|\n|---|---|---|---|---|---|\n";
  for (const auto& number : claim["numbers"]) {
    const auto probe = number.at("probe").get<std::string>();
    const double time = number.at("time"), expected = number.at("expected");
    const auto nearest = std::ranges::min_element(times, {}, [&](double t) { return std::abs(t - time); });
    const double value = reader.column(probe)[static_cast<size_t>(nearest - times.begin())];
    const std::string unit = reader.unit(probe);
    text +=
        fmt::format("| {}{} | {:.6g} | {:.9g} | {:.9g} | {:.2g} % | {} |\n", probe,
                    unit.empty() || unit == "1" ? "" : " [" + unit + "]", *nearest, expected, value,
                    100 * (value - expected) / std::abs(expected), number.at("source").get<std::string>());
  }
  const auto& info = reader.info();
  return text + fmt::format("\n{}, h = {} s\n\n", info.scheme, info.time_step);
}

/// Runs a study and returns its part of the page.
std::string show_study(const GalleryItem& item, const std::string& folder) {
  StudyOptions study;
  study.file = item.file.string();
  study.output = (fs::path(folder) / ("study_" + item.name())).string();
  study.quiet = true;
  const int code = study_command(study);
  std::string text = fmt::format("## Study {}\n\n{}\n", item.name(), first_comments(item.file));
  const nlohmann::json claim = claim_about(item);
  text += paper_text(claim) + verdict_text(claim);
  if (code != exit_code::done) return text + "The study has failed.\n\n";
  return text + fmt::format("**We measure:**\n\n{}\n![{}](study_{}/convergence.png)\n\n",
                            study_numbers(fs::path(study.output) / "errors.csv"), item.name(), item.name());
}

/// Runs a scene, draws it and writes its report.
std::string show_scene(const GalleryItem& item, const std::string& folder) {
  const std::string name = "scene_" + item.name(), base = (fs::path(folder) / name).string();
  const std::string results = base + ".h5";
  RunOptions run;
  run.scene = item.file.string();
  run.output = results;
  run.quiet = true;
  const int code = run_command(run);
  const nlohmann::json claim = claim_about(item);
  std::string text = fmt::format("## Scene {}\n\n{}\n{}", item.name(), first_comments(item.file),
                                 paper_text(claim) + verdict_text(claim));
  if (code != exit_code::done) return text + "The run has not finished; its report says why.\n\n";
  PlotOptions plot;
  plot.file = results;
  plot.output = base + ".png";
  plot_command(plot);
  ReportOptions report;
  report.file = results;
  report.output = base + ".html";
  report_command(report);
  return text + scene_numbers(claim, results) +
         fmt::format("![{0}]({0}.png)\n\n`{0}.html` is its report; `percuss view {0}.h5` shows it.\n\n",
                     name);
}

}  // namespace

int gallery_command(const GalleryOptions& options) {
  interrupt::install();
  const std::string folder = options.output.empty() ? "gallery" : options.output;
  auto items = gallery_items(options.all || !options.only.empty());
  select(items, options.only);
  fs::create_directories(folder);
  const char* note = !options.only.empty() ? "as you asked"
                     : options.all         ? "some take many minutes"
                                           : "long ones are left out, --all runs them too";
  say("{} scenes and studies go to {}; {}\n", items.size(), folder, note);
  std::string page =
      "# Gallery\n\nWritten by `percuss report --gallery`: every scene and study, run again. What of the "
      "papers "
      "reproduces, what does not, and why: docs/theory/reproduction.md.\n\n";
  int failed = 0;
  Progress progress(false);
  for (size_t i = 0; i < items.size() && interrupt::received_signal() == 0; ++i) {
    const GalleryItem& item = items[i];
    progress.update(static_cast<double>(i) / static_cast<double>(items.size()), item.name());
    try {
      page += item.is_study ? show_study(item, folder) : show_scene(item, folder);
    } catch (const std::runtime_error& e) {  // one that cannot be drawn must not end the others
      progress.clear();
      say(stderr, "warning: {}: {}\n", item.name(), e.what());
      page += fmt::format("## {}\n\n{}\n\n", item.name(), e.what());
      ++failed;
    }
    TextFile file((fs::path(folder) / "index.md").string());  // so far: some of the next ones take long
    file.write(page);
    file.close();
  }
  progress.clear();
  say("wrote {}/index.md{}\n", folder, failed > 0 ? fmt::format("; {} could not be shown", failed) : "");
  if (const int signal = interrupt::received_signal(); signal != 0) return 128 + signal;
  return failed > 0 ? exit_code::numerical_failure : exit_code::done;
}
