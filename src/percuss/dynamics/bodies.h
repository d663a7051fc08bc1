#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "percuss/dynamics/pose.h"
#include "percuss/math/expression.h"
#include "percuss/math/rotation.h"

/// Bodies as everything else sees them: a place, an orientation, and Jacobians of what is attached to them.
/// docs/theory/rigid_bodies.md
namespace percuss {

struct Reduction;

enum class BodyKind : std::uint8_t {
  translating,  ///< particles and spheres: up to three translations
  planar,       ///< x, y and the angle about z
  spatial,      ///< R^3 x SO(3): the angular velocity is that in the body frame
  natural,      ///< a point and three directors, kept orthonormal by six constraints
  frame,        ///< moves as prescribed; has no coordinates
  flexible,     ///< stands for all nodes of a flexible body, which are bodies of their own; no coordinates
  floating,     ///< a node in a floating frame: displacement and velocity along the frame's axes
  shaft,        ///< a node of a shaft: deflections, slopes and spin against a line; see shaft_node.h
};

/// The coordinates of a body are numbered: 0-2 translations; 3-5 rotations about the body's axes
/// (planar: 5 only), or 3-11 the directors of a natural body one after the other.
inline constexpr int max_body_coordinates = 12;

/// A prescribed motion: x(t), and the rotation by angle(t) about a fixed axis.
struct Motion {
  std::array<Expression, 3> position;
  Vector3 axis = Vector3::UnitZ();
  Expression angle;
};

struct BodyData {
  std::string name;
  BodyKind kind = BodyKind::translating;
  std::array<int, max_body_coordinates> dof = {-1, -1, -1, -1, -1, -1,
                                               -1, -1, -1, -1, -1, -1};  ///< index in v, or -1
  int quaternion_w = -1;              ///< index in q of the real part; x, y, z stand at dof[3] to dof[5]
  Vector3 start = Vector3::Zero();    ///< place of the centre of mass at the start, kept where it cannot move
  double mass = 0;                    ///< [kg]
  Matrix3 inertia = Matrix3::Zero();  ///< about the centre of mass, in body axes [kg m^2]
  Vector3 shape_centre = Vector3::Zero();  ///< centre of mass in the axes in which the shape was drawn [m]
  double radius = 0;                       ///< of a sphere [m]
  std::optional<Motion> motion;            ///< of a frame
  int frame_q = -1;                        ///< in q: place (3) and attitude (w, x, y, z) of a floating frame
  Vector3 frame_origin = Vector3::Zero();  ///< where the frame was at the start [m]
  std::shared_ptr<const Reduction> reduction;  ///< of a node without coordinates: what its place follows from
  int node = -1;                               ///< its number there
  Matrix3 axes = Matrix3::Identity();          ///< of a node of a shaft: along the line, and two across
  std::vector<std::pair<std::string, Vector3>> points;  ///< named, in body axes

  int coordinate_count() const {
    if (kind == BodyKind::natural) return 12;
    return kind == BodyKind::planar || kind == BodyKind::spatial || kind == BodyKind::shaft ? 6 : 3;
  }
};

/// Whether a body keeps to a plane z = constant and does not tilt out of it.
bool moves_in_plane(const BodyData& body);
/// Whether it has coordinates that turn it.
bool has_rotations(const BodyData& body);

PoseAndVelocity place(const BodyData& body, const VectorX& q, const VectorX& v, double t);
/// x = x_C + R (X + psi) and v = R w of a node in a floating frame with attitude R (FF-1), (FF-2). The spin
/// of the frame needs all nodes: see update().
void place_in_floating_frame(const BodyData& node, const Matrix3& R, const VectorX& q, const VectorX& v,
                             PoseAndVelocity& pose);

/// Second derivatives of x and R where the generalised velocities are constant: what is left is the
/// acceleration of frames and the centripetal acceleration of rotations.
struct BiasAcceleration {
  Vector3 x = Vector3::Zero();
  Matrix3 R = Matrix3::Zero();
};
BiasAcceleration bias_acceleration(const BodyData& body, const PoseAndVelocity& pose, double t);

/// A point or a direction that is fixed in a body, given in body axes from the centre of mass.
struct Attached {
  enum class Kind : std::uint8_t { point, direction };
  int body = -1;  ///< -1: the ground
  Vector3 local = Vector3::Zero();
  Kind kind = Kind::point;

  Vector3 value(const PoseAndVelocity& p) const {
    return kind == Kind::point ? Vector3(p.x + p.R * local) : Vector3(p.R * local);
  }
  Vector3 rate(const PoseAndVelocity& p) const {
    return kind == Kind::point ? Vector3(p.v + p.R_dot * local) : Vector3(p.R_dot * local);
  }
  Vector3 bias_of(const BiasAcceleration& d) const {
    return kind == Kind::point ? Vector3(d.x + d.R * local) : Vector3(d.R * local);
  }
};

/// A place in space in the axes of a body; directors may be slightly out of square.
inline Vector3 to_body_axes(const BodyData& body, const PoseAndVelocity& pose, const Vector3& in_space) {
  const Vector3 arm = in_space - pose.x;
  return body.kind == BodyKind::natural ? Vector3(pose.R.inverse() * arm) : Vector3(pose.R.transpose() * arm);
}

/// Columns by coordinates: d(value) = J d(coordinates), and rate = J v.
using BodyJacobian = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, max_body_coordinates>;
BodyJacobian jacobian(const BodyData& body, const PoseAndVelocity& pose, const Attached& attached);

/// d(J^T p)/d(coordinates) for a constant vector p; zero for a natural body, whose Jacobian is constant.
using BodyMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor,
                                 max_body_coordinates, max_body_coordinates>;
BodyMatrix jacobian_tangent(const BodyData& body, const PoseAndVelocity& pose, const Attached& attached,
                            const Vector3& p);

/// d(rate)/d(coordinates) at constant generalised velocities: how the velocity of the attached vector changes
/// when the body is moved.
BodyJacobian jacobian_rate(const BodyData& body, const PoseAndVelocity& pose, const Attached& attached);

/// Where the origin of the floating frame of a node is, and how the frame is turned.
inline Vector3 frame_place(const BodyData& node, const VectorX& q) { return q.segment<3>(node.frame_q); }
inline Quaternion frame_attitude(const BodyData& node, const VectorX& q) {
  const int i = node.frame_q + 3;
  return {q[i], q[i + 1], q[i + 2], q[i + 3]};
}

/// A coordinate quaternion, in the order q stores it.
inline Quaternion read_quaternion(const BodyData& body, const VectorX& q) {
  const int i = body.dof[3];
  return {q[body.quaternion_w], q[i], q[i + 1], q[i + 2]};
}
inline void write_quaternion(const BodyData& body, const Quaternion& rotation, VectorX& q) {
  q[body.quaternion_w] = rotation.w();
  q.segment<3>(body.dof[3]) = rotation.vec();
}

}  // namespace percuss
