#include "percuss/contacts/flexible_search.h"

#include <algorithm>

namespace percuss {
namespace {

Box enlarged(const Box& box, double by) {
  const Vector3 margin = Vector3::Constant(by);
  return {box.min() - margin, box.max() + margin};
}

/// Around a box of space, in the axes of a body.
Box in_axes(const PoseAndVelocity& pose, const Box& box) {
  const Vector3 centre = pose.R.transpose() * (box.center() - pose.x);
  const Vector3 half = pose.R.transpose().cwiseAbs() * (0.5 * box.sizes());
  return {centre - half, centre + half};
}

/// Numbers of the vertices of a mesh that may touch and stand in a box.
void list_corners(const MeshSurface& mesh, const Box& box, std::vector<int>& out) {
  mesh.visit_triangles_in(box, [&](int t) {
    for (const int v : mesh.triangle(t).vertices)
      if (mesh.is_corner(v) && box.contains(mesh.vertex(v))) out.push_back(v);
  });
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

void list_vertices(const ConvexShape& shape, const Box& box, std::vector<int>& out) {
  const Box around = enlarged(box, shape.radius);
  for (int v = shape.first_corner; v < std::ssize(shape.vertices); ++v)
    if (around.contains(shape.vertex(v))) out.push_back(v);
}

}  // namespace

FlexibleSearch::FlexibleSearch(const Assembly& assembly)
    : things_(assembly.interactions.things),
      surfaces_(make_surfaces(assembly.interactions)),
      is_placed_(surfaces_.size(), false),
      node_(ball_shape(Vector3::Zero(), 0)) {}

void FlexibleSearch::begin() { std::ranges::fill(is_placed_, false); }

void FlexibleSearch::find(const Moment& now, const Side& first, const Side& second, double reach,
                          std::vector<FeaturePair>& out) {
  find_points(now, first, second, reach, out);
  const auto before = std::ssize(out);
  find_points(now, second, first, reach, out);
  std::transform(out.begin() + before, out.end(), out.begin() + before, exchanged);
}

void FlexibleSearch::find_points(const Moment& now, const Side& own, const Side& other, double reach,
                                 Pairs& out) {
  if (!own.thing.is_flexible()) {
    if (!own.thing.is_plane && other.thing.surface >= 0) points_on_surface(now, own.thing, other, reach, out);
    return;
  }
  if (other.thing.is_plane) return nodes_on_plane(now, own.thing, other.thing, reach, out);
  const Box near = enlarged(other.box, reach + own.thing.radius);
  for (const int node : own.thing.nodes) {
    const Vector3& x = now.at.of(own.thing.first_node + node).x;
    if (!near.contains(x)) continue;
    if (!other.thing.is_flexible())
      node_on_pieces(now, own.thing, node, other.thing, reach, out);
    else if (other.thing.surface >= 0 && is_near_surface(now, other.thing, {x, own.thing.radius}, reach))
      out.push_back({FeatureKind::point_face, node, 0});
  }
}

void FlexibleSearch::nodes_on_plane(const Moment& now, const Thing& own, const Thing& plane, double reach,
                                    Pairs& out) const {
  const PoseAndVelocity& carrier = now.at.of(plane.body);
  const Vector3 normal = carrier.R * plane.plane.normal, point = carrier.x + carrier.R * plane.plane.point;
  for (const int node : own.nodes)
    if (normal.dot(now.at.of(own.first_node + node).x - point) - own.radius <= reach)
      out.push_back({FeatureKind::point_face, node, 0});
}

void FlexibleSearch::node_on_pieces(const Moment& now, const Thing& own, int node, const Thing& other,
                                    double reach, Pairs& out) {
  node_.radius = own.radius;
  node_.size = own.thickness;  // a point has none, and tolerances are parts of it
  const PlacedShape point{&node_, now.at.of(own.first_node + node).x, Matrix3::Identity()};
  const PoseAndVelocity& pose = now.at.of(other.body);
  for (int k = 0; k < other.pieces; ++k) {
    const Piece& piece = things_->pieces[static_cast<size_t>(other.first_piece + k)];
    of_piece_.clear();
    if (piece.mesh >= 0)
      mesh_finder_.find(PlacedMesh{&things_->mesh(piece), pose.x, pose.R}, point, reach, of_piece_);
    else
      finder_.find({&things_->shape(piece), pose.x, pose.R}, point, reach, of_piece_);
    for (const FeaturePair& found : of_piece_) {
      const FeaturePair pair = exchanged(found);
      out.push_back({pair.kind, node, pair.b + piece.first(second_type(pair.kind))});
    }
  }
}

void FlexibleSearch::points_on_surface(const Moment& now, const Thing& own, const Side& other, double reach,
                                       Pairs& out) {
  const PoseAndVelocity& pose = now.at.of(own.body);
  const Box near = in_axes(pose, enlarged(other.box, reach));
  for (int k = 0; k < own.pieces; ++k) {
    const Piece& piece = things_->pieces[static_cast<size_t>(own.first_piece + k)];
    vertices_.clear();
    if (piece.mesh >= 0)
      list_corners(things_->mesh(piece), near, vertices_);
    else
      list_vertices(things_->shape(piece), near, vertices_);
    for (const int v : vertices_) {
      const Vector3& local =
          piece.mesh >= 0 ? things_->mesh(piece).vertex(v) : things_->shape(piece).vertex(v);
      const double radius = piece.mesh >= 0 ? 0.0 : things_->shape(piece).radius;
      if (is_near_surface(now, other.thing, {pose.x + pose.R * local, radius}, reach))
        out.push_back({FeatureKind::point_face, piece.first_vertex + v, 0});
    }
  }
}

bool FlexibleSearch::is_near_surface(const Moment& now, const Thing& of, const SurfacePoint& point,
                                     double reach) {
  const auto s = static_cast<size_t>(of.surface);
  const ContactSurface& surface = now.assembly.interactions.surfaces[s];
  if (!is_placed_[s]) place_surface(now.assembly.system, surface, now.at.q, now.at, surfaces_[s]);
  is_placed_[s] = true;
  const FacetProjection closest = closest_on_surface(surface, surfaces_[s], point);
  return closest.facet >= 0 && closest.gap - point.radius <= reach;
}

void FlexibleSearch::find_with_itself(const Moment& now, const Thing& thing, double skin, double h,
                                      std::vector<FeaturePair>& out) {
  const ContactSurface& surface = now.assembly.interactions.surfaces[static_cast<size_t>(thing.surface)];
  Vector3 mean = Vector3::Zero();
  for (const int node : thing.nodes) mean += now.at.of(thing.first_node + node).v;
  mean /= static_cast<double>(thing.nodes.size());
  double fastest = 0;
  for (const int node : thing.nodes)
    fastest = std::max(fastest, (now.at.of(thing.first_node + node).v - mean).norm());
  const double reach = 2 * (skin + h * fastest);
  for (const int node : thing.nodes) {
    const int body = thing.first_node + node;
    if (is_near_surface(now, thing, {now.at.of(body).x, 0, surface.place_of(body)}, reach))
      out.push_back({FeatureKind::point_face, node, 0});
  }
}

}  // namespace percuss
