#pragma once

#include "support/contact_problems.h"

/// Random one-step problems whose contacts resist rolling and spinning.
namespace percuss::testing {

struct RandomRolling {
  int bodies = 6;
  int contacts = 6;
  int sliding_rows = 2, rolling_rows = 2, spinning_rows = 1;
  double length = 0.3;  ///< by which moments are divided [m]
  double speed = 1.0;   ///< of the bodies
};

/// Rigid bodies with six coordinates; a contact acts on one of them, or on two.
inline GlobalProblem random_rolling(const RandomRolling& given, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  GlobalProblem problem;
  const int n = 6 * given.bodies;
  problem.M.resize(n, n);
  for (int i = 0; i < n; ++i) problem.M.insert(i, i) = (i % 6 < 3 ? 1.0 : 0.1) * (1 + 5 * (i / 6 % 3));
  std::vector<Eigen::Triplet<double>> entries;
  int column = 0;
  const auto vector = [&] { return Eigen::Vector3d(normal(random), normal(random), normal(random)); };
  for (int c = 0; c < given.contacts; ++c) {
    const Eigen::Matrix3d frame =
        Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
            .normalized()
            .toRotationMatrix();
    const int first = static_cast<int>(random() % given.bodies),
              second = static_cast<int>(random() % given.bodies);
    const Eigen::Vector3d arm = 0.3 * vector(), other_arm = 0.3 * vector();
    const auto add = [&](int body, double sign, const Eigen::Vector3d& force, const Eigen::Vector3d& moment) {
      for (int k = 0; k < 3; ++k) {
        entries.emplace_back(6 * body + k, column, sign * force[k]);
        entries.emplace_back(6 * body + 3 + k, column, sign * moment[k]);
      }
    };
    const auto add_row = [&](const Eigen::Vector3d& force, const Eigen::Vector3d& moment) {
      add(first, 1, force, arm.cross(force) + moment);
      if (second != first) add(second, -1, force, other_arm.cross(force) + moment);
      ++column;
    };
    const Eigen::Vector3d none = Eigen::Vector3d::Zero();
    for (int i = 0; i <= given.sliding_rows; ++i) add_row(frame.col(i), none);
    for (int i = 1; i <= given.rolling_rows; ++i) add_row(none, frame.col(i) / given.length);
    for (int i = 0; i < given.spinning_rows; ++i) add_row(none, frame.col(0) / given.length);
    problem.cones.push_back(rolling_cone(given.sliding_rows, uniform(random), given.rolling_rows,
                                         0.3 * uniform(random), given.spinning_rows, 0.3 * uniform(random)));
  }
  problem.H.resize(n, column);
  problem.H.setFromTriplets(entries.begin(), entries.end());
  // Bodies at rest are admissible, so there is a solution whatever the rank of W.
  problem.w.assign(column, 0.0);
  for (int i = 0; i < n; ++i) problem.f.push_back(problem.M.coeff(i, i) * given.speed * normal(random));
  return problem;
}

}  // namespace percuss::testing
