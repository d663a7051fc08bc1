#pragma once

#include <array>

#include "percuss/math/vector.h"

namespace percuss {

/// A geometrically exact beam element in the x-y plane: two nodes with x, y and an angle, linear shape
/// functions, one Gauss point (two would lock).  docs/theory/beams.md (B-1 to B-4)
struct PlanarBeam {
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Matrix6 = Eigen::Matrix<double, 6, 6>;

  std::array<int, 2> node{};  ///< bodies of the system
  std::array<int, 6> dof{};   ///< -1 where a coordinate is held
  Vector6 start;              ///< coordinates without stress: x, y, angle of both nodes
  double length = 0;          ///< without stress [m]
  double direction = 0;       ///< angle of its axis against x, without stress [rad]
  Vector3 stiffness;          ///< EA, GA, EI [N, N, N m^2]
  double viscosity = 0;       ///< damping per stiffness [s]

  Vector6 gather(const VectorX& q) const;    ///< coordinates
  Vector6 velocity(const VectorX& v) const;  ///< zero where they are held

  /// Axial strain, shear and curvature, and B with rate = B v.
  struct Strain {
    Vector3 value;
    Eigen::Matrix<double, 3, 6> B;
  };
  Strain strain(const Vector6& x) const;
  /// Normal force, shear force and bending moment, damping included.
  Vector3 section_forces(const Strain& strain, const Vector6& v) const;
  /// On the nodes.
  Vector6 force(const Vector6& x, const Vector6& v) const;
  /// K = -df/dx, C = -df/dv.
  void tangents(const Vector6& x, const Vector6& v, Matrix6& K, Matrix6& C) const;
  double energy(const Vector6& x) const;
  double damping_power(const Vector6& x, const Vector6& v) const;
};

}  // namespace percuss
