#include <cmath>

#include <fmt/format.h>

#include "percuss/io/mesh_text.h"
#include "percuss/io/surface_file.h"
#include "percuss/io/vertex_merger.h"
#include "percuss/math/shorten.h"

namespace percuss {
namespace {

/// Vertices `v` and faces `f`; normals, textures, groups and materials are passed over.
class ObjReader {
 public:
  explicit ObjReader(const std::string& path) : text_(path, description_), merger_(mesh_.vertices) {}

  TriangleMesh run() {
    while (text_.next_line()) {
      split_at_blanks(without_blanks(text_.line()), words_);
      if (words_.empty() || words_[0].starts_with('#')) continue;
      if (words_.back().ends_with('\\')) text_.fail("lines that go on in the next line are not read");
      if (words_[0] == "v") read_vertex();
      if (words_[0] == "f") read_face();
    }
    return std::move(mesh_);
  }

 private:
  void read_vertex() {
    if (words_.size() < 4)
      text_.fail(fmt::format("a vertex has {} numbers; it needs three", words_.size() - 1));
    Vector3 place;
    for (int axis = 0; axis < 3; ++axis) {
      const std::string_view word = words_[static_cast<std::size_t>(axis) + 1];
      place[axis] = text_.number(word, "a coordinate");
      if (!std::isfinite(place[axis]))
        text_.fail(fmt::format("'{}' is not allowed; a coordinate must be finite", shorten(word)));
    }
    if (numbers_.size() == 3 * most_triangles)
      text_.fail(fmt::format("more than {} vertices", 3 * most_triangles));
    numbers_.push_back(merger_.add(place));
  }

  void read_face() {
    corners_.clear();
    for (std::size_t i = 1; i < words_.size() && !words_[i].starts_with('#'); ++i)
      corners_.push_back(corner(words_[i].substr(0, words_[i].find('/'))));
    if (corners_.size() < 3)
      text_.fail(fmt::format("a face has {} vertices; it needs three", corners_.size()));
    if (mesh_.triangles.size() + corners_.size() - 2 > most_triangles)
      text_.fail(fmt::format("more than {} triangles; simplify the surface", most_triangles));
    for (std::size_t i = 2; i < corners_.size(); ++i)
      mesh_.triangles.push_back({corners_[0], corners_[i - 1], corners_[i]});
  }

  /// Numbers begin with 1; negative ones count back from the last vertex so far.
  int corner(std::string_view word) const {
    const auto count = std::ssize(numbers_);
    const std::int64_t given = text_.integer(word, "a vertex of a face");
    const std::int64_t number = given < 0 ? count + given : given - 1;
    if (given == 0 || number < 0 || number >= count)
      text_.fail(fmt::format("a face names vertex {}, but there are {} so far", given, count));
    return numbers_[static_cast<std::size_t>(number)];
  }

  MeshDescription description_;
  MeshText text_;
  TriangleMesh mesh_;
  VertexMerger merger_;
  std::vector<int> numbers_;  ///< in the mesh, of each vertex of the file
  std::vector<int> corners_;
  std::vector<std::string_view> words_;
};

}  // namespace

TriangleMesh read_obj(const std::string& path) { return ObjReader(path).run(); }

TriangleMesh read_surface(const std::filesystem::path& file) {
  constexpr std::uintmax_t most_bytes = std::uintmax_t{2} << 30;
  const std::string path = file.string(), extension = upper_case(file.extension().string());
  std::error_code error;
  if (const auto size = std::filesystem::file_size(file, error); !error && size > most_bytes)
    throw IoError::cannot("read", path,
                          fmt::format("it has {} bytes; at most {} are read", size, most_bytes));
  if (extension == ".STL") return read_stl(path);
  if (extension == ".OBJ") return read_obj(path);
  throw IoError::cannot("read", path,
                        extension.empty() ? "its name has no extension"
                                          : fmt::format("'{}' is no extension of a file of a surface",
                                                        file.extension().string()),
                        ".stl and .obj are read");
}

}  // namespace percuss
