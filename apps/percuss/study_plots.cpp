#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gnuplot_script.h"
#include "study_report.h"

using namespace percuss;

namespace {

struct LogPoint {
  double x, y;
};
/// One integrator, or a guide that shows a slope.
struct LogCurve {
  std::string name;
  std::vector<LogPoint> points;
};
struct LogPanel {
  std::string title;
  std::vector<LogCurve> curves, guides;
};

bool is_drawable(double x, double y) { return x > 0 && y > 0 && std::isfinite(x) && std::isfinite(y); }

/// What the points of the curves span; nothing if x_low > x_high.
struct LogBox {
  double x_low = INFINITY, x_high = 0, y_low = INFINITY, y_high = 0;
};
LogBox box_of(const std::vector<LogCurve>& curves) {
  LogBox box;
  for (const auto& curve : curves)
    for (const auto& p : curve.points) {
      box.x_low = std::min(box.x_low, p.x);
      box.x_high = std::max(box.x_high, p.x);
      box.y_low = std::min(box.y_low, p.y);
      box.y_high = std::max(box.y_high, p.y);
    }
  return box;
}

/// Straight lines of order 1 and 2 below the points. In the spectral norm the number of rows grows with 1/h,
/// which takes half an order away.
std::vector<LogCurve> order_guides(const std::vector<LogCurve>& curves, bool is_spectral) {
  const LogBox box = box_of(curves);
  double anchor = INFINITY;
  for (const auto& curve : curves)
    for (const auto& p : curve.points)
      if (p.x == box.x_high) anchor = std::min(anchor, 0.5 * p.y);
  std::vector<LogCurve> guides;
  if (!(box.x_low < box.x_high)) return guides;
  for (const int order : {1, 2}) {
    const double slope = is_spectral ? order - 0.5 : order;
    guides.push_back(
        {is_spectral ? fmt::format("order {} (slope {})", order, slope) : fmt::format("order {}", order),
         {{box.x_low, anchor * std::pow(box.x_low / box.x_high, slope)}, {box.x_high, anchor}}});
  }
  return guides;
}

std::string panel_script(const LogPanel& panel, int first_block) {
  const LogBox box = box_of(panel.curves);
  if (!(box.x_low <= box.x_high))
    return fmt::format("set title {} noenhanced\nset xrange [1:10]\nset yrange [1:10]\nplot NaN notitle\n",
                       gnuplot_string(panel.title + ": nothing to draw"));
  std::string text = fmt::format("set title {} noenhanced\nset xrange [{}:{}]\nset yrange [{}:{}]\nplot ",
                                 gnuplot_string(panel.title), box.x_low / 1.5, box.x_high * 1.5,
                                 box.y_low / 3, box.y_high * 2);
  int block = first_block;
  for (size_t c = 0; c < panel.curves.size(); ++c)
    text +=
        fmt::format("$c{} using 1:2 with linespoints lw 2 dt {} pt {} ps 1.2 lc rgb '{}' title {}, ", block++,
                    c / std::size(gnuplot_colours) + 1, c % 12 + 4,
                    gnuplot_colours[c % std::size(gnuplot_colours)], gnuplot_string(panel.curves[c].name));
  for (size_t g = 0; g < panel.guides.size(); ++g)
    text += fmt::format("$c{} using 1:2 with lines lw 1.5 dt {} lc rgb '#888888' title {}, ", block++, g + 2,
                        gnuplot_string(panel.guides[g].name));
  return text + "\n";
}

void draw_log_panels(const std::string& title, const std::string& x_label,
                     const std::vector<LogPanel>& panels, const std::string& path) {
  const int columns = panels.size() > 1 ? 2 : 1;
  const int rows = (static_cast<int>(panels.size()) + columns - 1) / columns;
  std::string text;
  int blocks = 0;
  for (const auto& panel : panels)
    for (const auto* curves : {&panel.curves, &panel.guides})
      for (const auto& curve : *curves) {
        text += fmt::format("$c{} << END_OF_DATA\n", blocks++);
        for (const auto& p : curve.points) text += fmt::format("{} {}\n", p.x, p.y);
        if (curve.points.empty()) text += "NaN NaN\n";
        text += "END_OF_DATA\n";
      }
  text += "set logscale xy\nset format xy '%.0e'\nset grid lt 1 lc rgb '#dddddd'\n";
  text += "set key below noenhanced font ',10' samplen 2 height 1\n";
  text += fmt::format("set xlabel {} noenhanced offset 0,0.6\nset ylabel 'error'\n", gnuplot_string(x_label));
  text +=
      fmt::format("set multiplot layout {},{} title {} noenhanced\n", rows, columns, gnuplot_string(title));
  int first_block = 0;
  for (const auto& panel : panels) {
    text += panel_script(panel, first_block);
    first_block += static_cast<int>(panel.curves.size() + panel.guides.size());
  }
  run_gnuplot(gnuplot_terminal(path, 80 + 560 * columns, 60 + 480 * rows), text + "unset multiplot\n", path);
}

/// A panel for each column of errors; `x` gives the place of a task.
template <class Place>
std::vector<LogPanel> error_panels(const StudyResults& results, Place x) {
  std::vector<LogPanel> panels;
  for (const auto& name : results.error_names()) {
    panels.push_back({name, {}, {}});
    LogPanel& panel = panels.back();
    for (size_t m = 0; m < results.integrator_count(); ++m) {
      panel.curves.push_back({results.study.labels[m], {}});
      LogCurve& curve = panel.curves.back();
      for (size_t i = 0; i < results.step_count(); ++i) {
        const size_t task = results.study.task_of(m, i);
        const LogPoint point{x(task), results.error(task, panels.size() - 1)};
        if (is_drawable(point.x, point.y)) curve.points.push_back(point);
      }
      std::ranges::sort(curve.points, {}, &LogPoint::x);
    }
  }
  return panels;
}

}  // namespace

void draw_convergence(const StudyResults& results, const std::string& path) {
  auto panels =
      error_panels(results, [&](size_t task) { return results.study.plan.tasks[task].config.time.step; });
  for (auto& panel : panels)
    panel.guides = order_guides(panel.curves, results.study.description.norm == Norm::spectral);
  draw_log_panels(results.study.description.title, "step [s]", panels, path);
}

void draw_work_precision(const StudyResults& results, const std::string& path) {
  const auto panels = error_panels(results, [&](size_t task) { return results.runs[task].cpu_seconds; });
  draw_log_panels(results.study.description.title, "CPU time [s]", panels, path);
}
