#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "percuss/math/fields.h"
#include "percuss/math/vector.h"
#include "percuss/model/plugin.h"
#include "read_parameters.h"

namespace {

using percuss::Field;
using percuss::MatrixX;
using percuss::Vector3;
using percuss::VectorX;
using Matrix3 = Eigen::Matrix3d;

/// Moments of inertia are those of a full ellipsoid, with their axes turned by `skew` about its c axis.
struct Parameters {
  double a = 0.1, b = 0.03, c = 0.02, mass = 1, skew = 0.08;
  double gravity = 9.81;
  double yaw = 0, pitch = 0, roll = 0.01;
  double yaw_rate = -2, pitch_rate = 0, roll_rate = 0;

  static void fields(auto& self, auto& visit) {
    using percuss::allow::nonnegative, percuss::allow::positive;
    visit("a", self.a, Field{.unit = "m", .range = positive});
    visit("b", self.b, Field{.unit = "m", .range = positive});
    visit("c", self.c, Field{.unit = "m", .range = positive});
    visit("mass", self.mass, Field{.unit = "kg", .range = positive});
    visit("skew", self.skew, Field{.unit = "rad"});
    visit("gravity", self.gravity, Field{.unit = "m/s²", .range = nonnegative});
    visit("yaw", self.yaw, Field{.unit = "rad"});
    visit("pitch", self.pitch, Field{.unit = "rad"});
    visit("roll", self.roll, Field{.unit = "rad"});
    visit("yaw_rate", self.yaw_rate, Field{.unit = "1/s"});
    visit("pitch_rate", self.pitch_rate, Field{.unit = "1/s"});
    visit("roll_rate", self.roll_rate, Field{.unit = "1/s"});
  }
};

/// An ellipsoid that rolls without slip on a plane. Coordinates: the angles yaw, pitch and roll about z, the new
/// y and the new x; all vectors are in body axes. With the upward normal n and E = diag(a, b, c) the contact is
/// at r = -E^2 n / |E n| from the centre, and the centre moves with r x omega. Its momentum and the moment of
/// momentum, without the reaction, are
///   (J - m [r]^2) omega' + omega x J omega = m r x (r' x omega + omega x (r x omega) + g n),
/// which B^T, omega = B (yaw, pitch, roll)', turns into equations for the angles. Rolling is not holonomic: these
/// are not Lagrange's equations of the energy.
class Rattleback final : public percuss::LagrangianSystem {
 public:
  explicit Rattleback(const percuss::PluginParameters& given)
      : p_(percuss::read_parameters<Parameters>("rattleback", given)) {
    const Vector3 squares = half_axes().cwiseAbs2();
    const Matrix3 turn = Eigen::AngleAxisd(p_.skew, Vector3::UnitZ()).toRotationMatrix();
    const Vector3 moments = p_.mass / 5 * (Vector3::Constant(squares.sum()) - squares);
    J_ = turn * moments.asDiagonal() * turn.transpose();
  }

  std::vector<std::string> coordinate_names() const override { return {"yaw", "pitch", "roll"}; }
  void initial_state(VectorX& q, VectorX& v) const override {
    q << p_.yaw, p_.pitch, p_.roll;
    v << p_.yaw_rate, p_.pitch_rate, p_.roll_rate;
  }

  void mass_matrix(const VectorX& q, MatrixX& M) const override {
    const Matrix3 B = rates_to_omega(q);
    M = B.transpose() * inertia_about_contact(to_contact(upward(q))) * B;
  }

  void force(const VectorX& q, const VectorX& v, double /*t*/, VectorX& f) const override {
    const Matrix3 B = rates_to_omega(q);
    const Vector3 omega = B * v, n = upward(q), n_dot = n.cross(omega);
    const Vector3 r = to_contact(n), En = half_axes().cwiseProduct(n);
    const Vector3 E2n_dot = half_axes().cwiseAbs2().cwiseProduct(n_dot);
    const Vector3 r_dot = -(E2n_dot + r * n.dot(E2n_dot) / En.norm()) / En.norm();
    const Vector3 acceleration = r_dot.cross(omega) + omega.cross(r.cross(omega)) + p_.gravity * n;
    f = B.transpose() * (p_.mass * r.cross(acceleration) - omega.cross(J_ * omega) -
                         inertia_about_contact(r) * bias(q, v));
  }

  double potential_energy(const VectorX& q) const override {
    return p_.mass * p_.gravity * half_axes().cwiseProduct(upward(q)).norm();
  }

 private:
  Vector3 half_axes() const { return {p_.a, p_.b, p_.c}; }
  static Vector3 upward(const VectorX& q) {
    return {-std::sin(q[1]), std::cos(q[1]) * std::sin(q[2]), std::cos(q[1]) * std::cos(q[2])};
  }
  Vector3 to_contact(const Vector3& n) const {
    return -half_axes().cwiseAbs2().cwiseProduct(n) / half_axes().cwiseProduct(n).norm();
  }
  Matrix3 inertia_about_contact(const Vector3& r) const {
    return J_ + p_.mass * (r.squaredNorm() * Matrix3::Identity() - r * r.transpose());
  }
  static Matrix3 rates_to_omega(const VectorX& q) {
    Matrix3 B;
    B << -std::sin(q[1]), 0, 1,                               //
        std::cos(q[1]) * std::sin(q[2]), std::cos(q[2]), 0,  //
        std::cos(q[1]) * std::cos(q[2]), -std::sin(q[2]), 0;
    return B;
  }
  /// B' v
  static Vector3 bias(const VectorX& q, const VectorX& v) {
    const double sin_pitch = std::sin(q[1]), cos_pitch = std::cos(q[1]);
    const double sin_roll = std::sin(q[2]), cos_roll = std::cos(q[2]);
    return {-cos_pitch * v[0] * v[1],
            -sin_roll * v[1] * v[2] - sin_pitch * sin_roll * v[0] * v[1] + cos_pitch * cos_roll * v[0] * v[2],
            -cos_roll * v[1] * v[2] - sin_pitch * cos_roll * v[0] * v[1] - cos_pitch * sin_roll * v[0] * v[2]};
  }

  Parameters p_;
  Matrix3 J_;  ///< about the centre
};

}  // namespace

PERCUSS_PLUGIN(Rattleback)
