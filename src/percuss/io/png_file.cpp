#include "percuss/io/png_file.h"

#include <array>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <zlib.h>

#include "percuss/io/disk_file.h"
#include "percuss/io/io_error.h"

// PNG (ISO/IEC 15948), the part of it that heights need: one grey value for each pixel. Numbers in files are
// big-endian.
namespace percuss {
namespace {

constexpr std::string_view png_signature = "\x89PNG\r\n\x1a\n";

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t number = 0;
  for (int i = 0; i < 4; ++i)
    number = number << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
  return number;
}

/// The filter of Paeth: what of left, above and upper left is nearest to left + above - upper left.
int paeth(int left, int above, int upper_left) {
  const int guess = left + above - upper_left;
  const int of_left = std::abs(guess - left), of_above = std::abs(guess - above),
            of_upper_left = std::abs(guess - upper_left);
  if (of_left <= of_above && of_left <= of_upper_left) return left;
  return of_above <= of_upper_left ? above : upper_left;
}

class PngReader {
 public:
  PngReader(const std::string& path, std::size_t most_pixels)
      : path_(path), bytes_(read_whole_file(path)), rest_(bytes_), most_pixels_(most_pixels) {}

  GreyPicture run() {
    if (!rest_.starts_with(png_signature)) fail("it is no PNG picture");
    rest_.remove_prefix(png_signature.size());
    if (next_chunk() != "IHDR") fail("it does not begin with a header");
    read_header();
    std::string packed;
    while (true) {
      const std::string_view type = next_chunk();
      if (type == "IDAT") packed += chunk_;
      if (type == "tRNS")
        fail("it has transparent pixels; a surface has no holes", "save it without transparency");
      if (type == "IEND") break;
    }
    unpack(packed);
    return std::move(picture_);
  }

 private:
  [[noreturn]] void fail(const std::string& reason, const std::string& advice = "") const {
    throw IoError::cannot("read", path_, reason, advice);
  }

  /// Length, type, data and a checksum of the two.
  std::string_view next_chunk() {
    constexpr std::size_t around = 12;
    if (rest_.size() < around || rest_.size() - around < big_endian(rest_))
      fail("it is truncated: the picture does not end", "copy it again");
    const std::size_t length = big_endian(rest_);
    const std::string_view type = rest_.substr(4, 4), checked = rest_.substr(4, 4 + length);
    chunk_ = rest_.substr(8, length);
    const uLong sum = crc32_z(0, reinterpret_cast<const Bytef*>(checked.data()), checked.size());
    if (sum != big_endian(rest_.substr(8 + length)))
      fail("it is damaged: a checksum is wrong", "copy it again");
    rest_.remove_prefix(around + length);
    return type;
  }

  void read_header() {
    if (chunk_.size() != 13) fail("it is damaged: its header has the wrong length", "copy it again");
    picture_.columns = big_endian(chunk_);
    picture_.rows = big_endian(chunk_.substr(4));
    const int bits = chunk_[8], colours = chunk_[9], interlace = chunk_[12];
    constexpr const char* advice = "save it as grey with 8 or 16 bits";
    if (colours == 3) fail("its colours are those of a palette", advice);
    if (colours == 4 || colours == 6) fail("it has an alpha channel; a surface has no holes", advice);
    if (colours != 0) fail("it is coloured", advice);
    if (bits != 8 && bits != 16) fail(fmt::format("its grey values have {} bits", bits), advice);
    if (interlace != 0) fail("it is interlaced", "save it without");
    if (picture_.columns < 2 || picture_.rows < 2)
      fail(fmt::format("it has {} x {} pixels; a surface needs two rows and two columns", picture_.rows,
                       picture_.columns));
    if (picture_.rows > most_pixels_ / picture_.columns)
      fail(fmt::format("it has {} x {} pixels, more than {}", picture_.rows, picture_.columns, most_pixels_),
           "make it smaller");
    wide_ = bits == 16;
    picture_.white = wide_ ? 65535 : 255;
  }

  void unpack(std::string& packed) {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) fail("there is no memory to unpack it");
    stream.next_in = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    const std::size_t width = picture_.columns * (wide_ ? 2 : 1);
    std::vector<unsigned char> row(width + 1), above(width, 0);
    picture_.pixels.reserve(picture_.rows * picture_.columns);
    std::string fault;
    for (std::size_t r = 0; r < picture_.rows && fault.empty(); ++r) {
      stream.next_out = row.data();
      stream.avail_out = static_cast<uInt>(row.size());
      inflate(&stream, Z_SYNC_FLUSH);
      if (stream.avail_out > 0)
        fault = fmt::format("it is damaged: row {} of {} is not whole", r + 1, picture_.rows);
      else if (row[0] > 4)
        fault = fmt::format("it is damaged: row {} has the unknown filter {}", r + 1, row[0]);
      else
        take_row(row, above);
    }
    inflateEnd(&stream);
    if (!fault.empty()) fail(fault, "copy it again");
  }

  /// The first byte names the filter: what is subtracted from each byte.
  void take_row(std::vector<unsigned char>& row, std::vector<unsigned char>& above) {
    const std::size_t step = wide_ ? 2 : 1;
    for (std::size_t i = 0; i < above.size(); ++i) {
      const int left = i < step ? 0 : row[i + 1 - step], up = above[i],
                corner = i < step ? 0 : corner_[i % step];
      const std::array<int, 5> subtracted = {0, left, up, (left + up) / 2, paeth(left, up, corner)};
      corner_[i % step] = above[i];
      row[i + 1] = static_cast<unsigned char>(row[i + 1] + subtracted[row[0]]);
      above[i] = row[i + 1];
    }
    for (std::size_t i = 0; i < above.size(); i += step)
      picture_.pixels.push_back(static_cast<std::uint16_t>(wide_ ? above[i] << 8 | above[i + 1] : above[i]));
  }

  const std::string& path_;
  const std::string bytes_;
  std::string_view rest_, chunk_;
  const std::size_t most_pixels_;
  bool wide_ = false;
  std::array<unsigned char, 2>
      corner_{};  ///< of the row above, one pixel to the left, before it was replaced
  GreyPicture picture_;
};

}  // namespace

GreyPicture read_grey_png(const std::string& path, std::size_t most_pixels) {
  return PngReader(path, most_pixels).run();
}

}  // namespace percuss
