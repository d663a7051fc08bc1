#include "percuss/contacts/shape_pieces.h"

#include "percuss/contacts/contact_points.h"
#include "percuss/model/profile_corners.h"

namespace percuss {
namespace {

std::vector<ShapePiece> pieces_of(const PlanarShape& shape, const Vector3& centre) {
  if (shape.disc) return {ball_shape(Vector3::Zero(), *shape.disc)};
  if (shape.profile) return {ShapePiece(corners_of(*shape.profile), -centre)};
  if (const auto& segment = shape.segment)
    return {segment_shape({segment->from[0], segment->from[1]}, {segment->to[0], segment->to[1]}, centre)};
  const auto hull = hull_of(shape);
  if (!hull) return {};
  return {polygon_shape(*hull, centre)};
}
std::vector<ShapePiece> pieces_of(const Particle&, const Vector3&) {
  return {ball_shape(Vector3::Zero(), 0)};
}
std::vector<ShapePiece> pieces_of(const Sphere& body, const Vector3&) {
  return {ball_shape(Vector3::Zero(), body.radius)};
}
std::vector<ShapePiece> pieces_of(const SimpleShape& shape, const Vector3& centre) {
  if (shape.sphere) return {ball_shape(-centre, *shape.sphere)};
  if (shape.capsule) {
    const Vector3 end(0, 0, shape.capsule->length / 2);
    return {capsule_shape(-end - centre, end - centre, shape.capsule->radius)};
  }
  if (auto mesh = mesh_of(shape)) return {ShapePiece(std::move(mesh), Matrix3::Identity(), -centre)};
  if (shape.cylinder) return {cylinder_shape(shape.cylinder->radius, shape.cylinder->length, centre)};
  if (shape.cone) return {cone_shape(shape.cone->radius, shape.cone->length, centre)};
  if (shape.ellipsoid) return {ellipsoid_shape(*shape.ellipsoid, centre)};
  const auto hull = hull_of(shape);
  if (!hull) return {};
  return {polyhedron_shape(*hull, centre)};
}
std::vector<ShapePiece> pieces_of(const RigidBody& body, const Vector3& centre) {
  return body.shape ? shape_pieces(*body.shape, centre) : std::vector<ShapePiece>();
}
std::vector<ShapePiece> pieces_of(const PlanarBody& body, const Vector3& centre) {
  return body.shape ? pieces_of(*body.shape, centre) : std::vector<ShapePiece>();
}
std::vector<ShapePiece> pieces_of(const FlexibleBody&, const Vector3&) { return {}; }

}  // namespace

ShapePiece placed_piece(const ShapePiece& piece, const Matrix3& R, const Vector3& x) {
  if (piece.mesh) return {piece.mesh, R * piece.R, R * piece.x + x};
  return {placed_shape(piece.convex, R, x)};
}

std::vector<ShapePiece> shape_pieces(const Shape& shape, const Vector3& centre) {
  if (!shape.compound) return pieces_of(shape, centre);
  std::vector<ShapePiece> pieces;
  for (const ShapePart& part : *shape.compound) {
    const auto own = pieces_of(part.shape, Vector3::Zero());
    if (own.empty()) return {};  // a thing that touches with some of its parts only would be a wrong one
    for (const ShapePiece& piece : own)
      pieces.push_back(placed_piece(piece, part.orientation.matrix(), part.position - centre));
  }
  return pieces;
}

std::vector<ShapePiece> shape_pieces(const Body& body, const Vector3& centre) {
  return std::visit([&](const auto& given) { return pieces_of(given, centre); }, body);
}

}  // namespace percuss
