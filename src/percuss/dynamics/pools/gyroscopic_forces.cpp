#include "percuss/dynamics/pools/gyroscopic_forces.h"

namespace percuss {

void GyroscopicForces::list_blocks(const std::vector<BodyData>& bodies) {
  for (const int b : elements) blocks.add({&bodies[static_cast<size_t>(b)].dof[3], 3});
}

void GyroscopicForces::add_force(const ForceArguments& at, VectorX& f) const {
  for (const int b : elements) {
    const BodyData& body = at.bodies[static_cast<size_t>(b)];
    const Vector3 omega = at.v.segment<3>(body.dof[3]);
    f.segment<3>(body.dof[3]) -= omega.cross(body.inertia * omega);
  }
}

void GyroscopicForces::add_tangents(const ForceArguments& at, const TangentSum& sum) const {
  for (size_t k = 0; k < size(); ++k) {
    const BodyData& body = at.bodies[static_cast<size_t>(elements[k])];
    const Vector3 omega = at.v.segment<3>(body.dof[3]);
    const Matrix3 C = skew(omega) * body.inertia - skew(body.inertia * omega);
    sum.add_damping(blocks, static_cast<int>(k), C);
  }
}

}  // namespace percuss
