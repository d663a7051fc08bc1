#include "percuss/dynamics/mass_iteration.h"

#include <cmath>

#include "percuss/dynamics/forces.h"

namespace percuss {
namespace {

/// Of r^T D^-1 r, relative: a residual of 10^-15.
constexpr double tolerance = 1e-30;
/// Of consistent masses the condition of D^-1 M is below a hundred, so that some hundred iterations are
/// enough.
constexpr int max_iterations = 500;

VectorX mass_diagonal(const System& system) {
  VectorX diagonal = system.mass;
  for (const auto& block : system.mass_blocks)
    for (size_t i = 0; i < block.dof.size(); ++i)
      diagonal[block.dof[i]] += block.values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i));
  return diagonal;
}

}  // namespace

std::optional<VectorX> solve_mass_by_iteration(const System& system, const VectorX& q, const VectorX& f,
                                               Kinematics& kinematics) {
  const VectorX D = mass_diagonal(system);
  VectorX x = VectorX::Zero(f.size()), r = f, z = r.cwiseQuotient(D), p = z, Mp(f.size());
  double rho = r.dot(z);
  const double goal = tolerance * rho;
  if (!(D.minCoeff() > 0) || !std::isfinite(rho)) return std::nullopt;
  for (int k = 0; k < max_iterations && rho > goal; ++k) {
    multiply_mass(system, q, p, kinematics, Mp);
    const double curvature = p.dot(Mp);
    if (!(curvature > 0)) return std::nullopt;
    const double alpha = rho / curvature;
    x += alpha * p;
    r -= alpha * Mp;
    z = r.cwiseQuotient(D);
    const double next = r.dot(z);
    p = z + next / rho * p;
    rho = next;
  }
  return rho <= goal ? std::optional(x) : std::nullopt;
}

}  // namespace percuss
