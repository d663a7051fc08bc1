#pragma once

#include "percuss/dynamics/checked_model.h"
#include "percuss/dynamics/system.h"

/// The steps of build_system.
namespace percuss {

class CoordinateList;

void add_bodies(const CheckedModel& checked, System& system);
/// The nodes of flexible bodies, after all other bodies.
void add_nodes(const Model& model, System& system, CoordinateList& list);
/// Those of a shaft, whose mesh is that of the last flexible body of the system.
void add_shaft_nodes(const Model& model, const Shaft& shaft, System& system, CoordinateList& list);
/// Their elements; the nodes must be there.
void add_elements(const Model& model, System& system);
/// Entries of the constant matrices, lower triangles; the diagonal of M stands in System::mass.
struct ConstantEntries {
  std::vector<Eigen::Triplet<double>>&mass, &stiffness, &damping;
};
void add_shaft_elements(const Model& model, const Shaft& shaft, System& system, ConstantEntries entries);
/// `start` places the bodies as the model does.
void add_joints(const Model& model, System& system, const Kinematics& start);
void add_springs(const Model& model, System& system, const Kinematics& start);
void add_loads(const Model& model, System& system);
/// How a load on a flexible body, or on a surface of one as in `cube.z_max`, is spread over its nodes.
std::vector<SpreadLoad::Share> load_shares(const System& system, const std::string& on);
/// Of the matrix of coordinates, with the entries of all pools in it; the pools must be filled.
void build_pattern(System& system);
/// Sets System::facts.
void ask_pools(System& system);

/// Which nodes of a body stay as they are, and what the others follow from. Throws ModelError.
std::shared_ptr<Reduction> reduce_solid(const Model& model, const Solid& solid);

}  // namespace percuss
