#include "percuss/nonsmooth/interior_point.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <cstdio>
#include <cstdlib>

#include "percuss/nonsmooth/cones.h"
#include "percuss/nonsmooth/interior_iteration.h"
#include "percuss/nonsmooth/interior_polish.h"
#include "percuss/nonsmooth/judge.h"

namespace percuss {
namespace {

/// What both forms of the problem have in common.
struct InteriorData {
  const std::vector<Cone>& cones;
  const std::vector<double>& u_free;
  std::vector<double> diagonal;  ///< of W
};

/// The scaled rows (NI-3). Reactions of rows that are left out are set in r.
InteriorRows scale_rows(const InteriorData& data, std::vector<double>& r) {
  InteriorRows rows;
  std::vector<double> a;
  const auto add = [&](const Cone& cone, InteriorCone::Kind kind, int first, int count) {
    const double mu = kind == InteriorCone::Kind::lorentz && count > 1 ? cone.bound : 1.0;
    double mean = 0.0;
    for (int i = 0; i < count; ++i)
      mean += data.diagonal[first + i] / (i == 0 ? mu * mu : 1.0) / count;
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
      case ConeKind::coulomb: add(cone, lorentz, first, cone.bound > 0.0 ? cone.rows() : 1); break;
    }
    first += cone.rows();
  }
  rows.a = Eigen::Map<const VectorX>(a.data(), static_cast<Eigen::Index>(a.size()));
  return rows;
}

/// The judge's relative residual (N-6) of the present iterate, which goes into r and u.
class InteriorJudge {
 public:
  InteriorJudge(const InteriorData& data, const InteriorRows& rows, double unit)
      : data_(data), rows_(rows), unit_(unit), u_(data.u_free) {
    double u_free2 = 0.0;
    for (const double u : data.u_free) u_free2 += u * u;
    norm_ = std::max(std::sqrt(u_free2), residual_floor);
  }
  double look(const VectorX& x, const VectorX& u, std::vector<double>& r) {
    for (int k = 0; k < rows_.size(); ++k) {
      r[rows_.source[k]] = unit_ * rows_.a[k] * x[k];
      u_[rows_.source[k]] = unit_ * u[k] / rows_.a[k];
    }
    double sum = 0.0;
    int i = 0;
    for (const Cone& cone : data_.cones) {
      double trace = 0.0;
      for (int k = 0; k < cone.rows(); ++k) trace += data_.diagonal[i + k];
      sum += cone_residual2(cone, trace, &r[i], &u_[i]);
      i += cone.rows();
    }
    return std::sqrt(sum) / norm_;
  }

 private:
  const InteriorData& data_;
  const InteriorRows& rows_;
  double unit_, norm_ = 1.0;
  std::vector<double> u_;
};

/// Iterates until the judge is content; out.r is the best iterate by the judge.
SolveStatus run_interior(const InteriorData& data, InteriorRows& rows, InteriorSystem& system,
                         const InteriorPointOptions& options, Solution& out) {
  VectorX q(rows.size());
  for (int k = 0; k < rows.size(); ++k) q[k] = rows.a[k] * data.u_free[rows.source[k]];
  double unit = q.lpNorm<Eigen::Infinity>();
  if (!(unit > 0.0)) unit = 1.0;
  q /= unit;
  for (InteriorCone& cone : rows.cones) cone.bound /= unit;
  InteriorIteration iteration(rows, q, system);
  InteriorJudge judge(data, rows, unit);
  std::vector<double> r = out.r;
  double best = std::numeric_limits<double>::infinity();
  int since_best = 0;
  double threshold = getenv("POLISH") ? atof(getenv("POLISH")) : 1e-4;
  const int limit = options.max_iterations > 0 ? options.max_iterations : InteriorPointSolver::default_iterations;
  for (out.iterations = 0;; ++out.iterations) {
    const double residual = judge.look(iteration.x(), iteration.velocity(), r);
    out.history.push_back(residual);
    if (!std::isfinite(residual)) return SolveStatus::stalled;
    since_best = residual < best ? 0 : since_best + 1;
    if (residual < best) {
      best = residual;
      out.r = r;
    }
    if (best <= options.tolerance) return SolveStatus::converged;
    const bool last = since_best > 30 || out.iterations == limit;
    if (residual <= threshold || last) {
      threshold = 1e-2 * residual;
      InteriorPolish polish(rows, q, system, iteration.x());
      double previous = residual;
      for (int k = 0; k < 10; ++k) {
        if (!polish.advance()) break;
        ++out.iterations;
        const double polished = judge.look(polish.x(), polish.velocity(), r);
        if (getenv("VERB")) printf("  polish %.2e\n", polished);
        out.history.push_back(polished);
        if (polished < best) {
          best = polished;
          out.r = r;
        }
        if (best <= options.tolerance) return SolveStatus::converged;
        if (!(polished < 0.5 * previous)) break;
        previous = polished;
      }
    }
    if (since_best > 30) return SolveStatus::stalled;
    if (out.iterations == limit) return SolveStatus::iteration_limit;
    if (!iteration.advance(options.step_share)) return SolveStatus::stalled;
  }
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
  InteriorData data{problem.cones, problem.u_free, {}};
  data.diagonal.resize(problem.size());
  for (int i = 0; i < problem.size(); ++i) data.diagonal[i] = problem.W.diagonal(i);
  InteriorRows rows = scale_rows(data, out.r);
  const std::unique_ptr<InteriorSystem> system = make_local_system(problem, rows);
  const SolveStatus status = run_interior(data, rows, *system, options_, out);
  end_solve(problem, options_.tolerance, status, out);
}

void InteriorPointSolver::solve_global(const GlobalProblem& problem, const std::vector<double>& guess,
                                       Solution& out) {
  (void)guess;
  out.r.assign(problem.size(), 0.0);
  SparseLdlt mass;
  mass.analyse(problem.M);
  mass.factorise(problem.M);
  const VectorX f = Eigen::Map<const VectorX>(problem.f.data(), problem.dof_count());
  VectorX half(problem.dof_count()), v(problem.dof_count());
  mass.forward(f, half);
  mass.backward(half, v);
  const VectorX u = problem.H.transpose() * v + Eigen::Map<const VectorX>(problem.w.data(), problem.size());
  std::vector<double> u_free(u.begin(), u.end());
  InteriorData data{problem.cones, u_free, {}};
  data.diagonal.assign(problem.size(), 0.0);
  SparseLdlt::ForwardWork work = mass.make_forward_work();
  SparseVector y;
  for (int i = 0; i < problem.size(); ++i) {
    y.index.clear();
    y.value.clear();
    const int begin = problem.H.outerIndexPtr()[i], end = problem.H.outerIndexPtr()[i + 1];
    mass.forward_sparse(problem.H.innerIndexPtr() + begin, problem.H.valuePtr() + begin, end - begin, y, work);
    for (size_t k = 0; k < y.index.size(); ++k)
      data.diagonal[i] += y.value[k] * y.value[k] / mass.pivot(y.index[k]);
  }
  InteriorRows rows = scale_rows(data, out.r);
  const std::unique_ptr<InteriorSystem> system = make_global_system(problem, rows, mass);
  out.status = run_interior(data, rows, *system, options_, out);
  out.residual.relative = out.history.back();
}

}  // namespace percuss
