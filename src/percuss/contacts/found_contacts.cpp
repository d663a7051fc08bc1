#include "percuss/contacts/found_contacts.h"

#include <algorithm>
#include <cmath>

#include "percuss/contacts/assembly.h"
#include "percuss/contacts/features_of.h"

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
  return {pair.kind, pair.a + a.first(first_type(pair.kind)),
          pair.b + (b ? b->first(second_type(pair.kind)) : 0)};
}

/// How far the first moves against the second within a step of length h.
StepMotion relative_motion(const PoseAndVelocity& a, const PoseAndVelocity& b, double h) {
  const auto rotation = [](const PoseAndVelocity& of) {
    const Matrix3 W = of.R_dot * of.R.transpose();
    return Vector3(W(2, 1), W(0, 2), W(1, 0));
  };
  const Vector3 omega = rotation(b);
  return {h * (a.v - b.v - omega.cross(a.x - b.x)), h * (rotation(a) - omega)};
}

ContactKind contact_kind(FeatureKind kind) {
  if (is_curved(kind)) return ContactKind::curved;
  switch (kind) {
    case FeatureKind::point_point: return ContactKind::spheres;
    case FeatureKind::point_line:
    case FeatureKind::line_point: return ContactKind::point_on_line;
    case FeatureKind::point_face:
    case FeatureKind::face_point: return ContactKind::plane;
    default: return ContactKind::lines;
  }
}

/// The side with the lower type is evaluated first.
bool fill_features(const FeaturesOf& first, const FeaturesOf& second, const ContactId& id, Contact& contact) {
  if (id.kind == FeatureKind::whole) return false;
  const bool is_turned = is_exchanged(id.kind);
  const FeaturesOf &of_a = is_turned ? second : first, &of_b = is_turned ? first : second;
  OwnFeature a, b;
  if (!of_a.get(is_turned ? second_type(id.kind) : first_type(id.kind), is_turned ? id.b : id.a, a) ||
      !of_b.get(is_turned ? first_type(id.kind) : second_type(id.kind), is_turned ? id.a : id.b, b))
    return false;
  contact.kind = b.surface >= 0 ? ContactKind::facets : contact_kind(id.kind);
  contact.a = {a.body, a.feature.point};
  contact.radius_a = a.feature.radius;
  if (contact.kind == ContactKind::facets) {
    contact.index = b.surface;
    contact.item = -1;
    return true;
  }
  contact.b = {b.body, b.feature.point};
  contact.next_a = a.next;
  contact.next_b = b.next;
  contact.direction_a = a.feature.direction;
  contact.direction = b.feature.direction;
  contact.radius_b = b.feature.radius;
  if (contact.kind == ContactKind::curved) {
    contact.index = a.piece;
    contact.item = b.piece;
    return true;
  }
  if (id.kind == FeatureKind::line_line_reversed) contact.sign = -1;
  return true;
}

/// Whether nodes that are held leave a contact anything to do. Before a half-space that stands still its
/// normal is known, and the node must be able to move along it.
bool can_change(const System& system, const Interactions& interactions, const Contact& contact) {
  const auto can_move = [&](int body) {
    return body >= 0 && std::ranges::any_of(system.bodies[static_cast<size_t>(body)].dof,
                                            [](int dof) { return dof >= 0; });
  };
  if (contact.has_surface()) {
    const ContactSurface& surface = interactions.surfaces[static_cast<size_t>(contact.index)];
    return can_move(contact.a.body) || std::ranges::any_of(surface.nodes, can_move);
  }
  if (contact.kind == ContactKind::plane && contact.b.body < 0) {
    const BodyData& node = system.bodies[static_cast<size_t>(contact.a.body)];
    if (node.kind != BodyKind::translating) return true;
    for (int axis = 0; axis < 3; ++axis)
      if (node.dof[static_cast<size_t>(axis)] >= 0 && contact.direction[axis] != 0) return true;
    return false;
  }
  return can_move(contact.a.body) || can_move(contact.next_a) || can_move(contact.b.body) ||
         can_move(contact.next_b);
}

/// The contact with this id; false if things have no such features.
bool make_found_contact(const System& system, const Interactions& interactions, const ContactId& id,
                        Contact& contact) {
  const Things& things = *interactions.things;
  const auto [i, j] = things.pair_of(interactions.declared_count(), id.interaction);
  if (i < 0 || i > j || j >= things.count()) return false;
  const Thing &first = things.all[static_cast<size_t>(i)], &second = things.all[static_cast<size_t>(j)];
  if (i == j && !things.world.touches_itself(i)) return false;
  contact = {};
  contact.id = id;
  contact.is_always_listed = false;
  if (!fill_features({things, first}, {things, second}, id, contact)) return false;
  if (i == j)
    contact.item = interactions.surfaces[static_cast<size_t>(contact.index)].place_of(contact.a.body);
  contact.law = things.law(first, second);
  contact.thickness = std::min(first.thickness, second.thickness);
  set_tangents(system, contact);
  // Nodes that are held do not show whether their body keeps to the plane.
  if (first.is_flexible() || second.is_flexible()) {
    const bool is_planar = first.is_flexible() ? first.is_planar : second.is_planar;
    contact.law.set_tangents(is_planar ? 1 : 2);
    contact.rows = contact.law.rows();
    return can_change(system, interactions, contact);
  }
  return true;
}

}  // namespace

bool add_found_contact(const System& system, const Interactions& interactions, const ContactId& id,
                       ContactList& list) {
  Contact contact;
  if (!make_found_contact(system, interactions, id, contact)) return false;
  if (contact.has_surface())
    list.add_on_surface(system, interactions.surfaces[static_cast<size_t>(contact.index)], contact);
  else
    list.add_with_coordinates(system, contact);
  return true;
}

ThingSearch::ThingSearch(const Assembly& assembly)
    : things_(assembly.interactions.things),
      broad_phase_([things = things_](int i, int j) { return things->world.may_touch(i, j); }),
      flexible_(assembly) {
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
    if (thing.is_flexible()) {
      place_nodes(i, predicted, h);
      continue;
    }
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

void ThingSearch::place_nodes(size_t i, const Kinematics& predicted, double h) {
  const Thing& thing = things_->all[i];
  double fastest2 = 0;
  Box& box = boxes_[i];
  box.setEmpty();
  for (const int node : thing.nodes) {
    const PoseAndVelocity& pose = predicted.of(thing.first_node + node);
    fastest2 = std::max(fastest2, pose.v.squaredNorm());
    box.extend(pose.x);
  }
  const double way = h * std::sqrt(fastest2), skin = skin_of_thing * thing.thickness;
  own_reach_[i] = skin + way;
  margin_[i] = skin + kept_steps * way;
  const Vector3 around = Vector3::Constant(thing.radius + own_reach_[i]);
  box = Box(box.min() - around, box.max() + around);
}

void ThingSearch::find_pairs(const Kinematics& predicted, double h) {
  place(predicted, h);
  flexible_.begin();
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
  for (const int i : things_->world.touching_themselves) pairs_.emplace_back(i, i);
  if (pairs_.size() > between_boxes) std::ranges::sort(pairs_);
}

void ThingSearch::find_features(const Assembly& assembly, const Kinematics& predicted, double h,
                                ContactList& out) {
  for (const auto& [i, j] : pairs_) find_between(assembly, predicted, i, j, h, out);
}

void ThingSearch::find_on_plane(const Thing& thing, const Thing& plane, const Kinematics& predicted,
                                double reach, double h) {
  const PoseAndVelocity &pose = predicted.of(thing.body), &carrier = predicted.of(plane.body);
  const Vector3 normal = carrier.R * plane.plane.normal, point = carrier.x + carrier.R * plane.plane.point;
  for (int k = 0; k < thing.pieces; ++k) {
    const Piece& piece = things_->pieces[static_cast<size_t>(thing.first_piece + k)];
    of_pieces_.clear();
    if (piece.mesh >= 0)
      find_features_on_plane(placed(things_->mesh(piece), pose), point, normal, reach, of_pieces_);
    else
      find_features_on_plane(placed(things_->shape(piece), pose), point, normal, reach, of_pieces_,
                             relative_motion(pose, carrier, h).turn);
    for (const FeaturePair& pair : of_pieces_) features_.push_back(in_things(pair, piece, nullptr));
  }
}

void ThingSearch::find_between_pieces(const Piece& a, const PoseAndVelocity& at_a, const Piece& b,
                                      const PoseAndVelocity& at_b, double reach, const StepMotion& motion) {
  of_pieces_.clear();
  if (a.mesh < 0 && b.mesh < 0)
    return finder_.find(placed(things_->shape(a), at_a), placed(things_->shape(b), at_b), reach, of_pieces_,
                        motion);
  if (a.mesh >= 0 && b.mesh >= 0)
    return mesh_finder_.find(placed(things_->mesh(a), at_a), placed(things_->mesh(b), at_b), reach,
                             of_pieces_);
  if (a.mesh >= 0)
    return mesh_finder_.find(placed(things_->mesh(a), at_a), placed(things_->shape(b), at_b), reach,
                             of_pieces_, -motion.turn);
  mesh_finder_.find(placed(things_->mesh(b), at_b), placed(things_->shape(a), at_a), reach, of_pieces_,
                    motion.turn);
  for (FeaturePair& pair : of_pieces_) pair = exchanged(pair);
}

void ThingSearch::find_between(const Assembly& assembly, const Kinematics& predicted, int i, int j, double h,
                               ContactList& out) {
  const Thing &first = things_->all[static_cast<size_t>(i)], &second = things_->all[static_cast<size_t>(j)];
  const double reach = own_reach_[static_cast<size_t>(i)] + own_reach_[static_cast<size_t>(j)];
  features_.clear();
  if (i == j) {
    flexible_.find_with_itself({assembly, predicted}, first, skin_of_thing * first.thickness, h, features_);
  } else if (first.is_flexible() || second.is_flexible()) {
    flexible_.find({assembly, predicted}, {first, boxes_[static_cast<size_t>(i)]},
                   {second, boxes_[static_cast<size_t>(j)]}, reach, features_);
  } else if (second.is_plane) {
    find_on_plane(first, second, predicted, reach, h);
  } else if (first.is_plane) {
    find_on_plane(second, first, predicted, reach, h);
    for (FeaturePair& pair : features_)
      pair = {kind_of(FeatureType::face, first_type(pair.kind)), pair.b, pair.a};
  } else {
    const PoseAndVelocity &pose_a = predicted.of(first.body), &pose_b = predicted.of(second.body);
    const StepMotion motion = relative_motion(pose_a, pose_b, h);
    for (int k = 0; k < first.pieces; ++k)
      for (int l = 0; l < second.pieces; ++l) {
        const Piece& a = things_->pieces[static_cast<size_t>(first.first_piece + k)];
        const Piece& b = things_->pieces[static_cast<size_t>(second.first_piece + l)];
        find_between_pieces(a, pose_a, b, pose_b, reach, motion);
        for (const FeaturePair& pair : of_pieces_) features_.push_back(in_things(pair, a, &b));
      }
  }
  std::ranges::sort(features_);
  ContactId id;
  id.interaction = things_->interaction(assembly.interactions.declared_count(), i, j);
  for (const FeaturePair& pair : features_) {
    id.kind = pair.kind;
    id.a = pair.a;
    id.b = pair.b;
    add_found_contact(assembly.system, assembly.interactions, id, out);
  }
}

}  // namespace percuss
