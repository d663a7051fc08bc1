#pragma once

#include <cmath>
#include <numbers>
#include <random>

#include <Eigen/Dense>

#include "percuss/nonsmooth/global_problem.h"
#include "percuss/nonsmooth/sparse_blocks.h"

/// Random one-step problems with the structure of real ones: bodies of different mass, contacts between
/// pairs.
namespace percuss::testing {

/// W of a problem whose cones are known, from all its entries.
inline void set_matrix(LocalProblem& problem, const Eigen::MatrixXd& W) {
  problem.W = to_blocks(W.sparseView(), problem.cones);
}

struct RandomProblem {
  int bodies = 4;
  int contacts = 6;  ///< more than 2 per body make W rank-deficient
  ConeKind kind = ConeKind::coulomb;
  double mu_min = 0.0, mu_max = 1.0;
  double mass_ratio = 100;
  double approach = 1.0;  ///< normal free velocities are centred here, below zero
};

/// Rigid bodies with six coordinates (planar ones with three), each contact between two of them or one and
/// the ground. W is singular as soon as there are more rows than coordinates; a solution exists whatever the
/// rank, because every contact can be opened.
inline GlobalProblem random_problem(const RandomProblem& given, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  const int dof = given.kind == ConeKind::coulomb ? 6 : 3, rows = Cone{given.kind}.rows();
  GlobalProblem problem;
  const int n = dof * given.bodies, m = rows * given.contacts;
  problem.M.resize(n, n);
  for (int b = 0; b < given.bodies; ++b) {
    const double mass = std::pow(given.mass_ratio, uniform(random));
    for (int i = 0; i < dof; ++i)
      problem.M.insert(b * dof + i, b * dof + i) = mass * (i < (dof + 1) / 2 ? 1 : 0.4);
  }
  std::vector<Eigen::Triplet<double>> entries;
  const auto add_body = [&](int c, int body, const Eigen::Matrix3d& frame, double sign) {
    const Eigen::Vector3d arm(normal(random), normal(random), normal(random));
    for (int i = 0; i < rows; ++i) {
      const Eigen::Vector3d direction = frame.col(i);
      const Eigen::Vector3d moment = arm.cross(direction);
      if (dof == 6)
        for (int k = 0; k < 3; ++k) {
          entries.emplace_back(body * dof + k, c * rows + i, sign * direction[k]);
          entries.emplace_back(body * dof + 3 + k, c * rows + i, sign * moment[k]);
        }
      else
        for (int k = 0; k < 3; ++k)
          entries.emplace_back(body * dof + k, c * rows + i, sign * (k < 2 ? direction[k] : moment[2]));
    }
  };
  for (int c = 0; c < given.contacts; ++c) {
    Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();
    if (dof == 6) {
      frame = Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
                  .normalized()
                  .toRotationMatrix();
    } else {
      const double angle = 2 * std::numbers::pi * uniform(random);
      frame.col(0) << std::cos(angle), std::sin(angle), 0;
      frame.col(1) << -std::sin(angle), std::cos(angle), 0;
    }
    const int first = static_cast<int>(uniform(random) * given.bodies);
    const int second = static_cast<int>(uniform(random) * (given.bodies + 1));
    add_body(c, first, frame, 1);
    if (second < given.bodies && second != first) add_body(c, second, frame, -1);
    problem.cones.push_back({given.kind, given.mu_min + (given.mu_max - given.mu_min) * uniform(random)});
    if (given.kind != ConeKind::coulomb && given.kind != ConeKind::planar_coulomb)
      problem.cones.back().bound = 0;
  }
  problem.H.resize(n, m);
  problem.H.setFromTriplets(entries.begin(), entries.end());
  // Free velocities of the bodies, so that the problem is one of mechanics also where W is singular.
  const Eigen::VectorXd v = Eigen::VectorXd::NullaryExpr(n, [&] { return given.approach * normal(random); });
  const Eigen::VectorXd f = problem.M * v;
  problem.f.assign(f.begin(), f.end());
  problem.w.assign(m, 0.0);
  return problem;
}

}  // namespace percuss::testing
