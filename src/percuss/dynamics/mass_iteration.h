#pragma once

#include <optional>

#include "percuss/dynamics/system.h"

namespace percuss {

/// x with M x = f by conjugate gradients on D^-1 M, D the diagonal of M: no matrix is factorised, which for
/// large meshes takes most of the time and memory of their start. docs/theory/joints.md, section 7
/// Nothing if M is not positive definite, or if the iteration does not end at rounding.
std::optional<VectorX> solve_mass_by_iteration(const System& system, const VectorX& q, const VectorX& f,
                                               Kinematics& kinematics);

}  // namespace percuss
