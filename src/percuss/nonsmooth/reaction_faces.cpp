#include "percuss/nonsmooth/reaction_faces.h"

#include <algorithm>
#include <cmath>

#include "percuss/nonsmooth/cones.h"
#include "percuss/nonsmooth/newton_core.h"
#include "percuss/nonsmooth/sparse_blocks.h"

namespace percuss {
namespace {

constexpr double asymmetry_limit = 1e-2;  ///< files of the collection are unsymmetric by 1e-3

/// Entries of a disc that slides in d, before it is scaled: bound times the direction of the trial
/// r - rho u, in which the better known of r and u weighs more.
void add_sliding(const Disc& disc, double rho, const double* r, const double* u, double* d) {
  double trial[max_cone_rows] = {};
  for (int i = disc.first; i < disc.first + disc.rows; ++i) trial[i] = r[i] - rho * u[i];
  const double size = norm_in(disc, trial);
  for (int i = disc.first; i < disc.first + disc.rows; ++i)
    d[i] = size > 0.0 ? disc.bound * trial[i] / size : 0.0;
}

/// The cone of z_0 and the discs that stick, when z_0 is `length` times the normal.
Cone cone_of_sticking(const Discs& sticking, double length) {
  const Disc* disc = sticking.disc.data();
  if (sticking.count == 1)
    return {disc->rows == 2 ? ConeKind::coulomb : ConeKind::planar_coulomb, disc->bound / length};
  return rolling_cone(disc[0].rows, disc[0].bound / length, disc[1].rows, disc[1].bound / length,
                      disc[2].rows, disc[2].bound / length);
}

ReactionFace face_of_contact(const Cone& cone, double trace, const double* r, double* u, double zero) {
  ReactionFace face;
  if (u[0] > zero) return face;
  u[0] = 0.0;
  face.kind = FaceKind::ray;
  face.direction[0] = 1.0;
  const double rho = trace > 0.0 ? cone.rows() / trace : 1.0;
  double length2 = 1.0;
  for (const Disc& disc : cone.discs()) {
    if (disc.bound > 0.0 && norm_in(disc, u) <= zero) {
      std::fill_n(u + disc.first, disc.rows, 0.0);
      face.sticking.disc[face.sticking.count++] = disc;
    } else {
      add_sliding(disc, rho, r, u, face.direction);
      length2 += disc.bound * disc.bound;
    }
  }
  const double length = std::sqrt(length2);
  for (double& d : face.direction) d /= length;
  if (face.sticking.count > 0) {
    face.kind = FaceKind::cone;
    face.cone = cone_of_sticking(face.sticking, length);
  }
  return face;
}

/// (N-26); what counts as zero in u is made zero.
ReactionFace face_of(const Cone& cone, double trace, const double* r, double* u, double zero) {
  ReactionFace face;
  if (cone.kind == ConeKind::equality) {
    face.kind = FaceKind::line;
    u[0] = 0.0;
  } else if (cone.kind != ConeKind::interval) {
    face = face_of_contact(cone, trace, r, u, zero);
  } else if (std::abs(u[0]) <= zero) {
    face.kind = FaceKind::segment;
    u[0] = 0.0;
  }
  face.rows = cone.rows();
  face.bound = cone.bound;
  return face;
}

void append_columns(const ReactionFace& face, std::vector<Eigen::Triplet<double>>& entries) {
  if (face.kind == FaceKind::point) return;
  if (face.kind != FaceKind::ray && face.kind != FaceKind::cone) {
    entries.emplace_back(face.row, face.unknown, 1.0);
    return;
  }
  for (int i = 0; i < face.rows; ++i)
    if (face.direction[i] != 0.0) entries.emplace_back(face.row + i, face.unknown, face.direction[i]);
  int unknown = face.unknown + 1;
  for (const Disc& disc : face.sticking)
    for (int i = disc.first; i < disc.first + disc.rows; ++i)
      entries.emplace_back(face.row + i, unknown++, 1.0);
}

}  // namespace

ReactionFaces reaction_faces(const LocalProblem& problem, const Solution& solution, double tolerance) {
  const double zero = 2.0 * tolerance * speed_scale(problem);
  ReactionFaces out;
  out.fixed.setZero(problem.size());
  out.u = Eigen::Map<const Eigen::VectorXd>(solution.u.data(), problem.size());
  out.faces.reserve(problem.cones.size());
  std::vector<Eigen::Triplet<double>> entries;
  int row = 0, unknowns = 0;
  for (const Cone& cone : problem.cones) {
    ReactionFace face = face_of(cone, problem.W.trace(static_cast<int>(out.faces.size())), &solution.r[row],
                                &out.u[row], zero);
    face.row = row;
    face.unknown = unknowns;
    if (cone.kind == ConeKind::interval && face.kind == FaceKind::point)
      out.fixed[row] = out.u[row] > 0.0 ? -cone.bound : cone.bound;
    append_columns(face, entries);
    out.faces.push_back(face);
    unknowns += face.unknowns();
    row += cone.rows();
  }
  out.D.resize(problem.size(), unknowns);
  out.D.setFromTriplets(entries.begin(), entries.end());
  return out;
}

bool is_delassus(const BlockMatrix& W) {
  const Eigen::SparseMatrix<double> entries = to_sparse(W), transposed = entries.transpose();
  return (entries - transposed).norm() <= asymmetry_limit * transposed.norm();
}

Eigen::SparseMatrix<double> restrict_to_faces(const LocalProblem& problem,
                                              const Eigen::SparseMatrix<double>& D) {
  const Eigen::SparseMatrix<double> WD = to_sparse(problem.W) * D;
  return D.transpose() * WD;
}

void project_onto_face(const ReactionFace& face, const double* x, double* z, double* J) {
  if (face.kind == FaceKind::point) return;
  if (face.kind == FaceKind::cone)
    return J ? project_with_derivative(face.cone, x, z, J) : project(face.cone, x, z);
  z[0] = x[0];
  if (face.kind == FaceKind::ray) z[0] = std::max(0.0, x[0]);
  if (face.kind == FaceKind::segment) z[0] = std::clamp(x[0], -face.bound, face.bound);
  if (J) J[0] = z[0] == x[0] ? 1.0 : 0.0;
}

}  // namespace percuss
