#pragma once

#include <memory>
#include <string>

#include "percuss/math/dense.h"
#include "percuss/model/lagrangian_system.h"

namespace percuss {

/// A user's system and its place among the coordinates.
struct UserSystemData {
  std::string name;
  std::shared_ptr<const LagrangianSystem> equations;
  int first = 0, size = 0;
};

/// Memory for the calls into a user's system, and the calls themselves with global vectors.
class UserSystemCalls {
 public:
  explicit UserSystemCalls(const UserSystemData& data);

  const MatrixX& mass(const VectorX& q);
  const VectorX& force(const VectorX& q, const VectorX& v, double t);
  /// Finite differences if the user gives none.
  void tangents(const VectorX& q, const VectorX& v, double t);
  const MatrixX& stiffness() const { return K_; }
  const MatrixX& damping() const { return C_; }
  const VectorX& gaps(const VectorX& q);
  const MatrixX& gap_jacobian(const VectorX& q);
  const MatrixX& tangent_jacobian(const VectorX& q);
  double potential_energy(const VectorX& q);
  /// impulse <- M(q_after) M(q_before)^-1 impulse.
  void carry_impulse(const VectorX& q_before, const VectorX& q_after, VectorX& impulse);

 private:
  void take(const VectorX& q) { q_ = q.segment(first_, q_.size()); }

  const LagrangianSystem* equations_;
  int first_;
  VectorX q_, v_, f_, shifted_, gaps_;
  MatrixX M_, K_, C_, gap_jacobian_, tangent_jacobian_;
  DenseCholesky factor_;
};

}  // namespace percuss
