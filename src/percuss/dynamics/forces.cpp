#include "percuss/dynamics/forces.h"

#include <algorithm>

namespace percuss {
namespace {

/// Gravity and the pools; `elastic_force` as in ForceArguments.
void sum_forces(const System& system, const VectorX& q, const VectorX& v, double t, Kinematics& kinematics,
                VectorX* elastic_force, VectorX& f) {
  f = system.gravity_force;
  if (elastic_force) elastic_force->setZero();
  const ForceArguments at{system.bodies, q, v, t, kinematics, system.workers.get(), elastic_force};
  for_each_filled_pool(system, [&](const auto& pool) { pool.add_force(at, f); });
}

void sum_tangents(const System& system, const VectorX& q, const VectorX& v, double t, Kinematics& kinematics,
                  const TangentSum& sum) {
  const ForceArguments at{system.bodies, q, v, t, kinematics, system.workers.get()};
  for_each_filled_pool(system, [&](const auto& pool) { pool.add_tangents(at, sum); });
}

}  // namespace

void evaluate_force(const System& system, const VectorX& q, const VectorX& v, double t,
                    Kinematics& kinematics, VectorX& f) {
  if (system.floating.empty()) return sum_forces(system, q, v, t, kinematics, nullptr, f);
  VectorX& internal = kinematics.internal_force;
  sum_forces(system, q, v, t, kinematics, &internal, f);
  add_frame_forces(system, q, v, internal, kinematics, f);
}

void evaluate_force_without_frames(const System& system, const VectorX& q, const VectorX& v, double t,
                                   Kinematics& kinematics, VectorX& f) {
  sum_forces(system, q, v, t, kinematics, nullptr, f);
}

void evaluate_force_in_frames(const System& system, const VectorX& q, const VectorX& v, double t,
                              Kinematics& kinematics, const std::vector<bool>& with_moments, VectorX& f) {
  const bool some_moments = std::ranges::find(with_moments, true) != with_moments.end();
  sum_forces(system, q, v, t, kinematics, some_moments ? &kinematics.internal_force : nullptr, f);
  for (size_t k = 0; k < system.floating.size(); ++k) {
    const FloatingFrame& frame = system.floating[k];
    add_frame_weight(system, frame, frame.attitude(q).toRotationMatrix(), f);
    if (with_moments[k]) add_frame_moment(system, frame, q, kinematics.internal_force, f);
  }
}

void assemble_iteration_matrix(const System& system, const VectorX& q, const VectorX& v, double t, double c,
                               double k, Kinematics& kinematics, SparseMatrix& A) {
  double* values = A.valuePtr();
  std::fill(values, values + A.nonZeros(), 0.0);
  for (int i = 0; i < system.dof_count(); ++i) values[system.mass_entry[i]] = system.mass[i];
  for (size_t b = 0; b < system.mass_blocks.size(); ++b)
    system.mass_block_entries.add_symmetric_part(static_cast<int>(b), system.mass_blocks[b].values, values);
  for (size_t s = 0; s < system.user_systems.size(); ++s)
    system.user_systems.blocks.add_symmetric_part(static_cast<int>(s), kinematics.user_systems[s].mass(q),
                                                  values);
  system.constant.mass.add_to(1, values);
  if (c == 0 && k == 0) return;
  sum_tangents(system, q, v, t, kinematics, {.c = c, .k = k, .values = values});
}

void dense_tangents(const System& system, const VectorX& q, const VectorX& v, double t,
                    Kinematics& kinematics, MatrixX& K, MatrixX& C) {
  K.setZero(system.dof_count(), system.dof_count());
  C.setZero(system.dof_count(), system.dof_count());
  sum_tangents(system, q, v, t, kinematics, {.K = &K, .C = &C});
}

void multiply_mass(const System& system, const VectorX& q, const VectorX& x, Kinematics& kinematics,
                   VectorX& y) {
  y = system.mass.cwiseProduct(x);
  if (!system.constant.mass.empty()) system.constant.mass.product.add(1, x, y);
  for (const auto& block : system.mass_blocks)
    for (size_t i = 0; i < block.dof.size(); ++i)
      for (size_t j = 0; j < block.dof.size(); ++j)
        y[block.dof[i]] +=
            block.values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) * x[block.dof[j]];
  for (size_t s = 0; s < system.user_systems.size(); ++s) {
    const auto& user = system.user_systems[s];
    y.segment(user.first, user.size).noalias() +=
        kinematics.user_systems[s].mass(q) * x.segment(user.first, user.size);
  }
}

}  // namespace percuss
