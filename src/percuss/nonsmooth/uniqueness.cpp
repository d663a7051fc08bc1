#include "percuss/nonsmooth/uniqueness.h"

#include <algorithm>
#include <cmath>

#include <Eigen/SparseCholesky>

#include "percuss/math/dense.h"
#include "percuss/nonsmooth/cones.h"
#include "percuss/nonsmooth/residual.h"
#include "percuss/nonsmooth/solution_set.h"

namespace percuss {
namespace {

constexpr int dense_rank_limit = 300;      ///< unknowns; beyond, pivots of a sparse factor are counted
constexpr double zero_eigenvalue = 1e-12;  ///< relative to the largest one
constexpr double pivot_shift = 1e-12, zero_pivot = 1e-9;  ///< of a matrix with unit diagonal
constexpr double inside_margin = 1e-8;  ///< part of the largest reaction that is no distance to the boundary

int count_zero_eigenvalues(const Eigen::SparseMatrix<double>& A) {
  const VectorX eigenvalues = symmetric_eigenvalues(A);
  return static_cast<int>((eigenvalues.array() <= zero_eigenvalue * eigenvalues.maxCoeff()).count());
}

/// A direction that depends on those before it leaves a pivot of the size of the shift.
int count_zero_pivots(Eigen::SparseMatrix<double> A) {
  for (int i = 0; i < A.cols(); ++i) A.coeffRef(i, i) += pivot_shift;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(A);
  return static_cast<int>((factor.vectorD().array() <= zero_pivot).count());
}

/// Dimension of the kernel of D^T W D; its diagonal is scaled to one, so that heavy and light count alike.
int kernel_dimension(const LocalProblem& problem, const Eigen::SparseMatrix<double>& D) {
  if (D.cols() == 0) return 0;
  Eigen::SparseMatrix<double> A = restrict_to_faces(problem, D);
  const Eigen::SparseMatrix<double> transposed = A.transpose();
  A = 0.5 * (A + transposed);  // values from files may be slightly unsymmetric
  Eigen::VectorXd scale(A.cols());
  for (int i = 0; i < A.cols(); ++i) {
    const double diagonal = A.coeff(i, i);
    scale[i] = diagonal > 0.0 ? 1.0 / std::sqrt(diagonal) : 0.0;
  }
  A = scale.asDiagonal() * A * scale.asDiagonal();
  return A.cols() <= dense_rank_limit ? count_zero_eigenvalues(A) : count_zero_pivots(std::move(A));
}

/// Columns along which the reactions of one face can move both ways.
void append_free_directions(const ReactionFace& face, const double* r, double margin, int& columns,
                            std::vector<Eigen::Triplet<double>>& entries) {
  const auto add = [&](int i, double value) { entries.emplace_back(face.row + i, columns, value); };
  if (face.kind == FaceKind::point) return;
  if (face.kind == FaceKind::segment && std::abs(r[0]) >= face.bound - margin) return;
  if (face.kind == FaceKind::line || face.kind == FaceKind::segment) {
    add(0, 1.0);
    ++columns;
    return;
  }
  if (!(r[0] > margin)) return;
  // The ray of the normal, with what slides and what is at the boundary of its disc; the other discs are
  // free.
  double ray[max_cone_rows] = {}, length2 = 0.0;
  for (int i = 0; i < face.rows; ++i) ray[i] = face.direction[i];
  const int along = columns++;
  for (const Disc& disc : face.sticking) {
    const bool is_inside = disc.bound * r[0] - norm_in(disc, r) > margin;
    for (int i = disc.first; i < disc.first + disc.rows; ++i) {
      if (is_inside)
        entries.emplace_back(face.row + i, columns++, 1.0);
      else
        ray[i] = face.direction[0] * r[i] / r[0];
    }
  }
  for (int i = 0; i < face.rows; ++i) length2 += ray[i] * ray[i];
  for (int i = 0; i < face.rows; ++i)
    if (ray[i] != 0.0) entries.emplace_back(face.row + i, along, ray[i] / std::sqrt(length2));
}

int free_directions(const LocalProblem& problem, const ReactionFaces& faces, const Eigen::VectorXd& r) {
  const double margin = inside_margin * r.lpNorm<Eigen::Infinity>();
  std::vector<Eigen::Triplet<double>> entries;
  int columns = 0;
  for (const ReactionFace& face : faces.faces)
    append_free_directions(face, &r[face.row], margin, columns, entries);
  Eigen::SparseMatrix<double> D(problem.size(), columns);
  D.setFromTriplets(entries.begin(), entries.end());
  return kernel_dimension(problem, D);
}

/// A point from which the nearest solution is unlikely to be in a corner: every contact presses, none like
/// another, so that no symmetry hides a direction.
Eigen::VectorXd far_inside(const SolutionSet& solutions) {
  constexpr double golden = 0.6180339887498949;
  Eigen::VectorXd r = solutions.faces().fixed;
  double part = 0;
  for (const ReactionFace& face : solutions.faces().faces) {
    part = std::fmod(part + golden, 1.0);
    if (face.kind == FaceKind::ray || face.kind == FaceKind::cone)
      r[face.row] = (1 + part) * solutions.size();
  }
  return r;
}

}  // namespace

void check_uniqueness(const LocalProblem& problem, double tolerance, Solution& solution) {
  solution.uniqueness.reset();
  if (solution.status != SolveStatus::converged || !is_delassus(problem.W)) return;
  Uniqueness& found = solution.uniqueness.emplace();
  if (problem.size() == 0) return;
  SolutionSet solutions(problem, solution, tolerance);
  found.at_most = kernel_dimension(problem, solutions.faces().D);
  if (found.at_most == 0) return;
  Eigen::VectorXd r = Eigen::Map<const Eigen::VectorXd>(solution.r.data(), problem.size());
  const auto count = [&] { return std::min(found.at_most, free_directions(problem, solutions.faces(), r)); };
  found.at_least = count();
  if (found.at_least > 0) return;
  // A solution in a corner of the set says little; the middle between two solutions says more.
  const Eigen::VectorXd other =
      solutions.nearest_to(far_inside(solutions), SolutionSet::Velocities::as_found);
  if (!residual_of(problem, {other.begin(), other.end()}).is_within(tolerance)) return;
  r = 0.5 * (r + other);
  found.at_least = count();
}

}  // namespace percuss
