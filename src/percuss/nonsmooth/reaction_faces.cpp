#include "percuss/nonsmooth/reaction_faces.h"

#include <algorithm>
#include <cmath>

#include "percuss/nonsmooth/cones.h"
#include "percuss/nonsmooth/newton_core.h"

namespace percuss {
namespace {

constexpr double asymmetry_limit = 1e-2;  ///< files of the collection are unsymmetric by 1e-3

/// Direction in which friction acts on a sliding contact: that of the judge's trial r - rho u, in which the
/// better known of r and u weighs more.
void set_sliding_ray(const Cone& cone, double trace, const double* r, const double* u, ReactionFace& face) {
  const double rho = trace > 0.0 ? cone.rows() / trace : 1.0, mu = cone.bound;
  double trial[3] = {0.0, 0.0, 0.0};
  for (int i = 1; i < cone.rows(); ++i) trial[i] = r[i] - rho * u[i];
  const double size = tangential_norm(cone, trial), length = std::sqrt(1.0 + mu * mu);
  face.kind = FaceKind::ray;
  face.direction[0] = 1.0 / length;
  for (int i = 1; i < cone.rows(); ++i)
    face.direction[i] = size > 0.0 ? mu * trial[i] / (size * length) : 0.0;
}

ReactionFace face_of_contact(const Cone& cone, double trace, const double* r, double* u, double zero) {
  ReactionFace face;
  if (u[0] > zero) return face;
  u[0] = 0.0;
  if (cone.kind == ConeKind::nonnegative) {
    face.kind = FaceKind::ray;
    face.direction[0] = 1.0;
  } else if (cone.bound > 0.0 && tangential_norm(cone, u) <= zero) {
    face.kind = FaceKind::cone;
    u[1] = u[cone.rows() - 1] = 0.0;
  } else {
    set_sliding_ray(cone, trace, r, u, face);
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
  if (face.kind == FaceKind::cone)
    for (int i = 0; i < face.rows; ++i) entries.emplace_back(face.row + i, face.unknown + i, 1.0);
  else if (face.kind == FaceKind::ray)
    for (int i = 0; i < face.rows; ++i) entries.emplace_back(face.row + i, face.unknown, face.direction[i]);
  else if (face.kind != FaceKind::point)
    entries.emplace_back(face.row, face.unknown, 1.0);
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
    double trace = 0.0;
    for (int i = 0; i < cone.rows(); ++i) trace += problem.W.diagonal(row + i);
    ReactionFace face = face_of(cone, trace, &solution.r[row], &out.u[row], zero);
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

namespace {

Eigen::Map<const Eigen::SparseMatrix<double, Eigen::RowMajor>> mapped(const SparseRows& W) {
  return {W.rows(), W.rows(), W.nonzeros(), W.row_begin.data(), W.column.data(), W.value.data()};
}

}  // namespace

bool is_delassus(const SparseRows& W) {
  const Eigen::SparseMatrix<double, Eigen::RowMajor> transposed = mapped(W).transpose();
  return (mapped(W) - transposed).norm() <= asymmetry_limit * transposed.norm();
}

Eigen::SparseMatrix<double> restrict_to_faces(const LocalProblem& problem,
                                              const Eigen::SparseMatrix<double>& D) {
  const Eigen::SparseMatrix<double> WD = mapped(problem.W) * D;
  return D.transpose() * WD;
}

namespace {

/// (N-19) and its derivative.
void project_onto_cone_face(const ReactionFace& face, const double* x, double* z, double* J) {
  const int n = face.rows;
  const Cone cone{n == 2 ? ConeKind::planar_coulomb : ConeKind::coulomb, face.bound};
  const double mu = face.bound, tangential = tangential_norm(cone, x);
  const double normal = (x[0] + mu * tangential) / (1.0 + mu * mu);
  project(cone, x, z);
  if (!J) return;
  std::fill_n(J, n * n, 0.0);
  if (tangential <= mu * x[0]) {
    for (int i = 0; i < n; ++i) J[i * n + i] = 1.0;
  } else if (normal > 0.0) {
    // Along the ray (1, mu t) as it is, across it shortened like the tangent.
    double ray[3] = {1.0, 0.0, 0.0};
    for (int i = 1; i < n; ++i) ray[i] = mu * x[i] / tangential;
    const double across = mu * normal / tangential;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        J[i * n + j] = ray[i] * ray[j] / (1.0 + mu * mu);
        if (i > 0 && j > 0) J[i * n + j] += across * ((i == j) - x[i] * x[j] / (tangential * tangential));
      }
  }
}

}  // namespace

void project_onto_face(const ReactionFace& face, const double* x, double* z, double* J) {
  if (face.kind == FaceKind::point) return;
  if (face.kind == FaceKind::cone) return project_onto_cone_face(face, x, z, J);
  z[0] = x[0];
  if (face.kind == FaceKind::ray) z[0] = std::max(0.0, x[0]);
  if (face.kind == FaceKind::segment) z[0] = std::clamp(x[0], -face.bound, face.bound);
  if (J) J[0] = z[0] == x[0] ? 1.0 : 0.0;
}

}  // namespace percuss
