#include "percuss/dynamics/pools/axis_springs.h"

#include <algorithm>

namespace percuss {

void AxisSprings::list_blocks(const std::vector<BodyData>& /*bodies*/) {
  for (const AxisSpring& spring : elements)
    blocks.add({spring.dof.data(), static_cast<size_t>(spring.count)});
}

void AxisSprings::add_force(const ForceArguments& at, VectorX& f) const {
  for (const AxisSpring& spring : elements) {
    const double pull = spring.stiffness * spring.elongation(at.q) + spring.damping * spring.rate(at.v);
    for (int i = 0; i < spring.count; ++i) f[spring.dof[i]] -= spring.coefficient[i] * pull;
  }
}

void AxisSprings::add_tangents(const ForceArguments& /*at*/, const TangentSum& sum) const {
  using Vector6 = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
  for (size_t s = 0; s < size(); ++s) {
    const AxisSpring& spring = elements[s];
    const Vector6 direction = Eigen::Map<const VectorX>(spring.coefficient.data(), spring.count);
    const auto square = (direction * direction.transpose()).eval();
    sum.add(blocks, static_cast<int>(s), spring.stiffness * square, spring.damping * square);
  }
}

double AxisSprings::strain_energy(const ForceArguments& at) const {
  double energy = 0;
  for (const AxisSpring& spring : elements) {
    const double elongation = spring.elongation(at.q);
    energy += 0.5 * spring.stiffness * elongation * elongation;
  }
  return energy;
}

double AxisSprings::damping_power(const ForceArguments& at) const {
  double power = 0;
  for (const AxisSpring& spring : elements) {
    const double rate = spring.rate(at.v);
    power += spring.damping * rate * rate;
  }
  return power;
}

bool AxisSprings::has_dampers() const {
  return std::ranges::any_of(elements, [](const AxisSpring& spring) { return spring.damping > 0; });
}

}  // namespace percuss
