#pragma once

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "percuss/dynamics/springs.h"
#include "percuss/dynamics/state.h"
#include "percuss/math/expression.h"
#include "percuss/math/sparse_ldlt.h"
#include "percuss/model/model.h"

namespace percuss {

struct BodyData {
  std::string name;
  Point point;
  double mass = 0;    ///< [kg]
  double radius = 0;  ///< [m], 0 for a particle
};

struct SpringData {
  std::string name;
  bool along_axis = false;
  int index = 0;           ///< into axis_springs or distance_springs
  double rest_length = 0;  ///< [m]
};

struct LoadData {
  std::string name;
  Point point;
  std::array<Expression, 3> value;  ///< [N]
};

/// Where a spring's block of K and C goes in the assembled matrix: one slot per pair of its coordinates.
struct BlockSlots {
  std::vector<int> slot;
};

/// Everything that is computed once from a Model and never changes during a run. Shared by threads.
struct System {
  std::vector<BodyData> bodies;
  std::unordered_map<std::string, int> body_index;
  VectorX mass;           ///< diagonal of M [kg]
  VectorX gravity_force;  ///< [N]
  Vector3 gravity, gravity_datum;
  std::vector<SpringData> springs;
  std::vector<AxisSpring> axis_springs;
  std::vector<DistanceSpring> distance_springs;
  std::vector<LoadData> loads;           ///< functions of time
  std::vector<LoadData> constant_loads;  ///< summed in constant_load; kept for messages
  VectorX constant_load;                 ///< [N]
  double size = 1;                       ///< largest coordinate or dimension of the model [m]
  State initial;

  SparseMatrix pattern;  ///< pattern of M + C + K, lower triangle
  std::vector<int> mass_slot;
  std::vector<BlockSlots> axis_slots, distance_slots;

  int dof_count() const { return static_cast<int>(mass.size()); }
  /// M, K and C do not depend on the state: one factorisation serves the whole run.
  bool has_constant_matrices() const { return nonlinear_springs == 0; }
  bool has_dampers() const { return dampers > 0; }
  int nonlinear_springs = 0;
  int dampers = 0;
};

/// Throws ModelError if the model is not valid.
System build_system(const Model& model);

/// -1 if there is no body of that name.
int find_body(const System& system, const std::string& name);

}  // namespace percuss
