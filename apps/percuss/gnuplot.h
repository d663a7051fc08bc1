#pragma once

#include <string>
#include <vector>

/// One curve and the panel it belongs to.
struct Curve {
  std::string name, unit;
  std::vector<double> values;
};

/// Draws the curves over x into a PNG or SVG file (by its ending), one panel for each unit. Throws IoError.
void draw_curves(const std::string& title, const Curve& x, const std::vector<Curve>& curves,
                 const std::string& path);
