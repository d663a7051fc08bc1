#include "gnuplot.h"

#include <algorithm>

#include <fmt/format.h>

#include "axis_range.h"
#include "gnuplot_script.h"

namespace {

constexpr size_t max_points = 20000;  ///< more cannot be seen

/// Room for the names beside the panels, in letters.
size_t key_width(const std::vector<Curve>& curves) {
  size_t longest = 10;
  for (const auto& curve : curves) longest = std::max(longest, drawn_text(curve.name).size());
  return longest + 8;
}

/// Curves of the same unit share a panel.
std::vector<std::vector<const Curve*>> group_by_unit(const std::vector<Curve>& curves) {
  std::vector<std::vector<const Curve*>> panels;
  for (const auto& curve : curves) {
    auto* panel = panels.empty() ? nullptr : &panels.front();
    for (auto& candidate : panels)
      if (candidate.front()->unit == curve.unit) panel = &candidate;
    if (!panel || panel->front()->unit != curve.unit) panel = &panels.emplace_back();
    panel->push_back(&curve);
  }
  return panels;
}

constexpr int usual_digits = 6;

/// gnuplot chooses, unless its six digits would not tell the ticks apart.
std::string axis_script(char axis, const AxisRange& range) {
  const int digits = label_digits(range);
  if (digits <= usual_digits) return fmt::format("set autoscale {0}\nset format {0} '% h'\n", axis);
  const double room = 0.05 * (range.high - range.low);
  return fmt::format("set {0}range [{1}:{2}]\nset format {0} '%.{3}g'\n", axis, range.low - room,
                     range.high + room, digits);
}

AxisRange range_of(const std::vector<const Curve*>& panel) {
  std::vector<const std::vector<double>*> columns;
  for (const Curve* curve : panel) columns.push_back(&curve->values);
  return axis_range(columns);
}

std::string script(const std::string& title, const Curve& x, const std::vector<Curve>& curves) {
  const auto panels = group_by_unit(curves);
  std::string text = "set datafile separator ' '\n$data << END_OF_DATA\n";
  const size_t stride = x.values.size() / max_points + 1;
  for (size_t i = 0; i < x.values.size(); i += stride) {
    fmt::format_to(std::back_inserter(text), "{}", x.values[i]);
    for (const auto& curve : curves) fmt::format_to(std::back_inserter(text), " {}", curve.values[i]);
    text += '\n';
  }
  text += "END_OF_DATA\nset grid lt 1 lc rgb '#dddddd'\nset key outside right top noenhanced\n";
  text +=
      fmt::format("set multiplot layout {},1 title {} noenhanced\n", panels.size(), gnuplot_string(title));
  int digits = usual_digits;
  for (const auto& panel : panels) digits = std::max(digits, label_digits(range_of(panel)));
  text += fmt::format("set lmargin {}\nset rmargin {}\n", 12 + digits - usual_digits, key_width(curves));
  text += axis_script('x', axis_range({&x.values}));
  for (size_t p = 0; p < panels.size(); ++p) {
    const auto& panel = panels[p];
    text += axis_script('y', range_of(panel));
    if (p + 1 == panels.size())
      text += fmt::format("set xlabel {} noenhanced\n", gnuplot_string(axis_label(x.name, x.unit)));
    text += fmt::format("set ylabel {} noenhanced\nplot ",
                        gnuplot_string(axis_label(panel.size() == 1 ? panel[0]->name : "", panel[0]->unit)));
    for (size_t c = 0; c < panel.size(); ++c)
      text += fmt::format("{}$data using 1:{} with lines lw 2 lc rgb '{}' title {}", c ? ", " : "",
                          panel[c] - curves.data() + 2, gnuplot_colours[c % std::size(gnuplot_colours)],
                          gnuplot_string(panel[c]->name));
    text += '\n';
  }
  return text + "unset multiplot\n";
}

}  // namespace

void draw_curves(const std::string& title, const Curve& x, const std::vector<Curve>& curves,
                 const std::string& path) {
  const int height = 120 + 260 * static_cast<int>(group_by_unit(curves).size());
  const int width = 756 + 8 * static_cast<int>(key_width(curves));
  run_gnuplot(gnuplot_terminal(path, width, height), script(title, x, curves), path);
}
