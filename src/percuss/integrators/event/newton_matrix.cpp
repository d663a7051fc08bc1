#include "percuss/integrators/event/newton_matrix.h"

#include "percuss/dynamics/forces.h"
#include "percuss/math/least_norm_solve.h"

namespace percuss {
namespace {

constexpr double dependent_closed_rows = 1e-10;  ///< part of W that counts as zero

}  // namespace

NewtonMatrix::NewtonMatrix(const Assembly& assembly)
    : system_(assembly.system),
      n_(assembly.system.dof_count()),
      m_(assembly.system.constraint_count()),
      saddle_(assembly.system),
      stiffness_(assembly.system.pattern),
      mass_(assembly.system.pattern) {
  for (VectorX* x : {&r_delta_, &r_v_, &force_, &dv_}) x->setZero(n_);
  for (VectorX* x : {&b_, &z_, &dx_}) x->setZero(n_ + m_);
  rate_.setZero(m_);
}

bool NewtonMatrix::factorise(Mechanics& mechanics, const VectorX& q, const VectorX& v, double t, double gamma,
                             const std::vector<ForceRow>& rows) {
  gamma_ = gamma;
  const auto assemble = [&](double c, double k, SparseMatrix& A) {
    assemble_iteration_matrix(system_, q, v, t, c, k, mechanics.kinematics, A);
  };
  assemble(gamma, gamma * gamma, saddle_.matrix());
  assemble(0, 1, stiffness_);
  assemble(0, 0, mass_);
  if (m_ > 0) saddle_.constraint_jacobian() = mechanics.saddle.constraint_jacobian();
  ++mechanics.factorisations;
  if (!saddle_.factorise_any()) return false;
  find_contact_response(mechanics, rows);
  return true;
}

void NewtonMatrix::respond(const VectorX& force, const VectorX& rate, VectorX& x) {
  b_.head(n_) = force;
  b_.tail(m_) = rate;
  saddle_.factor().forward(b_, z_);
  saddle_.factor().backward(z_, dx_);
  x = dx_.head(n_);
}

void NewtonMatrix::find_contact_response(const Mechanics& mechanics, const std::vector<ForceRow>& rows) {
  const auto count = static_cast<Eigen::Index>(rows.size());
  H_.resize(n_, count);
  columns_.resize(n_, count);
  rate_.setZero();
  for (Eigen::Index j = 0; j < count; ++j) {
    const ForceRow& row = rows[static_cast<size_t>(j)];
    force_.setZero();
    mechanics.add_force(row.row, 1, force_);
    H_.col(j) = force_;
    force_.setZero();
    add_unit_force(mechanics, row, force_);
    respond(force_, rate_, dv_);
    columns_.col(j) = dv_;
  }
  W_ = H_.transpose() * columns_;
}

/// (EV-14): A dv = M r_v - gamma K r_delta + G^T mu + F nu with G dv = G r_v and H^T dv = H^T r_v.
void NewtonMatrix::solve(const double* r, double* x) {
  r_delta_ = Eigen::Map<const VectorX>(r, n_);
  r_v_ = Eigen::Map<const VectorX>(r + n_, n_);
  force_.noalias() = mass_.selfadjointView<Eigen::Lower>() * (r_v_ + gamma_ * r_delta_);
  force_.noalias() -= stiffness_.selfadjointView<Eigen::Lower>() * (gamma_ * r_delta_);
  if (m_ > 0) multiply(system_.joints, saddle_.constraint_jacobian(), r_v_, rate_);
  respond(force_, rate_, dv_);
  if (H_.cols() > 0)
    dv_ += columns_ * solve_least_norm(W_, H_.transpose() * (r_v_ - dv_), dependent_closed_rows);
  Eigen::Map<VectorX>(x, n_) = r_delta_ + gamma_ * dv_;
  Eigen::Map<VectorX>(x + n_, n_) = dv_;
}

}  // namespace percuss
