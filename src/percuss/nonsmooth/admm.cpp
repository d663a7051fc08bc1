#include "percuss/nonsmooth/admm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "percuss/nonsmooth/cones.h"

namespace percuss {
namespace {

constexpr double admm_infinity = std::numeric_limits<double>::infinity();
constexpr double admm_epsilon = std::numeric_limits<double>::epsilon();
/// A proposal of the acceleration is taken back if |g| grows by more than this factor.  (NA-13)
constexpr double growth_limit = 2.0;
/// The residual, not its square, has to fall by this factor within the patience.  (NA-14)
constexpr double expected_decrease = 5.0;
/// Values of rho, relative to the first, that are tried in turn.  (NA-14)
constexpr std::array<double, 5> rho_ladder = {5.0, 0.2, 25.0, 0.04, 1.0};
/// Changes of rho that may bring less than a factor 2 together before the method gives up.
constexpr int fruitless_changes = 2 * static_cast<int>(rho_ladder.size());
/// Coordinates per row from which on it is cheaper to condense.
constexpr int condense_ratio = 3;

}  // namespace

void AdmmOptions::validate() const {
  SolverOptions::validate();
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(std::string("AdmmOptions.") + what);
  };
  require(rho > 0.0 && std::isfinite(rho), "rho: must be positive");
  require(relaxation > 0.0 && relaxation < 2.0, "relaxation: must be between 0 and 2");
  require(memory >= 0, "memory: must be >= 0");
  require(check_every >= 1, "check_every: must be >= 1");
  require(stall_limit >= 0, "patience: must be >= 0");
}

AdmmSolver::AdmmSolver(const AdmmOptions& options) : options_(options) { options_.validate(); }

void AdmmSolver::reserve(int rows) {
  for (Eigen::VectorXd* vector : {&x_, &z_, &p_, &r_, &g_, &plain_, &best_, &next_, &u_})
    vector->resize(rows);
  anderson_.restart(rows, options_.memory);
}

/// An unsymmetric W may need a larger rho to have a positive definite symmetric part.
bool AdmmSolver::set_rho(AdmmSystem& contacts, double rho) {
  constexpr int attempts = 6;
  for (int k = 0; k < attempts; ++k, rho *= 10.0) {
    rho_ = rho;
    if (contacts.factorise(rho)) return true;
  }
  return false;
}

void AdmmSolver::start(AdmmSystem& contacts, const std::vector<double>& r) {
  reserve(contacts.size());
  z_ = Eigen::Map<const Eigen::VectorXd>(r.data(), contacts.size()).cwiseQuotient(contacts.scale());
  best_ = z_;
  contacts.velocity(z_, u_);
  best2_ = mark2_ = contacts.residual2(z_, u_);
  int i = 0;
  for (const Cone& cone : contacts.cones()) {
    shift_velocity(cone, &u_[i], &u_[i]);
    i += cone.rows();
  }
  x_ = z_ - u_ / rho_;  // (NA-6)
  mark_ = rho_changes_ = 0;
  is_accelerated_ = false;
}

/// z, r and g at x.  (NA-7)
void AdmmSolver::map(AdmmSystem& contacts) {
  int i = 0;
  for (const Cone& cone : contacts.cones()) {
    double trial[max_cone_rows], shift = 0.0;
    project(cone, &x_[i], &z_[i]);
    if (cone.has_friction()) {
      for (int k = 0; k < cone.rows(); ++k) trial[k] = rho_ * (z_[i + k] - x_[i + k]);  // û
      shift = de_saxce_shift(cone, trial);
    }
    for (int k = 0; k < cone.rows(); ++k) p_[i + k] = rho_ * (2.0 * z_[i + k] - x_[i + k]);
    p_[i] -= shift;
    i += cone.rows();
  }
  contacts.subtract_skew(z_, p_);
  contacts.resolve(p_, r_);
  g_ = options_.relaxation * (r_ - z_);
}

/// True if the acceleration proposed a bad x; then x is the plain successor of the last good one.  (NA-13)
bool AdmmSolver::step_back(double g_norm) {
  if (!is_accelerated_ || g_norm <= growth_limit * good_norm_) return false;
  x_ = plain_;
  anderson_.forget();
  is_accelerated_ = false;
  return true;
}

bool AdmmSolver::is_slow(int iteration) {
  if (options_.stall_limit == 0 || iteration - mark_ < options_.stall_limit) return false;
  const bool is_slow = best2_ * expected_decrease * expected_decrease > mark2_;
  mark2_ = best2_;
  mark_ = iteration;
  return is_slow;
}

/// The next rho of the ladder; z and û stay.  (NA-14)
bool AdmmSolver::change_rho(AdmmSystem& contacts) {
  const double before = rho_;
  if (!set_rho(contacts, options_.rho * rho_ladder[rho_changes_++ % rho_ladder.size()])) return false;
  x_ = z_ + before / rho_ * (x_ - z_);
  anderson_.forget();
  is_accelerated_ = false;
  return true;
}

SolveStatus AdmmSolver::iterate(AdmmSystem& contacts, double norm, Solution& out) {
  const int limit = options_.max_iterations > 0 ? options_.max_iterations : default_iterations;
  const double goal = options_.tolerance * norm;
  if (!set_rho(contacts, options_.rho)) return SolveStatus::singular;
  start(contacts, out.r);
  double stagnation2 = admm_infinity;  // the residual when the last real progress was made
  int fruitless = 0;
  SolveStatus status = SolveStatus::iteration_limit;
  out.iterations = 0;
  while (best2_ > goal * goal && out.iterations < limit) {
    ++out.iterations;
    map(contacts);
    const double g_norm = g_.norm();
    if (!std::isfinite(g_norm) && !is_accelerated_) break;
    if (step_back(g_norm)) continue;
    if (out.iterations == 1 || out.iterations % options_.check_every == 0) {
      contacts.velocity(z_, u_);
      // Reactions so large that velocities drown in their rounding are no solution: u_free must not vanish.
      const double rounding = admm_epsilon * z_.cwiseQuotient(contacts.scale()).norm();
      const double found2 = contacts.residual2(z_, u_) + rounding * rounding;
      out.history.push_back(std::sqrt(found2) / norm);
      if (found2 < best2_) {
        best2_ = found2;
        best_ = z_;
      }
    }
    if (options_.deadline.passed()) {
      status = SolveStatus::time_limit;
      break;
    }
    if (is_slow(out.iterations)) {
      fruitless = 4.0 * best2_ > stagnation2 ? fruitless + 1 : 0;
      if (fruitless == 0) stagnation2 = best2_;
      if (fruitless > fruitless_changes || !change_rho(contacts)) {
        status = SolveStatus::stalled;
        break;
      }
      continue;
    }
    plain_ = x_ + g_;
    good_norm_ = g_norm;
    anderson_.step(x_, g_, next_);
    is_accelerated_ = true;
    x_.swap(next_);
  }
  Eigen::Map<Eigen::VectorXd>(out.r.data(), contacts.size()) = best_.cwiseProduct(contacts.scale());
  return best2_ <= goal * goal ? SolveStatus::converged : status;
}

void AdmmSolver::solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) {
  if (!begin_solve(problem, guess, "admm", out)) return;
  ExplicitOperator W(problem.W);
  const auto contacts = make_local_admm({W, problem.cones, problem.u_free});
  const SolveStatus status = iterate(*contacts, contacts->residual_scale(), out);
  end_solve(problem, options_.tolerance, status, out);
}

void AdmmSolver::solve_global(const GlobalProblem& problem, const std::vector<double>& guess, Solution& out) {
  if (condense_ratio * problem.size() <= problem.dof_count())
    return Solver::solve_global(problem, guess, out);
  const auto free = begin_matrix_free(problem, guess, "admm", out);
  if (!free) return;
  const auto contacts = make_global_admm(problem, free->view());
  const SolveStatus status = iterate(*contacts, contacts->residual_scale(), out);
  end_solve(free->view(), options_.tolerance, status, out);
}

}  // namespace percuss
