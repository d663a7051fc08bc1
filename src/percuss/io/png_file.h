#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace percuss {

/// Pixels from the upper left one, row by row; 0 is black, `white` is white.
struct GreyPicture {
  std::size_t columns = 0, rows = 0;
  int white = 255;
  std::vector<std::uint16_t> pixels;
};

/// Reads a grey .png file with 8 or 16 bits and no transparency. Throws IoError that says what is wrong, with
/// the row, and for pictures of more than `most_pixels`.
GreyPicture read_grey_png(const std::string& path, std::size_t most_pixels);

}  // namespace percuss
