#include "percuss/nonsmooth/least_norm.h"

#include <algorithm>
#include <utility>

namespace percuss {
namespace {

constexpr int max_dual_iterations = 100;
constexpr int max_halvings = 40;
constexpr double dual_precision = 1e-15;  ///< of |c - C z|, relative to |c|; rounding is reached before
constexpr double sufficient_increase = 1e-4;
/// Weight of the unit matrix added to C J C^T, per |c - C z| and at least: what makes it regular.
constexpr double dual_damping = 1e-7, least_dual_damping = 1e-13;
constexpr double good_enough = 1e-8;     ///< |c - C z| at which to lose patience ...
constexpr int iterations_to_halve = 10;  ///< ... after so many iterations that did not halve it

}  // namespace

LeastNorm::LeastNorm(Eigen::SparseMatrix<double> C, std::vector<ReactionFace> faces)
    : C_(std::move(C)), Ct_(C_.transpose()), J_(C_.cols(), C_.cols()), faces_(std::move(faces)) {}

void LeastNorm::evaluate(Point& point, bool with_derivative) {
  const Eigen::VectorXd x = p_ + Ct_ * point.y;
  std::vector<Eigen::Triplet<double>> entries;
  double J[max_cone_rows * max_cone_rows];
  point.z.setZero(x.size());
  for (const ReactionFace& face : faces_) {
    const int n = face.unknowns(), first = face.unknown;
    if (n == 0) continue;
    project_onto_face(face, &x[first], &point.z[first], with_derivative ? J : nullptr);
    if (!with_derivative) continue;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) entries.emplace_back(first + i, first + j, J[i * n + j]);
  }
  if (with_derivative) J_.setFromTriplets(entries.begin(), entries.end());
  point.gradient = c_ - C_ * point.z;
  point.value = c_.dot(point.y) - point.z.dot(x) + 0.5 * point.z.squaredNorm();
}

/// One Newton step with a line search on g. Where g cannot tell any more, a smaller gradient counts as well.
bool LeastNorm::improve(Point& point) {
  evaluate(point, true);
  const Eigen::SparseMatrix<double> CJ = C_ * J_;
  Eigen::SparseMatrix<double> N = CJ * Ct_;
  Eigen::SparseMatrix<double> unit(N.rows(), N.cols());
  unit.setIdentity();
  N += std::max(least_dual_damping, dual_damping * std::min(1.0, point.residual())) * unit;
  factor_.compute(N);
  if (factor_.info() != Eigen::Success) return false;
  const Eigen::VectorXd step = factor_.solve(point.gradient);
  const double slope = step.dot(point.gradient);
  Point trial;
  double length = 1;
  for (int k = 0; k < max_halvings; ++k, length /= 2) {
    trial.y = point.y + length * step;
    evaluate(trial, false);
    if (trial.value >= point.value + sufficient_increase * length * slope ||
        trial.residual() < 0.5 * point.residual()) {
      std::swap(point, trial);
      return true;
    }
  }
  return false;
}

Eigen::VectorXd LeastNorm::solve(const Eigen::VectorXd& c, const Eigen::VectorXd& p) {
  c_ = c;
  p_ = p;
  Point point;
  point.y.setZero(C_.rows());
  evaluate(point, false);
  Eigen::VectorXd best = point.z;
  double least = point.residual(), milestone = least;
  const double goal = c.size() > 0 ? dual_precision * c.lpNorm<Eigen::Infinity>() : 0.0;
  for (int k = 0, last_gain = 0; k < max_dual_iterations && least > goal; ++k) {
    if (!improve(point)) break;
    if (point.residual() >= least) continue;
    least = point.residual();
    best = point.z;
    if (least < milestone / 2) {
      milestone = least;
      last_gain = k;
    }
    // Velocities that are known to a tolerance need not fit together any better.
    if (least < good_enough && k - last_gain >= iterations_to_halve) break;
  }
  return best;
}

}  // namespace percuss
