#pragma once

#include <array>

#include "percuss/math/vector.h"

/// A piece of a shaft between two nodes, and what its spin does to its slopes.  docs/theory/shaft.md
namespace percuss {

/// What the matrices of an element are made of.
struct ShaftPiece {
  double length = 0;             ///< [m]
  double line_mass = 0;          ///< rho A [kg/m]
  double line_inertia = 0;       ///< rho I, about a diameter [kg m]
  double bending_stiffness = 0;  ///< E I [N m^2]
  double torsion_stiffness = 0;  ///< G I_t [N m^2]
};

/// Of bending in one plane: deflection and slope of both ends, cubic shape functions (SH-3).
struct BendingMatrices {
  Eigen::Matrix4d K, M;
  Eigen::Matrix4d slopes;  ///< integral of N'^T N': times rho I the inertia of tilting sections
  Eigen::Vector4d weight;  ///< integral of N [m]
};
BendingMatrices bending_matrices(const ShaftPiece& piece);

/// Couples two lists of coordinates through the rate of spin Omega, the mean of the given ones (SH-5):
///   f_first = -Omega Q v_second,   f_second = Omega Q^T v_first
/// The forces do no work.
struct SpinCoupling {
  static constexpr int max_coupled = 4, max_dofs = 2 * max_coupled + 2;
  using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, max_coupled, max_coupled>;
  using Tangent = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, max_dofs, max_dofs>;
  using Rates = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, max_coupled, 1>;

  Block Q;                          ///< [kg m^2] between rotations
  int spins = 1;                    ///< how many rates of spin
  std::array<int, max_dofs> dof{};  ///< first, second, spins; -1 where a coordinate is held

  int coupled() const { return static_cast<int>(Q.rows()); }
  int dofs() const { return 2 * coupled() + spins; }
  void add_force(const VectorX& v, VectorX& f) const;
  /// C = -df/dv over the listed coordinates.
  Tangent damping(const VectorX& v) const;

 private:
  double spin(const VectorX& v) const;
  Rates rates(const VectorX& v, int first) const;
};

/// Of an element; the coordinates are listed later.
SpinCoupling spin_coupling_of_element(const ShaftPiece& piece);
/// Of a disc on a node, with the rotations about the second and third axis as coordinates.
SpinCoupling spin_coupling_of_disc(double polar_inertia);

}  // namespace percuss
