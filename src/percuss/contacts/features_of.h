#pragma once

#include <algorithm>

#include "percuss/contacts/things.h"
#include "percuss/dynamics/bodies.h"

namespace percuss {

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

inline Feature in_space(Feature feature, const PoseAndVelocity& pose) {
  feature.point = pose.x + pose.R * feature.point;
  feature.direction = pose.R * feature.direction;
  feature.half_axes = pose.R * feature.half_axes;
  return feature;
}

}  // namespace percuss
