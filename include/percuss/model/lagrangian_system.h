#pragma once

#include <string>
#include <vector>

#include "percuss/math/vector.h"

namespace percuss {

/// A mechanical system that a user describes by its equations instead of bodies and joints:
///     M(q) dv/dt = f(q, v, t) + W_N(q) lambda_N + W_T(q) lambda_T,   dq/dt = v
/// in minimal coordinates, with gaps of its own. How to write one: docs/howto/user_system.md
///
/// All functions are pure: they depend on their arguments only, so one object may serve many threads. The
/// matrices and vectors that are passed in have the right size and hold anything; every entry must be set.
/// They are called in every step: allocate nothing.
class LagrangianSystem {
 public:
  virtual ~LagrangianSystem() = default;

  /// Their number is the number of coordinates; probes and results use them.
  virtual std::vector<std::string> coordinate_names() const = 0;
  virtual void initial_state(VectorX& q, VectorX& v) const = 0;

  virtual void mass_matrix(const VectorX& q, MatrixX& M) const = 0;  ///< symmetric, positive definite
  virtual bool has_constant_mass() const { return false; }
  /// Everything but contact forces: applied, gyroscopic and centrifugal forces.
  virtual void force(const VectorX& q, const VectorX& v, double t, VectorX& f) const = 0;
  /// K = -df/dq and C = -df/dv. Return false (the default) to have them computed by finite differences.
  virtual bool tangents(const VectorX& /*q*/, const VectorX& /*v*/, double /*t*/, MatrixX& /*K*/,
                        MatrixX& /*C*/) const {
    return false;
  }
  /// The part of the energy that is not kinetic [J].
  virtual double potential_energy(const VectorX& /*q*/) const { return 0; }

  struct Gap {
    std::string name;        ///< of the contact, as in `contact(crank, gap1)`
    double restitution = 0;  ///< Newton's e
    double friction = 0;     ///< Coulomb's mu
    int tangents = 1;        ///< tangential directions: 1 in the plane, 2 in space
  };
  virtual std::vector<Gap> gaps() const { return {}; }
  virtual void gap_values(const VectorX& /*q*/, VectorX& /*g*/) const {}    ///< [m]
  virtual void gap_jacobian(const VectorX& /*q*/, MatrixX& /*G*/) const {}  ///< row i = dg_i/dq = W_N^T
  /// Rows 2i and 2i + 1 give the tangential velocities of contact i as W_T^T v; with one tangent the second
  /// row is not looked at. Needed for gaps with friction.
  virtual void tangent_jacobian(const VectorX& /*q*/, MatrixX& /*T*/) const {}
};

}  // namespace percuss
