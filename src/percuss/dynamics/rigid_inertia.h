#pragma once

#include "percuss/model/model.h"

namespace percuss {

/// Mass and inertia of a rigid body about its centre of mass, in body axes.
struct RigidInertia {
  double mass = 0;                   ///< [kg]
  Matrix3 tensor = Matrix3::Zero();  ///< [kg m^2]
  Vector3 centre = Vector3::Zero();  ///< of the shape as it was drawn; its points move by minus this [m]
};

/// What is given wins over what follows from shape and density. Complaints name the field of the body.
RigidInertia rigid_inertia(const RigidBody& body, const Model& model, std::vector<Complaint>& complaints,
                           const std::string& path);
RigidInertia rigid_inertia(const PlanarBody& body, const Model& model, std::vector<Complaint>& complaints,
                           const std::string& path);

}  // namespace percuss
