#pragma once

#include <optional>
#include <vector>

#include "percuss/math/rotation.h"
#include "percuss/math/vector.h"
#include "percuss/model/flexible.h"

/// Bodies that deform little in a frame that moves with them.  docs/theory/floating_frame.md
namespace percuss {

struct System;
struct Kinematics;

/// A flexible body in a floating frame. Its coordinates stand one after the other in v: the velocities w of
/// its nodes along the axes of the frame. In q they are the displacements psi of the nodes in the frame,
/// where small numbers keep all their digits; x_C and R of the frame stand at frame_q. M, K and C are
/// constant, and the velocity of a node is R w: contacts see three coordinates.
///
/// w is split into the motion of the frame and the deformation as mean axes demand (FF-3):
///   V = (v_C, omega) = L w,   lambda = w - Phi V,   L = (Phi^T M Phi)^-1 Phi^T M.
struct FloatingFrame {
  int flexible = -1;        ///< index in System::flexibles
  int body = -1;            ///< that stands for all of it
  int first = 0, size = 0;  ///< its coordinates
  int nodal = 0;            ///< how many of them belong to nodes; those of modes come after them
  int dimension = 3;        ///< coordinates of a node
  int frame_q = -1;         ///< see BodyData
  bool is_exact = false;    ///< all rotational forces; else those of the undeformed body (FF-6)
  /// What the user asked for; if nothing, a scheme may have a default of its own.
  std::optional<RotationalForces> asked_forces;
  std::vector<int> nodes;            ///< bodies of the nodes that have coordinates
  Vector3 origin = Vector3::Zero();  ///< centre of mass at the start [m]
  double mass = 0;                   ///< [kg]
  Matrix3 inertia = Matrix3::Zero(), inverse_inertia = Matrix3::Zero();
  using Fields = Eigen::Matrix<double, Eigen::Dynamic, 6>;
  Eigen::Matrix<double, 3, Eigen::Dynamic> rest;  ///< X of the nodes from the origin, undeformed [m]
  Fields rigid;                                   ///< Phi: unit translations and rotations
  Fields momenta;                                 ///< M Phi
  Fields measures;                                ///< L^T
  Eigen::Matrix<double, Eigen::Dynamic, 9> linear_momenta;  ///< M applied to the fields S X, S by columns

  auto of(const VectorX& v) const { return v.segment(first, size); }
  auto of(VectorX& v) const { return v.segment(first, size); }
  Vector3 place(const VectorX& q) const { return q.segment<3>(frame_q); }
  Quaternion attitude(const VectorX& q) const {
    return {q[frame_q + 3], q[frame_q + 4], q[frame_q + 5], q[frame_q + 6]};
  }
  /// x <- Q x and y += Q x for each node; x has the body's own coordinates.
  void rotate(const Matrix3& Q, VectorX& x) const;
  void add_rotated(const Matrix3& Q, const double* x, VectorX& y) const;
  void set(const Vector3& x, const Quaternion& attitude, VectorX& q) const {
    q.segment<3>(frame_q) = x;
    q.segment<4>(frame_q + 3) << attitude.w(), attitude.vec();
  }
};

/// Velocity of the centre of mass and angular velocity, both along the axes of the frame; or, of an increment
/// instead of a velocity, displacement and rotation.
struct FrameMotion {
  Vector3 v = Vector3::Zero(), omega = Vector3::Zero();

  friend FrameMotion operator*(double factor, const FrameMotion& motion) {
    return {factor * motion.v, factor * motion.omega};
  }
};
FrameMotion frame_motion(const FloatingFrame& frame, const VectorX& w);
/// x += Phi V, of the body's own coordinates.
void add_rigid_motion(const FloatingFrame& frame, const FrameMotion& motion, Eigen::Ref<VectorX> x);

/// The rotation of which S = skew(phi) / 2 is the Cayley transform: (I - S)^-1 (I + S). With it the midpoint
/// rule keeps the momentum of a free body exactly (FF-9).
inline Quaternion cayley(const Vector3& phi) {
  return Quaternion(1, phi.x() / 2, phi.y() / 2, phi.z() / 2).normalized();
}

/// The displacements of nodes in q where the frame turns by cayley(rotation), while its origin and the nodes
/// move by `displacement` and `increments` along its mean axes (FF-8).
void move_nodes(const FloatingFrame& frame, const Vector3& rotation, const Vector3& displacement,
                const Eigen::Ref<const VectorX>& increments, VectorX& q);

/// Fills in what follows from the places of the nodes at rest and the constant masses of the system.
void finish_frame(const System& system, FloatingFrame& frame);

/// f += weight and rotational forces of all floating bodies; `internal` holds their elastic forces at q.
/// (FF-5)
void add_frame_forces(const System& system, const VectorX& q, const VectorX& v, const VectorX& internal,
                      Kinematics& kinematics, VectorX& f);
/// f += M Phi_r J^-1 tau: the internal forces have a moment about the deformed nodes, and with this term
/// their power is the rate of the strain energy (FF-7).
void add_frame_moment(const System& system, const FloatingFrame& frame, const VectorX& q,
                      const VectorX& internal, VectorX& f);
/// f += weight along the axes of the frame.
void add_frame_weight(const System& system, const FloatingFrame& frame, const Matrix3& R, VectorX& f);
/// q <- q * increment for one body (FF-8).
void retract(const FloatingFrame& frame, const VectorX& increment, VectorX& q);
/// The increment that leads from `from` to `to`.
void difference(const FloatingFrame& frame, const VectorX& from, const VectorX& to, VectorX& increment);

}  // namespace percuss
