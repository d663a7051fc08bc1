#include <algorithm>
#include <limits>

#include <Eigen/LU>

#include "percuss/dynamics/elements/solid_group.h"

namespace percuss {
namespace {

double shape_determinant(const Eigen::Map<const MatrixX>& places, const MatrixX& dN) {
  return shape_jacobian(places, dN).determinant();
}

}  // namespace

template <class Visit>
void SolidGroup::at_mass_points(int e, const Visit& visit) const {
  for (const auto& [place, weight, values] : mass_rule_)
    visit(values.N, weight * thickness() * shape_determinant(reference_places(e), values.dN));
}

void SolidGroup::consistent_mass(int e, Eigen::Ref<MatrixX> m) const {
  m.setZero();
  at_mass_points(
      e, [&](const VectorX& N, double w) { m.noalias() += (w * options_.density * N) * N.transpose(); });
}

void SolidGroup::lumped_mass(int e, double* m) const {
  Eigen::Map<VectorX> diagonal(m, nodes_);
  double total = 0;
  diagonal.setZero();
  at_mass_points(e, [&](const VectorX& N, double w) {
    diagonal += w * N.cwiseAbs2();
    total += w;
  });
  diagonal *= options_.density * total / diagonal.sum();
}

void SolidGroup::body_force_weights(int e, double* w) const {
  Eigen::Map<VectorX> weights(w, nodes_);
  weights.setZero();
  at_mass_points(e, [&](const VectorX& N, double share) { weights += share * N; });
}

double SolidGroup::volume(int e) const {
  double sum = 0;
  at_mass_points(e, [&](const VectorX& /*N*/, double w) { sum += w; });
  return sum;
}

double SolidGroup::smallest_jacobian(int e) const {
  double smallest = std::numeric_limits<double>::infinity();
  for (const ShapeRule* rule : {&rule_, &mass_rule_})
    for (const auto& point : *rule)
      smallest = std::min(smallest, shape_determinant(reference_places(e), point.values.dN));
  return smallest;
}

}  // namespace percuss
