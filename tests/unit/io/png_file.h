// Writes .png files, also faulty ones: percuss only reads them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <zlib.h>

namespace percuss::testing {

struct PngFile {
  int bits = 8, colours = 0, interlace = 0;
  std::vector<std::vector<int>> rows;
  std::vector<int> filters = {0};  ///< of the rows, again and again
  std::string extra_chunk = {};    ///< type of an empty one

  std::string bytes() const {
    std::string header = big_endian(static_cast<std::uint32_t>(rows[0].size())) +
                         big_endian(static_cast<std::uint32_t>(rows.size()));
    for (const int byte : {bits, colours, 0, 0, interlace}) header += static_cast<char>(byte);
    std::string text = "\x89PNG\r\n\x1a\n" + chunk("IHDR", header);
    if (!extra_chunk.empty()) text += chunk(extra_chunk, "");
    const std::string packed = pack(filtered());
    const std::size_t half = packed.size() / 2;
    return text + chunk("IDAT", packed.substr(0, half)) + chunk("IDAT", packed.substr(half)) +
           chunk("IEND", "");
  }

 private:
  static std::string big_endian(std::uint32_t number) {
    std::string bytes;
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(number >> shift & 255);
    return bytes;
  }
  static std::string chunk(const std::string& type, const std::string& data) {
    const std::string checked = type + data;
    const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(checked.data()), checked.size());
    return big_endian(static_cast<std::uint32_t>(data.size())) + checked +
           big_endian(static_cast<std::uint32_t>(sum));
  }
  static std::string pack(const std::string& raw) {
    uLongf size = compressBound(raw.size());
    std::string packed(size, '\0');
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(raw.data()),
             raw.size());
    packed.resize(size);
    return packed;
  }
  /// As the standard says it: each filter subtracts a guess from what the bytes are.
  std::string filtered() const {
    std::string text;
    std::vector<int> above;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      std::vector<int> raw;
      for (const int value : rows[r]) {
        if (bits == 16) raw.push_back(value >> 8);
        raw.push_back(value & 255);
      }
      above.resize(raw.size(), 0);
      const int filter = filters[r % filters.size()];
      const std::size_t step = bits == 16 ? 2 : 1;
      text += static_cast<char>(filter);
      for (std::size_t i = 0; i < raw.size(); ++i) {
        const int a = i < step ? 0 : raw[i - step], b = above[i], c = i < step ? 0 : above[i - step];
        const int p = a + b - c, pa = std::abs(p - a), pb = std::abs(p - b), pc = std::abs(p - c);
        const int nearest = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
        const int guess = filter == 1   ? a
                          : filter == 2 ? b
                          : filter == 3 ? (a + b) / 2
                          : filter == 4 ? nearest
                                        : 0;
        text += static_cast<char>((raw[i] - guess) & 255);
      }
      above = raw;
    }
    return text;
  }
};

}  // namespace percuss::testing
