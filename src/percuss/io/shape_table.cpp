#include "percuss/io/shape_table.h"

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/io/hdf5_reader.h"
#include "percuss/io/hdf5_writer.h"
#include "percuss/io/io_error.h"

namespace percuss {
namespace {

constexpr std::int64_t range_width = 4;  ///< first vertex, vertices, first triangle, triangles

void append(const Vector3& values, std::vector<double>& list) {
  list.insert(list.end(), values.data(), values.data() + 3);
}

}  // namespace

void write_shapes(Hdf5Writer& file, const std::vector<DrawnShape>& shapes, const System& system) {
  std::vector<std::string> names, kinds;
  std::vector<std::int32_t> carriers, ranges, triangles;
  std::vector<double> sizes, places, axes, vertices;
  for (const DrawnShape& shape : shapes) {
    names.push_back(shape.name);
    kinds.push_back(shape.kind);
    carriers.push_back(shape.carrier == "ground" ? -1 : find_body(system, shape.carrier));
    append(shape.size, sizes);
    append(shape.place, places);
    append(shape.axis, axes);
    for (const std::size_t value :
         {vertices.size() / 3, shape.vertices.size(), triangles.size() / 3, shape.triangles.size()})
      ranges.push_back(static_cast<std::int32_t>(value));
    for (const Vector3& vertex : shape.vertices) append(vertex, vertices);
    for (const auto& triangle : shape.triangles)
      triangles.insert(triangles.end(), triangle.begin(), triangle.end());
  }
  file.make_group("/shapes");
  file.make_strings("/shapes/names", names);
  file.make_strings("/shapes/kind", kinds);
  file.make("/shapes/carrier", carriers);
  file.make_matrix("/shapes/size", sizes, 3);
  file.make_matrix("/shapes/place", places, 3);
  file.make_matrix("/shapes/axis", axes, 3);
  file.make_matrix("/shapes/ranges", ranges, range_width);
  file.make_matrix("/shapes/vertices", vertices, 3);
  file.make_matrix("/shapes/triangles", triangles, 3);
  for (const char* name : {"/shapes/size", "/shapes/place", "/shapes/vertices"})
    file.attach(name, "unit", "m");
}

std::vector<DrawnShape> read_shapes(const Hdf5Reader& file, const std::vector<std::string>& bodies) {
  const auto damaged = [&] { throw IoError::cannot("read", file.path(), "the file is damaged (/shapes)"); };
  const auto names = file.read_strings("/shapes/names"), kinds = file.read_strings("/shapes/kind");
  if (kinds.size() != names.size()) damaged();
  const auto count = std::ssize(names);
  const auto carriers = file.read<std::int32_t>("/shapes/carrier", 0, count);
  const auto ranges = file.read<std::int32_t>("/shapes/ranges", 0, count, range_width);
  const auto sizes = file.read<double>("/shapes/size", 0, count, 3),
             places = file.read<double>("/shapes/place", 0, count, 3),
             axes = file.read<double>("/shapes/axis", 0, count, 3);
  const auto vertex_count = file.shape("/shapes/vertices").rows,
             triangle_count = file.shape("/shapes/triangles").rows;
  const auto vertices = file.read<double>("/shapes/vertices", 0, vertex_count, 3);
  const auto triangles = file.read<std::int32_t>("/shapes/triangles", 0, triangle_count, 3);
  std::vector<DrawnShape> shapes;
  for (std::size_t s = 0; s < names.size(); ++s) {
    if (carriers[s] < -1 || carriers[s] >= std::ssize(bodies)) damaged();
    DrawnShape& shape = shapes.emplace_back();
    shape.name = names[s];
    shape.carrier = carriers[s] < 0 ? "ground" : bodies[static_cast<std::size_t>(carriers[s])];
    shape.kind = kinds[s];
    shape.size = Vector3(&sizes[3 * s]);
    shape.place = Vector3(&places[3 * s]);
    shape.axis = Vector3(&axes[3 * s]);
    const std::int32_t* range = &ranges[static_cast<std::size_t>(range_width) * s];
    for (int i = 0; i < range_width; ++i)
      if (range[i] < 0) damaged();
    if (range[0] + std::int64_t{range[1]} > vertex_count ||
        range[2] + std::int64_t{range[3]} > triangle_count)
      damaged();
    for (int v = range[0]; v < range[0] + range[1]; ++v) shape.vertices.emplace_back(&vertices[3 * v]);
    for (int t = range[2]; t < range[2] + range[3]; ++t) {
      const std::int32_t* corner = &triangles[3 * t];
      shape.triangles.push_back({corner[0], corner[1], corner[2]});
      for (const int vertex : shape.triangles.back())
        if (vertex < 0 || vertex >= range[1]) damaged();
    }
  }
  return shapes;
}

}  // namespace percuss
