#include "percuss/io/gmsh_files.h"

#include <cstdint>
#include <cstring>
#include <string_view>

#include "percuss/io/disk_file.h"
#include "percuss/io/io_error.h"

namespace percuss {
namespace {

/// The first and the last bytes of a file.
struct FileEnds {
  std::int64_t size;
  std::string head, tail;
};

FileEnds read_ends(const std::string& path) {
  const auto disk = DiskFile::open(path);
  const auto read_at = [&](std::int64_t begin) {
    std::string bytes(200, '\0');
    bytes.resize(disk->read(begin, bytes.data(), bytes.size()));
    return bytes;
  };
  FileEnds ends{disk->size(), read_at(0), ""};
  ends.tail = read_at(ends.size > 200 ? ends.size - 200 : 0);
  disk->throw_if_failed();
  if (ends.head.empty()) throw IoError::cannot("read", path, "it is empty");
  return ends;
}

/// 80 bytes of text, the number of triangles, 50 bytes for each of them.
bool is_binary_stl(const FileEnds& ends) {
  std::uint32_t triangles = 0;
  if (ends.head.size() < 84) return false;
  std::memcpy(&triangles, ends.head.data() + 80, sizeof triangles);
  return triangles > 0 && ends.size == 84 + 50 * static_cast<std::int64_t>(triangles);
}

bool is_text_stl(const FileEnds& ends) {
  return ends.head.starts_with("solid") && ends.tail.find("endsolid") != std::string::npos;
}

}  // namespace

void require_gmsh_mesh_file(const std::string& path) {
  const FileEnds ends = read_ends(path);
  if (!ends.head.starts_with("$MeshFormat") && !ends.head.starts_with("$Comments"))
    throw IoError::cannot("read", path, "it does not begin with $MeshFormat: it is no mesh of Gmsh");
  const auto last_section = ends.tail.rfind('$');
  if (last_section == std::string::npos ||
      !std::string_view(ends.tail).substr(last_section).starts_with("$End"))
    throw IoError::cannot("read", path, "its last section has no end: the file is not complete");
}

GeometryFile require_geometry_file(const std::string& path) {
  const FileEnds ends = read_ends(path);
  const bool named_stl = path.ends_with(".stl") || path.ends_with(".STL");
  if (named_stl && !is_binary_stl(ends) && !is_text_stl(ends))
    throw IoError::cannot("read", path, "it is no complete STL file, neither as text nor in binary form");
  if (!named_stl && !ends.head.starts_with("ISO-10303-21"))
    throw IoError::cannot("read", path, "it does not begin with ISO-10303-21: it is no STEP file");
  if (!named_stl && ends.tail.find("END-ISO-10303-21") == std::string::npos)
    throw IoError::cannot("read", path, "it does not end with END-ISO-10303-21: the file is not complete");
  return named_stl ? GeometryFile::stl : GeometryFile::step;
}

}  // namespace percuss
