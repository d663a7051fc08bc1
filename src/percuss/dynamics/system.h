#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "percuss/dynamics/bodies.h"
#include "percuss/dynamics/floating.h"
#include "percuss/dynamics/joints.h"
#include "percuss/dynamics/pools/pools.h"
#include "percuss/dynamics/reduction.h"
#include "percuss/dynamics/springs.h"
#include "percuss/dynamics/state.h"
#include "percuss/math/sparse_ldlt.h"
#include "percuss/math/workers.h"
#include "percuss/model/model.h"

namespace percuss {

/// A block of M that is not diagonal: a full inertia tensor, or a natural body.
struct MassBlock {
  std::vector<int> dof;
  MatrixX values;
};

/// A flexible body: its nodes are bodies that stand one after the other.
struct FlexibleData {
  FlexibleBody declared;
  int body = -1;       ///< that stands for all of it
  int first_node = 0;  ///< body of the node 0
  std::shared_ptr<const Mesh> mesh;
  double young = 0;                                      ///< [Pa]
  SectionProperties section;                             ///< of a beam
  double thickness = 1;                                  ///< of a plane mesh [m]
  std::shared_ptr<const Reduction> reduction = nullptr;  ///< if not all of its nodes have coordinates

  int node_count() const { return static_cast<int>(mesh->nodes.size()); }
  /// Bodies of the nodes that `last`, `12`, `z_max` or the name of a point mean.
  std::vector<int> nodes(const std::string& name) const;
};

/// Everything that is computed once from a Model and never changes during a run. Shared by threads.
///
/// The coordinates of q stand at the indices of their velocities, so that vector spaces need no table; the
/// real parts of quaternions are appended behind them.
struct System : Pools {
  std::vector<BodyData> bodies;
  std::unordered_map<std::string, int> body_index;
  VectorX mass;                        ///< diagonal of the constant part of M [kg, kg m^2]
  std::vector<MassBlock> mass_blocks;  ///< the rest of the constant part
  std::vector<int> rotating_bodies;    ///< those with a quaternion
  std::vector<char> is_rotation;  ///< by coordinate: an angle, a slope or a part of a director, not a length
  /// Coordinates one after the other.
  struct Range {
    int begin, end;
  };
  std::vector<Range> summed;  ///< those whose increments are just added to them
  VectorX gravity_force;      ///< [N]
  Vector3 gravity, gravity_datum;
  std::vector<SpringData> springs;
  std::vector<FlexibleData> flexibles;
  std::vector<FloatingFrame> floating;
  std::vector<int> outside_frames;  ///< bodies that are not in floating frames
  double element_stiffness = 0;     ///< largest diagonal entry of K of elements whose places are in q [N/m]
  Joints joints;
  std::vector<std::string> notes;  ///< what the user should know about how the model was understood
  double size = 1;                 ///< largest coordinate or dimension of the model [m]
  State initial;

  SparseMatrix pattern;  ///< pattern of M + C + K, lower triangle
  std::vector<int> mass_entry;
  Blocks mass_block_entries;

  int dof_count() const { return static_cast<int>(mass.size()); }
  int constraint_count() const { return joints.row_count(); }
  /// M, K and C do not depend on the state: one factorisation serves the whole run.
  bool has_constant_matrices() const { return facts.constant_tangents; }
  /// Besides, forces are linear in q and v: one solve is exact. The forces of floating frames are not, but
  /// they are left out of the matrix: they change slowly.
  bool is_linear() const { return has_constant_matrices() && floating.empty(); }
  bool has_dampers() const { return facts.dampers; }
  /// A vector space: q + increment is the whole retraction.
  bool is_flat() const { return rotating_bodies.empty() && floating.empty(); }
  /// Whether forces or joints look at poses at all.
  bool needs_poses() const { return facts.poses || constraint_count() > 0 || !is_flat(); }
  /// Whether forces and energies of the pools look at poses.
  bool pools_need_poses() const { return facts.poses; }
  /// The same, or whether they depend on the time.
  bool forces_need_poses() const { return facts.poses || !loads.empty() || !user_systems.empty(); }
  bool has_frames() const { return frames > 0; }
  /// C vanishes: no dampers and no gyroscopic forces.
  bool has_no_damping() const { return !facts.dampers && !facts.gyroscopic; }
  /// Threads that share elements of solids and the search for contacts, or null. No result depends on them.
  std::shared_ptr<Workers> workers;
  int frames = 0;
  /// What the pools say, asked once when all of them are filled.
  struct PoolFacts {
    bool constant_tangents = true, dampers = false, gyroscopic = false, poses = false;
  };
  PoolFacts facts;
};

/// Calls visit(pool) for all pools of the system that have something in them.
template <class Visit>
void for_each_filled_pool(const System& system, Visit&& visit) {
  for_each_pool(static_cast<const Pools&>(system), [&](const auto& pool) {
    if (!pool.empty()) visit(pool);
  });
}

class CheckedModel;
System build_system(const CheckedModel& checked);
/// Throws ModelError if the model is not valid.
System build_system(const Model& model, double start_time = 0);

/// A body or frame, or a node of a flexible body as in `rod.last`; -1 if there is none of that name.
int find_body(const System& system, const std::string& name);

/// Null if there is no flexible body of that name.
const FlexibleData* find_flexible(const System& system, const std::string& name);

/// Kinematics with all its memory; nothing is placed yet.
Kinematics make_kinematics(const System& system);
/// Places all bodies but the nodes of reduced ones that are not kept: for results `place` finds them. The
/// reference angles stay as they are.
void update(const System& system, const VectorX& q, const VectorX& v, double t, Kinematics& kinematics);
/// The places of another one of the same system.
void place_as(const Kinematics& other, Kinematics& kinematics);
/// The same for some bodies. Of nodes in floating frames it does not find R_dot, which needs all nodes.
void update_some(const System& system, std::span<const int> bodies, const VectorX& q, const VectorX& v,
                 double t, Kinematics& kinematics);

/// Places and velocities of all nodes of a flexible body, also of those that are not kept.
void place_all_nodes(const System& system, const FlexibleData& body, const State& state,
                     std::vector<Vector3>& places, std::vector<Vector3>& velocities);

/// q <- q * increment on the manifold: a sum for vector spaces, R exp(increment) for rotations.
void retract(const System& system, const VectorX& increment, VectorX& q);
/// The same for all but bodies in floating frames.
void retract_outside_frames(const System& system, const VectorX& increment, VectorX& q);
/// The increment that leads from `from` to `to`.
void difference(const System& system, const VectorX& from, const VectorX& to, VectorX& increment);

/// Names and units of the entries of q and v.
struct CoordinateName {
  std::string name, unit;
};
std::vector<CoordinateName> coordinate_names(const System& system);  ///< of q
std::vector<CoordinateName> velocity_names(const System& system);    ///< of v

/// The largest entry of an increment or of velocities: lengths as a part of the model's size, rotations as
/// they are.
double relative_change(const System& system, const VectorX& x);

}  // namespace percuss
