#include "percuss/dynamics/elements/spatial_beam.h"

#include <cmath>

#include <unsupported/Eigen/AutoDiff>

namespace percuss {
namespace {

using Vector12 = SpatialBeam::Vector12;
/// A number with its derivatives by the twelve increments of both nodes: the tangent of a force is the
/// derivative of its formula.
using Dual = Eigen::AutoDiffScalar<Vector12>;

template <class T>
using Vec = Eigen::Matrix<T, 3, 1>;
template <class T>
using Mat = Eigen::Matrix<T, 3, 3>;
template <class T>
using Rows = Eigen::Matrix<T, 6, 12>;

template <class T>
Mat<T> cross_matrix(const Vec<T>& a) {
  Mat<T> S;
  S << T(0), -a[2], a[1], a[2], T(0), -a[0], -a[1], a[0], T(0);
  return S;
}

double value_of(double x) { return x; }
double value_of(const Dual& x) { return x.value(); }

/// Functions of the square s of an angle x, finite at zero: sin(x)/x, (1 - cos x)/x^2, (x - sin x)/x^3 and
/// 1/x^2 - (1 + cos x)/(2 x sin x). Below the bound their series are exact to rounding.
template <class T>
struct AngleFunctions {
  T sine, versine, third, inverse;

  explicit AngleFunctions(const T& s) {
    if (value_of(s) < 1e-2) {
      sine = T(1) - s / 6. * (T(1) - s / 20. * (T(1) - s / 42. * (T(1) - s / 72. * (T(1) - s / 110.))));
      versine =
          (T(1) - s / 12. * (T(1) - s / 30. * (T(1) - s / 56. * (T(1) - s / 90. * (T(1) - s / 132.))))) * 0.5;
      third = (T(1) - s / 20. * (T(1) - s / 42. * (T(1) - s / 72. * (T(1) - s / 110.)))) / 6.;
      inverse =
          T(1.0 / 12) + s * (1.0 / 720 + s * (1.0 / 30240 + s * (1.0 / 1209600 + s * (1.0 / 47900160))));
      return;
    }
    using std::cos, std::sin, std::sqrt;
    const T x = sqrt(s), sin_x = sin(x), cos_x = cos(x);
    sine = sin_x / x;
    versine = (T(1) - cos_x) / s;
    third = (x - sin_x) / (s * x);
    inverse = T(1) / s - (T(1) + cos_x) / (2. * x * sin_x);
  }
};

/// atan2(sine, cosine) with its derivative, that of the tangent of what is left over the value.
template <class T>
T angle_of(const T& sine, const T& cosine) {
  const double angle = std::atan2(value_of(sine), value_of(cosine));
  const double s = std::sin(angle), c = std::cos(angle);
  const T across = T(sine * c) - T(cosine * s), along = T(cosine * c) + T(sine * s);
  return T(T(angle) + T(across / along));
}

/// The rotation vector of R, below a half turn.
template <class T>
Vec<T> log_of(const Mat<T>& R) {
  using std::sqrt;
  Vec<T> half;  // sin(x) times the axis
  half << R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1);
  half *= T(0.5);
  const T s = half.squaredNorm(), cosine = T((R(0, 0) + R(1, 1) + R(2, 2) - T(1)) * 0.5);
  T factor;  // x / sin(x)
  if (value_of(s) < 1e-3 && value_of(cosine) > 0) {
    factor = T(945. / 42240);
    for (const double c : {105. / 3456, 15. / 336, 3. / 40, 1. / 6, 1.}) factor = T(factor * s + T(c));
  } else {
    const T sine = sqrt(s);
    factor = angle_of(sine, cosine) / sine;
  }
  return Vec<T>(half * factor);
}

/// Strains at the middle of the element and B with their rates B v (B-6, B-7).
template <class T>
struct MiddleStrain {
  Vec<T> translational, rotational;
  Rows<T> B;

  MiddleStrain(const Vec<T>& span, const Mat<T>& R1, const Mat<T>& R2, double length) {
    const Mat<T> relative = R1.transpose() * R2;
    const Vec<T> turn = log_of<T>(relative);
    const Vec<T> half = turn * T(0.5);
    const AngleFunctions<T> whole_of(turn.squaredNorm()), half_of(half.squaredNorm());
    const Mat<T> S = cross_matrix<T>(half), SS = S * S, I = Mat<T>::Identity();
    const Mat<T> half_rotation = I + half_of.sine * S + half_of.versine * SS;
    const Mat<T> middle = R1 * half_rotation;
    const Vec<T> direction = span / T(length);
    const Vec<T> gamma = middle.transpose() * direction;
    translational = gamma;
    translational[0] -= T(1);
    rotational = turn / T(length);
    // d(turn) = J_r^-1 d(phi2) - J_l^-1 d(phi1), and the middle turns by
    // exp(-half) d(phi1) + J_r(half) d(turn) / 2.
    const Mat<T> turn_by_second = I + S + (4. * whole_of.inverse) * SS;
    const Mat<T> turn_by_first = -turn_by_second.transpose();
    const Mat<T> right = I - half_of.versine * S + half_of.third * SS;
    const Mat<T> middle_by_second = (right * turn_by_second) * T(0.5);
    const Mat<T> middle_by_first = half_rotation.transpose() + (right * turn_by_first) * T(0.5);
    const Mat<T> lever = cross_matrix<T>(gamma);
    const Mat<T> spread = middle.transpose() / T(length);
    B.template block<3, 3>(0, 0) = -spread;
    B.template block<3, 3>(0, 3) = lever * middle_by_first;
    B.template block<3, 3>(0, 6) = spread;
    B.template block<3, 3>(0, 9) = lever * middle_by_second;
    B.template block<3, 3>(3, 0).setZero();
    B.template block<3, 3>(3, 3) = turn_by_first / T(length);
    B.template block<3, 3>(3, 6).setZero();
    B.template block<3, 3>(3, 9) = turn_by_second / T(length);
  }

  Eigen::Matrix<T, 6, 1> strain() const {
    Eigen::Matrix<T, 6, 1> e;
    e << translational, rotational;
    return e;
  }
};

MiddleStrain<double> middle_strain(const SpatialBeam& beam, const SpatialBeam::Ends& ends) {
  return {ends.x[1] - ends.x[0], ends.R[0], ends.R[1], beam.length};
}

}  // namespace

SpatialBeam::Ends SpatialBeam::gather(const std::vector<BodyData>& bodies, const VectorX& q,
                                      const VectorX& v) const {
  Ends ends;
  for (int end = 0; end < 2; ++end) {
    const BodyData& body = bodies[static_cast<size_t>(node[end])];
    for (int axis = 0; axis < 3; ++axis)
      ends.x[end][axis] = body.dof[axis] < 0 ? body.start[axis] : q[body.dof[axis]];
    ends.R[end] = read_quaternion(body, q).toRotationMatrix();
  }
  for (int i = 0; i < 12; ++i) ends.v[i] = dof[i] < 0 ? 0.0 : v[dof[i]];
  return ends;
}

SpatialBeam::Vector6 SpatialBeam::strain(const Ends& ends) const {
  return middle_strain(*this, ends).strain();
}

SpatialBeam::Vector6 SpatialBeam::section_forces(const Ends& ends) const {
  const auto at = middle_strain(*this, ends);
  return stiffness.cwiseProduct(at.strain() + viscosity * (at.B * ends.v));
}

SpatialBeam::Vector12 SpatialBeam::force(const Ends& ends) const {
  const auto at = middle_strain(*this, ends);
  const Vector6 n = stiffness.cwiseProduct(at.strain() + viscosity * (at.B * ends.v));
  return -length * (at.B.transpose() * n);
}

void SpatialBeam::tangents(const Ends& ends, Matrix12& K, Matrix12& C) const {
  // The places and attitudes as functions of increments that are zero.
  std::array<Vec<Dual>, 2> x;
  std::array<Mat<Dual>, 2> R;
  for (int end = 0; end < 2; ++end) {
    Vec<Dual> increment;
    for (int axis = 0; axis < 3; ++axis) {
      x[end][axis] = Dual(ends.x[end][axis], 12, 6 * end + axis);
      increment[axis] = Dual(0.0, 12, 6 * end + 3 + axis);
    }
    const Mat<Dual> R0 = ends.R[end].cast<Dual>();
    R[end] = R0 + R0 * cross_matrix<Dual>(increment);
  }
  const MiddleStrain<Dual> at(Vec<Dual>(x[1] - x[0]), R[0], R[1], length);
  const Eigen::Matrix<Dual, 6, 1> e = at.strain();
  std::array<Dual, 6> n;
  for (int i = 0; i < 6; ++i) {
    Dual rate(0.0, Vector12::Zero());
    if (viscosity > 0)
      for (int j = 0; j < 12; ++j) rate += at.B(i, j) * ends.v[j];
    n[i] = stiffness[i] * (e[i] + viscosity * rate);
  }
  Eigen::Matrix<double, 6, 12> B;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 12; ++j) B(i, j) = at.B(i, j).value();
  for (int j = 0; j < 12; ++j) {
    Dual sum(0.0, Vector12::Zero());
    for (int i = 0; i < 6; ++i) sum += at.B(i, j) * n[i];
    K.row(j) = length * sum.derivatives().transpose();
  }
  C = viscosity * length * B.transpose() * stiffness.asDiagonal() * B;
}

double SpatialBeam::energy(const Ends& ends) const {
  const Vector6 e = strain(ends);
  return 0.5 * length * e.dot(stiffness.cwiseProduct(e));
}

double SpatialBeam::damping_power(const Ends& ends) const {
  const auto at = middle_strain(*this, ends);
  const Vector6 rate = at.B * ends.v;
  return viscosity * length * rate.dot(stiffness.cwiseProduct(rate));
}

}  // namespace percuss
