#pragma once

#include <optional>
#include <string>
#include <vector>

#include "percuss/dynamics/scalar_function.h"

namespace percuss {

/// One bilateral constraint: function - target(t) = 0.
struct ConstraintRow {
  ScalarFunction function;
  std::optional<Expression> target;  ///< of a drive, or of a distance that changes
  bool speed_only = false;  ///< the target is the rate of the function: nothing holds at position level
  std::string what;         ///< `x`, `tilt about y`, ... for messages
  bool is_length = false;   ///< its value is in metres; else in radians, or the cosine between two directions
};

struct JointData {
  std::string name;
  std::string kind;
  std::string path;  ///< in the model, for messages
  int first_row = 0, row_count = 0;
  int coordinate = -1;  ///< index into Joints::coordinates, of a joint that has one
  bool is_angle = false;
};

/// All joints of a system: the rows of G with their fixed pattern.
struct Joints {
  std::vector<JointData> joints;
  std::vector<ConstraintRow> rows;
  std::vector<ScalarFunction> coordinates;  ///< angles and positions that drives, limits and probes refer to
  std::vector<int> row_begin = {0};         ///< row i has the entries row_begin[i] .. row_begin[i + 1] - 1
  std::vector<int> dof;                     ///< of an entry
  int angle_count = 0;                      ///< angle terms whose turns are remembered
  std::vector<FunctionTerm> angle_terms;    ///< by memory index

  int row_count() const { return static_cast<int>(rows.size()); }
  int find(const std::string& name) const;

  /// Adds a row and its pattern.
  void add_row(ConstraintRow row, const std::vector<BodyData>& bodies);
  /// Gives an angle term a place in the memory of turns.
  void remember(ScalarFunction& function);
};

struct System;

/// g(q, t) [m or rad]; zero for rows that hold at velocity level only.
void constraint_values(const System& system, const Kinematics& kinematics, double t, VectorX& g);
/// What a drive that prescribes a speed reaches in a step of size h from `start`: its coordinate there plus
/// the integral of the speed (J-3a); zero in other rows. For schemes that close joints at position level.
void speed_targets(const System& system, const Kinematics& start, double t, double h, VectorX& targets);
/// g(q, t) with rows that prescribe a speed closed at these targets.
void constraint_values(const System& system, const Kinematics& kinematics, double t, const VectorX& targets,
                       VectorX& g);
/// Largest |g| of all rows, lengths as a part of the model's size, angles in radians.
double relative_violation(const System& system, const VectorX& g);
/// The entries of G in the order of Joints::dof.
void constraint_jacobian(const System& system, const Kinematics& kinematics, std::vector<double>& G);
/// g_t of g_dot = G v + g_t: prescribed motions and targets.
void constraint_rates(const System& system, const Kinematics& kinematics, double t, VectorX& g_t);
/// d^2 g/dt^2 at constant v; `biases` is scratch memory.
void constraint_accelerations(const System& system, double t, const Kinematics& kinematics,
                              std::vector<BiasAcceleration>& biases, VectorX& gamma);
/// y += G^T x.
void add_transposed(const Joints& joints, const std::vector<double>& G, const VectorX& x, VectorX& y);
/// y = G v.
void multiply(const Joints& joints, const std::vector<double>& G, const VectorX& v, VectorX& y);
/// The angle terms at this moment, continued from the reference angles.
void read_angles(const Joints& joints, const Kinematics& kinematics, std::vector<double>& angles);

}  // namespace percuss
