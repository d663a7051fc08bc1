#include "percuss/dynamics/pools/spin_couplings.h"

namespace percuss {

void SpinCouplings::list_blocks(const std::vector<BodyData>& /*bodies*/) {
  for (const SpinCoupling& coupling : elements)
    blocks.add({coupling.dof.data(), static_cast<size_t>(coupling.dofs())});
}

void SpinCouplings::add_force(const ForceArguments& at, VectorX& f) const {
  for (const SpinCoupling& coupling : elements) coupling.add_force(at.v, f);
}

void SpinCouplings::add_tangents(const ForceArguments& at, const TangentSum& sum) const {
  for (size_t k = 0; k < size(); ++k) sum.add_damping(blocks, static_cast<int>(k), elements[k].damping(at.v));
}

}  // namespace percuss
