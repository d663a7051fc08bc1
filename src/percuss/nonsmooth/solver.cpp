#include "percuss/nonsmooth/solver.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "percuss/nonsmooth/cones.h"
#include "percuss/nonsmooth/global_problem.h"
#include "percuss/nonsmooth/residual.h"

namespace percuss {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

bool all_finite(std::span<const double> x) {
  // x - x is zero for finite x and NaN otherwise, so one sum tells without a branch per entry.
  double sum[4] = {};
  size_t i = 0;
  for (; i + 4 <= x.size(); i += 4)
    for (size_t j = 0; j < 4; ++j) sum[j] += x[i + j] - x[i + j];
  for (; i < x.size(); ++i) sum[0] += x[i] - x[i];
  return sum[0] + sum[1] + sum[2] + sum[3] == 0.0;
}

bool all_finite(const GlobalProblem& problem) {
  const auto finite = [](const Eigen::SparseMatrix<double>& A) {
    return A.size() == 0 || std::isfinite(A.sum());
  };
  return all_finite(problem.f) && all_finite(problem.w) && finite(problem.M) && finite(problem.H);
}

void end_without_result(int rows, SolveStatus status, double value, Solution& out) {
  out.status = status;
  out.r.assign(rows, value);
  out.u.assign(rows, unknown);
  out.residual = {unknown, std::numeric_limits<double>::infinity()};
}

void end_unsupported(const LocalProblem& problem, Solution& out) {
  out.r.assign(problem.size(), 0.0);
  end_solve(problem, 0.0, SolveStatus::unsupported, out);
}

bool begin_condensed(const GlobalProblem& problem, LocalProblem& local, Solution& out) {
  out.iterations = 0;
  out.history.clear();
  if (!all_finite(problem)) {
    end_without_result(problem.size(), SolveStatus::not_finite, unknown, out);
    return false;
  }
  try {
    local = condense(problem);
  } catch (const std::invalid_argument&) {  // sizes were checked before
    end_without_result(problem.size(), SolveStatus::singular, 0.0, out);
    return false;
  }
  return true;
}

void Solver::solve_global(const GlobalProblem& problem, const std::vector<double>& guess, Solution& out) {
  LocalProblem local;
  if (begin_condensed(problem, local, out)) solve(local, guess, out);
}

void SolverOptions::validate() const {
  if (!(tolerance > 0.0)) throw std::invalid_argument("SolverOptions.tolerance: must be positive");
  if (!(acceptable >= 0.0)) throw std::invalid_argument("SolverOptions.acceptable: must be >= 0");
  if (max_iterations < 0) throw std::invalid_argument("SolverOptions.max_iterations: must be >= 0");
}

namespace {

void begin_report(const char* method, Solution& out) {
  out.iterations = 0;
  out.history.clear();
  out.method = method;
  out.selection = Selection::any;
  out.uniqueness.reset();
}

/// r from the guess, if it is one. False if there is nothing to solve.
bool begin_reactions(const std::vector<Cone>& cones, int rows, const std::vector<double>& guess,
                     Solution& out) {
  out.r.assign(rows, 0.0);
  if (guess.size() == out.r.size() && all_finite(guess)) {
    int i = 0;
    for (const Cone& cone : cones) {
      project(cone, &guess[i], &out.r[i]);
      i += cone.rows();
    }
  }
  if (rows > 0) return true;
  out.u.clear();
  out.residual = {0.0, 0.0};
  out.status = SolveStatus::converged;
  return false;
}

/// The status after the residual is known.
void end_with_residual(double tolerance, SolveStatus otherwise, Solution& out) {
  if (!std::isfinite(out.residual.relative))
    return end_without_result(static_cast<int>(out.r.size()), SolveStatus::not_finite, unknown, out);
  if (out.residual.is_within(tolerance))
    out.status = SolveStatus::converged;
  else  // a method may have been content with its scaled residual
    out.status = otherwise == SolveStatus::converged ? SolveStatus::stalled : otherwise;
}

}  // namespace

bool begin_solve(const LocalProblem& problem, const std::vector<double>& guess, const char* method,
                 Solution& out) {
  begin_report(method, out);
  if (!all_finite(problem.u_free) || !all_finite(problem.W.values())) {
    end_without_result(problem.size(), SolveStatus::not_finite, unknown, out);
    return false;
  }
  return begin_reactions(problem.cones, problem.size(), guess, out);
}

std::unique_ptr<MatrixFreeProblem> begin_matrix_free(const GlobalProblem& problem,
                                                     const std::vector<double>& guess, const char* method,
                                                     Solution& out) {
  begin_report(method, out);
  if (!all_finite(problem)) {
    end_without_result(problem.size(), SolveStatus::not_finite, unknown, out);
    return nullptr;
  }
  try {
    auto made = std::make_unique<MatrixFreeProblem>(problem);
    if (begin_reactions(problem.cones, problem.size(), guess, out)) return made;
  } catch (const std::invalid_argument&) {  // sizes were checked before
    end_without_result(problem.size(), SolveStatus::singular, 0.0, out);
  }
  return nullptr;
}

void set_residual(const OperatorProblem& problem, Solution& out) {
  out.u.resize(out.r.size());
  problem.W.apply(out.r.data(), out.u.data());
  for (size_t i = 0; i < out.u.size(); ++i) out.u[i] += problem.u_free[i];
  out.residual = residual_of(problem, out.r, out.u);
}

void set_residual(const LocalProblem& problem, Solution& out) {
  out.u.assign(problem.u_free.begin(), problem.u_free.end());
  problem.W.multiply_add(out.r.data(), out.u.data());
  out.residual = residual_of(problem, out.r, out.u);
}

void end_solve(const LocalProblem& problem, double tolerance, SolveStatus otherwise, Solution& out) {
  set_residual(problem, out);
  end_with_residual(tolerance, otherwise, out);
}

void end_solve(const OperatorProblem& problem, double tolerance, SolveStatus otherwise, Solution& out) {
  set_residual(problem, out);
  end_with_residual(tolerance, otherwise, out);
}

}  // namespace percuss
