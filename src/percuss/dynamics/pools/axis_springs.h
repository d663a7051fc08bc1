#pragma once

#include <array>

#include "percuss/dynamics/pools/pool.h"

namespace percuss {

/// Spring and damper along a fixed axis: elongation = sum coefficient_i q_i + offset, linear in q.
struct AxisSpring {
  int count = 0;  ///< coordinates it acts on
  std::array<int, 6> dof{};
  std::array<double, 6> coefficient{};
  double offset = 0;  ///< part of the elongation that does not change, rest length included [m]
  double stiffness = 0, damping = 0;

  double elongation(const VectorX& q) const {
    double sum = offset;
    for (int i = 0; i < count; ++i) sum += coefficient[i] * q[dof[i]];
    return sum;
  }
  double rate(const VectorX& v) const {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += coefficient[i] * v[dof[i]];
    return sum;
  }
};

struct AxisSprings : ElementPool<AxisSpring> {
  void list_blocks(const std::vector<BodyData>& bodies);
  void add_force(const ForceArguments& at, VectorX& f) const;
  void add_tangents(const ForceArguments& at, const TangentSum& sum) const;
  double strain_energy(const ForceArguments& at) const;
  double damping_power(const ForceArguments& at) const;
  bool has_constant_tangents(const std::vector<BodyData>& /*bodies*/) const { return true; }
  bool has_dampers() const;
};

}  // namespace percuss
