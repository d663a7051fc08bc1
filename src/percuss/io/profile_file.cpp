#include "percuss/io/profile_file.h"

#include <cmath>

#include <fmt/format.h>

#include "percuss/geometry/polygon.h"
#include "percuss/io/mesh_text.h"

namespace percuss {

std::vector<std::array<double, 2>> read_profile(const std::filesystem::path& file) {
  const std::string path = file.string();
  MeshDescription description;
  MeshText text(path, description);
  std::vector<std::array<double, 2>> corners;
  std::vector<std::string_view> words;
  while (text.next_line()) {
    const std::string_view line = without_blanks(text.line());
    if (line.empty() || line.front() == '#') continue;
    split_columns(line, words);
    if (words.size() != 2)
      text.fail(fmt::format("it has {} columns; a profile has two, x and y", words.size()));
    if (corners.size() == most_polygon_corners)
      text.fail(fmt::format("more than {} corners", most_polygon_corners));
    std::array<double, 2>& corner = corners.emplace_back();
    for (std::size_t i = 0; i < 2; ++i) {
      corner[i] = text.number(words[i], i == 0 ? "x" : "y");
      if (!std::isfinite(corner[i])) text.fail(fmt::format("{} is {}", i == 0 ? "x" : "y", corner[i]));
    }
  }
  return corners;
}

}  // namespace percuss
