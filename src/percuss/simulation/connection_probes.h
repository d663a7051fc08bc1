#pragma once

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/simulation/simulation.h"

namespace percuss {

/// `joint(name).what`, `joints.what` and `spring(name).what`.
Probe joint_probe(const System& system, const std::string& name, const std::string& what);
Probe joints_probe(const std::string& what);
Probe spring_probe(const System& system, const std::string& name, const std::string& what);

}  // namespace percuss
