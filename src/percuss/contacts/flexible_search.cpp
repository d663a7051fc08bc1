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

/// A node of a solid. A point has no size, and tolerances are parts of it: it gets that of the facets.
void take_node(const Thing& thing, ConvexShape& shape) {
  shape.vertices.assign(1, Vector3::Zero());
  shape.edges.clear();
  shape.radius = 0;
  shape.size = shape.thickness = thing.thickness;
}

/// An element of a beam, from the origin.
void take_element(const Thing& thing, const Vector3& along, ConvexShape& shape) {
  shape.vertices.assign(1, Vector3::Zero());
  shape.vertices.push_back(along);
  shape.edges.resize(1);
  auto& axis = shape.edges[0];
  axis.from = 0;
  axis.to = 1;
  axis.length = along.norm();
  axis.direction = along / axis.length;
  shape.radius = thing.radius;
  shape.size = axis.length + 2 * thing.radius;
  shape.thickness = thing.thickness;
}

}  // namespace

FlexibleSearch::FlexibleSearch(const Assembly& assembly)
    : things_(assembly.interactions.things),
      surfaces_(make_surfaces(assembly.interactions)),
      is_placed_(surfaces_.size(), false) {}

void FlexibleSearch::begin() { std::ranges::fill(is_placed_, false); }

void FlexibleSearch::find(const Moment& now, const Side& first, const Side& second, double reach,
                          std::vector<FeaturePair>& out) {
  const auto is_solid = [](const Thing& thing) { return thing.is_flexible() && thing.elements == 0; };
  const bool has_plane = first.thing.is_plane || second.thing.is_plane;
  if (!has_plane && !(is_solid(first.thing) && is_solid(second.thing)))
    parts_on_parts(now, first, second, reach, out);
  find_points(now, first, second, reach, out);
  const auto before = std::ssize(out);
  find_points(now, second, first, reach, out);
  std::transform(out.begin() + before, out.end(), out.begin() + before, exchanged);
}

template <class Visit>
void FlexibleSearch::visit_parts(const Moment& now, const Thing& thing, const Box& near, ConvexShape& shape,
                                 const Visit& visit) const {
  if (!thing.is_flexible()) {
    const PoseAndVelocity& pose = now.at.of(thing.body);
    for (int k = 0; k < thing.pieces; ++k) {
      const Piece& piece = things_->pieces[static_cast<size_t>(thing.first_piece + k)];
      const bool is_mesh = piece.mesh >= 0;
      visit(Part{is_mesh ? nullptr : &things_->shape(piece), is_mesh ? &things_->mesh(piece) : nullptr,
                 pose.x, pose.R, &piece, 0});
    }
    return;
  }
  const auto place_of = [&](int node) -> const Vector3& { return now.at.of(thing.first_node + node).x; };
  const Matrix3 in_space = Matrix3::Identity();
  if (thing.elements == 0) {
    take_node(thing, shape);
    for (const int node : thing.nodes)
      if (near.contains(place_of(node)))
        visit(Part{&shape, nullptr, place_of(node), in_space, nullptr, node});
  }
  for (int e = 0; e < thing.elements; ++e) {
    const Vector3 &from = place_of(e), &to = place_of(e + 1);
    if (!enlarged(Box(from.cwiseMin(to), from.cwiseMax(to)), thing.radius).intersects(near)) continue;
    take_element(thing, to - from, shape);
    visit(Part{&shape, nullptr, from, in_space, nullptr, e});
  }
}

void FlexibleSearch::parts_on_parts(const Moment& now, const Side& own, const Side& other, double reach,
                                    Pairs& out) {
  const Box near_own = enlarged(own.box, reach), near_other = enlarged(other.box, reach);
  visit_parts(now, own.thing, near_other, own_, [&](const Part& a) {
    visit_parts(now, other.thing, near_own, other_, [&](const Part& b) { part_on_part(a, b, reach, out); });
  });
  // Elements that meet at a node share it.
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

void FlexibleSearch::part_on_part(const Part& own, const Part& other, double reach, Pairs& out) {
  of_parts_.clear();
  const auto shape = [](const Part& part) { return PlacedShape{part.shape, part.x, part.R}; };
  const auto mesh = [](const Part& part) { return PlacedMesh{part.mesh, part.x, part.R}; };
  if (own.mesh)
    mesh_finder_.find(mesh(own), shape(other), reach, of_parts_);
  else if (other.mesh)
    mesh_finder_.find(mesh(other), shape(own), reach, of_parts_);
  else
    finder_.find(shape(own), shape(other), reach, of_parts_);
  for (FeaturePair pair : of_parts_) {
    if (other.mesh) pair = exchanged(pair);
    out.push_back(
        {pair.kind, own.number(first_type(pair.kind), pair.a), other.number(second_type(pair.kind), pair.b)});
  }
}

void FlexibleSearch::find_points(const Moment& now, const Side& own, const Side& other, double reach,
                                 Pairs& out) {
  if (own.thing.is_flexible() && other.thing.is_plane)
    return nodes_on_plane(now, own.thing, other.thing, reach, out);
  if (other.thing.surface < 0 || own.thing.is_plane) return;
  if (!own.thing.is_flexible()) return points_on_surface(now, own.thing, other, reach, out);
  const Box near = enlarged(other.box, reach + own.thing.radius);
  for (const int node : own.thing.nodes) {
    const Vector3& x = now.at.of(own.thing.first_node + node).x;
    if (near.contains(x) && is_near_surface(now, other.thing, {x, own.thing.radius}, reach))
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
