#include <limits>

#include "percuss/collision/curved_gap.h"
#include "percuss/contacts/features_of.h"
#include "percuss/contacts/found_contacts.h"

namespace percuss {
namespace {

constexpr double no_border = std::numeric_limits<double>::infinity();

/// A side of a contact.
struct FeatureSide {
  Feature feature;  ///< in space
  const PoseAndVelocity* pose = nullptr;
  const Piece* piece = nullptr;  ///< none of a half-space
  int number = 0;                ///< within the piece
};

bool fill_side(const Things& things, int thing, FeatureType type, int number, const Kinematics& kinematics,
               FeatureSide& side) {
  OwnFeature own;
  if (!FeaturesOf(things, things.all[static_cast<size_t>(thing)]).get(type, number, own)) return false;
  side.pose = &kinematics.of(own.body);
  side.feature = in_space(own.feature, *side.pose);
  if (own.piece < 0) return true;
  side.piece = &things.pieces[static_cast<size_t>(own.piece)];
  side.number = number - side.piece->first(type);
  return true;
}

double room(const Things& things, const FeatureSide& side, const Vector3& point) {
  if (!side.piece || side.piece->mesh >= 0) return no_border;
  const ConvexShape& shape = things.shape(*side.piece);
  if (side.feature.type == FeatureType::line) {
    const double s = side.feature.direction.dot(point - side.feature.point);
    return std::min(s, shape.edges[static_cast<size_t>(side.number)].length - s);
  }
  if (side.feature.type != FeatureType::face) return no_border;
  return -distance_outside(shape, side.number, side.pose->R.transpose() * (point - side.pose->x));
}

}  // namespace

double room_on_features(const Interactions& interactions, const Contact& contact,
                        const Kinematics& kinematics) {
  if (!interactions.is_of_rigid_things(contact.id)) return no_border;
  const Things& things = *interactions.things;
  const auto [i, j] = things.pair_of(interactions.declared_count(), contact.id.interaction);
  FeatureSide first, second;
  if (!fill_side(things, i, first_type(contact.id.kind), contact.id.a, kinematics, first) ||
      !fill_side(things, j, second_type(contact.id.kind), contact.id.b, kinematics, second))
    return no_border;
  const ClosestPoints at = gap_of_features(contact.id.kind, first.feature, second.feature);
  return std::min(room(things, first, at.on_first), room(things, second, at.on_second));
}

}  // namespace percuss
