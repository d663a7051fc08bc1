#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "percuss/dynamics/bodies.h"
#include "percuss/dynamics/elements/constant_matrices.h"
#include "percuss/dynamics/elements/planar_beam.h"
#include "percuss/dynamics/elements/shaft_element.h"
#include "percuss/dynamics/elements/solid_set.h"
#include "percuss/dynamics/elements/spatial_beam.h"
#include "percuss/dynamics/floating.h"
#include "percuss/dynamics/joints.h"
#include "percuss/dynamics/loads.h"
#include "percuss/dynamics/reduction.h"
#include "percuss/dynamics/springs.h"
#include "percuss/dynamics/state.h"
#include "percuss/dynamics/user_system.h"
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

/// Where a dense block goes in the assembled matrix: one slot per pair of its coordinates, -1 for none.
struct BlockSlots {
  std::vector<int> slot;
};

/// Everything that is computed once from a Model and never changes during a run. Shared by threads.
///
/// The coordinates of q stand at the indices of their velocities, so that vector spaces need no table; the
/// real parts of quaternions are appended behind them.
struct System {
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
  std::vector<AxisSpring> axis_springs;
  std::vector<DistanceSpring> distance_springs;
  std::vector<CoordinateSpring> coordinate_springs;
  std::vector<FlexibleData> flexibles;
  ConstantMatrices constant;  ///< of flexible bodies
  std::vector<FloatingFrame> floating;
  std::vector<int> outside_frames;  ///< bodies that are not in floating frames
  std::vector<PlanarBeam> planar_beams;
  std::vector<SpatialBeam> spatial_beams;
  std::vector<SpinCoupling> spin_couplings;  ///< gyroscopic forces of shafts
  std::vector<SolidSet> solids;
  double element_stiffness = 0;  ///< largest diagonal entry of K of elements whose places are in q [N/m]
  Loads loads;
  Joints joints;
  std::vector<UserSystemData> user_systems;
  std::vector<std::string> notes;  ///< what the user should know about how the model was understood
  double size = 1;                 ///< largest coordinate or dimension of the model [m]
  State initial;

  SparseMatrix pattern;  ///< pattern of M + C + K, lower triangle
  std::vector<int> mass_slot;
  std::vector<BlockSlots> mass_block_slots, axis_slots, distance_slots, coordinate_slots, gyroscopic_slots,
      load_slots, user_slots, planar_beam_slots, spatial_beam_slots, spin_slots;
  std::vector<std::vector<int>> user_dofs;

  int dof_count() const { return static_cast<int>(mass.size()); }
  int constraint_count() const { return joints.row_count(); }
  /// M, K and C do not depend on the state: one factorisation serves the whole run.
  bool has_constant_matrices() const { return nonlinear_parts == 0; }
  /// Besides, forces are linear in q and v: one solve is exact. The forces of floating frames are not, but
  /// they are left out of the matrix: they change slowly.
  bool is_linear() const { return has_constant_matrices() && floating.empty(); }
  bool has_dampers() const { return dampers > 0; }
  /// A vector space: q + increment is the whole retraction.
  bool is_flat() const { return rotating_bodies.empty() && floating.empty(); }
  /// Whether forces or joints look at placements at all.
  bool needs_placements() const {
    return !distance_springs.empty() || !coordinate_springs.empty() || !loads.attached.empty() ||
           constraint_count() > 0 || !is_flat();
  }
  /// Whether forces look at placements.
  bool forces_need_placements() const {
    return !distance_springs.empty() || !coordinate_springs.empty() || !loads.empty() ||
           !user_systems.empty();
  }
  bool has_frames() const { return frames > 0; }
  /// C vanishes: no dampers and no gyroscopic forces.
  bool has_no_damping() const { return dampers == 0 && gyroscopic_slots.empty() && user_systems.empty(); }
  /// Threads that share the elements of solids; null: one does everything. No result depends on them.
  std::shared_ptr<Workers> workers;
  int nonlinear_parts = 0;
  int dampers = 0;
  int frames = 0;
};

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
