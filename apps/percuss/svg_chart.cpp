#include "svg_chart.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "axis_range.h"
#include "gnuplot_script.h"
#include "percuss/io/xml_escape.h"

namespace {

/// Of the picture and its margins.
constexpr double chart_width = 760, chart_height = 240, margin_left = 80, margin_right = 12, margin_top = 26,
                 margin_bottom = 40;
constexpr int most_ticks = 20;
constexpr size_t chart_columns = 600;  ///< more points could not be told apart

/// A range of numbers and where it is drawn.
struct Axis {
  AxisRange range;
  double begin = 0, end = 1;

  double place(double value) const {
    return begin + (value - range.low) / (range.high - range.low) * (end - begin);
  }
  /// Round numbers, about five of them.
  std::vector<double> ticks() const {
    const double rough = (range.high - range.low) / 5, power = std::pow(10, std::floor(std::log10(rough)));
    double step = power;
    for (const double digit : {2.0, 5.0, 10.0})
      if (power * digit <= rough * 1.5) step = power * digit;
    const double first = std::ceil(range.low / step);
    std::vector<double> values;
    for (int i = 0; i < most_ticks && (first + i) * step <= range.high + 1e-9 * step; ++i)
      values.push_back((first + i) * step + 0.0);  // and not -0
    return values;
  }
  std::string label(double value) const { return fmt::format("{:.{}g}", value, label_digits(range)); }
};

/// Room above and below the curves.
AxisRange with_room(const AxisRange& range) {
  const double room = 0.04 * (range.high - range.low);
  return {range.low - room, range.high + room};
}

/// Numbers beside the axis need room as well.
double left_margin(const AxisRange& range) { return margin_left + 7 * (label_digits(range) - 6); }

/// Smallest and largest value of each column of the picture, in the order in which they come.
std::string path_of(const Curve& x, const Curve& curve, const Axis& across, const Axis& up) {
  std::string path;
  bool is_drawing = false;
  const auto add = [&](size_t i) {
    if (!std::isfinite(curve.values[i])) return void(is_drawing = false);
    fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", is_drawing ? "L" : "M",
                   across.place(x.values[i]), up.place(curve.values[i]));
    is_drawing = true;
  };
  const size_t count = x.values.size(), stride = std::max<size_t>(1, count / chart_columns);
  for (size_t begin = 0; begin < count; begin += stride) {
    const auto first = curve.values.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = first + static_cast<std::ptrdiff_t>(std::min(stride, count - begin));
    const auto [low, high] = std::minmax_element(first, last);
    const auto a = static_cast<size_t>(low - curve.values.begin()),
               b = static_cast<size_t>(high - curve.values.begin());
    add(std::min(a, b));
    if (a != b) add(std::max(a, b));
  }
  return path;
}

}  // namespace

std::string svg_chart(const Curve& x, const std::vector<const Curve*>& curves) {
  std::vector<const std::vector<double>*> columns;
  for (const Curve* curve : curves) columns.push_back(&curve->values);
  const AxisRange shown = with_room(axis_range(columns));
  const double left = left_margin(shown);
  const Axis across{axis_range({&x.values}), left, chart_width - margin_right};
  const Axis up{shown, chart_height - margin_bottom, margin_top};
  std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\">", chart_width, chart_height);
  const auto put = [&]<class... T>(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(svg), format, std::forward<T>(values)...);
  };
  for (const double value : across.ticks())
    put("<path class=\"grid\" d=\"M{0:.1f} {1}V{2}\"/><text x=\"{0:.1f}\" y=\"{3}\" "
        "text-anchor=\"middle\">{4}</text>",
        across.place(value), margin_top, chart_height - margin_bottom, chart_height - margin_bottom + 15,
        across.label(value));
  for (const double value : up.ticks())
    put("<path class=\"grid\" d=\"M{0} {1:.1f}H{2}\"/><text x=\"{3}\" y=\"{4:.1f}\" "
        "text-anchor=\"end\">{5}</text>",
        left, up.place(value), chart_width - margin_right, left - 5, up.place(value) + 4, up.label(value));
  put("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>", (left + chart_width - margin_right) / 2,
      chart_height - 6, percuss::xml_escape(axis_label(x.name, x.unit)));
  double at = left;
  for (size_t c = 0; c < curves.size(); ++c) {
    const char* colour = gnuplot_colours[c % std::size(gnuplot_colours)];
    put("<path class=\"curve\" stroke=\"{}\" d=\"{}\"/>", colour, path_of(x, *curves[c], across, up));
    const std::string name = axis_label(curves[c]->name, curves[c]->unit);
    put("<path class=\"curve\" stroke=\"{0}\" d=\"M{1} 12h16\"/><text x=\"{2}\" y=\"16\">{3}</text>", colour,
        at, at + 20, percuss::xml_escape(name));
    at += 34 + 6.7 * static_cast<double>(name.size());
  }
  return svg + "</svg>";
}
