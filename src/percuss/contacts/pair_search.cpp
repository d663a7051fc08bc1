#include "percuss/contacts/pair_search.h"

#include <algorithm>

#include "percuss/contacts/assembly.h"

namespace percuss {
namespace {

PlacedShape placed(const ConvexShape& shape, const PoseAndVelocity& pose) { return {&shape, pose.x, pose.R}; }
PlacedMesh placed(const MeshSurface& mesh, const PoseAndVelocity& pose) { return {&mesh, pose.x, pose.R}; }

/// The numbers of a pair of features within the things, from those within their pieces.
FeaturePair in_things(FeaturePair pair, const Piece& a, const Piece* b) {
  return {pair.kind, pair.a + a.first(first_type(pair.kind)),
          pair.b + (b ? b->first(second_type(pair.kind)) : 0)};
}

}  // namespace

Vector3 rotation_of(const PoseAndVelocity& pose) {
  const Matrix3 W = pose.R_dot * pose.R.transpose();
  return {W(2, 1), W(0, 2), W(1, 0)};
}

int PairSearch::find(const Moment& now, const Side& first, const Side& second) {
  of_pair_.clear();
  const double reach = first.reach + second.reach;
  if (&first.thing == &second.thing) {
    flexible_.find_with_itself({now.assembly, now.at}, first.thing, skin_of_thing * first.thing.thickness,
                               now.h, of_pair_);
  } else if (first.thing.is_flexible() || second.thing.is_flexible()) {
    flexible_.find({now.assembly, now.at}, {first.thing, first.box}, {second.thing, second.box}, reach,
                   of_pair_);
  } else if (second.thing.is_plane) {
    find_on_plane(now, first, second);
  } else if (first.thing.is_plane) {
    find_on_plane(now, second, first);
    for (FeaturePair& pair : of_pair_)
      pair = {kind_of(FeatureType::face, first_type(pair.kind)), pair.b, pair.a};
  } else {
    find_between(now, first, second);
  }
  std::ranges::sort(of_pair_);
  found_.insert(found_.end(), of_pair_.begin(), of_pair_.end());
  return static_cast<int>(of_pair_.size());
}

void PairSearch::find_between(const Moment& now, const Side& first, const Side& second) {
  const PoseAndVelocity &pose_a = now.at.of(first.thing.body), &pose_b = now.at.of(second.thing.body);
  const Vector3 speed = pose_a.v - pose_b.v - second.rotation.cross(pose_a.x - pose_b.x);
  const StepMotion motion{now.h * speed, now.h * (first.rotation - second.rotation)};
  for (int k = 0; k < first.thing.pieces; ++k)
    for (int l = 0; l < second.thing.pieces; ++l) {
      const Piece& a = things_->pieces[static_cast<size_t>(first.thing.first_piece + k)];
      const Piece& b = things_->pieces[static_cast<size_t>(second.thing.first_piece + l)];
      for (const FeaturePair& pair :
           find_between_pieces(a, pose_a, b, pose_b, first.reach + second.reach, motion))
        of_pair_.push_back(in_things(pair, a, &b));
    }
}

void PairSearch::find_on_plane(const Moment& now, const Side& thing, const Side& plane) {
  const PoseAndVelocity &pose = now.at.of(thing.thing.body), &carrier = now.at.of(plane.thing.body);
  const HalfSpace& half_space = plane.thing.plane;
  const Vector3 normal = carrier.R * half_space.normal, point = carrier.x + carrier.R * half_space.point;
  const double reach = thing.reach + plane.reach;
  for (int k = 0; k < thing.thing.pieces; ++k) {
    const Piece& piece = things_->pieces[static_cast<size_t>(thing.thing.first_piece + k)];
    of_pieces_.clear();
    if (piece.mesh >= 0)
      find_features_on_plane(placed(things_->mesh(piece), pose), point, normal, reach, of_pieces_);
    else
      find_features_on_plane(placed(things_->shape(piece), pose), point, normal, reach, of_pieces_,
                             now.h * (thing.rotation - plane.rotation));
    for (const FeaturePair& pair : of_pieces_) of_pair_.push_back(in_things(pair, piece, nullptr));
  }
}

const std::vector<FeaturePair>& PairSearch::find_between_pieces(const Piece& a, const PoseAndVelocity& at_a,
                                                                const Piece& b, const PoseAndVelocity& at_b,
                                                                double reach, const StepMotion& motion) {
  of_pieces_.clear();
  if (a.mesh < 0 && b.mesh < 0) {
    finder_.find(placed(things_->shape(a), at_a), placed(things_->shape(b), at_b), reach, of_pieces_, motion);
  } else if (a.mesh >= 0 && b.mesh >= 0) {
    mesh_finder_.find(placed(things_->mesh(a), at_a), placed(things_->mesh(b), at_b), reach, of_pieces_);
  } else if (a.mesh >= 0) {
    mesh_finder_.find(placed(things_->mesh(a), at_a), placed(things_->shape(b), at_b), reach, of_pieces_,
                      -motion.turn);
  } else {
    mesh_finder_.find(placed(things_->mesh(b), at_b), placed(things_->shape(a), at_a), reach, of_pieces_,
                      motion.turn);
    for (FeaturePair& pair : of_pieces_) pair = exchanged(pair);
  }
  return of_pieces_;
}

}  // namespace percuss
