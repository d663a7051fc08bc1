#include "gnuplot_script.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "gnuplot_process.h"
#include "part_file.h"
#include "percuss/io/io_error.h"
#include "percuss/io/printable.h"

namespace fs = std::filesystem;
using percuss::IoError;

namespace {

constexpr size_t longest_text = 120;  ///< bytes; more has no room in a picture

}  // namespace

std::string drawn_text(const std::string& text) {
  const std::string shown = percuss::printable(text);
  if (shown.size() <= longest_text) return shown;
  const auto is_inside = [&](size_t at) { return (static_cast<unsigned char>(shown[at]) & 0xC0) == 0x80; };
  size_t begin = longest_text / 2, end = shown.size() - longest_text / 2;
  while (is_inside(begin)) --begin;
  while (is_inside(end)) ++end;
  return shown.substr(0, begin) + "..." + shown.substr(end);
}

/// In single quotes nothing is special but the quote. gnuplot does not read a doubled one at the beginning,
/// so each is a string of its own.
std::string gnuplot_string(const std::string& text) {
  std::string result = "'";
  for (const char c : drawn_text(text)) result += c == '\'' ? "'.\"\\047\".'" : std::string(1, c);
  return result + "'";
}

std::string gnuplot_terminal(const std::string& path, int width, int height) {
  const bool svg = fs::path(path).extension() == ".svg";
  return svg ? fmt::format("set terminal svg size {},{} font 'sans,14' background 'white'\n", width, height)
             : fmt::format("set terminal pngcairo size {},{} font 'sans,12'\n", width, height);
}

std::string axis_label(const std::string& name, const std::string& unit) {
  return unit.empty() || unit == "1" ? name : fmt::format("{} [{}]", name, unit);
}

bool has_gnuplot() { return std::system("command -v gnuplot > /dev/null 2>&1") == 0; }

void run_gnuplot(const std::string& terminal, const std::string& commands, const std::string& path) {
  PartFile picture(path);
  const GnuplotEnd end = feed_gnuplot(terminal + commands + "unset output\n", picture.descriptor());
  if (end.error == ENOENT)
    throw IoError::cannot("write", path, "gnuplot is not installed",
                          "install the Debian package gnuplot-nox");
  if (end.error != 0)
    throw IoError::cannot("write", path,
                          fmt::format("gnuplot cannot be started: {}", std::strerror(end.error)));
  if (!end.has_finished)
    throw IoError::cannot("write", path, "gnuplot could not finish the picture",
                          end.message.empty() ? "is the disk full?" : "it says: " + end.message);
  picture.publish();
}
