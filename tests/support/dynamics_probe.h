#pragma once

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/dynamics/energies.h"
#include "percuss/dynamics/forces.h"
#include "percuss/dynamics/system.h"

namespace percuss::testing {

/// A system as functions of (q, v, t), for comparisons with finite differences. Increments of q are taken on
/// the manifold.
class DynamicsProbe {
 public:
  explicit DynamicsProbe(const System& system) : system_(system), kinematics_(make_kinematics(system)) {}

  int dofs() const { return system_.dof_count(); }
  VectorX moved(const VectorX& q, const VectorX& increment) const {
    VectorX result = q;
    retract(system_, increment, result);
    return result;
  }
  /// A configuration near the initial one.
  VectorX random_configuration(double size) const {
    return moved(system_.initial.q, size * VectorX::Random(dofs()));
  }

  VectorX force(const VectorX& q, const VectorX& v, double t) {
    VectorX f(dofs());
    place(q, v, t);
    evaluate_force(system_, q, v, t, kinematics_, f);
    return f;
  }
  double potential(const VectorX& q, double t) {
    place(q, VectorX::Zero(dofs()), t);
    return potential_energy(system_, q, kinematics_) + strain_energy(system_, q, kinematics_);
  }
  double damping(const VectorX& q, const VectorX& v, double t) {
    place(q, v, t);
    return damping_power(system_, q, v, kinematics_);
  }
  MatrixX mass(const VectorX& q) {
    MatrixX M(dofs(), dofs());
    VectorX column(dofs());
    for (int j = 0; j < dofs(); ++j) {
      multiply_mass(system_, q, VectorX::Unit(dofs(), j), kinematics_, column);
      M.col(j) = column;
    }
    return M;
  }
  MatrixX iteration_matrix(const VectorX& q, const VectorX& v, double t, double c, double k) {
    SparseMatrix A = system_.pattern;
    place(q, v, t);
    assemble_iteration_matrix(system_, q, v, t, c, k, kinematics_, A);
    return MatrixX(A).selfadjointView<Eigen::Lower>();
  }
  void tangents(const VectorX& q, const VectorX& v, double t, MatrixX& K, MatrixX& C) {
    place(q, v, t);
    dense_tangents(system_, q, v, t, kinematics_, K, C);
  }

  VectorX constraints(const VectorX& q, double t) {
    VectorX g(system_.constraint_count());
    place(q, VectorX::Zero(dofs()), t);
    constraint_values(system_, kinematics_, t, g);
    return g;
  }
  MatrixX constraint_matrix(const VectorX& q, double t) {
    place(q, VectorX::Zero(dofs()), t);
    std::vector<double> entries(system_.joints.dof.size());
    constraint_jacobian(system_, kinematics_, entries);
    MatrixX G = MatrixX::Zero(system_.constraint_count(), dofs());
    for (int i = 0; i < system_.constraint_count(); ++i)
      for (int p = system_.joints.row_begin[i]; p < system_.joints.row_begin[i + 1]; ++p)
        G(i, system_.joints.dof[p]) += entries[p];
    return G;
  }
  VectorX prescribed_rates(const VectorX& q, double t) {
    VectorX rates(system_.constraint_count());
    place(q, VectorX::Zero(dofs()), t);
    constraint_rates(system_, kinematics_, t, rates);
    return rates;
  }
  VectorX accelerations(const VectorX& q, const VectorX& v, double t) {
    VectorX gamma(system_.constraint_count());
    place(q, v, t);
    std::vector<BiasAcceleration> biases;
    constraint_accelerations(system_, t, kinematics_, biases, gamma);
    return gamma;
  }
  /// d(G^T lambda)/dq of one row with lambda = 1.
  MatrixX second_derivative(const VectorX& q, double t, int row) {
    place(q, VectorX::Zero(dofs()), t);
    const ScalarFunction& function = system_.joints.rows[row].function;
    const int n = function.columns();
    MatrixX block = MatrixX::Zero(n, n);
    add_second_derivative(function, system_.bodies, kinematics_, 1, block);
    MatrixX S = MatrixX::Zero(dofs(), dofs());
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (function.dof[i] >= 0 && function.dof[j] >= 0) S(function.dof[i], function.dof[j]) += block(i, j);
    return S;
  }

  Kinematics& at(const VectorX& q, const VectorX& v, double t) {
    place(q, v, t);
    return kinematics_;
  }

 private:
  void place(const VectorX& q, const VectorX& v, double t) { update(system_, q, v, t, kinematics_); }

  const System& system_;
  Kinematics kinematics_;
};

/// Derivative of a vector-valued f(s) at s = 0. Central differences of two steps together have an error of
/// fourth order, so that the steps can be long and rounding matters little.
template <class Function>
VectorX slope(Function&& f) {
  const auto central = [&](double s) -> VectorX { return (f(s) - f(-s)) / (2 * s); };
  return (4 * central(5e-4) - central(1e-3)) / 3;
}
/// The same of f(q) along an increment of q.
template <class Function>
VectorX slope(const DynamicsProbe& probe, const VectorX& q, const VectorX& direction, Function&& f) {
  return slope([&](double s) { return f(probe.moved(q, s * direction)); });
}

}  // namespace percuss::testing
