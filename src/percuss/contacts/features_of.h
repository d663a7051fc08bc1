#pragma once

#include <algorithm>

#include "percuss/contacts/things.h"
#include "percuss/dynamics/pose.h"

namespace percuss {

/// A feature of a thing, in the axes of the body that carries it.
struct OwnFeature {
  Feature feature;
  int body = -1;
  int next = -1;     ///< the line leads to this node
  int piece = -1;    ///< none of a half-space and of a flexible body
  int surface = -1;  ///< the feature is the whole of it
};

/// The features of a thing by their numbers.
class FeaturesOf {
 public:
  FeaturesOf(const Things& things, const Thing& thing) : things_(things), thing_(thing) {}

  /// False if there is none.
  bool get(FeatureType type, int number, OwnFeature& own) const {
    own.body = thing_.body;
    own.next = own.piece = own.surface = -1;
    if (thing_.is_flexible()) return get_of_nodes(type, number, own);
    if (thing_.is_plane) {
      own.feature = {FeatureType::face, thing_.plane.point, thing_.plane.normal};
      return type == FeatureType::face && number == 0;
    }
    const Piece* piece = find(number, Piece::first_number(type));
    if (!piece) return false;
    own.piece = static_cast<int>(piece - things_.pieces.data());
    const int local = number - piece->first(type);
    if (piece->mesh >= 0) {
      const MeshSurface& mesh = things_.mesh(*piece);
      if (local >= count_of(mesh, type)) return false;
      own.feature = feature_of(mesh, type, local);
    } else {
      const ConvexShape& shape = things_.shape(*piece);
      if (local >= count_of(shape, type)) return false;
      own.feature = feature_of(shape, type, local);
    }
    return own.feature.type == type;
  }

 private:
  /// Nodes are points, elements of beams lines, and all facets together are face 0.
  bool get_of_nodes(FeatureType type, int number, OwnFeature& own) const {
    own.feature = {type};
    if (type == FeatureType::face) {
      own.surface = thing_.surface;
      return number == 0 && own.surface >= 0;
    }
    own.body = thing_.first_node + number;
    own.feature.radius = thing_.radius;
    if (type == FeatureType::line) {
      own.next = own.body + 1;
      return number >= 0 && number < thing_.elements;
    }
    return type == FeatureType::point && std::ranges::binary_search(thing_.nodes, number);
  }

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
