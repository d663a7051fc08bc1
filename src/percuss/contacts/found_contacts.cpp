#include "percuss/contacts/found_contacts.h"

#include <algorithm>
#include <cmath>

#include "percuss/contacts/assembly.h"

namespace percuss {
namespace {

/// Part of a thing's thickness within which contacts are listed, however slow it is. What matters is decided
/// by the scheme; this is room for what accelerations do within a step.
constexpr double skin_of_thing = 0.05;
/// Steps of the present speed for which candidates of the broad phase are kept.
constexpr double kept_steps = 8;

PlacedShape placed(const ConvexShape& shape, const PoseAndVelocity& pose) { return {&shape, pose.x, pose.R}; }
PlacedMesh placed(const MeshSurface& mesh, const PoseAndVelocity& pose) { return {&mesh, pose.x, pose.R}; }

/// The numbers of a pair of features within the things, from those within their pieces.
FeaturePair in_things(FeaturePair pair, const Piece& a, const Piece* b) {
  const auto number = [](const Piece* piece, char feature) {
    if (!piece) return 0;
    return feature == 'v' ? piece->first_vertex : feature == 'e' ? piece->first_edge : piece->first_face;
  };
  char of_a = 'v', of_b = 'v';
  switch (pair.kind) {
    case FeatureKind::point_line: of_b = 'e'; break;
    case FeatureKind::line_point: of_a = 'e'; break;
    case FeatureKind::point_face: of_b = 'f'; break;
    case FeatureKind::face_point: of_a = 'f'; break;
    case FeatureKind::line_line:
    case FeatureKind::line_line_reversed: of_a = of_b = 'e'; break;
    default: break;
  }
  return {pair.kind, pair.a + number(&a, of_a), pair.b + number(b, of_b)};
}

/// The features of a thing by their numbers.
class FeaturesOf {
 public:
  FeaturesOf(const Things& things, const Thing& thing) : things_(things), thing_(thing) {}

  bool point(int number, Attached& point, double& radius) const {
    const Piece* piece = find(number, &Piece::first_vertex);
    if (!piece) return false;
    const int v = number - piece->first_vertex;
    if (piece->mesh >= 0) {
      const MeshSurface& mesh = things_.mesh(*piece);
      if (v >= static_cast<int>(mesh.vertices().size())) return false;
      point = {thing_.body, mesh.vertex(v)};
      radius = 0;
      return true;
    }
    const ConvexShape& shape = things_.shape(*piece);
    if (v >= static_cast<int>(shape.vertices.size())) return false;
    point = {thing_.body, shape.vertex(v)};
    radius = shape.radius;
    return true;
  }
  bool line(int number, Attached& point, Vector3& direction, double& radius) const {
    const Piece* piece = find(number, &Piece::first_edge);
    if (!piece) return false;
    const auto e = static_cast<size_t>(number - piece->first_edge);
    if (piece->mesh >= 0) {
      const MeshSurface& mesh = things_.mesh(*piece);
      if (e >= mesh.edges().size()) return false;
      const ConvexShape::Edge edge = mesh.edge(static_cast<int>(e));
      point = {thing_.body, mesh.vertex(edge.from)};
      direction = edge.direction;
      radius = 0;
      return true;
    }
    const ConvexShape& shape = things_.shape(*piece);
    if (e >= shape.edges.size()) return false;
    point = {thing_.body, shape.vertex(shape.edges[e].from)};
    direction = shape.edges[e].direction;
    radius = shape.radius;
    return true;
  }
  bool face(int number, Attached& point, Vector3& normal) const {
    if (thing_.is_plane) {
      point = {thing_.body, thing_.plane.point};
      normal = thing_.plane.normal;
      return number == 0;
    }
    const Piece* piece = find(number, &Piece::first_face);
    if (!piece) return false;
    const auto f = static_cast<size_t>(number - piece->first_face);
    if (piece->mesh >= 0) {
      const MeshSurface& mesh = things_.mesh(*piece);
      if (f >= mesh.faces().size()) return false;
      normal = mesh.face(static_cast<int>(f)).normal;
      point = {thing_.body, mesh.face(static_cast<int>(f)).offset * normal};
      return true;
    }
    const ConvexShape& shape = things_.shape(*piece);
    if (f >= shape.faces.size()) return false;
    point = {thing_.body, shape.faces[f].offset * shape.faces[f].normal};
    normal = shape.faces[f].normal;
    return true;
  }

 private:
  /// The last piece that begins at or before this number.
  const Piece* find(int number, int Piece::*first) const {
    const Piece *begin = things_.pieces.data() + thing_.first_piece, *end = begin + thing_.pieces;
    const Piece* behind =
        std::upper_bound(begin, end, number, [first](int n, const Piece& p) { return n < p.*first; });
    return behind == begin ? nullptr : behind - 1;
  }

  const Things& things_;
  const Thing& thing_;
};

bool fill_features(const FeaturesOf& first, const FeaturesOf& second, const ContactId& id, Contact& contact) {
  switch (id.kind) {
    case FeatureKind::point_point:
      contact.kind = ContactKind::spheres;
      return first.point(id.a, contact.a, contact.radius_a) &&
             second.point(id.b, contact.b, contact.radius_b);
    case FeatureKind::point_line:
      contact.kind = ContactKind::point_on_line;
      return first.point(id.a, contact.a, contact.radius_a) &&
             second.line(id.b, contact.b, contact.direction, contact.radius_b);
    case FeatureKind::line_point:
      contact.kind = ContactKind::point_on_line;
      return second.point(id.b, contact.a, contact.radius_a) &&
             first.line(id.a, contact.b, contact.direction, contact.radius_b);
    case FeatureKind::point_face:
      contact.kind = ContactKind::plane;
      return first.point(id.a, contact.a, contact.radius_a) &&
             second.face(id.b, contact.b, contact.direction);
    case FeatureKind::face_point:
      contact.kind = ContactKind::plane;
      return second.point(id.b, contact.a, contact.radius_a) &&
             first.face(id.a, contact.b, contact.direction);
    case FeatureKind::line_line:
    case FeatureKind::line_line_reversed:
      contact.kind = ContactKind::lines;
      contact.sign = id.kind == FeatureKind::line_line ? 1 : -1;
      return first.line(id.a, contact.a, contact.direction_a, contact.radius_a) &&
             second.line(id.b, contact.b, contact.direction, contact.radius_b);
    case FeatureKind::whole: break;
  }
  return false;
}

}  // namespace

bool make_found_contact(const System& system, const Interactions& interactions, const ContactId& id,
                        Contact& contact) {
  const Things& things = *interactions.things;
  const auto [i, j] = things.pair_of(interactions.declared_count(), id.interaction);
  if (i < 0 || i >= j || j >= things.count()) return false;
  const Thing &first = things.all[static_cast<size_t>(i)], &second = things.all[static_cast<size_t>(j)];
  contact = {};
  contact.id = id;
  contact.is_always_listed = false;
  if (!fill_features({things, first}, {things, second}, id, contact)) return false;
  contact.law = things.law(first, second);
  contact.thickness = std::min(first.thickness, second.thickness);
  set_tangents(system, contact);
  return true;
}

ThingSearch::ThingSearch(const Assembly& assembly)
    : things_(assembly.interactions.things),
      broad_phase_([things = things_](int i, int j) { return things->world.may_touch(i, j); }) {
  const size_t count = things_->all.size();
  for (size_t i = 0; i < count; ++i)
    if (things_->all[i].is_plane) planes_.push_back(static_cast<int>(i));
  own_reach_.resize(count);
  margin_.resize(count);
  boxes_.resize(count);
}

void ThingSearch::place(const Kinematics& predicted, double h) {
  for (size_t i = 0; i < boxes_.size(); ++i) {
    const Thing& thing = things_->all[i];
    const PoseAndVelocity& pose = predicted.of(thing.body);
    // Of half-spaces what lies far out is as fast as where others come near, which nobody knows.
    const double arm = thing.is_plane ? 0.0 : thing.reach;
    const double speed = pose.v.norm() + pose.R_dot.norm() * arm;
    // What has no thickness, a plane or a terrain, leaves the skin to the others.
    const double skin = std::isfinite(thing.thickness) ? skin_of_thing * thing.thickness : 0.0;
    own_reach_[i] = skin + h * speed;
    margin_[i] = skin + kept_steps * h * speed;
    if (thing.pieces == 0) {
      boxes_[i].setEmpty();
      continue;
    }
    const Vector3 centre = pose.x + pose.R * thing.core.center();
    const Vector3 half =
        pose.R.cwiseAbs() * (0.5 * thing.core.sizes()) + Vector3::Constant(thing.radius + own_reach_[i]);
    boxes_[i] = Box(centre - half, centre + half);
  }
}

void ThingSearch::find(const Assembly& assembly, const Kinematics& predicted, double h, ContactList& out) {
  place(predicted, h);
  pairs_ = broad_phase_.find(boxes_, margin_);
  const size_t between_boxes = pairs_.size();
  for (const int p : planes_) {
    const Thing& plane = things_->all[static_cast<size_t>(p)];
    const PoseAndVelocity& pose = predicted.of(plane.body);
    const Vector3 normal = pose.R * plane.plane.normal, point = pose.x + pose.R * plane.plane.point;
    for (int i = 0; i < things_->count(); ++i) {
      const Box& box = boxes_[static_cast<size_t>(i)];
      if (box.isEmpty()) continue;
      const double half = normal.cwiseAbs().dot(0.5 * box.sizes());
      const double turning = pose.R_dot.norm() * (box.center() - pose.x).norm() * h;
      if (normal.dot(box.center() - point) - half > own_reach_[static_cast<size_t>(p)] + turning) continue;
      if (things_->world.may_touch(std::min(i, p), std::max(i, p)))
        pairs_.emplace_back(std::min(i, p), std::max(i, p));
    }
  }
  if (pairs_.size() > between_boxes) std::ranges::sort(pairs_);
  for (const auto& [i, j] : pairs_) find_between(assembly, predicted, i, j, out);
}

void ThingSearch::find_on_plane(const Thing& thing, const Thing& plane, const Kinematics& predicted,
                                double reach) {
  const PoseAndVelocity &pose = predicted.of(thing.body), &carrier = predicted.of(plane.body);
  const Vector3 normal = carrier.R * plane.plane.normal, point = carrier.x + carrier.R * plane.plane.point;
  for (int k = 0; k < thing.pieces; ++k) {
    const Piece& piece = things_->pieces[static_cast<size_t>(thing.first_piece + k)];
    of_pieces_.clear();
    if (piece.mesh >= 0)
      find_features_on_plane(placed(things_->mesh(piece), pose), point, normal, reach, of_pieces_);
    else
      find_features_on_plane(placed(things_->shape(piece), pose), point, normal, reach, of_pieces_);
    for (const FeaturePair& pair : of_pieces_) features_.push_back(in_things(pair, piece, nullptr));
  }
}

void ThingSearch::find_between_pieces(const Piece& a, const PoseAndVelocity& at_a, const Piece& b,
                                      const PoseAndVelocity& at_b, double reach) {
  of_pieces_.clear();
  if (a.mesh < 0 && b.mesh < 0)
    return finder_.find(placed(things_->shape(a), at_a), placed(things_->shape(b), at_b), reach, of_pieces_);
  if (a.mesh >= 0 && b.mesh >= 0)
    return mesh_finder_.find(placed(things_->mesh(a), at_a), placed(things_->mesh(b), at_b), reach,
                             of_pieces_);
  if (a.mesh >= 0)
    return mesh_finder_.find(placed(things_->mesh(a), at_a), placed(things_->shape(b), at_b), reach,
                             of_pieces_);
  mesh_finder_.find(placed(things_->mesh(b), at_b), placed(things_->shape(a), at_a), reach, of_pieces_);
  for (FeaturePair& pair : of_pieces_) pair = exchanged(pair);
}

void ThingSearch::find_between(const Assembly& assembly, const Kinematics& predicted, int i, int j,
                               ContactList& out) {
  const Thing &first = things_->all[static_cast<size_t>(i)], &second = things_->all[static_cast<size_t>(j)];
  const double reach = own_reach_[static_cast<size_t>(i)] + own_reach_[static_cast<size_t>(j)];
  features_.clear();
  if (second.is_plane) {
    find_on_plane(first, second, predicted, reach);
  } else if (first.is_plane) {
    find_on_plane(second, first, predicted, reach);
    for (FeaturePair& pair : features_) pair = {FeatureKind::face_point, pair.b, pair.a};
  } else {
    for (int k = 0; k < first.pieces; ++k)
      for (int l = 0; l < second.pieces; ++l) {
        const Piece& a = things_->pieces[static_cast<size_t>(first.first_piece + k)];
        const Piece& b = things_->pieces[static_cast<size_t>(second.first_piece + l)];
        find_between_pieces(a, predicted.of(first.body), b, predicted.of(second.body), reach);
        for (const FeaturePair& pair : of_pieces_) features_.push_back(in_things(pair, a, &b));
      }
  }
  std::ranges::sort(features_);
  ContactId id;
  id.interaction = things_->interaction(assembly.interactions.declared_count(), i, j);
  Contact contact;
  for (const FeaturePair& pair : features_) {
    id.kind = pair.kind;
    id.a = pair.a;
    id.b = pair.b;
    if (make_found_contact(assembly.system, assembly.interactions, id, contact))
      out.add_with_coordinates(assembly.system, contact);
  }
}

}  // namespace percuss
