#include "percuss/nonsmooth/newton_core.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/OrderingMethods>

#include "percuss/math/wide.h"
#include "percuss/nonsmooth/cones.h"
#include "percuss/nonsmooth/residual.h"

namespace percuss {
namespace {

constexpr int order_from = 12;        // cones; below the order does not matter
constexpr int remembered_merits = 5;  // of the nonmonotone line search (NN-12)
constexpr double sufficient_decrease = 1e-4;
constexpr double smallest_caution = 1e-3;  // (NN-11)
constexpr int stall_limit = 15;            // iterations without a better residual
constexpr double shortest_step = 1.0 / 8;
constexpr double good_contraction = 0.01;  // of the residual by a step (NN-13a)

}  // namespace

double speed_scale(const LocalProblem& problem) {
  double u_free2 = 0.0;
  for (const double u : problem.u_free) u_free2 += u * u;
  return std::max(std::sqrt(u_free2), residual_floor);
}

bool can_treat(NewtonFormulation formulation, const std::vector<Cone>& cones) {
  return formulation != NewtonFormulation::fischer_burmeister || !has_rolling(cones);
}

void NewtonCore::load(const LocalProblem& problem, const Settings& settings) {
  settings_ = settings;
  load_velocities(problem);
  depends_on_u_.resize(W().cones());
  F_.resize(W().rows());
  square_.assign(1, 0);
  for (int c = 0; c < W().cones(); ++c) square_.push_back(square_.back() + W().rows_of(c) * W().rows_of(c));
  A_.resize(square_.back());
  B_.resize(square_.back());
  choose_order();
  analysed_.clear();
  trusts_factors_ = false;
}

void NewtonCore::load_velocities(const LocalProblem& problem) {
  problem_ = &problem;
  for (std::vector<double>* x : {&r_, &u_, &centre_, &best_, &dr_, &du_}) x->assign(problem.size(), 0.0);
  speed_ = speed_scale(problem);
}

/// (NN-2)
void NewtonCore::choose_scales(double tangent_factor) {
  scale_.resize(W().cones());
  const bool apart = settings_.formulation == NewtonFormulation::alart_curnier ||
                     settings_.formulation == NewtonFormulation::jean_moreau;
  for (int c = 0; c < W().cones(); ++c) {
    scale_[c] = newton_scale(settings_.formulation, problem_->cones[c], W().block(W().own(c)));
    if (apart)
      for (double& scale : scale_[c].disc) scale *= tangent_factor;
  }
}

void NewtonCore::choose_order() {
  const int count = W().cones();
  place_.resize(count);
  for (int c = 0; c < count; ++c) place_[c] = c;
  if (count < order_from || W().blocks() > 0.8 * count * count) return;
  Eigen::SparseMatrix<double> graph(count, count);
  Eigen::VectorXi sizes(count);
  for (int c = 0; c < count; ++c) sizes[c] = W().end(c) - W().begin(c);
  graph.reserve(sizes);
  for (int c = 0; c < count; ++c)
    for (int k = W().begin(c); k < W().end(c); ++k) graph.insert(W().other(k), c) = 1.0;
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(graph.selfadjointView<Eigen::Lower>(), order);
  for (int c = 0; c < count; ++c) place_[order.indices()[c]] = c;
}

void NewtonCore::reserve(int rows) {
  for (std::vector<double>* x : {&r_, &u_, &centre_, &best_, &dr_, &du_}) x->reserve(rows);
}

void NewtonCore::set_reactions(const std::vector<double>& rows) { best_ = r_ = rows; }

void NewtonCore::get_reactions(std::vector<double>& rows) const {
  for (int c = 0; c < W().cones(); ++c)
    project(problem_->cones[c], &best_[W().first_row(c)], &rows[W().first_row(c)]);
}

/// y = W x
void NewtonCore::multiply(const std::vector<double>& x, std::vector<double>& y) const {
  std::fill(y.begin(), y.end(), 0.0);
  W().multiply_add(x.data(), y.data());
}

void NewtonCore::find_velocity(double alpha) {
  u_ = problem_->u_free;
  W().multiply_add(r_.data(), u_.data());
  if (alpha > 0.0)
    for (int i = 0; i < W().rows(); ++i)
      u_[i] += alpha * scale_[W().cone_of_row(i)].unit * (r_[i] - centre_[i]);
}

double NewtonCore::natural_residual() const {
  double sum = 0.0;
  for (int c = 0; c < W().cones(); ++c) {
    const int i = W().first_row(c), rows = W().rows_of(c);
    sum += cone_residual2(problem_->cones[c], scale_[c].unit * rows, &r_[i], &u_[i]);
  }
  return std::sqrt(sum);
}

double NewtonCore::linearise_all() {
  double merit = 0.0;
  active_.clear();
  for (int c = 0; c < W().cones(); ++c) {
    const int i = W().first_row(c);
    depends_on_u_[c] = newton_linearise(settings_.formulation, problem_->cones[c], scale_[c], &r_[i], &u_[i],
                                        {&F_[i], &A_[square_[c]], &B_[square_[c]]});
    if (depends_on_u_[c]) active_.push_back(c);
  }
  for (const double f : F_) merit += f * f;
  return merit;
}

namespace {

/// out = A w, where A is square and w has `columns` columns.
PERCUSS_ALWAYS_INLINE void multiply_loops(const double* A, int rows, const double* w, int columns,
                                          double* out) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      double sum = 0.0;
      for (int k = 0; k < rows; ++k) sum += A[i * rows + k] * w[k * columns + j];
      out[i * columns + j] = sum;
    }
}

void multiply_block(const double* A, int rows, const double* w, int columns, double* out) {
  if (rows == 3 && columns == 3) return multiply_loops(A, 3, w, 3, out);  // the usual cases, without loops
  if (rows == 2 && columns == 2) return multiply_loops(A, 2, w, 2, out);
  multiply_loops(A, rows, w, columns, out);
}

}  // namespace

/// The blocks between the cones whose law depends on u.
void NewtonCore::choose_pattern() {
  local_.assign(W().cones(), -1);
  for (size_t k = 0; k < active_.size(); ++k) local_[active_[k]] = static_cast<int>(k);
  system_.clear();
  source_.clear();
  for (const int c : active_) system_.add_cone(W().rows_of(c));
  for (const int c : active_) {
    for (int k = W().begin(c); k < W().end(c); ++k) {
      if (local_[W().other(k)] < 0) continue;
      system_.append(local_[W().other(k)]);
      source_.push_back(k);
    }
    system_.end_cone();
  }
}

/// A_c (W_cd + weight D) + B_c for the cones whose law depends on u (NN-9).
void NewtonCore::assemble(double weight) {
  for (int c = 0; c < system_.cones(); ++c) {
    const int cone = active_[c], rows = system_.rows_of(c);
    const double *A = &A_[square_[cone]], *B = &B_[square_[cone]];
    for (int k = system_.begin(c); k < system_.end(c); ++k)
      multiply_block(A, rows, W().block(source_[k]), system_.rows_of(system_.other(k)), system_.block(k));
    double* own = system_.block(system_.own(c));
    for (int i = 0; i < rows * rows; ++i) own[i] += weight * scale_[cone].unit * A[i] + B[i];
  }
}

/// Of the linear system as it is now. False if it is singular.
bool NewtonCore::factorise(double weight) {
  if (active_.empty()) return true;
  if (active_ != analysed_) {
    choose_pattern();
    active_place_.clear();
    for (const int c : active_) active_place_.push_back(place_[c]);
    lu_.analyse(system_, active_place_);
    analysed_ = active_;
  }
  assemble(weight);
  return lu_.factorise(system_);
}

/// dr and du = (W + alpha D) dr. Laws that do not depend on u give dr at once; the others are one system.
bool NewtonCore::find_step(double alpha) {
  std::fill(dr_.begin(), dr_.end(), 0.0);
  bool others_move = false;
  for (int c = 0; c < W().cones(); ++c) {
    if (depends_on_u_[c]) continue;
    const int first = W().first_row(c), rows = W().rows_of(c);
    for (int i = 0; i < rows; ++i) {
      dr_[first + i] = -F_[first + i] / B_[square_[c] + i * (rows + 1)];
      others_move = others_move || dr_[first + i] != 0.0;
    }
  }
  if (others_move)
    multiply(dr_, du_);
  else
    std::fill(du_.begin(), du_.end(), 0.0);
  const bool keeps_factors = trusts_factors_ && active_ == analysed_;
  trusts_factors_ = false;  // until the residual says so
  if (!keeps_factors && !factorise(alpha + regularisation_)) return false;
  right_side_.clear();
  for (const int c : active_) {
    const int first = W().first_row(c), rows = W().rows_of(c);
    const double *A = &A_[square_[c]], *known = &du_[first];
    for (int i = 0; i < rows; ++i, A += rows) {
      double sum = -F_[first + i];
      for (int j = 0; j < rows; ++j) sum -= A[j] * known[j];
      right_side_.push_back(sum);
    }
  }
  if (!active_.empty()) lu_.solve(right_side_);
  const double* x = right_side_.data();
  double finite = 0.0;
  for (const int c : active_)
    for (int i = W().first_row(c); i < W().first_row(c) + W().rows_of(c); ++i, ++x) {
      dr_[i] = *x;
      finite += *x - *x;
    }
  if (finite != 0.0) return keeps_factors && find_step(alpha);  // with new ones
  multiply(dr_, du_);
  if (alpha > 0.0)
    for (int i = 0; i < W().rows(); ++i) du_[i] += alpha * scale_[W().cone_of_row(i)].unit * dr_[i];
  return true;
}

double NewtonCore::merit_at(double length) const {
  double merit = 0.0;
  for (int c = 0; c < W().cones(); ++c) {
    double r[max_cone_rows], u[max_cone_rows];
    const int first = W().first_row(c);
    for (int i = 0; i < W().rows_of(c); ++i) {
      r[i] = r_[first + i] + length * dr_[first + i];
      u[i] = u_[first + i] + length * du_[first + i];
    }
    merit += newton_residual2(settings_.formulation, problem_->cones[c], scale_[c], r, u);
  }
  return merit;
}

/// Length of the step: halved until the merit is below the largest of the last ones (NN-12), or the best
/// length met.
double NewtonCore::search(double merit, double& reached) {
  if (static_cast<int>(recent_merits_.size()) == remembered_merits)
    recent_merits_.erase(recent_merits_.begin());
  recent_merits_.push_back(merit);
  const double reference = *std::max_element(recent_merits_.begin(), recent_merits_.end());
  double best_length = 0.0;
  reached = std::numeric_limits<double>::infinity();
  for (double length = 1.0; length >= shortest_step; length *= 0.5) {
    const double at = merit_at(length);
    if (at < reached) {
      reached = at;
      best_length = length;
    }
    if (at <= (1.0 - sufficient_decrease * length) * reference) return reached = at, length;
  }
  return best_length;
}

/// One Newton step from r_, with a stronger regularisation where the system is singular. False if none helps.
bool NewtonCore::step(double alpha, double residual) {
  const double merit = linearise_all();
  regularisation_ = std::max(caution_ * residual / speed_, settings_.regularisation);  // (NN-11)
  while (!find_step(alpha)) {
    regularisation_ = std::max(100.0 * regularisation_, 1e-12);
    if (regularisation_ > 1e6) return false;
  }
  double reached = 0.0;
  const double length = search(merit, reached);
  for (size_t i = 0; i < r_.size(); ++i) r_[i] += length * dr_[i];
  if (length == 1.0 && reached < 0.25 * merit)
    caution_ = std::max(0.1 * caution_, least_caution_);
  else if (length < 0.3 || reached > merit)
    caution_ = std::min(4.0 * caution_, 1e6);
  return true;
}

NewtonCore::Outcome NewtonCore::run(const Attempt& attempt, double goal, int max_iterations,
                                    std::vector<double>* history) {
  Outcome outcome{false, 0, std::numeric_limits<double>::infinity()};
  recent_merits_.clear();
  caution_ = attempt.caution;
  least_caution_ = std::min(attempt.caution, smallest_caution);
  choose_scales(attempt.tangent_factor);
  int since_best = 0;
  double before = 0.0;  // the residual a step ago
  for (;; ++outcome.iterations) {
    find_velocity(attempt.alpha);
    const double residual = natural_residual();
    if (!std::isfinite(residual)) break;
    if (outcome.iterations > 0)
      trusts_factors_ = settings_.keeps_factors && residual <= good_contraction * before;
    before = residual;
    if (history) history->push_back(residual / speed_);
    since_best = residual < 0.9 * outcome.residual ? 0 : since_best + 1;
    if (residual < outcome.residual) {
      outcome.residual = residual;
      best_ = r_;
    }
    outcome.converged = outcome.residual <= goal;
    if (outcome.converged || outcome.iterations == max_iterations || since_best > stall_limit ||
        settings_.deadline.passed())
      break;
    if (!step(attempt.alpha, residual)) break;
  }
  r_ = best_;
  return outcome;
}

}  // namespace percuss
