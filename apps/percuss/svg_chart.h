#pragma once

#include <string>
#include <vector>

#include "gnuplot.h"

/// Curves of one unit over x as SVG to be put into a page: axes, grid, names. Long curves keep their peaks.
std::string svg_chart(const Curve& x, const std::vector<const Curve*>& curves);
