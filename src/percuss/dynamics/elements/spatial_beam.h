#pragma once

#include <array>

#include "percuss/dynamics/bodies.h"

namespace percuss {

/// A geometrically exact beam element in space: two nodes with a place and an attitude, the relative rotation
/// interpolated along the geodesic, one Gauss point. Strains do not change under rigid motions.
/// docs/theory/beams.md (B-5 to B-9)
struct SpatialBeam {
  using Vector12 = Eigen::Matrix<double, 12, 1>;
  using Matrix12 = Eigen::Matrix<double, 12, 12>;
  using Vector6 = Eigen::Matrix<double, 6, 1>;

  std::array<int, 2> node{};  ///< bodies of the system; their axes are those of the section
  std::array<int, 12> dof{};  ///< place and rotation of the first node, then of the second; -1: held
  double length = 0;          ///< without stress [m]
  Vector6 stiffness;          ///< EA, GA, GA, GJ, EI, EI along and about the axes of the section
  double viscosity = 0;       ///< damping per stiffness [s]

  struct Ends {
    std::array<Vector3, 2> x;
    std::array<Matrix3, 2> R;
    Vector12 v;  ///< velocities and angular velocities in body axes
  };
  Ends gather(const std::vector<BodyData>& bodies, const VectorX& q, const VectorX& v) const;

  /// Axial strain, two shears, twist and two curvatures.
  Vector6 strain(const Ends& ends) const;
  /// Normal force, two shear forces, torque and two bending moments in section axes, damping included.
  Vector6 section_forces(const Ends& ends) const;
  /// On the nodes, by the coordinates of `dof`.
  Vector12 force(const Ends& ends) const;
  /// K = -df/dx by increments, C = -df/dv.
  void tangents(const Ends& ends, Matrix12& K, Matrix12& C) const;
  double energy(const Ends& ends) const;
  double damping_power(const Ends& ends) const;
};

}  // namespace percuss
