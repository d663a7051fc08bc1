#pragma once

#include <array>

#include "percuss/nonsmooth/solvers.h"
#include "support/contact_problems.h"

/// Problems in which every kind of cone occurs, and the odd ones that a solver must survive.
namespace percuss::testing {

/// Contacts of a random problem in space, of which one in five stays a frictional contact; the rows of the
/// others become joints, planar contacts, contacts without friction and dry friction of known size.
inline GlobalProblem mixed_problem(RandomProblem given, std::mt19937_64& random) {
  given.kind = ConeKind::coulomb;
  GlobalProblem problem = random_problem(given, random);
  std::vector<Cone> cones;
  for (size_t c = 0; c < problem.cones.size(); ++c) {
    const double mu = problem.cones[c].bound;
    switch (c % 5) {
      case 0: cones.push_back({ConeKind::coulomb, mu}); break;
      case 1:
        cones.push_back({ConeKind::planar_coulomb, mu});
        cones.push_back({ConeKind::interval, 0.3});
        break;
      case 2:
        cones.push_back({ConeKind::equality});
        cones.push_back({ConeKind::planar_coulomb, mu});
        break;
      case 3:
        cones.push_back({ConeKind::nonnegative});
        cones.push_back({ConeKind::interval, 0.1});
        cones.push_back({ConeKind::interval, 0.0});
        break;
      default: cones.insert(cones.end(), 3, Cone{ConeKind::nonnegative}); break;
    }
  }
  problem.cones = cones;
  return problem;
}

inline GlobalProblem random_or_mixed(bool mixed, const RandomProblem& given, std::mt19937_64& random) {
  return mixed ? mixed_problem(given, random) : random_problem(given, random);
}

/// Every contact twice: W is singular, the velocities are those of the contacts taken once.
inline GlobalProblem duplicated(const GlobalProblem& once) {
  GlobalProblem twice = once;
  twice.H.resize(once.H.rows(), 2 * once.H.cols());
  for (int j = 0; j < once.H.cols(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator it(once.H, j); it; ++it)
      for (const int copy : {0, 1}) twice.H.coeffRef(it.row(), j + copy * once.H.cols()) = it.value();
  twice.H.makeCompressed();
  twice.w.insert(twice.w.end(), once.w.begin(), once.w.end());
  twice.cones.insert(twice.cones.end(), once.cones.begin(), once.cones.end());
  return twice;
}

/// One frictional contact with the block W = w I.
inline LocalProblem one_contact(double w, double mu, const std::array<double, 3>& u_free) {
  LocalProblem problem;
  problem.u_free.assign(u_free.begin(), u_free.end());
  problem.cones = {{ConeKind::coulomb, mu}};
  set_matrix(problem, w * Eigen::Matrix3d::Identity());
  return problem;
}

}  // namespace percuss::testing
