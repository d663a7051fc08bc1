#include "percuss/nonsmooth/interior_point.h"

#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

#include "percuss/nonsmooth/cones.h"
#include "percuss/nonsmooth/interior_run.h"
#include "percuss/nonsmooth/sparse_blocks.h"

namespace percuss {
namespace {

/// With so many times more coordinates than contact rows W is formed also from the global form.
constexpr int few_contacts = 4;
/// Rows up to which W is formed where the global form got stuck.
constexpr int largest_second_attempt = 3000;

/// The scaled rows (NI-3). Reactions of rows that are left out are set in r.
InteriorRows scale_rows(const InteriorData& data, std::vector<double>& r) {
  InteriorRows rows;
  std::vector<double> a;
  const auto add = [&](const Cone& cone, InteriorCone::Kind kind, int first, int count) {
    const double mu = kind == InteriorCone::Kind::lorentz && count > 1 ? cone.bound : 1.0;
    double mean = 0.0;
    for (int i = 0; i < count; ++i) mean += data.diagonal[first + i] / (i == 0 ? mu * mu : 1.0) / count;
    if (!(mean > 0.0)) {  // no reaction has an effect here
      if (kind == InteriorCone::Kind::box) r[first] = data.u_free[first] > 0.0 ? -cone.bound : cone.bound;
      return;
    }
    const double scale = 1.0 / std::sqrt(mean);
    rows.cones.push_back({kind, rows.size(), count, cone.bound / scale});
    for (int i = 0; i < count; ++i) {
      rows.source.push_back(first + i);
      a.push_back(i == 0 ? scale / mu : scale);
    }
  };
  int first = 0;
  for (const Cone& cone : data.cones) {
    using enum InteriorCone::Kind;
    switch (cone.kind) {
      case ConeKind::equality: add(cone, free, first, 1); break;
      case ConeKind::nonnegative: add(cone, lorentz, first, 1); break;
      case ConeKind::interval:
        if (cone.bound > 0.0) add(cone, std::isfinite(cone.bound) ? box : free, first, 1);
        break;
      case ConeKind::planar_coulomb:
      case ConeKind::coulomb:
        add(cone, lorentz, first, cone.bound > negligible_friction ? cone.rows() : 1);
        break;
      case ConeKind::rolling: break;  // refused before
    }
    first += cone.rows();
  }
  rows.a = Eigen::Map<const VectorX>(a.data(), static_cast<Eigen::Index>(a.size()));
  return rows;
}

/// Y with W = H^T M^-1 H = Y^T Y: the columns D^-1/2 L^-1 P h of the factorised mass.
SparseMatrix half_solved(const SparseLdlt& mass, const SparseMatrix& H) {
  SparseLdlt::ForwardWork work = mass.make_forward_work();
  SparseVector y;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < H.cols(); ++i) {
    y.index.clear();
    y.value.clear();
    const int begin = H.outerIndexPtr()[i], end = H.outerIndexPtr()[i + 1];
    mass.forward_sparse(H.innerIndexPtr() + begin, H.valuePtr() + begin, end - begin, y, work);
    for (size_t k = 0; k < y.index.size(); ++k)
      entries.emplace_back(y.index[k], i, y.value[k] / std::sqrt(mass.pivot(y.index[k])));
  }
  SparseMatrix Y(H.rows(), H.cols());
  Y.setFromTriplets(entries.begin(), entries.end());
  return Y;
}

}  // namespace

void InteriorPointOptions::validate() const {
  SolverOptions::validate();
  if (!(step_share > 0.0 && step_share < 1.0))
    throw std::invalid_argument("InteriorPointOptions.step_share: must be between 0 and 1");
}

InteriorPointSolver::InteriorPointSolver(const InteriorPointOptions& options) : options_(options) {
  options_.validate();
}

void InteriorPointSolver::solve(const LocalProblem& problem, const std::vector<double>& guess,
                                Solution& out) {
  if (!begin_solve(problem, guess, "interior-point", out)) return;
  if (has_rolling(problem.cones)) return end_unsupported(problem, out);
  std::vector<double> diagonal(problem.size());
  for (int i = 0; i < problem.size(); ++i) diagonal[i] = problem.W.diagonal(i);
  const InteriorData data{problem.cones, problem.u_free, std::move(diagonal)};
  InteriorRows rows = scale_rows(data, out.r);
  const std::unique_ptr<InteriorSystem> system = make_local_system(problem, rows);
  const SolveStatus status = InteriorRun(data, rows, *system, options_, out).run();
  end_solve(problem, options_.tolerance, status, out);
}

void InteriorPointSolver::solve_global(const GlobalProblem& problem, const std::vector<double>& guess,
                                       Solution& out) {
  if (has_rolling(problem.cones)) return Solver::solve_global(problem, guess, out);  // which says so
  // The factorisations want compressed matrices.
  SparseMatrix M = problem.M, H = problem.H;
  M.makeCompressed();
  H.makeCompressed();
  LocalProblem local;
  local.cones = problem.cones;
  const int n = problem.size(), dofs = problem.dof_count();
  SparseLdlt mass;
  mass.analyse(M);
  const bool definite = mass.factorise(M);
  const auto velocities_of = [&](const std::vector<double>& r, std::vector<double>& u) {
    VectorX half(dofs), v(dofs);
    mass.forward(
        H * Eigen::Map<const VectorX>(r.data(), n) + Eigen::Map<const VectorX>(problem.f.data(), dofs), half);
    mass.backward(half, v);
    u = problem.w;
    Eigen::Map<VectorX>(u.data(), n) += H.transpose() * v;
  };
  if (definite) velocities_of(std::vector<double>(n, 0.0), local.u_free);
  if (!all_finite(problem)) local.u_free.assign(n, std::numeric_limits<double>::quiet_NaN());
  local.W.add_cones(local.cones);
  if (!begin_solve(local, guess, "interior-point", out)) return;
  if (!definite) {
    out.status = SolveStatus::singular;
    out.r.assign(n, 0.0);
    out.u.assign(n, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const SparseMatrix Y = half_solved(mass, H);
  std::vector<double> diagonal(n);
  for (int i = 0; i < n; ++i) diagonal[i] = Y.col(i).squaredNorm();
  const InteriorData data{local.cones, local.u_free, std::move(diagonal)};
  InteriorRows rows = scale_rows(data, out.r);
  std::unique_ptr<InteriorSystem> system;
  if (few_contacts * n > dofs) system = make_global_system(M, H, rows, mass);
  SolveStatus status = SolveStatus::stalled;
  if (system) {
    status = InteriorRun(data, rows, *system, options_, out).run();
    velocities_of(out.r, out.u);
    out.residual = data.residual_of(out.r, out.u);
    out.status = out.residual.relative <= options_.tolerance ? SolveStatus::converged : status;
  }
  // Stiff contacts cost the primal matrix more digits than they cost W.
  if (!system || (out.status == SolveStatus::stalled && n <= largest_second_attempt)) {
    const std::vector<double> first = system ? out.r : guess;
    const int iterations = out.iterations;
    local.W = to_blocks(SparseMatrix(Y.transpose()) * Y, local.cones);
    solve(local, first, out);
    out.iterations += iterations;
  }
}

}  // namespace percuss
