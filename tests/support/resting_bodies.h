#pragma once

#include <random>
#include <utility>
#include <vector>

#include <Eigen/Dense>

#include "percuss/nonsmooth/global_problem.h"

/// One body that rests on several points: the classical example of reactions that statics does not determine.
namespace percuss::testing {

struct RestingBody {
  double mass = 2.0;
  Eigen::Vector3d inertia{0.03, 0.05, 0.06};
  std::vector<Eigen::Vector3d> points;  ///< from the centre of mass
  Cone law{ConeKind::coulomb, 0.5};
  /// What gravity and the past do in a step [m/s, rad/s].
  Eigen::Matrix<double, 6, 1> velocity = (Eigen::Matrix<double, 6, 1>() << 0, 0, -1, 0, 0, 0).finished();
};

/// Corners of a rectangle below the centre of mass.
inline std::vector<Eigen::Vector3d> corners(double a = 0.2, double b = 0.1, double depth = 0.05) {
  return {{-a, -b, -depth}, {a, -b, -depth}, {a, b, -depth}, {-a, b, -depth}};
}

/// The floor is z = const; rows N = z, T1 = x, T2 = y.
inline LocalProblem resting(const RestingBody& body) {
  GlobalProblem problem;
  const int rows = body.law.rows(), count = static_cast<int>(body.points.size());
  Eigen::MatrixXd H(6, rows * count);
  const Eigen::Vector3d axes[3] = {Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitX(),
                                   Eigen::Vector3d::UnitY()};
  for (int c = 0; c < count; ++c)
    for (int i = 0; i < rows; ++i) H.col(rows * c + i) << axes[i], body.points[c].cross(axes[i]);
  Eigen::VectorXd masses(6);
  masses << Eigen::Vector3d::Constant(body.mass), body.inertia;
  problem.M = Eigen::MatrixXd(masses.asDiagonal()).sparseView();
  problem.H = H.sparseView();
  const Eigen::VectorXd f = masses.cwiseProduct(body.velocity);
  problem.f.assign(f.begin(), f.end());
  problem.w.assign(rows * count, 0.0);
  problem.cones.assign(count, body.law);
  return condense(problem);
}

}  // namespace percuss::testing
