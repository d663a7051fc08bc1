#include "percuss/collision/box_axes.h"

#include <limits>

namespace percuss {
namespace {

constexpr int next_axis(int axis) { return axis == 2 ? 0 : axis + 1; }

}  // namespace

BoxAxes::BoxAxes(const Eigen::AlignedBox3d& first, const Eigen::AlignedBox3d& second, const Matrix3& R,
                 const Vector3& x)
    : R_(R),
      abs_R_(R.cwiseAbs()),
      half_first_(0.5 * first.sizes()),
      half_second_(0.5 * second.sizes()),
      offset_(x + R * second.center() - first.center()) {}

bool BoxAxes::are_apart(double along_faces, double along_edges_by) {
  of_first_ = widest_of_first();
  if (of_first_.distance > along_faces) return true;
  of_second_ = widest_of_second();
  if (of_second_.distance > along_faces) return true;
  const double bound = along_edges_by * std::abs(along_edges_by);
  bool are_apart = false;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      along_edges_[i][j] = along_edges(i, j);
      are_apart = are_apart || along_edges_[i][j].exceeds(bound);
    }
  return are_apart;
}

inline BoxAxes::Widest BoxAxes::widest_of_first() const {
  Widest widest{-std::numeric_limits<double>::infinity(), 0};
  for (int i = 0; i < 3; ++i) {
    const double reach = half_first_[i] + abs_R_(i, 0) * half_second_[0] + abs_R_(i, 1) * half_second_[1] +
                         abs_R_(i, 2) * half_second_[2];
    const double distance = std::abs(offset_[i]) - reach;
    if (distance > widest.distance) widest = {distance, 2 * i + (offset_[i] > 0 ? 1 : 0)};
  }
  return widest;
}

inline BoxAxes::Widest BoxAxes::widest_of_second() const {
  Widest widest{-std::numeric_limits<double>::infinity(), 0};
  for (int j = 0; j < 3; ++j) {
    const double offset = R_.col(j).dot(offset_);
    const double distance = std::abs(offset) - half_second_[j] - abs_R_.col(j).dot(half_first_);
    if (distance > widest.distance) widest = {distance, 2 * j + (offset < 0 ? 1 : 0)};
  }
  return widest;
}

/// Along n = e_i x r_j, with the axes e of the first and r of the second.
inline double BoxAxes::offset_along(int i, int j) const {
  const int i1 = next_axis(i), i2 = next_axis(i1);
  return offset_[i2] * R_(i1, j) - offset_[i1] * R_(i2, j);
}

/// |n . e_k| and |n . r_k| are entries of |R|.
inline BoxAxes::AlongEdges BoxAxes::along_edges(int i, int j) const {
  const int i1 = next_axis(i), i2 = next_axis(i1), j1 = next_axis(j), j2 = next_axis(j1);
  const double apart = std::abs(offset_along(i, j)) -
                       (half_first_[i1] * abs_R_(i2, j) + half_first_[i2] * abs_R_(i1, j)) -
                       (half_second_[j1] * abs_R_(i, j2) + half_second_[j2] * abs_R_(i, j1));
  return {apart * std::abs(apart), R_(i1, j) * R_(i1, j) + R_(i2, j) * R_(i2, j)};
}

/// Where the first reaches farthest along n, and the second against it, with n to the side of the second.
BoxAxes::Edges BoxAxes::edges_of(int i, int j) const {
  const int i1 = next_axis(i), i2 = next_axis(i1), j1 = next_axis(j), j2 = next_axis(j1);
  const double sign = offset_along(i, j) < 0 ? -1 : 1;
  const auto edge = [](int axis, double towards_next, double towards_last) {
    return 4 * axis + (towards_next > 0 ? 1 : 0) + (towards_last > 0 ? 2 : 0);
  };
  return {edge(i, -sign * R_(i2, j), sign * R_(i1, j)), edge(j, -sign * R_(i, j2), sign * R_(i, j1))};
}

}  // namespace percuss
