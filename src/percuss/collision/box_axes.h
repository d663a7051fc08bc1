#pragma once

#include <cmath>

#include <Eigen/Geometry>

#include "percuss/math/vector.h"

namespace percuss {

/// Two boxes, and how far they are apart along the normals of their faces and of pairs of their edges. Of
/// shapes that are boxes this is how far polyhedra are apart; others are at least as far apart as the boxes
/// around them.
class BoxAxes {
 public:
  /// In the axes of the first; those of the second are turned by R and begin at x.
  BoxAxes(const Eigen::AlignedBox3d& first, const Eigen::AlignedBox3d& second, const Matrix3& R,
          const Vector3& x);

  /// Whether they are by more than these distances. If not, the rest is known.
  bool are_apart(double along_faces, double along_edges);

  struct Widest {
    double distance;  ///< negative if they overlap [m]
    int face;         ///< 2 axis, and one more for that towards +
  };
  const Widest& along_faces_of_first() const { return of_first_; }
  const Widest& along_faces_of_second() const { return of_second_; }
  /// Edges of the first and of the second that touch along their common normal: of a box those along an axis
  /// k are 4 k, one more towards + of the next axis, and two more towards + of that behind.
  struct Edges {
    int of_first, of_second;
  };
  /// Visits those that are not parallel and separate the boxes by more than a distance.
  template <class Visit>
  void visit_edges(double distance, const Visit& visit) const {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (along_edges_[i][j].exceeds(distance * std::abs(distance))) visit(edges_of(i, j));
  }

 private:
  /// Along a normal that is not of unit length.
  struct AlongEdges {
    double signed_square, length2;

    /// The square of a distance, with its sign.
    bool exceeds(double bound) const { return signed_square > bound * length2 && length2 > parallel; }
    static constexpr double parallel = 1e-8;  ///< square of the sine up to which edges count as that
  };

  Widest widest_of_first() const;
  Widest widest_of_second() const;
  double offset_along(int i, int j) const;
  AlongEdges along_edges(int i, int j) const;
  Edges edges_of(int i, int j) const;

  Matrix3 R_, abs_R_;
  Vector3 half_first_, half_second_;
  Vector3 offset_;  ///< of the middle of the second from that of the first
  Widest of_first_{}, of_second_{};
  AlongEdges along_edges_[3][3];
};

}  // namespace percuss
