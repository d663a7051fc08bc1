#pragma once

#include <vector>

#include "percuss/dynamics/bodies.h"
#include "percuss/dynamics/user_system.h"

/// Scalar functions of the places of two bodies: joints, drives, limits, torsional springs and bushings are
/// all made of them.  docs/theory/joints.md
namespace percuss {

/// One elementary function phi(w_1, ..., w_m) of vectors attached to bodies (J-1).
struct FunctionTerm {
  enum class Kind : std::uint8_t {
    difference,  ///< axis . (w_2 - w_1), the axis fixed in space
    dot,         ///< w_1 . w_2
    offset,      ///< w_1 . (w_3 - w_2): how far w_3 lies ahead of w_2 along the direction w_1
    distance,    ///< |w_2 - w_1|
    angle,       ///< of the direction w_3 in the plane of the directions w_1, w_2
  };
  Kind kind = Kind::difference;
  std::vector<Attached> vectors;
  Vector3 axis = Vector3::Zero();
  double coefficient = 1;
  int memory = -1;  ///< of an angle: index into Kinematics::angles, which tells the turns apart
};

/// phi = sum of terms - offset; the target of a drive is subtracted by who owns the function.
struct ScalarFunction {
  std::vector<FunctionTerm> terms;
  double offset = 0;

  /// Bodies and their coordinates in the order in which gradients are stored; the ground is left out.
  struct Part {
    int body;
    int first;  ///< column of the body's coordinate 0
  };
  std::vector<Part> parts;  ///< set by finish()
  std::vector<int> dof;     ///< by column; -1 where it is held

  /// Collects the bodies. Call once after the terms are set.
  void finish(const std::vector<BodyData>& bodies);
  int columns() const { return static_cast<int>(dof.size()); }
};

/// Where everything is at one moment.
struct Kinematics {
  std::vector<PoseAndVelocity> poses;  ///< of all bodies; the ground is placed last
  std::vector<double> angles;          ///< of angle terms at the start of the step; the nearest turn is meant
  VectorX q, v;                        ///< for which the bodies are placed
  double t = 0;                        ///< [s]

  std::vector<UserSystemCalls> user_systems;  ///< their memory
  std::vector<double> scratch;                ///< for gradients and small matrices
  VectorX displacement;                       ///< scratch for linear elements
  VectorX momentum, internal_force;           ///< scratch for floating frames

  const PoseAndVelocity& of(int body) const {
    return body < 0 ? poses.back() : poses[static_cast<size_t>(body)];
  }
};

double evaluate(const FunctionTerm& term, const Kinematics& kinematics);
double evaluate(const ScalarFunction& function, const Kinematics& kinematics);
/// d(phi)/dt from the velocities of the bodies.
double rate(const ScalarFunction& function, const Kinematics& kinematics);
/// The part of the rate that prescribed motions cause: g_t of g_dot = G v + g_t.
double prescribed_rate(const ScalarFunction& function, const std::vector<BodyData>& bodies,
                       const Kinematics& kinematics);
/// d^2(phi)/dt^2 at constant generalised velocities.
double acceleration(const ScalarFunction& function, const Kinematics& kinematics,
                    const std::vector<BiasAcceleration>& biases);
/// The gradient by columns (see ScalarFunction::parts).
void gradient(const ScalarFunction& function, const std::vector<BodyData>& bodies,
              const Kinematics& kinematics, double* out);
/// The derivative of rate() by columns at constant generalised velocities.
void rate_gradient(const ScalarFunction& function, const std::vector<BodyData>& bodies,
                   const Kinematics& kinematics, double* out);
/// Adds factor * d(gradient)/d(columns) to a matrix with columns() rows and columns.
void add_second_derivative(const ScalarFunction& function, const std::vector<BodyData>& bodies,
                           const Kinematics& kinematics, double factor, Eigen::Ref<MatrixX> out);

}  // namespace percuss
