#include "percuss/nonsmooth/residual.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "percuss/nonsmooth/cones.h"

namespace percuss {

double residual_of_row(const LocalProblem& problem, const std::vector<double>& r, int i) {
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
/// [m/s] is asked in the order of the rows.
template <class Error>
double residual_of_errors(const OperatorProblem& problem, double largest_mu, const Error& error) {
  double sum = 0.0;
  int i = 0;
  for (size_t c = 0; c < problem.cones.size(); ++c) {
    const Cone& cone = problem.cones[c];
    const double* block = problem.W.diagonal_block(static_cast<int>(c));
    const auto error_of = [&](int k) { return error(i + k, block[k * (cone.rows() + 1)]); };
    double normal = error_of(0), others2 = 0.0;
    for_each_disc(cone, [&](const Disc& disc) {
      double disc2 = 0.0;
      for (int k = disc.first; k < disc.first + disc.rows; ++k) disc2 += squared(error_of(k));
      normal += std::min(disc.bound, largest_mu) * std::sqrt(disc2);
      others2 += disc2;
    });
    sum += squared(normal) + others2;
    i += cone.rows();
  }
  problem.W.sum({&sum, 1});
  return std::sqrt(sum);
}

/// (N-6a). r^T W r, and not the entries of W r, says how much cancels: reactions that press against each
/// other and move nothing raise it hardly, so that nobody buys tolerance with them.
double friction_rounding(const OperatorProblem& problem, double work) {
  const double impulse = std::sqrt(std::max(0.0, work));
  return residual_of_errors(problem, std::numeric_limits<double>::infinity(), [&](int i, double W_ii) {
    return rounding_unit * (std::abs(problem.u_free[i]) + std::sqrt(W_ii) * impulse);
  });
}

/// How much of the reactions W can see (N-6b): 1, unless they press along directions in which it is nothing.
double visible_part(const BlockMatrix& W, const std::vector<double>& r, double work) {
  double largest = 0.0, r2 = 0.0;
  for (int i = 0; i < W.rows(); ++i) {
    largest = std::max(largest, W.diagonal(i));
    r2 += r[i] * r[i];
  }
  const double invisible = blind_direction * largest * r2;
  return work < invisible ? std::sqrt(std::max(0.0, work) / invisible) : 1.0;
}

/// (N-6b): a light body between heavy ones has large reactions that cancel. 0 where W has no blocks.
double cancellation(const OperatorProblem& problem, const std::vector<double>& r, double work) {
  const BlockMatrix* W = problem.W.blocks();
  if (!W) return 0.0;
  const double part = visible_part(*W, r, work);
  return residual_of_errors(problem, 1.0, [&](int i, double) {
    double size = 0.0;
    W->for_each_in_row(i, [&](int column, double w) { size += std::abs(w * r[column]); });
    return rounding_unit * (std::abs(problem.u_free[i]) + part * size);
  });
}

double free_speed(const OperatorProblem& problem) {
  double u_free2 = 0.0;
  for (const double u : problem.u_free) u_free2 += u * u;
  problem.W.sum({&u_free2, 1});
  return std::max({std::sqrt(u_free2), problem.scale, residual_floor});
}

Residual relative_residual(double residual2, double scale) {
  const double absolute = std::sqrt(residual2);
  const bool finite = std::isfinite(absolute) && std::isfinite(scale);
  return {absolute, finite ? absolute / scale : std::numeric_limits<double>::infinity()};
}

/// `work`: r^T W r.
Residual residual_of(const OperatorProblem& problem, const std::vector<double>& r, double residual2,
                     double work) {
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

/// Adds the residual of one cone and its part in r^T W r.
void look_at(const Cone& cone, double trace, const double* u_free, const double* r, const double* u,
             double& residual2, double& work) {
  residual2 += cone_residual2(cone, trace, r, u);
  for (int i = 0; i < cone.rows(); ++i) work += r[i] * (u[i] - u_free[i]);
}

}  // namespace

Residual residual_of(const LocalProblem& problem, const std::vector<double>& r) {
  assert(static_cast<int>(r.size()) == problem.size());
  double residual2 = 0.0, work = 0.0, u[max_cone_rows];
  for (int c = 0; c < problem.W.cones(); ++c) {
    const int i = problem.W.first_row(c);
    cone_velocity(problem, r, c, u);
    look_at(problem.cones[c], problem.W.trace(c), &problem.u_free[i], &r[i], u, residual2, work);
  }
  ExplicitOperator W(problem.W);
  return residual_of({W, problem.cones, problem.u_free, problem.scale}, r, residual2, work);
}

Residual residual_of(const OperatorProblem& problem, const std::vector<double>& r,
                     const std::vector<double>& u) {
  double sums[2] = {0.0, 0.0};
  int i = 0;
  for (size_t c = 0; c < problem.cones.size(); ++c) {
    const Cone& cone = problem.cones[c];
    const double trace = trace_of(cone.rows(), problem.W.diagonal_block(static_cast<int>(c)));
    look_at(cone, trace, &problem.u_free[i], &r[i], &u[i], sums[0], sums[1]);
    i += cone.rows();
  }
  problem.W.sum(sums);
  return residual_of(problem, r, sums[0], sums[1]);
}

Residual residual_of(const LocalProblem& problem, const std::vector<double>& r,
                     const std::vector<double>& u) {
  ExplicitOperator W(problem.W);
  return residual_of(OperatorProblem{W, problem.cones, problem.u_free, problem.scale}, r, u);
}

double unscaled_residual(const LocalProblem& problem, const std::vector<double>& r) {
  double residual2 = 0.0, u[max_cone_rows];
  for (int c = 0; c < problem.W.cones(); ++c) {
    cone_velocity(problem, r, c, u);
    const Cone& cone = problem.cones[c];
    residual2 += cone_residual2(cone, cone.rows(), &r[problem.W.first_row(c)], u);  // rho = 1
  }
  ExplicitOperator W(problem.W);
  return relative_residual(residual2, free_speed({W, problem.cones, problem.u_free})).relative;
}

int worst_cone(const LocalProblem& problem, const std::vector<double>& r, const std::vector<double>& u) {
  int worst = -1;
  double largest = -1.0;
  for (int c = 0; c < problem.W.cones(); ++c) {
    const int i = problem.W.first_row(c);
    const double residual2 = cone_residual2(problem.cones[c], problem.W.trace(c), &r[i], &u[i]);
    if (residual2 <= largest) continue;
    largest = residual2;
    worst = c;
  }
  return worst;
}

}  // namespace percuss
