#include "gnuplot_script.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
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

std::string gnuplot_string(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("''") : std::string(1, c == '\n' ? ' ' : c);
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

void run_gnuplot(const std::string& terminal, const std::string& commands, const std::string& given_path) {
  const std::string path = behind_link(given_path);
  const std::string part = path + ".part";
  const std::string text =
      fmt::format("{}set output {}\n{}set output\n", terminal, gnuplot_string(part), commands);
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
