#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include "percuss/collision/advancement.h"
#include "percuss/collision/curved_gap.h"
#include "percuss/contacts/assembly.h"
#include "percuss/contacts/features_of.h"
#include "percuss/contacts/found_contacts.h"

// Steps that nothing passes through.  docs/theory/worlds.md, section 9
namespace percuss {
namespace {

/// Of the thickness of the thinner body: what moves by more than this in a step may pass through it, how far
/// behind an impact a step ends, and from which gap on bodies touch.
constexpr double passing_part = 0.5, end_part = 0.05, touching_part = 0.01;
/// By how much of the thickness bodies go on that do not touch, and of which no normal says how far apart
/// they are.
constexpr double unseen_part = 0.1;
/// Steps are not made shorter than by this factor.
constexpr double shortest_part = 1.0 / 1024;

/// A thing that goes on as it moves in the middle of the step.
struct Moving {
  Moving(const PoseAndVelocity& pose, double reach_of, double h)
      : x(pose.x), v(pose.v), w(rotation_of(pose)), R(pose.R), reach(reach_of), middle(h / 2) {}

  PoseAndVelocity at(double t) const {
    PoseAndVelocity pose;
    const double angle = w.norm() * (t - middle);
    pose.x = x + (t - middle) * v;
    pose.R = angle == 0 ? R : Matrix3(Eigen::AngleAxisd(angle, w.normalized()) * R);
    return pose;
  }
  /// Of a point of it that stands at `point` at the time t.
  Vector3 velocity(const Vector3& point, double t) const { return v + w.cross(point - x - (t - middle) * v); }
  double rim_speed() const { return w.norm() * reach; }

  Vector3 x, v, w;
  Matrix3 R;
  double reach;  ///< of its farthest point [m]
  double middle;
};

Feature feature_in_space(const Things& things, const Piece& piece, FeatureType type, int number,
                         const PoseAndVelocity& pose) {
  return in_space(piece.mesh >= 0 ? feature_of(things.mesh(piece), type, number)
                                  : feature_of(things.shape(piece), type, number),
                  pose);
}

/// How far two convex pieces are apart at the least, and a normal along which they are: the widest separation
/// along `normal` itself, the line between their bodies and the axes of both.
double separation(const Things& things, const Piece& a, const PoseAndVelocity& at_a, const Piece& b,
                  const PoseAndVelocity& at_b, Vector3& normal) {
  const Vector3 apart = at_a.x - at_b.x;
  double widest = -std::numeric_limits<double>::infinity();
  const auto offer = [&](const Vector3& axis) {
    const Vector3 n = axis.dot(apart) < 0 ? Vector3(-axis) : axis;
    const double along = n.dot(apart) - extent(things.shape(a), at_a.R.transpose() * -n) -
                         extent(things.shape(b), at_b.R.transpose() * n);
    if (along <= widest) return;
    widest = along;
    normal = n;
  };
  const Vector3 given = normal;
  if (!given.isZero(0)) offer(given);
  if (!apart.isZero(0)) offer(apart.normalized());
  for (int axis = 0; axis < 3; ++axis) {
    offer(at_a.R.col(axis));
    offer(at_b.R.col(axis));
  }
  return widest;
}

}  // namespace

/// The end of a step that begins now and lasts no longer than `longest`.
double ThingSearch::end_behind_impact(int i, int j, const Kinematics& predicted, double h, double longest) {
  const Thing &first = things_->all[static_cast<size_t>(i)], &second = things_->all[static_cast<size_t>(j)];
  const double thickness = std::min(first.thickness, second.thickness);
  if (first.is_plane || second.is_plane || first.is_flexible() || second.is_flexible() ||
      !std::isfinite(thickness))
    return longest;
  const Moving a(predicted.of(first.body), first.reach, h), b(predicted.of(second.body), second.reach, h);
  const double turning = a.rim_speed() + b.rim_speed(), fastest = (a.v - b.v).norm() + turning;
  if (h * fastest <= passing_part * thickness) return longest;
  const double touching = touching_part * thickness;
  for (int k = 0; k < first.pieces; ++k)
    for (int l = 0; l < second.pieces; ++l) {
      const Piece& of_a = things_->pieces[static_cast<size_t>(first.first_piece + k)];
      const Piece& of_b = things_->pieces[static_cast<size_t>(second.first_piece + l)];
      const bool is_convex = of_a.mesh < 0 && of_b.mesh < 0;
      const auto look = [&](double t) {
        const PoseAndVelocity at_a = a.at(t), at_b = b.at(t);
        ClosingGap found;
        Vector3 normal = Vector3::Zero();
        for (const FeaturePair& pair : searches_.front().find_between_pieces(
                 of_a, at_a, of_b, at_b, (longest - t) * fastest + touching, {})) {
          const ClosestPoints at = gap_of_features(
              pair.kind, feature_in_space(*things_, of_a, first_type(pair.kind), pair.a, at_a),
              feature_in_space(*things_, of_b, second_type(pair.kind), pair.b, at_b));
          const double closing = -at.normal.dot(a.velocity(at.on_first, t) - b.velocity(at.on_second, t));
          const bool is_nearer = at.gap < found.gap;
          if (at.gap <= touching)
            found.speed = std::max(found.speed, closing);
          else if (is_nearer)
            found.speed = closing;
          if (!is_nearer) continue;
          found.gap = at.gap;
          found.fastest = fastest;
          normal = at.normal;
        }
        if (!is_convex || found.gap <= touching) return found;
        // Convex bodies stay apart along a normal for as long as they do not move along it. Features may be
        // farther apart than the bodies, or none at all, as of a corner before a rim.
        found.gap = separation(*things_, of_a, at_a, of_b, at_b, normal);
        found.fastest = -normal.dot(a.v - b.v) + turning;
        if (found.gap < unseen_part * thickness) {
          found.gap = unseen_part * thickness;
          found.fastest = fastest;
        }
        return found;
      };
      ClosingGap last;
      const double t = time_of_impact(look, longest, touching, last);
      if (!std::isfinite(t)) continue;
      const bool is_unseen = last.gap > touching;  // nearly touching for so long that the looks were used up
      if (!is_unseen && h * last.speed <= passing_part * thickness) continue;
      const double end = is_unseen ? t : t + end_part * thickness / last.speed;
      longest = std::min(longest, std::max(end, shortest_part * h));
    }
  return longest;
}

double ThingSearch::longest_step(const Kinematics& predicted, double h) {
  place(predicted, h);
  double longest = h;
  for (const auto& [i, j] : broad_phase_.find(boxes_, margin_))
    longest = end_behind_impact(i, j, predicted, h, longest);
  return longest;
}

}  // namespace percuss
