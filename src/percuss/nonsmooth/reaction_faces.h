#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/SparseCore>

#include "percuss/nonsmooth/problem.h"

namespace percuss {

/// The reactions that the law of a cone admits beside a given velocity (N-26).
enum class FaceKind : std::uint8_t {
  point,    ///< r is known: zero where the contact opens, ± bound where an interval moves
  line,     ///< any r: an equality
  ray,      ///< r = z d, z >= 0: a contact that slides, or touches without friction
  segment,  ///< |r| <= bound: an interval at rest
  cone,     ///< a contact that does not open and has discs that do not slide: r = z_0 d + those discs
};

struct ReactionFace {
  FaceKind kind = FaceKind::point;
  int row = 0;       ///< first one in the problem
  int rows = 1;      ///< in the problem
  int unknown = 0;   ///< first one in z
  double bound = 0;  ///< of a segment
  /// d of a ray or cone, |d| = 1: the normal, with the discs that slide.
  double direction[max_cone_rows] = {};
  Discs sticking;  ///< those that do not slide, in the rows of the contact
  Cone cone;       ///< in which z lies

  int unknowns() const { return kind == FaceKind::point ? 0 : kind == FaceKind::cone ? cone.rows() : 1; }
};

/// r = fixed + D z with orthonormal columns of D, so that |r|² = |fixed|² + |z|², and z in the product of the
/// faces.
struct ReactionFaces {
  std::vector<ReactionFace> faces;
  Eigen::VectorXd fixed;
  Eigen::VectorXd u;  ///< the velocities of the solution, with zero for what the tolerance calls zero (N-26)
  Eigen::SparseMatrix<double> D;

  int unknowns() const { return static_cast<int>(D.cols()); }
};

/// Velocities up to twice `tolerance` max(|u_free|, residual_floor) count as zero.
ReactionFaces reaction_faces(const LocalProblem& problem, const Solution& solution, double tolerance);

/// False for a complementarity problem of another origin (N-16b), of which (N-26) to (N-30) say nothing.
bool is_delassus(const BlockMatrix& W);

/// D^T W D.
Eigen::SparseMatrix<double> restrict_to_faces(const LocalProblem& problem,
                                              const Eigen::SparseMatrix<double>& D);

/// The nearest point of a face, and, if J is given, an element of the derivative of this map (N-29): a
/// symmetric matrix of unknowns x unknowns by rows.
void project_onto_face(const ReactionFace& face, const double* x, double* z, double* J);

}  // namespace percuss
