#include "percuss/model/shape.h"

#include "percuss/geometry/triangle_mesh.h"

namespace percuss {
namespace {

std::vector<Vector3> corners_of_box(const Vector3& side_lengths) {
  std::vector<Vector3> corners;
  corners.reserve(8);
  for (int i = 0; i < 8; ++i)
    corners.push_back(0.5 *
                      side_lengths.cwiseProduct(Vector3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  return corners;
}

}  // namespace

std::shared_ptr<const TriangleMesh> mesh_of(const MeshShape& shape) {
  if (shape.file) return shape.loaded;
  return std::make_shared<const TriangleMesh>(TriangleMesh{shape.vertices, shape.triangles});
}

std::shared_ptr<const TriangleMesh> mesh_of(const SimpleShape& shape) {
  if (shape.mesh) return mesh_of(*shape.mesh);
  return shape.profile ? mesh_of(*shape.profile) : nullptr;
}

std::optional<std::vector<Vector3>> corners_of(const SimpleShape& shape) {
  if (shape.box) return corners_of_box(*shape.box);
  if (shape.hull && shape.hull->points) return *shape.hull->points;
  if (shape.hull && shape.hull->loaded) return *shape.hull->loaded;
  return shape.polyhedron;
}

}  // namespace percuss
