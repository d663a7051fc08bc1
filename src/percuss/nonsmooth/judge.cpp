#include "percuss/nonsmooth/judge.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "percuss/nonsmooth/cones.h"

namespace percuss {

double judge_row(const LocalProblem& problem, const std::vector<double>& r, int i) {
  assert(problem.W.rows() == problem.W.cones());
  double u = problem.u_free[i];
  problem.W.add_product(i, r.data(), &u);
  const double W_ii = problem.W.diagonal(i);
  const double r_over_rho = W_ii > 0.0 ? r[i] * W_ii : r[i];
  if (!std::isfinite(u) || !std::isfinite(r_over_rho)) return std::numeric_limits<double>::quiet_NaN();
  return std::min(r_over_rho, u);  // (N-5) without its cancellation
}

namespace {

double squared(double x) { return x * x; }

/// Roundings that meet in one velocity of a contact.
constexpr double rounding_unit = 2.0 * std::numeric_limits<double>::epsilon();
/// The largest parts of the free velocities that may be called rounding: of friction (N-6a), and of reactions
/// that cancel (N-6b).
constexpr double largest_rounding = 1e-8, largest_cancellation = 1e-6;
/// Smaller residuals are below any tolerance: no need to look for what cancels.
constexpr double no_residual = 1e-14;
/// Of the largest entry of W: directions in which W is smaller are none as far as doubles know.
constexpr double blind_direction = 1e-12;

/// The norm of the residuals that errors of the velocities leave in all cones, |eta| of (N-6a); error(i)
/// [m/s].
template <class Error>
double residual_of_errors(const LocalProblem& problem, double largest_mu, const Error& error) {
  double sum = 0.0;
  int i = 0;
  for (const Cone& cone : problem.cones) {
    double normal = error(i), others2 = 0.0;
    for_each_disc(cone, [&](const Disc& disc) {
      double disc2 = 0.0;
      for (int k = disc.first; k < disc.first + disc.rows; ++k) disc2 += squared(error(i + k));
      normal += std::min(disc.bound, largest_mu) * std::sqrt(disc2);
      others2 += disc2;
    });
    sum += squared(normal) + others2;
    i += cone.rows();
  }
  return std::sqrt(sum);
}

/// (N-6a). r^T W r, and not the entries of W r, says how much cancels: reactions that press against each
/// other and move nothing raise it hardly, so that nobody buys tolerance with them.
double friction_rounding(const LocalProblem& problem, double work) {
  const double impulse = std::sqrt(std::max(0.0, work));
  return residual_of_errors(problem, std::numeric_limits<double>::infinity(), [&](int i) {
    return rounding_unit * (std::abs(problem.u_free[i]) + std::sqrt(problem.W.diagonal(i)) * impulse);
  });
}

/// How much of the reactions W can see (N-6b): 1, unless they press along directions in which it is nothing.
double visible_part(const LocalProblem& problem, const std::vector<double>& r, double work) {
  double largest = 0.0, r2 = 0.0;
  for (int i = 0; i < problem.size(); ++i) {
    largest = std::max(largest, problem.W.diagonal(i));
    r2 += r[i] * r[i];
  }
  const double invisible = blind_direction * largest * r2;
  return work < invisible ? std::sqrt(std::max(0.0, work) / invisible) : 1.0;
}

/// (N-6b): a light body between heavy ones has large reactions that cancel.
double cancellation(const LocalProblem& problem, const std::vector<double>& r, double work) {
  const double part = visible_part(problem, r, work);
  return residual_of_errors(problem, 1.0, [&](int i) {
    double size = 0.0;
    problem.W.for_each_in_row(i, [&](int column, double w) { size += std::abs(w * r[column]); });
    return rounding_unit * (std::abs(problem.u_free[i]) + part * size);
  });
}

double free_speed(const LocalProblem& problem) {
  double u_free2 = 0.0;
  for (const double u : problem.u_free) u_free2 += u * u;
  return std::max(std::sqrt(u_free2), residual_floor);
}

Residual relative_residual(double residual2, double scale) {
  const double absolute = std::sqrt(residual2);
  const bool finite = std::isfinite(absolute) && std::isfinite(scale);
  return {absolute, finite ? absolute / scale : std::numeric_limits<double>::infinity()};
}

/// `work`: r^T W r.
Residual verdict(const LocalProblem& problem, const std::vector<double>& r, double residual2, double work) {
  const double scale = free_speed(problem);
  Residual residual = relative_residual(residual2, scale);
  if (!(residual.relative <= largest_cancellation)) return residual;
  residual.rounding = std::min(friction_rounding(problem, work) / scale, largest_rounding);
  if (residual.relative > std::max(residual.rounding, no_residual))
    residual.rounding =
        std::max(residual.rounding, std::min(cancellation(problem, r, work) / scale, largest_cancellation));
  return residual;
}

/// Velocities of the rows of one cone, recomputed from r.
void cone_velocity(const LocalProblem& problem, const std::vector<double>& r, int c, double* u) {
  const int first = problem.W.first_row(c);
  for (int i = 0; i < problem.W.rows_of(c); ++i) u[i] = problem.u_free[first + i];
  problem.W.add_product(c, r.data(), u);
}

/// The part of one cone in r^T W r.
double work_on(const LocalProblem& problem, const std::vector<double>& r, int first, int rows,
               const double* u) {
  double work = 0.0;
  for (int i = 0; i < rows; ++i) work += r[first + i] * (u[i] - problem.u_free[first + i]);
  return work;
}

}  // namespace

Residual judge(const LocalProblem& problem, const std::vector<double>& r) {
  assert(static_cast<int>(r.size()) == problem.size());
  double residual2 = 0.0, work = 0.0, u[max_cone_rows];
  for (int c = 0; c < problem.W.cones(); ++c) {
    const int i = problem.W.first_row(c);
    cone_velocity(problem, r, c, u);
    residual2 += cone_residual2(problem.cones[c], problem.W.trace(c), &r[i], u);
    work += work_on(problem, r, i, problem.W.rows_of(c), u);
  }
  return verdict(problem, r, residual2, work);
}

Residual judge_with(const LocalProblem& problem, const std::vector<double>& r, const std::vector<double>& u) {
  double residual2 = 0.0, work = 0.0;
  for (int c = 0; c < problem.W.cones(); ++c) {
    const int i = problem.W.first_row(c);
    residual2 += cone_residual2(problem.cones[c], problem.W.trace(c), &r[i], &u[i]);
    work += work_on(problem, r, i, problem.W.rows_of(c), &u[i]);
  }
  return verdict(problem, r, residual2, work);
}

double unscaled_residual(const LocalProblem& problem, const std::vector<double>& r) {
  double residual2 = 0.0, u[max_cone_rows];
  for (int c = 0; c < problem.W.cones(); ++c) {
    cone_velocity(problem, r, c, u);
    const Cone& cone = problem.cones[c];
    residual2 += cone_residual2(cone, cone.rows(), &r[problem.W.first_row(c)], u);  // rho = 1
  }
  return relative_residual(residual2, free_speed(problem)).relative;
}

}  // namespace percuss
