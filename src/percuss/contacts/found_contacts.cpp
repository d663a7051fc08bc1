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
  return {pair.kind, pair.a + a.first(first_type(pair.kind)),
          pair.b + (b ? b->first(second_type(pair.kind)) : 0)};
}

/// How far the first turns against the second within a step of length h.
Vector3 relative_turn(const PoseAndVelocity& a, const PoseAndVelocity& b, double h) {
  const auto rotation = [](const PoseAndVelocity& of) {
    const Matrix3 W = of.R_dot * of.R.transpose();
    return Vector3(W(2, 1), W(0, 2), W(1, 0));
  };
  return h * (rotation(a) - rotation(b));
}

/// The features of a thing by their numbers.
class FeaturesOf {
 public:
  FeaturesOf(const Things& things, const Thing& thing) : things_(things), thing_(thing) {}

  /// In the axes of the thing's body, and the place of its piece; -1 of a half-space. False if there is none.
  bool get(FeatureType type, int number, Feature& feature, int& piece_index) const {
    piece_index = -1;
    if (thing_.is_plane) {
      feature = {FeatureType::face, thing_.plane.point, thing_.plane.normal};
      return type == FeatureType::face && number == 0;
    }
    const Piece* piece = find(number, Piece::first_number(type));
    if (!piece) return false;
    piece_index = static_cast<int>(piece - things_.pieces.data());
    const int local = number - piece->first(type);
    if (piece->mesh >= 0) {
      const MeshSurface& mesh = things_.mesh(*piece);
      if (local >= count_of(mesh, type)) return false;
      feature = feature_of(mesh, type, local);
    } else {
      const ConvexShape& shape = things_.shape(*piece);
      if (local >= count_of(shape, type)) return false;
      feature = feature_of(shape, type, local);
    }
    return feature.type == type;
  }
  int body() const { return thing_.body; }

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
  Feature a, b;
  int piece_a = -1, piece_b = -1;
  if (!of_a.get(is_turned ? second_type(id.kind) : first_type(id.kind), is_turned ? id.b : id.a, a,
                piece_a) ||
      !of_b.get(is_turned ? first_type(id.kind) : second_type(id.kind), is_turned ? id.a : id.b, b, piece_b))
    return false;
  contact.kind = contact_kind(id.kind);
  contact.a = {of_a.body(), a.point};
  contact.b = {of_b.body(), b.point};
  contact.direction_a = a.direction;
  contact.direction = b.direction;
  if (contact.kind == ContactKind::curved) {
    contact.index = piece_a;
    contact.item = piece_b;
    return true;
  }
  contact.radius_a = a.radius;
  contact.radius_b = b.radius;
  if (id.kind == FeatureKind::line_line_reversed) contact.sign = -1;
  return true;
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

void ThingSearch::find_pairs(const Kinematics& predicted, double h) {
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
                             relative_turn(pose, carrier, h));
    for (const FeaturePair& pair : of_pieces_) features_.push_back(in_things(pair, piece, nullptr));
  }
}

void ThingSearch::find_between_pieces(const Piece& a, const PoseAndVelocity& at_a, const Piece& b,
                                      const PoseAndVelocity& at_b, double reach, const Vector3& turn) {
  of_pieces_.clear();
  if (a.mesh < 0 && b.mesh < 0)
    return finder_.find(placed(things_->shape(a), at_a), placed(things_->shape(b), at_b), reach, of_pieces_,
                        turn);
  if (a.mesh >= 0 && b.mesh >= 0)
    return mesh_finder_.find(placed(things_->mesh(a), at_a), placed(things_->mesh(b), at_b), reach,
                             of_pieces_);
  if (a.mesh >= 0)
    return mesh_finder_.find(placed(things_->mesh(a), at_a), placed(things_->shape(b), at_b), reach,
                             of_pieces_, -turn);
  mesh_finder_.find(placed(things_->mesh(b), at_b), placed(things_->shape(a), at_a), reach, of_pieces_, turn);
  for (FeaturePair& pair : of_pieces_) pair = exchanged(pair);
}

void ThingSearch::find_between(const Assembly& assembly, const Kinematics& predicted, int i, int j, double h,
                               ContactList& out) {
  const Thing &first = things_->all[static_cast<size_t>(i)], &second = things_->all[static_cast<size_t>(j)];
  const double reach = own_reach_[static_cast<size_t>(i)] + own_reach_[static_cast<size_t>(j)];
  features_.clear();
  if (second.is_plane) {
    find_on_plane(first, second, predicted, reach, h);
  } else if (first.is_plane) {
    find_on_plane(second, first, predicted, reach, h);
    for (FeaturePair& pair : features_)
      pair = {kind_of(FeatureType::face, first_type(pair.kind)), pair.b, pair.a};
  } else {
    const PoseAndVelocity &pose_a = predicted.of(first.body), &pose_b = predicted.of(second.body);
    const Vector3 turn = relative_turn(pose_a, pose_b, h);
    for (int k = 0; k < first.pieces; ++k)
      for (int l = 0; l < second.pieces; ++l) {
        const Piece& a = things_->pieces[static_cast<size_t>(first.first_piece + k)];
        const Piece& b = things_->pieces[static_cast<size_t>(second.first_piece + l)];
        find_between_pieces(a, pose_a, b, pose_b, reach, turn);
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
