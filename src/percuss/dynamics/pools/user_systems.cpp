#include "percuss/dynamics/pools/user_systems.h"

#include <numeric>

namespace percuss {

void UserSystems::list_blocks(const std::vector<BodyData>& /*bodies*/) {
  for (const UserSystemData& user : elements) {
    std::vector<int> dof(static_cast<size_t>(user.size));
    std::iota(dof.begin(), dof.end(), user.first);
    blocks.add(dof);
  }
}

void UserSystems::add_force(const ForceArguments& at, VectorX& f) const {
  for (size_t s = 0; s < size(); ++s)
    f.segment(elements[s].first, elements[s].size) += at.kinematics.user_systems[s].force(at.q, at.v, at.t);
}

void UserSystems::add_tangents(const ForceArguments& at, const TangentSum& sum) const {
  for (size_t s = 0; s < size(); ++s) {
    UserSystemCalls& calls = at.kinematics.user_systems[s];
    calls.tangents(at.q, at.v, at.t);
    sum.add(blocks, static_cast<int>(s), calls.stiffness(), calls.damping());
  }
}

double UserSystems::potential_energy(const ForceArguments& at) const {
  double energy = 0;
  for (UserSystemCalls& calls : at.kinematics.user_systems) energy += calls.potential_energy(at.q);
  return energy;
}

}  // namespace percuss
