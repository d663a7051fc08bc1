#include "gnuplot.h"

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <sys/wait.h>

#include "output_path.h"
#include "percuss/io/io_error.h"

namespace {

namespace fs = std::filesystem;
using percuss::IoError;

/// Okabe and Ito's colours, which colour-blind people can tell apart.
constexpr const char* colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                   "#56B4E9", "#E69F00", "#000000"};
constexpr size_t max_points = 20000;  ///< more cannot be seen

/// A gnuplot string: in single quotes only the quote itself is special.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("''") : std::string(1, c == '\n' ? ' ' : c);
  return result + "'";
}

std::string axis_label(const std::string& name, const std::string& unit) {
  return unit.empty() || unit == "1" ? name : fmt::format("{} [{}]", name, unit);
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

std::string script(const std::string& title, const Curve& x, const std::vector<Curve>& curves,
                   const std::string& path) {
  const auto panels = group_by_unit(curves);
  const int height = 120 + 260 * static_cast<int>(panels.size());
  const bool svg = fs::path(path).extension() == ".svg";
  std::string text =
      svg ? fmt::format("set terminal svg size 900,{} font 'sans,14' background 'white'\n", height)
          : fmt::format("set terminal pngcairo size 900,{} font 'sans,12'\n", height);
  text += fmt::format("set output {}\nset datafile separator ' '\n$data << END_OF_DATA\n",
                      quoted(path + ".part"));
  const size_t stride = x.values.size() / max_points + 1;
  for (size_t i = 0; i < x.values.size(); i += stride) {
    fmt::format_to(std::back_inserter(text), "{}", x.values[i]);
    for (const auto& curve : curves) fmt::format_to(std::back_inserter(text), " {}", curve.values[i]);
    text += '\n';
  }
  text += "END_OF_DATA\nset grid lt 1 lc rgb '#dddddd'\nset key outside right top noenhanced\n";
  text += fmt::format("set multiplot layout {},1 title {} noenhanced\n", panels.size(), quoted(title));
  text += "set lmargin 12\nset rmargin 18\n";
  for (size_t p = 0; p < panels.size(); ++p) {
    const auto& panel = panels[p];
    if (p + 1 == panels.size())
      text += fmt::format("set xlabel {} noenhanced\n", quoted(axis_label(x.name, x.unit)));
    text += fmt::format("set ylabel {} noenhanced\nplot ",
                        quoted(axis_label(panel.size() == 1 ? panel[0]->name : "", panel[0]->unit)));
    for (size_t c = 0; c < panel.size(); ++c)
      text +=
          fmt::format("{}$data using 1:{} with lines lw 2 lc rgb '{}' title {}", c ? ", " : "",
                      panel[c] - curves.data() + 2, colours[c % std::size(colours)], quoted(panel[c]->name));
    text += '\n';
  }
  return text + "unset multiplot\nset output\n";
}

/// gnuplot does not notice a full disk, but the end of the picture is then missing.
bool is_complete(const std::string& picture) {
  std::ifstream stream(picture, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  const std::string bytes = text.str();
  const std::string tail = bytes.substr(bytes.size() - std::min<size_t>(bytes.size(), 16));
  return tail.find("IEND") != tail.npos || tail.find("</svg>") != tail.npos;
}

}  // namespace

void draw_curves(const std::string& title, const Curve& x, const std::vector<Curve>& curves,
                 const std::string& given_path) {
  const std::string path = behind_link(given_path);
  const std::string text = script(title, x, curves, path);
  const std::string part = path + ".part";
  std::error_code ignored;
  const auto folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, ignored))
    throw IoError::cannot("write", path, "there is no such folder");
  if (fs::is_directory(path, ignored)) throw IoError::cannot("write", path, "Is a directory");
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))
    throw IoError::cannot("write", path, "it is there and no regular file");
  std::signal(SIGPIPE, SIG_IGN);  // a gnuplot that ends early is reported by its exit code
  std::FILE* gnuplot = popen("gnuplot 2>&1", "w");
  if (!gnuplot) throw IoError::cannot("write", path, "gnuplot cannot be started");
  std::fwrite(text.data(), 1, text.size(), gnuplot);
  const int status = pclose(gnuplot);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    throw IoError::cannot("write", path, "gnuplot is not installed",
                          "install the Debian package gnuplot-nox");
  if (status != 0 || !is_complete(part)) {
    fs::remove(part, ignored);
    throw IoError::cannot("write", path, "gnuplot could not finish the picture", "is the disk full?");
  }
  std::error_code error;
  fs::rename(part, path, error);
  if (error) {
    fs::remove(part, ignored);
    throw IoError::cannot("write", path, error.message());
  }
}
