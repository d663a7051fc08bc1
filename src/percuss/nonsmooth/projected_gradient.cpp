#include "percuss/nonsmooth/projected_gradient.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <Eigen/Eigenvalues>

#include "percuss/nonsmooth/cones.h"
#include "percuss/nonsmooth/global_problem.h"

namespace percuss {
namespace {

/// A convex problem is left when its residual is this small compared with that of the law.  (NA-16)
constexpr double inner_accuracy = 0.2;
/// The trial step grows by the inverse of this in every iteration.
constexpr double lipschitz_decay = 0.9;

void project_all(const std::vector<Cone>& cones, Eigen::VectorXd& x) {
  int i = 0;
  for (const Cone& cone : cones) {
    project(cone, &x[i], &x[i]);
    i += cone.rows();
  }
}

}  // namespace

void ProjectedGradientOptions::validate() const {
  SolverOptions::validate();
  if (!(relaxation > 0.0 && relaxation < 2.0))
    throw std::invalid_argument("ProjectedGradientOptions.relaxation: must be between 0 and 2");
  if (check_every < 1) throw std::invalid_argument("ProjectedGradientOptions.check_every: must be >= 1");
}

ProjectedGradientSolver::ProjectedGradientSolver(const ProjectedGradientOptions& options)
    : options_(options) {
  options_.validate();
}

void ProjectedGradientSolver::reserve(int rows) {
  for (Eigen::VectorXd* vector : {&r_, &u_, &shift_, &best_, &step_, &y_, &u_y_, &next_, &u_next_})
    vector->resize(rows);
}

/// The residual of the convex problem with the shift as it is, squared.  (NA-15)
double ProjectedGradientSolver::relaxation_residual2(const ScaledContacts& problem) const {
  double sum = 0.0;
  int i = 0;
  for (const Cone& cone : problem.cones()) {
    double trial[max_cone_rows], cone_sum = 0.0;
    for (int k = 0; k < cone.rows(); ++k) trial[k] = r_[i + k] - u_[i + k] - shift_[i + k];
    project(cone, trial, trial);
    for (int k = 0; k < cone.rows(); ++k) cone_sum += (r_[i + k] - trial[k]) * (r_[i + k] - trial[k]);
    sum += cone_sum / (problem.scale()[i] * problem.scale()[i]);
    i += cone.rows();
  }
  return sum;
}

/// s = mu |u_T|.  (NA-16)
void ProjectedGradientSolver::follow_shift(const ScaledContacts& problem) {
  int i = 0;
  for (const Cone& cone : problem.cones()) {
    if (cone.has_friction()) shift_[i] = de_saxce_shift(cone, &u_[i]);
    i += cone.rows();
  }
}

/// omega over the largest eigenvalue of the contact's block.  (NA-17)
void ProjectedGradientSolver::choose_steps(const ScaledContacts& problem) {
  using Block =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, max_cone_rows, max_cone_rows>;
  W_ = problem.scaled_blocks();
  step_.resize(W_.cones());
  for (int c = 0; c < W_.cones(); ++c) {
    const int rows = W_.rows_of(c);
    const Block block = Eigen::Map<const Block>(W_.block(W_.own(c)), rows, rows);
    const double largest =
        Eigen::SelfAdjointEigenSolver<Block>(block, Eigen::EigenvaluesOnly).eigenvalues()[rows - 1];
    step_[c] = options_.relaxation / (largest > 0.0 ? largest : 1.0);
  }
}

void ProjectedGradientSolver::sweep(const ScaledContacts& problem) {
  const Eigen::VectorXd& q = problem.free_velocity();
  for (int c = 0; c < W_.cones(); ++c) {
    const Cone& cone = problem.cones()[c];
    const int i = W_.first_row(c);
    double u[max_cone_rows], trial[max_cone_rows];
    for (int k = 0; k < cone.rows(); ++k) u[k] = q[i + k] + shift_[i + k];
    W_.add_product(c, r_.data(), u);
    for (int k = 0; k < cone.rows(); ++k) trial[k] = r_[i + k] - step_[c] * u[k];
    project(cone, trial, &r_[i]);
  }
}

void ProjectedGradientSolver::restart_momentum(ScaledContacts& problem) {
  problem.velocity(r_, u_);
  y_ = r_;
  u_y_ = u_;
  momentum_ = 1.0;
}

/// One step of (NA-18); one product with W unless the step has to be shortened.
void ProjectedGradientSolver::accelerated_step(ScaledContacts& problem) {
  constexpr int attempts = 60;
  for (int k = 0; k < attempts; ++k) {
    next_ = y_ - (u_y_ + shift_) / lipschitz_;
    project_all(problem.cones(), next_);
    problem.velocity(next_, u_next_);
    // The quadratic part of the energy along the step must stay below its bound.
    if ((next_ - y_).dot(u_next_ - u_y_) <= lipschitz_ * (next_ - y_).squaredNorm()) break;
    lipschitz_ *= 2.0;
  }
  const bool is_uphill = (u_y_ + shift_).dot(next_ - r_) > 0.0;
  const double momentum = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum_ * momentum_));
  const double weight = is_uphill ? 0.0 : (momentum_ - 1.0) / momentum;
  y_ = next_ + weight * (next_ - r_);
  u_y_ = u_next_ + weight * (u_next_ - u_);  // the velocity is affine in the reactions
  momentum_ = is_uphill ? 1.0 : momentum;
  r_.swap(next_);
  u_.swap(u_next_);
  lipschitz_ *= lipschitz_decay;
}

/// True if the law that was asked for holds within the tolerance.
bool ProjectedGradientSolver::iterate(ScaledContacts& problem, Solution& out) {
  const int limit = options_.max_iterations > 0 ? options_.max_iterations : default_iterations;
  const bool is_psor = options_.method == ProjectedGradientOptions::Method::psor;
  const bool is_exact = options_.law == ProjectedGradientOptions::Law::exact;
  const double norm = problem.residual_scale(), goal2 = std::pow(options_.tolerance * norm, 2);
  reserve(problem.size());
  r_ = Eigen::Map<const Eigen::VectorXd>(out.r.data(), problem.size()).cwiseQuotient(problem.scale());
  shift_.setZero();
  lipschitz_ = momentum_ = 1.0;
  if (is_psor) choose_steps(problem);
  restart_momentum(problem);
  if (is_exact) follow_shift(problem);
  best_ = r_;
  double best2 = std::numeric_limits<double>::infinity();
  for (out.iterations = 0;; ++out.iterations) {
    if (out.iterations % options_.check_every == 0 || out.iterations == limit) {
      problem.velocity(r_, u_);
      const double exact2 = problem.residual2(r_, u_), inner2 = relaxation_residual2(problem);
      const double asked2 = is_exact ? exact2 : inner2;
      if (asked2 < best2) {
        best2 = asked2;
        best_ = r_;
      }
      out.history.push_back(std::sqrt(exact2) / norm);
      if (best2 <= goal2 || out.iterations == limit || !std::isfinite(asked2) || options_.deadline.passed())
        break;
      if (is_exact && inner2 <= inner_accuracy * inner_accuracy * exact2) {
        follow_shift(problem);
        restart_momentum(problem);
      }
    }
    is_psor ? sweep(problem) : accelerated_step(problem);
  }
  Eigen::Map<Eigen::VectorXd>(out.r.data(), problem.size()) = best_.cwiseProduct(problem.scale());
  return best2 <= goal2;
}

void ProjectedGradientSolver::solve(const LocalProblem& problem, const std::vector<double>& guess,
                                    Solution& out) {
  const bool is_psor = options_.method == ProjectedGradientOptions::Method::psor;
  if (!begin_solve(problem, guess, is_psor ? "psor" : "apgd", out)) return;
  ExplicitOperator W(problem.W);
  const OperatorProblem view{W, problem.cones, problem.u_free};
  ScaledContacts scaled(view);
  end(view, iterate(scaled, out), out);
}

void ProjectedGradientSolver::solve_global(const GlobalProblem& problem, const std::vector<double>& guess,
                                           Solution& out) {
  if (options_.method == ProjectedGradientOptions::Method::psor)
    return Solver::solve_global(problem, guess, out);
  const auto free = begin_matrix_free(problem, guess, "apgd", out);
  if (!free) return;
  ScaledContacts scaled(free->view());
  end(free->view(), iterate(scaled, out), out);
}

void ProjectedGradientSolver::end(const OperatorProblem& problem, bool is_solved, Solution& out) {
  const SolveStatus limit =
      options_.deadline.passed() ? SolveStatus::time_limit : SolveStatus::iteration_limit;
  end_solve(problem, options_.tolerance, limit, out);
  // The relaxation was asked for: the status is about it, whatever the exact law says.
  if (options_.law == ProjectedGradientOptions::Law::relaxed && out.status != SolveStatus::not_finite)
    out.status = is_solved ? SolveStatus::converged : limit;
}

}  // namespace percuss
