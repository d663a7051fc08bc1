#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "percuss/io/disk_file.h"
#include "percuss/io/io_error.h"
#include "percuss/io/mesh_text.h"
#include "percuss/io/surface_file.h"
#include "percuss/io/vertex_merger.h"
#include "percuss/math/shorten.h"

namespace percuss {
namespace {

static_assert(std::endian::native == std::endian::little, "binary STL files are little endian");
constexpr std::size_t stl_header = 84, stl_triangle = 50;  ///< bytes

std::uint32_t count_in_header(const std::string& header) {
  std::uint32_t count = 0;
  if (header.size() >= stl_header)
    std::memcpy(&count, header.data() + stl_header - sizeof count, sizeof count);
  return count;
}

TriangleMesh read_binary_stl(const std::string& path, std::size_t count) {
  const std::string bytes = read_whole_file(path);
  if (bytes.size() < stl_header + stl_triangle * count)
    throw IoError::cannot("read", path, "it became shorter while it was read");
  TriangleMesh mesh;
  mesh.triangles.reserve(count);
  VertexMerger merger(mesh.vertices);
  for (std::size_t t = 0; t < count; ++t) {
    std::array<float, 12> numbers;  // the normal, which is not needed, and three corners
    std::memcpy(numbers.data(), bytes.data() + stl_header + stl_triangle * t, sizeof numbers);
    auto& triangle = mesh.triangles.emplace_back();
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const Vector3 place(numbers[3 * corner + 3], numbers[3 * corner + 4], numbers[3 * corner + 5]);
      if (!place.allFinite())
        throw IoError::cannot("read", path, fmt::format("triangle {} has a corner that is not finite", t));
      triangle[corner] = merger.add(place);
    }
  }
  return mesh;
}

/// A place from three words behind the first.
Vector3 stl_place(const MeshText& text, const std::vector<std::string_view>& words) {
  if (words.size() != 4) text.fail(fmt::format("a vertex has {} numbers; it needs three", words.size() - 1));
  Vector3 place;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    place[static_cast<int>(axis)] = text.number(words[axis + 1], "a coordinate");
    if (!std::isfinite(place[static_cast<int>(axis)]))
      text.fail(fmt::format("'{}' is not allowed; a coordinate must be finite", shorten(words[axis + 1])));
  }
  return place;
}

TriangleMesh read_text_stl(const std::string& path) {
  MeshDescription description;
  MeshText text(path, description);
  TriangleMesh mesh;
  VertexMerger merger(mesh.vertices);
  std::vector<std::string_view> words;
  std::vector<int> corners;
  bool in_facet = false;
  while (text.next_line()) {
    split_at_blanks(without_blanks(text.line()), words);
    const std::string word = words.empty() ? "" : upper_case(words[0]);
    if (word == "FACET") {
      if (in_facet) text.fail("a facet begins before the one before it has ended");
      in_facet = true;
      corners.clear();
    } else if (word == "VERTEX") {
      if (!in_facet) text.fail("a vertex outside of a facet");
      corners.push_back(merger.add(stl_place(text, words)));
    } else if (word == "ENDFACET") {
      if (!in_facet) text.fail("`endfacet` without `facet`");
      if (corners.size() != 3)
        text.fail(fmt::format("a facet has {} vertices; it must have 3", corners.size()));
      if (mesh.triangles.size() == most_triangles)
        text.fail(fmt::format("more than {} triangles; simplify the surface", most_triangles));
      mesh.triangles.push_back({corners[0], corners[1], corners[2]});
      in_facet = false;
    } else if (!word.empty() && word != "SOLID" && word != "ENDSOLID" && word != "OUTER" &&
               word != "ENDLOOP") {
      text.fail(fmt::format("'{}' is no word of an STL file", shorten(words[0])));
    }
  }
  if (in_facet) text.fail("the file ends within a facet");
  return mesh;
}

}  // namespace

TriangleMesh read_stl(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string header(stl_header, '\0');
  stream.read(header.data(), static_cast<std::streamsize>(header.size()));
  header.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  const std::size_t count = count_in_header(header);
  const bool fits = !error && size == stl_header + stl_triangle * count;
  if (fits && count > most_triangles)
    throw IoError::cannot("read", path,
                          fmt::format("it has {} triangles; at most {} are read", count, most_triangles),
                          "simplify the surface");
  if (fits && header.size() == stl_header) return read_binary_stl(path, count);
  if (error || header.empty() || upper_case(header.substr(0, 5)) == "SOLID") return read_text_stl(path);
  throw IoError::cannot(
      "read", path,
      header.size() < stl_header
          ? "it is neither a text, which begins with `solid`, nor long enough for a binary STL file"
          : fmt::format(
                "it does not begin with `solid`, and as a binary STL file of {} triangles it should have "
                "{} bytes, not {}",
                count, stl_header + stl_triangle * count, size));
}

}  // namespace percuss
