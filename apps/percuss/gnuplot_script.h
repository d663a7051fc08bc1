#pragma once

#include <string>

// Parts of gnuplot scripts that all pictures share.

/// Okabe and Ito's colours, which colour-blind people can tell apart.
inline constexpr const char* gnuplot_colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                  "#56B4E9", "#E69F00", "#000000"};

/// A gnuplot string: in single quotes only the quote itself is special.
std::string gnuplot_string(const std::string& text);
/// `set terminal` for a PNG or SVG file, by the ending of the path.
std::string gnuplot_terminal(const std::string& path, int width, int height);
/// Name and unit; without the unit if it is none.
std::string axis_label(const std::string& name, const std::string& unit);

bool has_gnuplot();
/// Runs the script; `commands` must end with the picture finished. Throws IoError.
void run_gnuplot(const std::string& terminal, const std::string& commands, const std::string& path);
