#include "percuss/nonsmooth/anderson.h"

#include <algorithm>

#include "percuss/math/dense.h"

namespace percuss {
namespace {

/// Tikhonov's term relative to the mean square of the differences: bounds the weights where they are nearly
/// dependent.
constexpr double anderson_regularisation = 1e-8;

}  // namespace

void Anderson::restart(int n, int memory) {
  memory_ = memory;
  moved_.resize(n, memory);
  dg_.resize(n, memory);
  gram_.resize(memory, memory);
  x_.resize(n);
  g_.resize(n);
  forget();
}

void Anderson::remember(const Eigen::VectorXd& x, const Eigen::VectorXd& g) {
  if (has_previous_) {
    place_ = count_ == 0 ? 0 : (place_ + 1) % memory_;
    count_ = std::min(count_ + 1, memory_);
    dg_.col(place_) = g - g_;
    moved_.col(place_) = x - x_ + dg_.col(place_);
    gram_.col(place_).head(count_) = dg_.leftCols(count_).transpose() * dg_.col(place_);
    gram_.row(place_).head(count_) = gram_.col(place_).head(count_).transpose();
  }
  x_ = x;
  g_ = g;
  has_previous_ = true;
}

void Anderson::step(const Eigen::VectorXd& x, const Eigen::VectorXd& g, Eigen::VectorXd& next) {
  if (memory_ > 0) remember(x, g);
  next = x + g;
  if (count_ == 0) return;
  Eigen::MatrixXd normal = gram_.topLeftCorner(count_, count_);
  // Differences shrink as the iteration converges: scaled to unit length, old ones do not hide new ones.
  const Eigen::VectorXd scale = normal.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  normal = scale.asDiagonal() * normal * scale.asDiagonal();
  normal.diagonal().array() += anderson_regularisation;
  const Eigen::VectorXd rhs = scale.asDiagonal() * (dg_.leftCols(count_).transpose() * g);
  const Eigen::VectorXd weight = scale.asDiagonal() * solve_symmetric(normal, rhs);
  if (!weight.allFinite()) return forget();
  next.noalias() -= moved_.leftCols(count_) * weight;
}

}  // namespace percuss
