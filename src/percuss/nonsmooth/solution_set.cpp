#include "percuss/nonsmooth/solution_set.h"

namespace percuss {
namespace {

using ConstRows = Eigen::Map<const Eigen::VectorXd>;

double largest_reaction(const Solution& solution) {
  const ConstRows r(solution.r.data(), static_cast<int>(solution.r.size()));
  const double size = r.size() > 0 ? r.lpNorm<Eigen::Infinity>() : 0.0;
  return size > 0.0 ? size : 1.0;
}

/// Faces of reactions in units of `size`.
std::vector<ReactionFace> scaled_faces(std::vector<ReactionFace> faces, double size) {
  for (ReactionFace& face : faces)
    if (face.kind == FaceKind::segment) face.bound /= size;
  return faces;
}

}  // namespace

SolutionSet::SolutionSet(const LocalProblem& problem, const Solution& solution, double tolerance)
    : faces_(reaction_faces(problem, solution, tolerance)),
      size_(largest_reaction(solution)),
      C_(equations(problem)),
      least_norm_(C_, scaled_faces(faces_.faces, size_)) {
  const ConstRows r(solution.r.data(), problem.size()), u_free(problem.u_free.data(), problem.size());
  Eigen::VectorXd known = u_free;  // W fixed + u_free
  problem.W.multiply_add(faces_.fixed.data(), known.data());
  cleaned_ = scale_.cwiseProduct(faces_.D.transpose() * (faces_.u - known)) / size_;
  as_found_ = C_ * (faces_.D.transpose() * (r - faces_.fixed)) / size_;
}

/// D^T W D with rows of unit length: the iterations know no units.
Eigen::SparseMatrix<double> SolutionSet::equations(const LocalProblem& problem) {
  Eigen::SparseMatrix<double> rows = restrict_to_faces(problem, faces_.D).transpose();
  scale_.resize(rows.cols());
  for (int i = 0; i < rows.cols(); ++i) {
    const double length = rows.col(i).norm();
    scale_[i] = length > 0.0 ? 1.0 / length : 0.0;
  }
  return (rows * scale_.asDiagonal()).transpose();
}

Eigen::VectorXd SolutionSet::nearest_to(const Eigen::VectorXd& r, Velocities velocities) {
  const Eigen::VectorXd centre = faces_.D.transpose() * r / size_;
  const Eigen::VectorXd z =
      least_norm_.solve(velocities == Velocities::cleaned ? cleaned_ : as_found_, centre);
  return faces_.fixed + size_ * (faces_.D * z);
}

}  // namespace percuss
