#include "percuss/nonsmooth/admm.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "percuss/nonsmooth/cones.h"
#include "percuss/nonsmooth/judge.h"

namespace percuss {
namespace {

double admm_env(const char* name, double otherwise) {
  const char* s = std::getenv(name);
  return s ? std::atof(s) : otherwise;
}

}  // namespace

void AdmmOptions::validate() const {
  SolverOptions::validate();
  if (!(rho > 0.0)) throw std::invalid_argument("AdmmOptions.rho: must be positive");
}

AdmmSolver::AdmmSolver(const AdmmOptions& options) : options_(options) { options_.validate(); }

void AdmmSolver::reserve(int rows) { x_.resize(rows); }

/// x = z - û / rho.  (NA-6)
void AdmmSolver::start(const std::vector<double>& r) {
  const int n = contacts_->size();
  z_ = Eigen::Map<const Eigen::VectorXd>(r.data(), n).cwiseQuotient(contacts_->scale);
  contacts_->velocity(z_, u_);
  int i = 0;
  for (const Cone& cone : contacts_->cones) {
    shift_velocity(cone, &u_[i], &u_[i]);
    i += cone.rows();
  }
  x_ = z_ - u_ / rho_;
}

/// One iteration (NA-7) from x_: z_, r_, and g_ = alpha (r - z).
void AdmmSolver::map() {
  z_.resizeLike(x_);
  int i = 0;
  for (const Cone& cone : contacts_->cones) {
    project(cone, &x_[i], &z_[i]);
    i += cone.rows();
  }
  p_ = rho_ * (2.0 * z_ - x_);
  i = 0;
  for (const Cone& cone : contacts_->cones) {
    if (cone.has_friction()) {
      double tangential[3] = {};
      for (int k = 1; k < cone.rows(); ++k) tangential[k] = rho_ * (z_[i + k] - x_[i + k]);
      p_[i] -= cone.bound * tangential_norm(cone, tangential);
    }
    i += cone.rows();
  }
  contacts_->subtract_skew(z_, p_);
  contacts_->resolve(p_, r_);
  g_ = options_.relaxation * (r_ - z_);
}

/// The judge's residual of z, squared [m²/s²].
double AdmmSolver::residual2() {
  contacts_->velocity(z_, u_);
  double sum = 0.0;
  int i = 0;
  for (const Cone& cone : contacts_->cones) {
    const double E = contacts_->scale[i];
    sum += cone_residual2(cone, cone.rows(), &z_[i], &u_[i]) / (E * E);
    i += cone.rows();
  }
  return sum;
}

SolveStatus AdmmSolver::iterate(ContactOperator& given, double goal, double norm, Solution& out) {
  const int limit = options_.max_iterations > 0 ? options_.max_iterations : default_iterations;
  contacts_ = &given;
  rho_ = options_.rho;
  if (!given.factorise(rho_)) return SolveStatus::singular;
  start(out.r);
  anderson_.restart(given.size(), options_.memory);
  double best2 = std::numeric_limits<double>::infinity();
  double g_safe = best2;
  bool accelerated = false;
  const double factor = admm_env("SAFE", 2.0);
  int next_adapt = admm_env("ADAPT", 10);
  const int verbose = admm_env("VERBOSE", 0);
  for (out.iterations = 1; out.iterations <= limit; ++out.iterations) {
    map();
    const double g_norm = g_.norm();
    if (accelerated && !(g_norm <= factor * g_safe)) {
      x_ = safe_;  // the plain successor of the last good iterate
      anderson_.forget();
      accelerated = false;
      continue;
    }
    if (out.iterations % options_.check_every == 0) {
      const double found2 = residual2();
      if (verbose) printf("%5d res %.3e g %.3e rho %g\n", out.iterations, std::sqrt(found2) / norm, g_norm, rho_);
      out.history.push_back(std::sqrt(found2) / norm);
      if (found2 < best2) {
        best2 = found2;
        best_ = z_;
      }
      if (best2 <= goal * goal) break;
    }
    if (out.iterations >= next_adapt && adapt_rho()) {
      next_adapt = out.iterations * 2;
      anderson_.forget();
      accelerated = false;
      g_safe = std::numeric_limits<double>::infinity();
      continue;
    }
    z_before_ = z_;
    safe_ = x_ + g_;
    g_safe = g_norm;
    anderson_.step(x_, g_, next_);
    accelerated = true;
    x_.swap(next_);
  }
  out.iterations = std::min(out.iterations, limit);
  if (best_.size() == given.size())
    Eigen::Map<Eigen::VectorXd>(out.r.data(), given.size()) = best_.cwiseProduct(given.scale);
  return best2 <= goal * goal ? SolveStatus::converged : SolveStatus::iteration_limit;
}

/// Balances |r - z| and |z - z_before|.
bool AdmmSolver::adapt_rho() {
  if (z_before_.size() != z_.size()) return false;
  const double primal = (r_ - z_).norm() / std::max(z_.norm(), 1e-300);
  const double dual = (z_ - z_before_).norm() / std::max((x_ - z_).norm(), 1e-300);
  const double factor = std::clamp(std::sqrt(primal / dual), 1e-2, 1e2);
  if (!(factor > options_.refactor_factor || factor < 1.0 / options_.refactor_factor)) return false;
  x_ = z_ + (x_ - z_) / factor;
  rho_ *= factor;
  contacts_->factorise(rho_);
  return true;
}

void AdmmSolver::solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) {
  if (!begin_solve(problem, guess, "admm", out)) return;
  double u_free2 = 0.0;
  for (const double u : problem.u_free) u_free2 += u * u;
  const double norm = std::max(std::sqrt(u_free2), residual_floor);
  const auto contacts = make_local_operator(problem);
  const SolveStatus status = iterate(*contacts, options_.tolerance * norm, norm, out);
  end_solve(problem, options_.tolerance, status, out);
}

void AdmmSolver::solve_global(const GlobalProblem& problem, const std::vector<double>& /*guess*/, Solution& out) {
  const auto contacts = make_global_operator(problem);
  out.r.assign(problem.size(), 0.0);
  out.history.clear();
  const double norm = std::max(contacts->q.cwiseQuotient(contacts->scale).norm(), residual_floor);
  out.status = iterate(*contacts, options_.tolerance * norm, norm, out);
  z_ = Eigen::Map<Eigen::VectorXd>(out.r.data(), out.r.size()).cwiseQuotient(contacts->scale);
  out.residual.absolute = std::sqrt(residual2());
  out.residual.relative = out.residual.absolute / norm;
}

}  // namespace percuss
