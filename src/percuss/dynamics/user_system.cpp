#include "percuss/dynamics/user_system.h"

#include <cmath>

namespace percuss {

UserSystemCalls::UserSystemCalls(const UserSystemData& data)
    : equations_(data.equations.get()), first_(data.first) {
  const Eigen::Index n = data.size, gaps = static_cast<Eigen::Index>(equations_->gaps().size());
  for (VectorX* x : {&q_, &v_, &f_, &shifted_}) x->setZero(n);
  for (MatrixX* m : {&M_, &K_, &C_}) m->setZero(n, n);
  gaps_.setZero(gaps);
  gap_jacobian_.setZero(gaps, n);
  tangent_jacobian_.setZero(2 * gaps, n);
}

const MatrixX& UserSystemCalls::mass(const VectorX& q) {
  take(q);
  equations_->mass_matrix(q_, M_);
  return M_;
}

const VectorX& UserSystemCalls::force(const VectorX& q, const VectorX& v, double t) {
  take(q);
  v_ = v.segment(first_, v_.size());
  equations_->force(q_, v_, t, f_);
  return f_;
}

void UserSystemCalls::tangents(const VectorX& q, const VectorX& v, double t) {
  take(q);
  v_ = v.segment(first_, v_.size());
  if (equations_->tangents(q_, v_, t, K_, C_)) return;
  // Central differences; the cube root of the machine precision balances truncation and rounding.
  const auto differentiate = [&](VectorX& x, MatrixX& negative_slope) {
    for (Eigen::Index j = 0; j < x.size(); ++j) {
      const double step = 6e-6 * (1 + std::abs(x[j])), kept = x[j];
      x[j] = kept + step;
      equations_->force(q_, v_, t, shifted_);
      x[j] = kept - step;
      equations_->force(q_, v_, t, f_);
      x[j] = kept;
      negative_slope.col(j) = (f_ - shifted_) / (2 * step);
    }
  };
  differentiate(q_, K_);
  differentiate(v_, C_);
}

const VectorX& UserSystemCalls::gaps(const VectorX& q) {
  take(q);
  equations_->gap_values(q_, gaps_);
  return gaps_;
}
const MatrixX& UserSystemCalls::gap_jacobian(const VectorX& q) {
  take(q);
  equations_->gap_jacobian(q_, gap_jacobian_);
  return gap_jacobian_;
}
const MatrixX& UserSystemCalls::tangent_jacobian(const VectorX& q) {
  take(q);
  equations_->tangent_jacobian(q_, tangent_jacobian_);
  return tangent_jacobian_;
}
double UserSystemCalls::potential_energy(const VectorX& q) {
  take(q);
  return equations_->potential_energy(q_);
}

void UserSystemCalls::carry_impulse(const VectorX& q_before, const VectorX& q_after, VectorX& impulse) {
  f_ = impulse.segment(first_, f_.size());
  factor_.factorise(mass(q_before));
  factor_.solve(f_);
  impulse.segment(first_, f_.size()).noalias() = mass(q_after) * f_;
}

}  // namespace percuss
