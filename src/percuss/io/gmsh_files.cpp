#include "percuss/io/gmsh_files.h"

#include <cstdint>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "percuss/io/disk_file.h"
#include "percuss/io/io_error.h"

namespace percuss {
namespace {

constexpr std::int64_t largest_file = std::int64_t{1} << 30;

std::string read_limited(const std::string& path) {
  if (const auto size = DiskFile::open(path)->size(); size > largest_file)
    throw IoError::cannot(
        "read", path,
        fmt::format("it has {} MB; Gmsh gets files of at most {} MB", size >> 20, largest_file >> 20),
        "make the mesh coarser, or write it as .inp, .unv or .bdf");
  return read_whole_file(path);
}

/// Where marks of the format at the end of a file are looked for.
std::string_view tail_of(std::string_view content) {
  constexpr std::size_t length = 200;
  return content.substr(content.size() > length ? content.size() - length : 0);
}

/// 80 bytes of text, the number of triangles, 50 bytes for each of them.
bool is_binary_stl(std::string_view content) {
  std::uint32_t triangles = 0;
  if (content.size() < 84) return false;
  std::memcpy(&triangles, content.data() + 80, sizeof triangles);
  return triangles > 0 && content.size() == 84 + 50 * std::size_t{triangles};
}

bool is_text_stl(std::string_view content) {
  return content.starts_with("solid") && tail_of(content).find("endsolid") != std::string::npos;
}

}  // namespace

std::string read_gmsh_mesh_file(const std::string& path) {
  std::string content = read_limited(path);
  if (!content.starts_with("$MeshFormat") && !content.starts_with("$Comments"))
    throw IoError::cannot("read", path, "it does not begin with $MeshFormat: it is no mesh of Gmsh");
  const std::string_view tail = tail_of(content);
  const auto last_section = tail.rfind('$');
  if (last_section == tail.npos || !tail.substr(last_section).starts_with("$End"))
    throw IoError::cannot("read", path, "its last section has no end: the file is not complete");
  return content;
}

GeometryFile kind_of_geometry(const std::string& path) {
  return path.ends_with(".stl") || path.ends_with(".STL") ? GeometryFile::stl : GeometryFile::step;
}

std::string read_geometry_file(const std::string& path) {
  std::string content = read_limited(path);
  const bool named_stl = kind_of_geometry(path) == GeometryFile::stl;
  if (named_stl && !is_binary_stl(content) && !is_text_stl(content))
    throw IoError::cannot("read", path, "it is no complete STL file, neither as text nor in binary form");
  if (!named_stl && !content.starts_with("ISO-10303-21"))
    throw IoError::cannot("read", path, "it does not begin with ISO-10303-21: it is no STEP file");
  if (!named_stl && tail_of(content).find("END-ISO-10303-21") == std::string_view::npos)
    throw IoError::cannot("read", path, "it does not end with END-ISO-10303-21: the file is not complete");
  return content;
}

}  // namespace percuss
