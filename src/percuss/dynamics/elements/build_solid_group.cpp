#include <stdexcept>
#include <utility>

#include <Eigen/LU>
#include <fmt/format.h>

#include "percuss/dynamics/elements/solid_group.h"

namespace percuss {
namespace {

void require(bool holds, const char* message) {
  if (!holds) throw std::invalid_argument(message);
}

bool is_plane_stress(const SolidOptions& options) {
  return dimension(options.shape) == 2 && options.plane == PlaneState::plane_stress;
}

void check_connectivity(const std::vector<int>& connectivity, int nodes_per_element, size_t node_count) {
  if (connectivity.size() % static_cast<size_t>(nodes_per_element) != 0)
    throw std::invalid_argument(fmt::format("{} node numbers do not make elements of {} nodes",
                                            connectivity.size(), nodes_per_element));
  for (const int node : connectivity)
    if (node < 0 || static_cast<size_t>(node) >= node_count)
      throw std::invalid_argument(fmt::format("there is no node {}; there are {}", node, node_count));
}

}  // namespace

void SolidOptions::validate() const {
  require(young > 0, "Young's modulus must be positive");
  require(poisson > -1 && poisson < 0.5, "Poisson's ratio must lie between -1 and 0.5");
  require(density >= 0, "the density must not be negative");
  require(viscosity >= 0, "the viscosity must not be negative");
  require(thickness > 0, "the thickness must be positive");
  if (incompatible_modes)
    require((shape == SolidShape::hex8 || shape == SolidShape::quad4) && law == SolidLaw::small_strain,
            "incompatible modes are for hex8 and quad4 in small strain");
}

SolidGroup::SolidGroup(const SolidOptions& options, std::vector<int> connectivity,
                       const std::vector<Vector3>& reference_positions)
    : options_(options),
      nodes_(node_count(options.shape)),
      dimension_(percuss::dimension(options.shape)),
      functions_(nodes_ + (options.incompatible_modes ? dimension_ : 0)),
      connectivity_(std::move(connectivity)),
      rule_(make_rule(options.shape, stiffness_quadrature(options.shape))),
      mass_rule_(make_rule(options.shape, mass_quadrature(options.shape))),
      extrapolation_(extrapolation_to_nodes(options.shape)) {
  options.validate();
  check_connectivity(connectivity_, nodes_, reference_positions.size());
  material_ =
      make_material(options.law, is_plane_stress(options), options.young, options.poisson, options.viscosity);
  for (const int node : connectivity_)
    for (int i = 0; i < dimension_; ++i)
      reference_.push_back(reference_positions[static_cast<size_t>(node)][i]);
  build_gradients();
  if (options.incompatible_modes) condense_modes();
}

void SolidGroup::build_gradients() {
  const MatrixX dN_centre = shape_values(options_.shape, Vector3::Zero()).dN;
  const int points = static_cast<int>(rule_.size());
  gradients_.resize(at(element_count(), points * functions_ * dimension_));
  weights_.resize(at(element_count(), points));
  double* g = gradients_.data();
  double* weight = weights_.data();
  for (int e = 0; e < element_count(); ++e) {
    const auto places = reference_places(e);
    const Matrix3 J_centre = shape_jacobian(places, dN_centre);
    const Matrix3 inverse_centre = J_centre.inverse();
    const double det_centre = J_centre.determinant();
    for (const auto& [place, share, values] : rule_) {
      const MatrixX& dN = values.dN;
      const Matrix3 J = shape_jacobian(places, dN), inverse = J.inverse();
      const double det = J.determinant();
      *weight++ = share * det * thickness();
      for (int j = 0; j < dimension_; ++j) {
        for (int a = 0; a < nodes_; ++a) *g++ = dN.row(a).dot(inverse.col(j).head(dimension_));
        for (int k = nodes_; k < functions_; ++k) {  // the mode 1 - xi_k^2, with the gradient of (S-15)
          const int direction = k - nodes_;
          *g++ = det_centre / det * inverse_centre(direction, j) * (-2 * place[direction]);
        }
      }
    }
  }
}

}  // namespace percuss
