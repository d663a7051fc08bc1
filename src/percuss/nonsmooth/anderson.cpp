#include "percuss/nonsmooth/anderson.h"

#include <algorithm>
#include <cmath>

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
  normal_.resize(memory, memory);
  weight_.resize(memory);
  scale_.resize(memory);
  forget();
}

void Anderson::remember(const Eigen::VectorXd& x, const Eigen::VectorXd& g) {
  if (has_previous_) {
    place_ = count_ == 0 ? 0 : (place_ + 1) % memory_;
    count_ = std::min(count_ + 1, memory_);
    dg_.col(place_) = g - g_;
    moved_.col(place_) = x - x_ + dg_.col(place_);
    for (int j = 0; j < count_; ++j) gram_(j, place_) = gram_(place_, j) = dg_.col(j).dot(dg_.col(place_));
  }
  x_ = x;
  g_ = g;
  has_previous_ = true;
}

void Anderson::step(const Eigen::VectorXd& x, const Eigen::VectorXd& g, Eigen::VectorXd& next) {
  if (memory_ > 0) remember(x, g);
  next = x + g;
  if (count_ == 0) return;
  // Differences shrink as the iteration converges: scaled to unit length, old ones do not hide new ones.
  // Places without a difference stand for themselves, so that sizes stay and nothing is allocated.
  normal_.setIdentity();
  weight_.setZero();
  for (int j = 0; j < count_; ++j) {
    scale_[j] = 1 / std::sqrt(std::max(gram_(j, j), 1e-300));
    weight_[j] = scale_[j] * dg_.col(j).dot(g);
    for (int i = 0; i <= j; ++i) normal_(i, j) = normal_(j, i) = scale_[i] * gram_(i, j) * scale_[j];
    normal_(j, j) += anderson_regularisation;
  }
  if (!factor_.factorise(normal_)) return forget();
  factor_.solve(weight_);
  if (!weight_.allFinite()) return forget();
  for (int j = 0; j < count_; ++j) next -= scale_[j] * weight_[j] * moved_.col(j);
}

}  // namespace percuss
