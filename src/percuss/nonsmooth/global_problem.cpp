#include "percuss/nonsmooth/global_problem.h"

#include <stdexcept>
#include <string>

#include <Eigen/SparseCholesky>

namespace percuss {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;
using Factor = Eigen::SimplicialLDLT<SparseMatrix>;

Eigen::Map<const Eigen::VectorXd> as_vector(const std::vector<double>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

void factorise_mass(const SparseMatrix& M, Factor& factor) {
  factor.compute(M);
  if (factor.info() != Eigen::Success || !(factor.vectorD().minCoeff() > 0.0))
    throw std::invalid_argument("GlobalProblem.M: not positive definite");
}

}  // namespace

void GlobalProblem::validate() const {
  const auto require = [](bool holds, const char* field, const std::string& what) {
    if (!holds) throw std::invalid_argument(std::string("GlobalProblem.") + field + ": " + what);
  };
  require(M.rows() == M.cols(), "M", "must be square");
  require(H.rows() == M.rows(), "H", "must have as many rows as M");
  require(static_cast<int>(f.size()) == dof_count(), "f", "must have one value per row of M");
  require(static_cast<int>(w.size()) == size(), "w", "must have one value per column of H");
  int rows = 0;
  for (const Cone& cone : cones) {
    rows += cone.rows();
    require(cone.bound >= 0.0, "cones", "the bound must be >= 0");
  }
  require(rows == size(), "cones", "must cover the columns of H exactly");
}

LocalProblem condense(const GlobalProblem& problem) {
  problem.validate();
  LocalProblem local;
  local.cones = problem.cones;
  Factor factor;
  factorise_mass(problem.M, factor);
  const SparseMatrix solved = factor.solve(problem.H);
  // Row-major, with a full diagonal and the pattern of both triangles.
  SparseMatrix W = problem.H.transpose() * solved;
  SparseMatrix identity(W.rows(), W.cols());
  identity.setIdentity();
  const Eigen::SparseMatrix<double, Eigen::RowMajor> rows =
      0.5 * (W + SparseMatrix(W.transpose())) + 0.0 * identity;
  for (int i = 0; i < rows.rows(); ++i) {
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(rows, i); it; ++it)
      local.W.append(static_cast<int>(it.col()), it.value());
    local.W.end_row();
  }
  const Eigen::VectorXd v = factor.solve(as_vector(problem.f));
  const Eigen::VectorXd u = problem.H.transpose() * v + as_vector(problem.w);
  local.u_free.assign(u.begin(), u.end());
  return local;
}

std::vector<double> velocities(const GlobalProblem& problem, const std::vector<double>& r) {
  Factor factor;
  factorise_mass(problem.M, factor);
  const Eigen::VectorXd v = factor.solve(problem.H * as_vector(r) + as_vector(problem.f));
  return {v.begin(), v.end()};
}

}  // namespace percuss
