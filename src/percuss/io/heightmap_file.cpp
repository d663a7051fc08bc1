#include "percuss/io/heightmap_file.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "percuss/io/mesh_text.h"
#include "percuss/io/png_file.h"
#include "percuss/math/shorten.h"

namespace percuss {
namespace {

/// Reads line after line; all rows have as many columns as the first.
class HeightReader {
 public:
  explicit HeightReader(const std::string& path) : text_(path, description_) {}

  void run() {
    while (text_.next_line()) {
      const std::string_view line = without_blanks(text_.line());
      if (line.empty() || line.front() == '#') continue;
      split_row(line);
      ++rows_;
      read_row();
    }
    if (rows_ < 2 || columns_ < 2)
      text_.fail(
          fmt::format("it has {} x {} heights; a surface needs two rows and two columns", rows_, columns_));
  }

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  double height(std::size_t row, std::size_t column) const { return heights_[row * columns_ + column]; }

 private:
  void split_row(std::string_view line) {
    split_columns(line, words_);
    if (words_.back().empty() && words_.size() == columns_ + 1) words_.pop_back();  // one too many at the end
  }

  void read_row() {
    if (rows_ == 1) columns_ = words_.size();
    if (words_.size() != columns_)
      text_.fail(fmt::format("row {} has {} columns, the first has {}", rows_, words_.size(), columns_));
    if (heights_.size() + columns_ > most_heights)
      text_.fail(fmt::format("row {} makes more than {} heights", rows_, most_heights));
    for (std::size_t column = 0; column < columns_; ++column)
      heights_.push_back(height_of(words_[column], fmt::format("row {}, column {}", rows_, column + 1)));
  }

  double height_of(std::string_view word, const std::string& place) const {
    if (word.empty()) text_.fail(place + " is empty; a surface has no holes: give it a height");
    const double height = text_.number(word, place);
    if (!std::isfinite(height))
      text_.fail(fmt::format("{} is '{}'; a surface has no holes: give it a height", place, shorten(word)));
    return height;
  }

  MeshDescription description_;
  MeshText text_;
  std::vector<std::string_view> words_;
  std::size_t rows_ = 0, columns_ = 0;
  std::vector<double> heights_;
};

/// `height(row, column)` over a grid whose rows go along x.
TriangleMesh surface_over_grid(std::size_t rows, std::size_t columns, const std::array<double, 2>& cell,
                               const auto& height) {
  TriangleMesh mesh;
  mesh.vertices.reserve(rows * columns);
  mesh.triangles.reserve(2 * (rows - 1) * (columns - 1));
  for (std::size_t j = 0; j < rows; ++j)
    for (std::size_t i = 0; i < columns; ++i)
      mesh.vertices.emplace_back(static_cast<double>(i) * cell[0], static_cast<double>(j) * cell[1],
                                 height(j, i));
  const int along = static_cast<int>(columns);
  for (int j = 0; j + 1 < static_cast<int>(rows); ++j)
    for (int i = 0; i + 1 < along; ++i) {
      const int corner = j * along + i, above = corner + along;
      mesh.triangles.push_back({corner, corner + 1, above + 1});
      mesh.triangles.push_back({corner, above + 1, above});
    }
  return mesh;
}

}  // namespace

TriangleMesh read_heightmap(const std::filesystem::path& file, const std::array<double, 2>& cell) {
  const std::string path = file.string();
  HeightReader grid(path);
  grid.run();
  return surface_over_grid(grid.rows(), grid.columns(), cell,
                           [&](std::size_t row, std::size_t column) { return grid.height(row, column); });
}

TriangleMesh read_height_picture(const std::filesystem::path& file, const std::array<double, 2>& cell,
                                 const std::array<double, 2>& height) {
  const GreyPicture picture = read_grey_png(file.string(), most_heights);
  return surface_over_grid(picture.rows, picture.columns, cell, [&](std::size_t row, std::size_t column) {
    const int grey = picture.pixels[(picture.rows - 1 - row) * picture.columns + column];
    return std::lerp(height[0], height[1], static_cast<double>(grey) / picture.white);
  });
}

}  // namespace percuss
