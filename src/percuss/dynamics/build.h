#pragma once

#include "percuss/dynamics/system.h"

/// The steps of build_system.
namespace percuss {

void add_bodies(const Model& model, System& system);
/// `start` places the bodies as the model does.
void add_joints(const Model& model, System& system, const Kinematics& start);
void add_springs(const Model& model, System& system, const Kinematics& start);
void add_loads(const Model& model, System& system);
void build_pattern(System& system);

}  // namespace percuss
