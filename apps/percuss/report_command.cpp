#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "commands.h"
#include "percuss/io/results_reader.h"
#include "percuss/io/xml_escape.h"
#include "progress.h"
#include "report_animation.h"
#include "say.h"
#include "svg_chart.h"
#include "text_file.h"

using namespace percuss;
namespace fs = std::filesystem;

namespace {

constexpr const char* style = R"(
body{font:15px/1.5 system-ui,sans-serif;max-width:920px;margin:24px auto;padding:0 16px;color:#1c2430;background:#fff}
h1{font-size:24px;margin-bottom:0}h2{font-size:18px;margin-top:32px;border-bottom:1px solid #d5dae1}
table{border-collapse:collapse}td,th{padding:2px 18px 2px 0;text-align:left;vertical-align:top}td.n{text-align:right;font-variant-numeric:tabular-nums}
svg{width:100%;font:12px system-ui,sans-serif;fill:#5b6675}svg .grid{stroke:#e3e7ec}svg .curve{fill:none;stroke-width:1.6}
canvas{width:100%;border:1px solid #d5dae1;border-radius:6px;touch-action:none}.bar{display:flex;gap:12px;align-items:center}.bar input{flex:1}
pre{background:#f4f5f7;padding:12px;overflow:auto;font-size:12px}.warn{color:#8a4b00}
)";
constexpr std::array<const char*, 4> statuses = {"running or killed", "finished", "stopped", "failed"};

class Report {
 public:
  explicit Report(const ResultsReader& results) : results_(results), run_(results.run()) {}

  std::string html() {
    const auto& info = results_.info();
    const std::string title = info.title.empty() ? fs::path(results_.path()).filename().string() : info.title;
    put("<!doctype html>\n<html lang=\"en\"><head><meta "
        "charset=\"utf-8\"><title>{0}</title><style>{1}</style></head><body>\n<h1>{0}</h1>\n",
        xml_escape(title), style);
    put("<p>{}, written by percuss {}</p>\n", xml_escape(fs::path(results_.path()).filename().string()),
        xml_escape(info.percuss_version));
    add_summary();
    if (results_.frames() > 0) {
      const std::string animation = animation_html(results_);
      if (!animation.empty()) put("<h2>Motion</h2>\n{}", animation);
    }
    add_quality();
    add_energy();
    if (results_.frames() > 1) add_charts();
    put("<h2>Scene</h2>\n<pre>{}</pre>\n</body></html>\n", xml_escape(results_.scene_text()));
    return std::move(text_);
  }

 private:
  template <class... T>
  void put(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<T>(values)...);
  }
  void row(const char* name, const std::string& value) {
    put("<tr><td>{}</td><td>{}</td></tr>\n", name, value);
  }

  void add_summary() {
    const auto& info = results_.info();
    const auto times = results_.times();
    put("<h2>Summary</h2>\n<table>\n");
    const char* status = statuses[static_cast<size_t>(run_.status)];
    row("status", run_.status == RunStatus::finished
                      ? status
                      : fmt::format("<b class=\"warn\">{}</b> {}", status, xml_escape(run_.message)));
    row("time", times.empty() ? "no frame"
                              : fmt::format("{} s to {} s of {} s, {} frames", times.front(), times.back(),
                                            info.time_end, times.size()));
    row("scheme", fmt::format("{}, h = {} s", xml_escape(info.scheme), info.time_step));
    row("bodies", fmt::format("{}, nodes of flexible bodies and frames included; {} flexible",
                              results_.bodies().size(), results_.flexibles().size()));
    row("contacts", fmt::format("{} known, at most {} active at once", results_.contacts().size(),
                                run_.total.max_active_contacts));
    row("impacts", fmt::format("{}", run_.total.impacts));
    row("wall time", duration_text(run_.wall_seconds));
    if (!results_.overrides().empty()) row("changes of the scene", xml_escape(results_.overrides()));
    put("</table>\n");
  }

  void add_quality() {
    const auto& total = run_.total;
    const auto per_step = [&](std::int64_t count) {
      return total.steps > 0 ? static_cast<double>(count) / static_cast<double>(total.steps) : 0.0;
    };
    put("<h2>Convergence</h2>\n<table>\n");
    row("steps", fmt::format("{}", total.steps));
    row("iterations",
        fmt::format("{:.3g} per step, at most {}", per_step(total.iterations), total.max_iterations));
    row("factorisations", fmt::format("{}", total.factorisations));
    row("sub-problems solved in a second way", fmt::format("{}", total.fallbacks));
    if (total.accumulations > 0)
      row("contacts closed after ever faster impacts",
          fmt::format("{}, the last at {:.9g} s", total.accumulations, total.last_accumulation));
    row("largest residual of a contact problem", fmt::format("{:.3g} (relative)", total.max_residual));
    const auto residuals = results_.report("residual");
    if (!residuals.empty()) row("median of the frames", fmt::format("{:.3g} (relative)", median(residuals)));
    row("deepest penetration", fmt::format("{:.3g} m", total.max_penetration));
    const auto drift = results_.report("drift");
    row("largest drift of the joints in a frame",
        fmt::format("{:.3g} m or rad", drift.empty() ? 0.0 : *std::ranges::max_element(drift)));
    put("</table>\n");
  }

  static double median(std::vector<double> values) {
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::ranges::nth_element(values, middle);
    return *middle;
  }

  void add_energy() {
    put("<h2>Energy at the last frame</h2>\n<table>\n");
    for (const auto& [name, words] : std::initializer_list<std::pair<const char*, const char*>>{
             {"initial", "at the start"},
             {"work_loads", "+ work of given forces"},
             {"work_drives", "+ work of drives"},
             {"loss_dampers", "&minus; lost in dampers"},
             {"loss_impacts", "&minus; lost in impacts"},
             {"loss_friction", "&minus; lost in friction"},
             {"loss_rolling", "&minus; lost in rolling"},
             {"loss_spinning", "&minus; lost in spinning"},
             {"loss_algorithmic", "&minus; lost by the scheme"},
             {"total", "= kinetic + potential + strain"},
             {"kinetic", "kinetic"},
             {"potential", "potential"},
             {"strain", "strain"}}) {
      const std::string full = std::string("energy.") + name;
      if (!has_column(full)) continue;  // an older file
      const auto column = results_.column(full);
      put("<tr><td>{}</td><td class=\"n\">{:.9g} J</td></tr>\n", words, column.empty() ? 0.0 : column.back());
    }
    put("</table>\n");
  }

  bool has_column(const std::string& name) const {
    const auto names = results_.columns();
    return std::ranges::find(names, name) != names.end();
  }

  /// A chart for each unit.
  void add_charts() {
    const Curve time{"time", "s", results_.times()};
    std::vector<Curve> probes, energies, quality;
    const auto read = [&](const std::string& name) {
      return Curve{name, results_.unit(name), results_.column(name)};
    };
    for (const auto& name : results_.probe_names()) probes.push_back(read(name));
    for (const char* name : {"energy.kinetic", "energy.potential", "energy.strain", "energy.loss_dampers",
                             "energy.loss_impacts", "energy.loss_friction", "energy.loss_rolling",
                             "energy.loss_spinning", "energy.loss_algorithmic", "energy.total"})
      if (!has_column(name))
        continue;
      else if (Curve curve = read(name); std::ranges::any_of(curve.values, [](double v) { return v != 0; }))
        energies.push_back(std::move(curve));
    quality.push_back({"residual", "1", results_.report("residual")});
    quality.push_back({"penetration", "m", results_.report("penetration")});
    quality.push_back({"drift", "m or rad", results_.report("drift")});
    add_charts("Probes", time, probes);
    add_charts("Energies", time, energies);
    add_charts("Residual, penetration, drift", time, quality);
  }
  void add_charts(const char* title, const Curve& time, const std::vector<Curve>& curves) {
    if (curves.empty()) return;
    put("<h2>{}</h2>\n", title);
    std::vector<std::string> units;
    for (const Curve& curve : curves)
      if (std::ranges::find(units, curve.unit) == units.end()) units.push_back(curve.unit);
    for (const auto& unit : units) {
      std::vector<const Curve*> together;
      for (const Curve& curve : curves)
        if (curve.unit == unit) together.push_back(&curve);
      put("{}\n", svg_chart(time, together));
    }
  }

  const ResultsReader& results_;
  ResultsReader::Run run_;
  std::string text_;
};

}  // namespace

void report_command(const ReportOptions& options) {
  const ResultsReader results(options.file);
  const std::string output =
      options.output.empty() ? fs::path(options.file).stem().string() + "_report.html" : options.output;
  TextFile file(output);
  file.write(Report(results).html());
  file.close();
  if (output != "-") say("wrote {}\n", output);
}
