#include "percuss/nonsmooth/newton_core.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/OrderingMethods>

#include "percuss/nonsmooth/cones.h"
#include "percuss/nonsmooth/judge.h"

namespace percuss {
namespace {

constexpr int order_from = 12;        // cones; below the order does not matter
constexpr int remembered_merits = 5;  // of the nonmonotone line search (NN-12)
constexpr double sufficient_decrease = 1e-4;
constexpr double smallest_caution = 1e-3;  // (NN-11)
constexpr int patience = 15;               // iterations without a better residual
constexpr double shortest_step = 1.0 / 8;
constexpr double good_contraction = 0.01;  // of the residual by a step (NN-13a)

}  // namespace

double speed_scale(const LocalProblem& problem) {
  double u_free2 = 0.0;
  for (const double u : problem.u_free) u_free2 += u * u;
  return std::max(std::sqrt(u_free2), residual_floor);
}

void NewtonCore::load(const LocalProblem& problem, const Settings& settings) {
  problem_ = &problem;
  settings_ = settings;
  W_.pack(problem);
  load_velocities(problem);
  law_.resize(W_.cones());
  choose_order();
  analysed_.clear();
  trusts_factors_ = false;
}

void NewtonCore::load_velocities(const LocalProblem& problem) {
  problem_ = &problem;
  const int count = W_.cones();
  u_free_.assign(3 * static_cast<size_t>(count), 0.0);
  for (int c = 0; c < count; ++c)
    for (int i = 0; i < problem.cones[c].rows(); ++i)
      u_free_[3 * c + i] = problem.u_free[W_.first_row[c] + i];
  for (std::vector<double>* x : {&r_, &u_, &centre_, &best_, &dr_, &du_}) x->assign(u_free_.size(), 0.0);
  speed_ = speed_scale(problem);
}

/// (NN-2)
void NewtonCore::choose_scales(double tangent_factor) {
  const int count = W_.cones();
  unit_.resize(count);
  scale_.resize(count);
  const bool apart = settings_.formulation == NewtonFormulation::alart_curnier ||
                     settings_.formulation == NewtonFormulation::jean_moreau;
  for (int c = 0; c < count; ++c) {
    const double* own = &W_.diagonal[9 * static_cast<size_t>(c)];
    const int n = problem_->cones[c].rows();
    const double trace = own[0] + own[4] + own[8];
    unit_[c] = trace > 0.0 ? trace / n : 1.0;
    scale_[c] = {unit_[c], unit_[c]};
    if (!apart || n == 1) continue;
    const double tangent = (own[4] + own[8]) / (n - 1);
    if (own[0] > 1e-6 * unit_[c]) scale_[c].normal = own[0];
    if (tangent > 1e-6 * unit_[c]) scale_[c].tangent = tangent;
    scale_[c].tangent *= tangent_factor;
  }
}

void NewtonCore::choose_order() {
  const int count = W_.cones();
  place_.resize(count);
  for (int c = 0; c < count; ++c) place_[c] = c;
  if (count < order_from || W_.blocks.size() > 0.8 * count * count) return;
  Eigen::SparseMatrix<double> graph(count, count);
  Eigen::VectorXi sizes(count);
  for (int c = 0; c < count; ++c) sizes[c] = W_.begin[c + 1] - W_.begin[c] + 1;
  graph.reserve(sizes);
  for (int c = 0; c < count; ++c) {
    graph.insert(c, c) = 1.0;
    for (int k = W_.begin[c]; k < W_.begin[c + 1]; ++k) graph.insert(W_.blocks[k].cone, c) = 1.0;
  }
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(graph.selfadjointView<Eigen::Lower>(), order);
  for (int c = 0; c < count; ++c) place_[order.indices()[c]] = c;
}

void NewtonCore::reserve(int rows) {
  for (std::vector<double>* x : {&u_free_, &r_, &u_, &centre_, &best_, &dr_, &du_}) x->reserve(3 * rows);
}

void NewtonCore::set_reactions(const std::vector<double>& rows) {
  for (int c = 0; c < W_.cones(); ++c)
    for (int i = 0; i < problem_->cones[c].rows(); ++i) r_[3 * c + i] = rows[W_.first_row[c] + i];
  best_ = r_;
}

void NewtonCore::get_reactions(std::vector<double>& rows) const {
  for (int c = 0; c < W_.cones(); ++c) {
    double p[3];
    project(problem_->cones[c], &best_[3 * c], p);
    std::copy_n(p, problem_->cones[c].rows(), &rows[W_.first_row[c]]);
  }
}

/// y = W x
void NewtonCore::multiply(const std::vector<double>& x, double* y) const {
  for (int c = 0; c < W_.cones(); ++c) {
    const double *own = &W_.diagonal[9 * static_cast<size_t>(c)], *mine = &x[3 * c];
    double sum[3];
    for (int i = 0; i < 3; ++i)
      sum[i] = own[3 * i] * mine[0] + own[3 * i + 1] * mine[1] + own[3 * i + 2] * mine[2];
    W_.add_products(W_.begin[c], W_.begin[c + 1], x.data(), sum);
    std::copy_n(sum, 3, y + 3 * c);
  }
}

void NewtonCore::find_velocity(double alpha) {
  multiply(r_, u_.data());
  for (int c = 0; c < W_.cones(); ++c)
    for (int i = 3 * c; i < 3 * c + 3; ++i)
      u_[i] += u_free_[i] + (alpha > 0.0 ? alpha * unit_[c] * (r_[i] - centre_[i]) : 0.0);
}

double NewtonCore::natural_residual() const {
  double sum = 0.0;
  for (int c = 0; c < W_.cones(); ++c) {
    const Cone& cone = problem_->cones[c];
    sum += cone_residual2(cone, unit_[c] * cone.rows(), &r_[3 * c], &u_[3 * c]);
  }
  return std::sqrt(sum);
}

double NewtonCore::linearise_all() {
  double merit = 0.0;
  active_.clear();
  for (int c = 0; c < W_.cones(); ++c) {
    NewtonLinearisation& law = law_[c];
    newton_linearise(settings_.formulation, problem_->cones[c], scale_[c], &r_[3 * c], &u_[3 * c], law);
    merit += law.F[0] * law.F[0] + law.F[1] * law.F[1] + law.F[2] * law.F[2];
    if (law.depends_on_u) active_.push_back(c);
  }
  return merit;
}

/// A_c (W_cd + weight D) + B_c for the cones whose law depends on u (NN-9).
void NewtonCore::assemble(double weight) {
  const auto times = [](const double* A, const double* w, int rows, double* out) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < 3; ++j)
        out[3 * i + j] = A[3 * i] * w[j] + A[3 * i + 1] * w[3 + j] + A[3 * i + 2] * w[6 + j];
  };
  local_.assign(W_.cones(), -1);
  for (size_t k = 0; k < active_.size(); ++k) local_[active_[k]] = static_cast<int>(k);
  system_.clear();
  for (const int c : active_) {
    const int rows = problem_->cones[c].rows();
    const NewtonLinearisation& law = law_[c];
    system_.width.push_back(rows);
    double own[9];
    std::copy_n(&W_.diagonal[9 * static_cast<size_t>(c)], 9, own);
    for (int i = 0; i < 3; ++i) own[4 * i] += weight * unit_[c];
    BlockRows::Block block;
    times(law.A, own, rows, block.value);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < rows; ++j) block.value[3 * i + j] += law.B[3 * i + j];
    system_.diagonal.push_back(block);
    for (int k = W_.begin[c]; k < W_.begin[c + 1]; ++k) {
      if (local_[W_.blocks[k].cone] < 0) continue;
      system_.node.push_back(local_[W_.blocks[k].cone]);
      times(law.A, W_.blocks[k].value, rows, block.value);
      system_.off_diagonal.push_back(block);
    }
    system_.begin.push_back(static_cast<int>(system_.node.size()));
  }
}

/// Of the linear system as it is now. False if it is singular.
bool NewtonCore::factorise(double weight) {
  assemble(weight);
  if (active_ != analysed_) {
    active_place_.clear();
    for (const int c : active_) active_place_.push_back(place_[c]);
    lu_.analyse(system_, active_place_);
    analysed_ = active_;
  }
  return active_.empty() || lu_.factorise(system_);
}

/// dr and du = (W + alpha D) dr. Laws that do not depend on u give dr at once; the others are one system.
bool NewtonCore::find_step(double alpha) {
  std::fill(dr_.begin(), dr_.end(), 0.0);
  bool others_move = false;
  for (int c = 0; c < W_.cones(); ++c)
    if (!law_[c].depends_on_u)
      for (int i = 0; i < problem_->cones[c].rows(); ++i) {
        dr_[3 * c + i] = -law_[c].F[i] / law_[c].B[4 * i];
        others_move = others_move || dr_[3 * c + i] != 0.0;
      }
  if (others_move)
    multiply(dr_, du_.data());
  else
    std::fill(du_.begin(), du_.end(), 0.0);
  const bool keeps_factors = trusts_factors_ && active_ == analysed_;
  trusts_factors_ = false;  // until the residual says so
  if (!keeps_factors && !factorise(alpha + regularisation_)) return false;
  right_side_.clear();
  for (const int c : active_)
    for (int i = 0; i < problem_->cones[c].rows(); ++i) {
      const double *A = &law_[c].A[3 * i], *known = &du_[3 * c];
      right_side_.push_back(-law_[c].F[i] - A[0] * known[0] - A[1] * known[1] - A[2] * known[2]);
    }
  if (!active_.empty()) lu_.solve(right_side_);
  const double* x = right_side_.data();
  double finite = 0.0;
  for (const int c : active_)
    for (int i = 0; i < problem_->cones[c].rows(); ++i, ++x) {
      dr_[3 * c + i] = *x;
      finite += *x - *x;
    }
  if (finite != 0.0) return keeps_factors && find_step(alpha);  // with new ones
  multiply(dr_, du_.data());
  if (alpha > 0.0)
    for (int c = 0; c < W_.cones(); ++c)
      for (int i = 3 * c; i < 3 * c + 3; ++i) du_[i] += alpha * unit_[c] * dr_[i];
  return true;
}

double NewtonCore::merit_at(double length) const {
  double merit = 0.0;
  for (int c = 0; c < W_.cones(); ++c) {
    double r[3], u[3];
    for (int i = 0; i < 3; ++i) {
      r[i] = r_[3 * c + i] + length * dr_[3 * c + i];
      u[i] = u_[3 * c + i] + length * du_[3 * c + i];
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
    if (outcome.converged || outcome.iterations == max_iterations || since_best > patience ||
        settings_.deadline.passed())
      break;
    if (!step(attempt.alpha, residual)) break;
  }
  r_ = best_;
  return outcome;
}

}  // namespace percuss
