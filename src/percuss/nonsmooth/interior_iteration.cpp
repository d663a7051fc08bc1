#include "percuss/nonsmooth/interior_iteration.h"

#include <algorithm>
#include <cmath>

namespace percuss {
namespace {

using Kind = InteriorCone::Kind;

/// Stands for S where a row has no cone; W' has ones on its diagonal.
constexpr double interior_regularisation = 1e-9;

/// Smallest part of the gap aimed at, and the gap kept at least in units of the squared residual (NI-10).
constexpr double interior_least_sigma = 1e-8;
constexpr double interior_gap_per_residual = 0.1;
/// A step shorter than this is replaced by one that mostly centres, if that one is longer.
constexpr double interior_short_step = 0.1;
constexpr double interior_centring_sigma = 0.8;
/// So short a step gains nothing; after three the iteration ends.
constexpr double interior_lost_step = 1e-6;

}  // namespace

InteriorIteration::InteriorIteration(const InteriorRows& rows, const VectorX& q, InteriorSystem& system,
                                     double shift_share)
    : rows_(rows), q_(q), system_(system), shift_share_(shift_share) {
  const int n = rows.size();
  x_ = VectorX::Zero(n);
  z_ = lower_ = upper_ = dx_ = dz_ = dlower_ = dupper_ = lower_target_ = upper_target_ = t_ = x_;
  for (const InteriorCone& cone : rows.cones) {
    const int i = cone.first;
    if (cone.kind == Kind::lorentz) x_[i] = z_[i] = 1.0;
    if (cone.kind == Kind::box) lower_[i] = upper_[i] = 1.0;
    degree_ += cone.kind == Kind::lorentz ? 1 : cone.kind == Kind::box ? 2 : 0;
  }
  scalings_.resize(rows.cones.size());
  shift_.assign(rows.cones.size(), Matrix3::Identity());
  blocks_.assign(rows.cones.size(), Matrix3::Identity());
  measure();
}

/// u, the residual of (NI-4), and the gap at the present point.
void InteriorIteration::measure() {
  system_.multiply(x_, u_);
  u_ += q_;
  residual_ = u_ - z_;
  for (const InteriorCone& cone : rows_.cones)
    if (cone.kind == Kind::lorentz) residual_[cone.first] += lorentz::tail_norm(cone.rows, &z_[cone.first]);
  gap_ = gap_after(0.0);
}

double InteriorIteration::gap_after(double step) const {
  double sum = 0.0;
  for (const InteriorCone& cone : rows_.cones) {
    const int i = cone.first;
    if (cone.kind == Kind::lorentz)
      sum += (x_.segment(i, cone.rows) + step * dx_.segment(i, cone.rows))
                 .dot(z_.segment(i, cone.rows) + step * dz_.segment(i, cone.rows));
    else if (cone.kind == Kind::box)
      sum += (cone.bound + x_[i] + step * dx_[i]) * (lower_[i] + step * dlower_[i]) +
             (cone.bound - x_[i] - step * dx_[i]) * (upper_[i] + step * dupper_[i]);
  }
  return degree_ > 0 ? sum / degree_ : 0.0;
}

void InteriorIteration::prepare_cones() {
  for (size_t c = 0; c < rows_.cones.size(); ++c) {
    const InteriorCone& cone = rows_.cones[c];
    const int i = cone.first;
    if (cone.kind == Kind::free) {
      blocks_[c](0, 0) = interior_regularisation;
    } else if (cone.kind == Kind::box) {
      blocks_[c](0, 0) = lower_[i] / (cone.bound + x_[i]) + upper_[i] / (cone.bound - x_[i]);
    } else {
      scalings_[c].set(cone.rows, &x_[i], &z_[i]);
      for (int a = 0; a < cone.rows; ++a)
        for (int b = 0; b < cone.rows; ++b) blocks_[c](a, b) = scalings_[c].inverse_square(a, b);
      const double tail = lorentz::tail_norm(cone.rows, &z_[i]);
      for (int k = 1; k < cone.rows; ++k)
        shift_[c](0, k) = tail > 0.0 ? -shift_share_ * z_[i + k] / tail : 0.0;
      const Matrix3 S = blocks_[c];
      for (int b = 0; b < cone.rows; ++b)
        for (int k = 1; k < cone.rows; ++k) blocks_[c](0, b) += shift_[c](0, k) * S(k, b);
    }
  }
}

/// t in dz = t - S dx for the gap `target`, with the second-order term of the last direction if asked.
void InteriorIteration::complementarity_rhs(double target, bool corrected) {
  for (size_t c = 0; c < rows_.cones.size(); ++c) {
    const InteriorCone& cone = rows_.cones[c];
    const int i = cone.first, n = cone.rows;
    if (cone.kind == Kind::box) {
      const double low = target - (corrected ? dx_[i] * dlower_[i] : 0.0);
      const double high = target + (corrected ? dx_[i] * dupper_[i] : 0.0);
      lower_target_[i] = low / (cone.bound + x_[i]) - lower_[i];
      upper_target_[i] = high / (cone.bound - x_[i]) - upper_[i];
      t_[i] = lower_target_[i] - upper_target_[i];
    } else if (cone.kind == Kind::lorentz) {
      const lorentz::Scaling& N = scalings_[c];
      double b[3] = {0.0, 0.0, 0.0};
      if (corrected) {
        double scaled_dx[3], scaled_dz[3];
        N.apply_inverse(&dx_[i], scaled_dx);
        N.apply(&dz_[i], scaled_dz);
        lorentz::product(n, scaled_dx, scaled_dz, b);
      }
      for (int k = 0; k < n; ++k) b[k] = (k == 0 ? target : 0.0) - b[k];
      double d[3];
      lorentz::divide(n, N.lambda, b, d);
      for (int k = 0; k < n; ++k) d[k] -= N.lambda[k];
      N.apply_inverse(d, &t_[i]);
    }
  }
}

/// dx and dz of (NI-9), with this fraction of the residual to vanish.
void InteriorIteration::find_direction(double fraction) {
  rhs_ = -fraction * residual_;
  for (size_t c = 0; c < rows_.cones.size(); ++c) {
    const InteriorCone& cone = rows_.cones[c];
    const int i = cone.first, n = cone.rows;
    rhs_.segment(i, n) += shift_[c].topLeftCorner(n, n) * t_.segment(i, n);
  }
  system_.solve_refined(blocks_, rhs_, dx_);
  for (size_t c = 0; c < rows_.cones.size(); ++c) {
    const InteriorCone& cone = rows_.cones[c];
    const int i = cone.first;
    if (cone.kind == Kind::box) {
      dlower_[i] = lower_target_[i] - lower_[i] / (cone.bound + x_[i]) * dx_[i];
      dupper_[i] = upper_target_[i] + upper_[i] / (cone.bound - x_[i]) * dx_[i];
      dz_[i] = dlower_[i] - dupper_[i];
    } else if (cone.kind == Kind::lorentz) {
      for (int k = 0; k < cone.rows; ++k) {
        dz_[i + k] = t_[i + k];
        for (int j = 0; j < cone.rows; ++j) dz_[i + k] -= scalings_[c].inverse_square(k, j) * dx_[i + j];
      }
    }
  }
}

double InteriorIteration::longest_step() const {
  double step = 1e6;
  const auto keep_positive = [&](double value, double change) {
    if (value + step * change < 0.0) step = -value / change;
  };
  for (const InteriorCone& cone : rows_.cones) {
    const int i = cone.first;
    if (cone.kind == Kind::lorentz) {
      step = lorentz::step_to_boundary(cone.rows, &x_[i], &dx_[i], step);
      step = lorentz::step_to_boundary(cone.rows, &z_[i], &dz_[i], step);
    } else if (cone.kind == Kind::box) {
      keep_positive(cone.bound + x_[i], dx_[i]);
      keep_positive(cone.bound - x_[i], -dx_[i]);
      keep_positive(lower_[i], dlower_[i]);
      keep_positive(upper_[i], dupper_[i]);
    }
  }
  return step;
}

bool InteriorIteration::advance(double step_share) {
  prepare_cones();
  if (!system_.factorise(blocks_)) return false;
  complementarity_rhs(0.0, false);
  find_direction(1.0);
  const double ratio = gap_ > 0.0 ? gap_after(std::min(1.0, longest_step())) / gap_ : 0.0;
  const double sigma = std::clamp(ratio * ratio * ratio, interior_least_sigma, 1.0);
  const double largest = residual_.lpNorm<Eigen::Infinity>();
  const double balanced = std::min(interior_gap_per_residual * largest * largest, 0.9 * gap_);
  complementarity_rhs(std::max(sigma * gap_, balanced), true);
  find_direction(1.0);
  double step = std::min(1.0, step_share * longest_step());
  if (step < interior_short_step) {
    const VectorX dx = dx_, dz = dz_, dlower = dlower_, dupper = dupper_;
    complementarity_rhs(interior_centring_sigma * gap_, false);
    find_direction(1.0 - interior_centring_sigma);
    const double centring = std::min(1.0, step_share * longest_step());
    if (!(centring > step)) {
      dx_ = dx, dz_ = dz, dlower_ = dlower, dupper_ = dupper;
    } else {
      step = centring;
    }
  }
  if (!std::isfinite(step)) return false;
  lost_steps_ = step < interior_lost_step ? lost_steps_ + 1 : 0;
  x_ += step * dx_;
  z_ += step * dz_;
  lower_ += step * dlower_;
  upper_ += step * dupper_;
  measure();
  return lost_steps_ < 3 && x_.allFinite() && z_.allFinite();
}

}  // namespace percuss
