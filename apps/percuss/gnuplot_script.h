#pragma once

#include <string>

// Parts of gnuplot scripts that all pictures share. gnuplot can run programs: from `...`, from data files
// whose names begin with <, from outputs whose names begin with |. So texts of users reach it as
// gnuplot_string alone, numbers as data blocks, and names of files not at all: it draws into a descriptor.

/// Okabe and Ito's colours, which colour-blind people can tell apart.
inline constexpr const char* gnuplot_colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                  "#56B4E9", "#E69F00", "#000000"};

/// What of a text is drawn: control characters spelled out, the middle of a very long one left out.
std::string drawn_text(const std::string& text);
/// An expression whose value is the drawn text, on one line.
std::string gnuplot_string(const std::string& text);
/// `set terminal` for a PNG or SVG file, by the ending of the path.
std::string gnuplot_terminal(const std::string& path, int width, int height);
/// Name and unit; without the unit if it is none.
std::string axis_label(const std::string& name, const std::string& unit);

bool has_gnuplot();
/// Runs the script, whose picture goes to `path`. Throws IoError.
void run_gnuplot(const std::string& terminal, const std::string& commands, const std::string& path);
