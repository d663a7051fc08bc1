#include "percuss/io/xdmf_shapes.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "percuss/geometry/half_space.h"
#include "percuss/io/hdf5_writer.h"
#include "percuss/io/series_maker.h"
#include "percuss/io/shape_mesh.h"

namespace percuss {
namespace {

constexpr double mark_part = 0.01;  ///< size of the marks of particles, relative to the scene

/// All shapes as one mesh. Each vertex moves with a body.
struct RigidMesh {
  std::vector<Vector3> vertices;  ///< in the axes of their carriers
  std::vector<int> carrier;       ///< of each vertex; -1: the ground
  std::vector<std::int32_t> triangles, lines, triangle_shape, line_shape;

  void add(const ShapeMesh& mesh, int body, std::int32_t shape) {
    const auto first = static_cast<std::int32_t>(vertices.size());
    vertices.insert(vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
    carrier.resize(vertices.size(), body);
    for (const auto& triangle : mesh.triangles)
      for (const int vertex : triangle) triangles.push_back(first + vertex);
    for (const auto& line : mesh.lines)
      for (const int vertex : line) lines.push_back(first + vertex);
    triangle_shape.resize(triangles.size() / 3, shape);
    line_shape.resize(lines.size() / 2, shape);
  }
};

/// Middle and size of what is there at the start.
struct Extent {
  Vector3 low = Vector3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  void grow(const Vector3& point) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  Vector3 middle() const {
    return low.x() <= high.x() ? Vector3(0.5 * (low + high)) : Vector3(Vector3::Zero());
  }
  double size() const { return low.x() < high.x() || low != high ? std::max((high - low).norm(), 1e-6) : 1; }
};

/// A square of the plane of a half-space, beside the scene.
ShapeMesh wall_mesh(const DrawnShape& wall, const Extent& extent) {
  const Frame frame = frame_from_normal(wall.axis);
  const Vector3 offset = extent.middle() - wall.place;
  const Vector3 centre = wall.place + offset - offset.dot(frame.normal) * frame.normal;
  const Vector3 a = extent.size() * frame.tangent1, b = extent.size() * frame.tangent2;
  return {{centre - a - b, centre + a - b, centre + a + b, centre - a + b}, {{0, 1, 2}, {0, 2, 3}}, {}};
}

RigidMesh rigid_mesh(const ResultsReader& results) {
  const auto shapes = results.shapes();
  const auto poses = results.poses(0);
  std::unordered_map<std::string, int> index;
  for (const auto& body : results.bodies()) index.emplace(body.name, static_cast<int>(index.size()));
  const auto carrier_of = [&](const DrawnShape& shape) {
    const auto found = index.find(shape.carrier);
    return found == index.end() ? -1 : found->second;
  };
  Extent extent;
  for (const DrawnShape& shape : shapes) {
    const int body = carrier_of(shape);
    if (shape.kind == "half_space" || body < 0) continue;
    const PoseAndVelocity& pose = poses[static_cast<std::size_t>(body)];
    for (const Vector3& vertex : mesh_of(shape, 0).vertices) extent.grow(pose.x + pose.R * vertex);
  }
  RigidMesh rigid;
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    const bool is_wall = shapes[s].kind == "half_space";
    rigid.add(is_wall ? wall_mesh(shapes[s], extent) : mesh_of(shapes[s], mark_part * extent.size()),
              carrier_of(shapes[s]), static_cast<std::int32_t>(s));
  }
  return rigid;
}

std::vector<double> vertex_places(const RigidMesh& mesh, const std::vector<PoseAndVelocity>& poses) {
  std::vector<double> places;
  places.reserve(3 * mesh.vertices.size());
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const int body = mesh.carrier[v];
    const Vector3 place = body < 0 ? mesh.vertices[v]
                                   : Vector3(poses[static_cast<std::size_t>(body)].x +
                                             poses[static_cast<std::size_t>(body)].R * mesh.vertices[v]);
    places.insert(places.end(), place.begin(), place.end());
  }
  return places;
}

/// From N, T1, T2 to space.
Vector3 in_space(const ResultsReader::ContactRow& row, const Vector3& parts) {
  return parts[0] * row.normal + parts[1] * row.tangent + parts[2] * row.normal.cross(row.tangent);
}

/// One grid of triangles or lines, its vertices taken from the rows of this frame.
std::string mesh_grid(const XdmfShapes& shapes, std::int64_t frames, std::int64_t frame, const char* name,
                      std::int64_t cells) {
  const bool is_lines = std::string_view(name) == "lines";
  return fmt::format(
      R"(      <Grid Name="{0}" GridType="Uniform">
        <Topology TopologyType="{1}" NumberOfElements="{2}" NodesPerElement="{3}">
          <DataItem Format="HDF" NumberType="Int" Precision="4" Dimensions="{2} {3}">{4}:/rigid/{5}</DataItem>
        </Topology>
        <Geometry GeometryType="XYZ">
          <DataItem Format="HDF" NumberType="Float" Precision="8" Dimensions="{6} 3">{4}:/rigid/vertices</DataItem>
        </Geometry>
        <Attribute Name="displacement" AttributeType="Vector" Center="Node">
          <DataItem ItemType="HyperSlab" Dimensions="{6} 3">
            <DataItem Format="XML" NumberType="Int" Dimensions="3 3">{7} 0 0 1 1 1 1 {6} 3</DataItem>
            <DataItem Format="HDF" NumberType="Float" Precision="8" Dimensions="{8} {6} 3">{4}:/rigid/displacement</DataItem>
          </DataItem>
        </Attribute>
        <Attribute Name="shape" AttributeType="Scalar" Center="Cell">
          <DataItem Format="HDF" NumberType="Int" Precision="4" Dimensions="{2}">{4}:/rigid/shape_of_{5}</DataItem>
        </Attribute>
      </Grid>
)",
      is_lines ? "rigid.lines" : "rigid", is_lines ? "Polyline" : "Triangle", cells, is_lines ? 2 : 3,
      shapes.path, name, shapes.vertices, frame, frames);
}

std::string contact_grid(const XdmfShapes& shapes, std::int64_t frame, std::int64_t first,
                         std::int64_t count) {
  const std::int64_t rows = shapes.first_row.back();
  // VTK's reader wants geometry as a whole dataset; of attributes it takes parts.
  std::string text = fmt::format(
      R"(      <Grid Name="contacts" GridType="Uniform">
        <Topology TopologyType="Polyvertex" NumberOfElements="{0}" NodesPerElement="1"/>
        <Geometry GeometryType="XYZ">
          <DataItem Format="HDF" NumberType="Float" Precision="8" Dimensions="{0} 3">{1}:/contacts/points/{2}</DataItem>
        </Geometry>
)",
      count, shapes.path, frame);
  for (const char* name : {"normal", "force", "impulse"})
    text += fmt::format(
        R"(        <Attribute Name="{4}" AttributeType="Vector" Center="Node">
          <DataItem ItemType="HyperSlab" Dimensions="{0} 3">
            <DataItem Format="XML" NumberType="Int" Dimensions="3 2">{1} 0 1 1 {0} 3</DataItem>
            <DataItem Format="HDF" NumberType="Float" Precision="8" Dimensions="{2} 3">{3}:/contacts/{4}</DataItem>
          </DataItem>
        </Attribute>
)",
        count, first, rows, shapes.path, name);
  return text + "      </Grid>\n";
}

/// Frame after frame; the series are closed before the file is.
void write_motion(const ResultsReader& results, const RigidMesh& mesh, const std::vector<double>& start,
                  Hdf5Writer& file, XdmfShapes& shapes) {
  const SeriesMaker rigid{file, "/rigid/", results.frames()},
      contacts{file, "/contacts/", 8 * results.frames()};
  std::optional<Hdf5Series> displacement;
  if (shapes.vertices > 0)
    displacement.emplace(rigid.node_vectors("displacement", static_cast<int>(shapes.vertices), "m"));
  Hdf5Series normal = contacts.vectors("normal", 3, "1"), force = contacts.vectors("force", 3, "N"),
             impulse = contacts.vectors("impulse", 3, "N s");
  for (std::int64_t frame = 0; frame < results.frames(); ++frame) {
    auto places = vertex_places(mesh, results.poses(frame));
    std::ranges::transform(places, start, places.begin(), std::minus());
    if (displacement) displacement->append(places.data(), std::ssize(places));
    std::vector<double> points;
    for (const auto& row : results.contact_rows(frame)) {
      if (row.normal.isZero()) continue;  // stops and dry joints have no place
      points.insert(points.end(), row.point.begin(), row.point.end());
      normal.append(row.normal.data(), 3);
      force.append(in_space(row, row.force).data(), 3);
      impulse.append(in_space(row, row.impulse).data(), 3);
    }
    if (!points.empty()) file.make_matrix(fmt::format("/contacts/points/{}", frame), points, 3);
    shapes.first_row.push_back(normal.rows());
  }
  if (displacement) displacement->write_out();
  for (Hdf5Series* series : {&normal, &force, &impulse}) series->write_out();
}

}  // namespace

XdmfShapes write_xdmf_shapes(const ResultsReader& results, const std::string& path) {
  const RigidMesh mesh = rigid_mesh(results);
  XdmfShapes shapes{
      path, std::ssize(mesh.vertices), std::ssize(mesh.triangles) / 3, std::ssize(mesh.lines) / 2, {0}};
  const auto file = Hdf5Writer::create(path);
  for (const char* group : {"/rigid", "/contacts", "/contacts/points"}) file->make_group(group);
  file->make_matrix("/rigid/triangles", mesh.triangles, 3);
  file->make_matrix("/rigid/lines", mesh.lines, 2);
  file->make("/rigid/shape_of_triangles", mesh.triangle_shape);
  file->make("/rigid/shape_of_lines", mesh.line_shape);
  const auto start = vertex_places(mesh, results.poses(0));
  file->make_matrix("/rigid/vertices", start, 3);
  write_motion(results, mesh, start, *file, shapes);
  file->close();
  file->publish();
  return shapes;
}

std::string xdmf_shape_grids(const XdmfShapes& shapes, std::int64_t frames, std::int64_t frame) {
  std::string text;
  if (shapes.triangles > 0) text += mesh_grid(shapes, frames, frame, "triangles", shapes.triangles);
  if (shapes.lines > 0) text += mesh_grid(shapes, frames, frame, "lines", shapes.lines);
  const auto first = shapes.first_row[static_cast<std::size_t>(frame)],
             end = shapes.first_row[static_cast<std::size_t>(frame) + 1];
  if (end > first) text += contact_grid(shapes, frame, first, end - first);
  return text;
}

}  // namespace percuss
