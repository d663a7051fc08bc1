#include "percuss/dynamics/pools/coordinate_springs.h"

#include <algorithm>

namespace percuss {
namespace {

constexpr int max_functions = CoordinateSpring::max_functions;

}  // namespace

void coordinate_spring_state(const CoordinateSpring& spring, const Kinematics& kinematics, double* value,
                             double* rates, double* tension) {
  const auto n = static_cast<Eigen::Index>(spring.functions.size());
  for (Eigen::Index i = 0; i < n; ++i) {
    value[i] = evaluate(spring.functions[static_cast<size_t>(i)], kinematics);
    rates[i] = rate(spring.functions[static_cast<size_t>(i)], kinematics);
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    tension[i] = spring.preload[i];
    for (Eigen::Index j = 0; j < n; ++j)
      tension[i] += spring.stiffness(i, j) * value[j] + spring.damping(i, j) * rates[j];
  }
}

void CoordinateSprings::list_blocks(const std::vector<BodyData>& /*bodies*/) {
  for (const CoordinateSpring& spring : elements) blocks.add(spring.functions[0].dof);
}

void CoordinateSprings::add_force(const ForceArguments& at, VectorX& f) const {
  double value[max_functions], rates[max_functions], tension[max_functions], columns[pair_coordinates];
  for (const CoordinateSpring& spring : elements) {
    coordinate_spring_state(spring, at.kinematics, value, rates, tension);
    for (size_t i = 0; i < spring.functions.size(); ++i) {
      const ScalarFunction& function = spring.functions[i];
      gradient(function, at.bodies, at.kinematics, columns);
      for (int c = 0; c < function.columns(); ++c)
        if (function.dof[c] >= 0) f[function.dof[c]] -= tension[i] * columns[c];
    }
  }
}

void CoordinateSprings::add_tangents(const ForceArguments& at, const TangentSum& sum) const {
  for (size_t s = 0; s < size(); ++s) {
    const CoordinateSpring& spring = elements[s];
    const int n = spring.columns(), m = static_cast<int>(spring.functions.size());
    double value[max_functions], rates[max_functions], tension[max_functions];
    coordinate_spring_state(spring, at.kinematics, value, rates, tension);
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, max_functions, pair_coordinates>;
    Rows G(m, n), rate_tangent(m, n);
    PairBlock K = PairBlock::Zero(n, n), C;
    Eigen::Matrix<double, Eigen::Dynamic, 1, 0, pair_coordinates, 1> columns(n);
    for (int i = 0; i < m; ++i) {
      gradient(spring.functions[i], at.bodies, at.kinematics, columns.data());
      G.row(i) = columns.transpose();
      Eigen::Map<MatrixX> second(at.kinematics.scratch.data(), n, n);
      second.setZero();
      add_second_derivative(spring.functions[i], at.bodies, at.kinematics, 1.0, second);
      K += tension[i] * second;
      rate_gradient(spring.functions[i], at.bodies, at.kinematics, columns.data());
      rate_tangent.row(i) = columns.transpose();
    }
    K += G.transpose() * (spring.stiffness * G + spring.damping * rate_tangent);
    C = G.transpose() * spring.damping * G;
    sum.add(blocks, static_cast<int>(s), K, C);
  }
}

double CoordinateSprings::strain_energy(const ForceArguments& at) const {
  double energy = 0;
  for (const CoordinateSpring& spring : elements) {
    double c[max_functions];
    const auto n = static_cast<Eigen::Index>(spring.functions.size());
    for (Eigen::Index i = 0; i < n; ++i)
      c[i] = evaluate(spring.functions[static_cast<size_t>(i)], at.kinematics);
    for (Eigen::Index i = 0; i < n; ++i) {
      energy += spring.preload[i] * c[i];
      for (Eigen::Index j = 0; j < n; ++j) energy += 0.5 * c[i] * spring.stiffness(i, j) * c[j];
    }
  }
  return energy;
}

double CoordinateSprings::damping_power(const ForceArguments& at) const {
  double power = 0;
  for (const CoordinateSpring& spring : elements) {
    double c[max_functions];
    const auto n = static_cast<Eigen::Index>(spring.functions.size());
    for (Eigen::Index i = 0; i < n; ++i) c[i] = rate(spring.functions[static_cast<size_t>(i)], at.kinematics);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j) power += c[i] * spring.damping(i, j) * c[j];
  }
  return power;
}

double CoordinateSprings::prescribed_power(const std::vector<BodyData>& bodies,
                                           const Kinematics& kinematics) const {
  double power = 0;
  for (const CoordinateSpring& spring : elements) {
    double value[max_functions], rates[max_functions], tension[max_functions];
    coordinate_spring_state(spring, kinematics, value, rates, tension);
    for (size_t i = 0; i < spring.functions.size(); ++i)
      power += tension[i] * prescribed_rate(spring.functions[i], bodies, kinematics);
  }
  return power;
}

bool CoordinateSprings::has_dampers() const {
  return std::ranges::any_of(elements,
                             [](const CoordinateSpring& spring) { return !spring.damping.isZero(0); });
}

}  // namespace percuss
