#include "percuss/nonsmooth/interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>

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

/// One run: the iteration, Newton on the natural map where it promises to finish, and the best of all iterates.
class InteriorRun {
 public:
  InteriorRun(const InteriorData& data, InteriorRows& rows, InteriorSystem& system,
              const InteriorPointOptions& options, Solution& out)
      : rows_(rows), system_(system), options_(options), out_(out), q_(rows.size()) {
    for (int k = 0; k < rows.size(); ++k) q_[k] = rows.a[k] * data.u_free[rows.source[k]];
    double unit = q_.size() > 0 ? q_.lpNorm<Eigen::Infinity>() : 0.0;
    if (!(unit > 0.0)) unit = 1.0;
    q_ /= unit;
    for (InteriorCone& cone : rows.cones) cone.bound /= unit;
    judge_ = std::make_unique<InteriorJudge>(data, rows, unit);
    limit_ = options.max_iterations > 0 ? options.max_iterations : InteriorPointSolver::default_iterations;
    start_.resize(rows.size());
    for (int k = 0; k < rows.size(); ++k) start_[k] = out.r[rows.source[k]] / (unit * rows.a[k]);
  }

  SolveStatus run() {
    InteriorPolish guess(rows_, q_, system_, start_);
    double residual = look(guess.x(), guess.velocity());
    if (residual <= options_.tolerance) return SolveStatus::converged;
    if (residual <= warm_residual && polish(start_, residual)) return SolveStatus::converged;
    InteriorIteration iteration(rows_, q_, system_);
    double polish_below = first_polish;
    for (bool more = true; more && out_.iterations < limit_ && since_best_ <= patience; ++out_.iterations) {
      more = iteration.advance(options_.step_share);
      residual = look(iteration.x(), iteration.velocity());
      if (residual <= options_.tolerance) return SolveStatus::converged;
      if (residual <= polish_below) {
        if (polish(iteration.x(), residual)) return SolveStatus::converged;
        polish_below = 1e-2 * residual;
      }
    }
    if (out_.iterations >= limit_) return SolveStatus::iteration_limit;
    return polish(best_x_, best_) ? SolveStatus::converged : SolveStatus::stalled;
  }

 private:
  static constexpr double warm_residual = 1e-2, first_polish = 1e-4;
  static constexpr int patience = 30;  ///< iterations without a better iterate

  /// The judge's residual; the best iterate goes to out.
  double look(const VectorX& x, const VectorX& u) {
    r_ = out_.r;
    const double residual = judge_->look(x, u, r_);
    out_.history.push_back(residual);
    ++since_best_;
    if (!(residual < best_)) return residual;
    since_best_ = 0;
    best_ = residual;
    best_x_ = x;
    out_.r = r_;
    return residual;
  }

  /// Newton on the natural map while it halves the residual. True if that solves the problem.
  bool polish(const VectorX& from, double residual) {
    InteriorPolish newton(rows_, q_, system_, from);
    for (bool gains = true; gains && out_.iterations < limit_;) {
      ++out_.iterations;
      if (!newton.advance()) return false;
      const double next = look(newton.x(), newton.velocity());
      if (next <= options_.tolerance) return true;
      gains = next < 0.5 * residual;
      residual = next;
    }
    return false;
  }

  const InteriorRows& rows_;
  InteriorSystem& system_;
  const InteriorPointOptions& options_;
  Solution& out_;
  VectorX q_, start_, best_x_;
  std::unique_ptr<InteriorJudge> judge_;
  std::vector<double> r_;
  double best_ = std::numeric_limits<double>::infinity();
  int since_best_ = 0, limit_ = 0;
};

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
  const SolveStatus status = InteriorRun(data, rows, *system, options_, out).run();
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
  out.status = InteriorRun(data, rows, *system, options_, out).run();
  out.residual.relative = out.history.back();
}

}  // namespace percuss
