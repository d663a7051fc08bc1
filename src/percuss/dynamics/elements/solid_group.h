#pragma once

#include <cstddef>
#include <vector>

#include "percuss/dynamics/elements/solid_material.h"
#include "percuss/dynamics/elements/solid_shapes.h"

namespace percuss {

struct SolidElementData;

struct SolidOptions {
  SolidShape shape = SolidShape::hex8;
  SolidLaw law = SolidLaw::small_strain;
  PlaneState plane = PlaneState::plane_strain;  ///< tri3 and quad4 only
  double thickness = 1;                         ///< of plane elements [m]
  double young = 0;                             ///< [Pa]
  double poisson = 0;                           ///< in (-1, 0.5)
  double density = 0;                           ///< [kg/m^3]
  double viscosity = 0;             ///< Kelvin-Voigt: factor of the stiffness at small strain [s], (S-8)
  bool incompatible_modes = false;  ///< hex8 and quad4 in small strain: no locking in bending, (S-15)

  void validate() const;  ///< throws std::invalid_argument
};

/// All elements of one shape, law and material. Constant after construction; calls allocate nothing, but
/// those of masses and weights.  docs/theory/solids.md
///
/// x and v are positions and velocities of the element's nodes, node after node, with `dimension` numbers
/// each. All results are in that order.
class SolidGroup {
 public:
  /// `connectivity` has node numbers into `reference_positions`, element after element. Elements that are
  /// inside out are accepted: see smallest_jacobian.
  SolidGroup(const SolidOptions& options, std::vector<int> connectivity,
             const std::vector<Vector3>& reference_positions);

  int element_count() const { return static_cast<int>(connectivity_.size()) / nodes_; }
  int nodes_per_element() const { return nodes_; }
  int dofs_per_element() const { return nodes_ * dimension_; }
  const int* nodes(int e) const { return connectivity_.data() + at(e, nodes_); }
  bool is_linear() const { return options_.law == SolidLaw::small_strain; }
  const SolidOptions& options() const { return options_; }

  /// Elastic and viscous force on the nodes.  (S-2), (S-8)
  void force(int e, const double* x, const double* v, double* f) const;
  /// Exact K = -df/dx and C = -df/dv. K has the derivative of the viscous forces, and is unsymmetric with
  /// them.
  void tangents(int e, const double* x, const double* v, Eigen::Ref<MatrixX> K, Eigen::Ref<MatrixX> C) const;
  /// The symmetric K of the elastic forces alone.  (S-9)
  void stiffness(int e, const double* x, Eigen::Ref<MatrixX> K) const;
  double energy(int e, const double* x) const;
  /// What viscosity dissipates [W], never negative.  (S-12)
  double damping_power(int e, const double* x, const double* v) const;

  /// Nodes x nodes, the same in each direction [kg].
  void consistent_mass(int e, Eigen::Ref<MatrixX> m) const;
  /// Diagonal of the consistent mass, scaled to the mass of the element: positive for all shapes.  (S-16)
  void lumped_mass(int e, double* m) const;
  /// Integral of each N_a [m^3]; times the density the row sums of the consistent mass.
  void body_force_weights(int e, double* w) const;

  /// Elastic Cauchy stress: average over the volume the element has at x.  (S-13)
  Matrix3 cauchy_stress(int e, const double* x) const;
  /// The same at the nodes, extrapolated from the integration points.  (S-14)
  void nodal_stress(int e, const double* x, Matrix3* sigma) const;

  double volume(int e) const;             ///< at rest
  double smallest_jacobian(int e) const;  ///< over all integration points; <= 0: the element is inside out

 private:
  static size_t at(int e, int per_element) {
    return static_cast<size_t>(e) * static_cast<size_t>(per_element);
  }
  SolidElementData element(int e) const;
  const double* condensed_stiffness(int e) const;
  Eigen::Map<const MatrixX> reference_places(int e) const {  ///< in columns
    return {reference_.data() + at(e, dofs_per_element()), dimension_, nodes_};
  }
  double thickness() const { return dimension_ == 2 ? options_.thickness : 1; }
  void build_gradients();
  void condense_modes();
  /// Returns the number of points.
  int stress_at_points(int e, const double* x, CauchyStress* at_points) const;
  /// Calls visit(N, volume that belongs to the point) at the points of the mass quadrature.
  template <class Visit>
  void at_mass_points(int e, const Visit& visit) const;

  SolidOptions options_;
  SolidMaterial material_;
  int nodes_, dimension_;
  int functions_;  ///< shape functions and incompatible modes
  std::vector<int> connectivity_;
  ShapeRule rule_, mass_rule_;
  std::vector<double> reference_, gradients_, weights_;  ///< see SolidElementData
  MatrixX extrapolation_;
  /// With incompatible modes, for each element: the condensed stiffness, and the matrix that gives the modes
  /// from the displacements; both by columns.
  std::vector<double> condensed_, modes_;
};

double von_mises(const Matrix3& sigma);

}  // namespace percuss
