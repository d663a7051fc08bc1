#pragma once

#include "percuss/dynamics/pools/pool.h"

namespace percuss {

/// Springs and dampers on scalar functions c: s = K c + C c_dot + preload, force -G^T s. One function for a
/// torsional spring, six for a bushing; all functions have the same columns.
struct CoordinateSpring {
  static constexpr int max_functions = 6;

  std::vector<ScalarFunction> functions;
  MatrixX stiffness, damping;
  VectorX preload;

  int columns() const { return functions[0].columns(); }
};
/// Values and rates of the functions, and s of above; vectors of the size of `functions`.
void coordinate_spring_state(const CoordinateSpring& spring, const Kinematics& kinematics, double* value,
                             double* rate, double* tension);

struct CoordinateSprings : ElementPool<CoordinateSpring> {
  void list_blocks(const std::vector<BodyData>& bodies);
  void add_force(const ForceArguments& at, VectorX& f) const;
  void add_tangents(const ForceArguments& at, const TangentSum& sum) const;
  double strain_energy(const ForceArguments& at) const;
  double damping_power(const ForceArguments& at) const;
  double prescribed_power(const std::vector<BodyData>& bodies, const Kinematics& kinematics) const;
  bool needs_poses() const { return true; }
  bool has_dampers() const;
};

}  // namespace percuss
