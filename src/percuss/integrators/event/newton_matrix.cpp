#include "percuss/integrators/event/newton_matrix.h"

#include "percuss/dynamics/chart.h"
#include "percuss/dynamics/forces.h"

namespace percuss {

NewtonMatrix::NewtonMatrix(const Assembly& assembly)
    : system_(assembly.system),
      n_(assembly.system.dof_count()),
      chart_(chart_size(assembly.system)),
      m_(assembly.system.constraint_count()),
      saddle_(assembly.system),
      mass_(assembly.system.pattern),
      mass_plus_stiffness_(assembly.system.pattern) {
  for (VectorX* x : {&r_delta_, &r_v_}) x->setZero(n_);
  for (VectorX* x : {&b_, &z_, &dx_}) x->setZero(n_ + m_);
  rate_.setZero(m_);
  attitudes_.resize(system_.floating.size());
}

bool NewtonMatrix::factorise(Mechanics& mechanics, const VectorX& q, const VectorX& v, double t,
                             double gamma) {
  gamma_ = gamma;
  for (size_t k = 0; k < attitudes_.size(); ++k)
    attitudes_[k] = system_.floating[k].attitude(q).toRotationMatrix();
  const auto assemble = [&](double c, double k, SparseMatrix& A) {
    assemble_iteration_matrix(system_, q, v, t, c, k, mechanics.kinematics, A);
  };
  assemble(gamma, gamma * gamma, saddle_.matrix());
  assemble(0, 1, mass_plus_stiffness_);
  assemble(0, 0, mass_);
  if (m_ > 0) saddle_.constraint_jacobian() = mechanics.saddle.constraint_jacobian();
  ++mechanics.factorisations;
  return saddle_.factorise_any();
}

/// (EV-14): A x_v = M r_v - gamma K r_delta + G^T mu with G x_v = G r_v, and x_delta = r_delta + gamma x_v.
void NewtonMatrix::solve(const double* r, double* x) {
  r_delta_ = Eigen::Map<const VectorX>(r, n_);
  r_v_ = Eigen::Map<const VectorX>(r + chart_, n_);
  b_.head(n_).noalias() = mass_.selfadjointView<Eigen::Lower>() * (r_v_ + gamma_ * r_delta_);
  b_.head(n_).noalias() -= mass_plus_stiffness_.selfadjointView<Eigen::Lower>() * (gamma_ * r_delta_);
  if (m_ > 0) {
    multiply(system_.joints, saddle_.constraint_jacobian(), r_v_, rate_);
    b_.tail(m_) = rate_;
  }
  saddle_.factor().forward(b_, z_);
  saddle_.factor().backward(z_, dx_);
  Eigen::Map<VectorX>(x, n_) = r_delta_ + gamma_ * dx_.head(n_);
  Eigen::Map<VectorX>(x + chart_, n_) = dx_.head(n_);
  for (size_t k = 0; k < system_.floating.size(); ++k) {  // as chart_rate does, for small rotations
    const FloatingFrame& frame = system_.floating[k];
    const FrameMotion motion = frame_motion(frame, dx_);
    Eigen::Map<VectorX> psi(x + frame.first, frame.size);
    psi.noalias() -= frame.rigid.leftCols<3>() * (gamma_ * motion.v);
    psi.noalias() -= frame.rigid.rightCols<3>() * (gamma_ * motion.omega);
    const int begin = frame_begin(system_, k);
    Eigen::Map<Vector3>(x + begin) =
        Eigen::Map<const Vector3>(r + begin) + gamma_ * (attitudes_[k] * motion.v);
    Eigen::Map<Vector3>(x + begin + 3) = Eigen::Map<const Vector3>(r + begin + 3) + gamma_ * motion.omega;
  }
}

}  // namespace percuss
