#pragma once

#include <memory>

#include <FrictionContactProblem.h>
#include <GlobalFrictionContactProblem.h>

#include "percuss/nonsmooth/global_problem.h"

/// Problems of percuss as Siconos wants them. Each owns copies: its solvers keep things in the problem.
namespace contact_benchmark {

enum class Storage {
  blocks,   ///< 3 x 3 blocks: what its Gauss-Seidel is fastest with
  columns,  ///< compressed columns: what its Newton and ADMM solvers work with
};

using LocalPointer = std::unique_ptr<FrictionContactProblem, void (*)(FrictionContactProblem*)>;
using GlobalPointer = std::unique_ptr<GlobalFrictionContactProblem, void (*)(GlobalFrictionContactProblem*)>;

/// True if Siconos can treat the cones: friction in space only.
bool fits_siconos(const std::vector<percuss::Cone>& cones);

LocalPointer to_siconos(const percuss::LocalProblem& problem, Storage storage);
GlobalPointer to_siconos(const percuss::GlobalProblem& problem);

}  // namespace contact_benchmark
