#include "percuss/nonsmooth/nlgs.h"

#include <algorithm>
#include <barrier>
#include <cmath>
#include <stdexcept>

#include "percuss/math/workers.h"
#include "percuss/nonsmooth/cone_order.h"
#include "percuss/nonsmooth/cones.h"
#include "percuss/nonsmooth/global_problem.h"
#include "percuss/nonsmooth/one_cone.h"
#include "percuss/nonsmooth/one_contact.h"
#include "percuss/nonsmooth/residual.h"
#include "percuss/nonsmooth/sweep_acceleration.h"

namespace percuss {
namespace {

constexpr int fixed_point_steps = 100;
int sweep_limit(const NlgsOptions& options) {
  return options.max_iterations > 0 ? options.max_iterations : NlgsSolver::default_sweeps;
}

/// False if the contraction between the last two looks, were it to last, is too slow for the limit.  (N-23a)
bool is_promising(const NlgsOptions& options, int sweep, const std::vector<double>& history) {
  if (options.stall_limit == 0 || sweep < options.stall_limit || history.size() < 2) return true;
  const double now = history.back(), contraction = now / history[history.size() - 2];
  if (!(contraction < 1.0)) return false;
  const double looks = std::ceil(std::log(options.tolerance / now) / std::log(contraction));
  return sweep + looks * options.check_every <= sweep_limit(options);
}

}  // namespace

class NlgsSolver::Sweeper {
 public:
  void reserve(int cone_capacity) {
    contacts_.reserve(cone_capacity);
    trace_.reserve(cone_capacity);
  }
  /// Sweeps improve out.r from what it is; residuals are those of `checked`, the same problem.
  void load(const LocalProblem& problem, const OperatorProblem& checked, Solution& out);

  SolveStatus run(const NlgsOptions& options, double goal);
  SolveStatus run_accelerated(const NlgsOptions& options, double goal);
  SolveStatus run_coloured(const NlgsOptions& options, const std::vector<int>& colour_begin, double goal);

 private:
  template <bool Measure>
  double solve_cone(int c, NlgsOptions::Local local);
  double sweep_range(int begin, int end, bool measure, NlgsOptions::Local local);
  double sweep(bool measure, NlgsOptions::Local local) {
    return sweep_range(0, problem_->W.cones(), measure, local);
  }
  void solve_friction(int c, const double* u, double* r, NlgsOptions::Local local);
  bool is_solved(double estimate2, double goal, double tolerance);

  const LocalProblem* problem_ = nullptr;
  const OperatorProblem* checked_ = nullptr;
  Solution* out_ = nullptr;
  std::vector<OneContact> contacts_;  ///< of cones of Coulomb; the others are not prepared
  std::vector<double> trace_;         ///< of the diagonal blocks
};

void NlgsSolver::Sweeper::load(const LocalProblem& problem, const OperatorProblem& checked, Solution& out) {
  problem_ = &problem;
  checked_ = &checked;
  out_ = &out;
  const BlockMatrix& W = problem.W;
  trace_.resize(W.cones());
  for (int c = 0; c < W.cones(); ++c) trace_[c] = W.trace(c);
  contacts_.resize(problem.has_friction() ? W.cones() : 0);
  for (int c = 0; c < static_cast<int>(contacts_.size()); ++c)
    if (problem.cones[c].is_coulomb()) contacts_[c].prepare(W.block(W.own(c)), W.rows_of(c));
}

void NlgsSolver::Sweeper::solve_friction(int c, const double* u, double* r, NlgsOptions::Local local) {
  const Cone& cone = problem_->cones[c];
  if (local == NlgsOptions::Local::exact && cone.is_coulomb()) return contacts_[c].update(u, cone.bound, r);
  const int n = cone.rows();
  const double* own = problem_->W.block(problem_->W.own(c));
  // Whatever block is taken here, a solution of the problem is left alone; the symmetric part has one.
  double block[max_cone_rows * max_cone_rows], q[max_cone_rows];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) block[i * n + j] = 0.5 * (own[i * n + j] + own[j * n + i]);
  for (int i = 0; i < n; ++i) {
    q[i] = u[i];
    for (int j = 0; j < n; ++j) q[i] -= block[i * n + j] * r[j];
  }
  if (local == NlgsOptions::Local::exact) return solve_one_cone(cone, block, q, r);
  const int steps = local == NlgsOptions::Local::projection ? 1 : fixed_point_steps;
  project_repeatedly(cone, block, trace_[c], q, steps, r);
}

/// Solves cone c with the others held; returns the square of its residual before.
template <bool Measure>
double NlgsSolver::Sweeper::solve_cone(int c, NlgsOptions::Local local) {
  const Cone& cone = problem_->cones[c];
  const BlockMatrix& W = problem_->W;
  const int first = W.first_row(c);
  double u[max_cone_rows];
  for (int i = 0; i < cone.rows(); ++i) u[i] = problem_->u_free[first + i];
  W.add_product(c, out_->r.data(), u);
  double* x = &out_->r[first];
  const double before2 = Measure ? cone_residual2(cone, trace_[c], x, u) : 0.0;
  const double own = *W.block(W.own(c));
  switch (cone.kind) {
    case ConeKind::equality:
      if (own > 0.0) *x -= u[0] / own;
      break;
    case ConeKind::nonnegative:
      if (own > 0.0) *x = std::max(0.0, *x - u[0] / own);
      break;
    case ConeKind::interval:
      if (own > 0.0) *x = std::clamp(*x - u[0] / own, -cone.bound, cone.bound);
      break;
    case ConeKind::planar_coulomb:
    case ConeKind::coulomb:
    case ConeKind::rolling: solve_friction(c, u, x, local); break;
  }
  return before2;
}

double NlgsSolver::Sweeper::sweep_range(int begin, int end, bool measure, NlgsOptions::Local local) {
  double sum = 0.0;
  for (int c = begin; c < end; ++c) sum += measure ? solve_cone<true>(c, local) : solve_cone<false>(c, local);
  return sum;
}

/// What a sweep met along the way is only an estimate; if it is promising the residual is computed at its
/// end.
bool NlgsSolver::Sweeper::is_solved(double estimate2, double goal, double tolerance) {
  if (!(estimate2 <= 4.0 * goal * goal)) {
    out_->history.push_back(std::sqrt(estimate2) * tolerance / goal);
    return false;
  }
  set_residual(*checked_, *out_);
  out_->history.push_back(out_->residual.relative);
  return out_->residual.is_within(tolerance);
}

SolveStatus NlgsSolver::Sweeper::run(const NlgsOptions& options, double goal) {
  Solution& out = *out_;
  const int limit = sweep_limit(options);
  for (out.iterations = 1; out.iterations <= limit; ++out.iterations) {
    const bool measure = out.iterations % options.check_every == 0 || out.iterations == 1;
    const double estimate2 = sweep(measure, options.local);
    if (!measure) continue;
    if (!std::isfinite(estimate2)) return SolveStatus::not_finite;
    if (is_solved(estimate2, goal, options.tolerance)) return SolveStatus::converged;
    if (!is_promising(options, out.iterations, out.history)) return SolveStatus::stalled;
    if (options.deadline.passed()) return SolveStatus::time_limit;
  }
  out.iterations = limit;
  return SolveStatus::iteration_limit;
}

SolveStatus NlgsSolver::Sweeper::run_accelerated(const NlgsOptions& options, double goal) {
  Solution& out = *out_;
  const int limit = sweep_limit(options);
  SweepAcceleration acceleration;
  acceleration.begin(out.r, options.acceleration);
  SolveStatus status = SolveStatus::iteration_limit;
  for (out.iterations = 1; out.iterations <= limit; ++out.iterations) {
    const double estimate2 = sweep(true, options.local);
    const bool look = out.iterations % options.check_every == 0 || out.iterations == 1;
    if (look && is_solved(estimate2, goal, options.tolerance)) return SolveStatus::converged;
    if (look && !is_promising(options, out.iterations, out.history)) status = SolveStatus::stalled;
    if (look && options.deadline.passed()) status = SolveStatus::time_limit;
    if (status != SolveStatus::iteration_limit) break;
    acceleration.step(problem_->cones, estimate2, out.r);
  }
  acceleration.last_sweep(out.r);
  if (!all_finite(out.r)) return SolveStatus::not_finite;
  out.iterations = std::min(out.iterations, limit);
  return status;
}

/// The cones must stand colour by colour.
SolveStatus NlgsSolver::Sweeper::run_coloured(const NlgsOptions& options,
                                              const std::vector<int>& colour_begin, double goal) {
  Solution& out = *out_;
  const int limit = sweep_limit(options);
  const int threads = options.workers ? options.workers->count() : 1;
  const int colour_count = static_cast<int>(colour_begin.size()) - 1;
  // Sums of fixed chunks, added in a fixed order: the same for any number of threads.
  constexpr int chunk = 256;
  std::vector<int> chunk_begin = {0}, chunks_of_colour = {0};
  for (int k = 0; k < colour_count; ++k) {
    for (int b = colour_begin[k]; b < colour_begin[k + 1]; b += chunk)
      chunk_begin.push_back(std::min(b + chunk, colour_begin[k + 1]));
    chunks_of_colour.push_back(static_cast<int>(chunk_begin.size()) - 1);
  }
  std::vector<double> sums(chunk_begin.size() - 1, 0.0);
  SolveStatus status = SolveStatus::iteration_limit;
  bool done = false;
  int sweep_number = 1;
  const auto check_sweep = [&]() noexcept {
    if (sweep_number % options.check_every == 0 || sweep_number == 1) {
      double estimate2 = 0.0;
      for (const double s : sums) estimate2 += s;
      if (!std::isfinite(estimate2))
        status = SolveStatus::not_finite;
      else if (is_solved(estimate2, goal, options.tolerance))
        status = SolveStatus::converged;
      else if (!is_promising(options, sweep_number, out.history))
        status = SolveStatus::stalled;
      else if (options.deadline.passed())
        status = SolveStatus::time_limit;
    }
    done = status != SolveStatus::iteration_limit || sweep_number == limit;
    out.iterations = sweep_number++;
  };
  int step = 0;  // counts colours; the last one of a sweep is followed by a look at it
  const auto after_colour = [&]() noexcept {
    if (++step % colour_count == 0) check_sweep();
  };
  std::barrier barrier(threads, after_colour);
  auto work = [&](int thread) {
    int k = 0;
    do {
      const bool measure = sweep_number % options.check_every == 0 || sweep_number == 1;
      for (int b = chunks_of_colour[k] + thread; b < chunks_of_colour[k + 1]; b += threads)
        sums[b] = sweep_range(chunk_begin[b], chunk_begin[b + 1], measure, options.local);
      barrier.arrive_and_wait();  // after_colour sets `done`
      k = (k + 1) % colour_count;
    } while (!done);
  };
  if (threads > 1)
    options.workers->run(work);
  else
    work(0);
  return status;
}

NlgsSolver::NlgsSolver(const NlgsOptions& options)
    : options_(options), sweeper_(std::make_unique<Sweeper>()) {
  options_.validate();
  if (options_.check_every < 1) throw std::invalid_argument("NlgsOptions.check_every: must be >= 1");
  if (options_.stall_limit < 0) throw std::invalid_argument("NlgsOptions.patience: must be >= 0");
  if (options_.acceleration < 0) throw std::invalid_argument("NlgsOptions.acceleration: must be >= 0");
}

NlgsSolver::~NlgsSolver() = default;

void NlgsSolver::reserve(int rows) { sweeper_->reserve(rows); }

/// In the order of the colours, in which memory is read as a stream.
SolveStatus NlgsSolver::solve_coloured(const LocalProblem& problem, double goal, Solution& out) {
  ConeGroups colours;
  find_colours(problem.W, colours);
  ProblemPart part;
  part.take(problem, colours.order);
  const LocalProblem& arranged = part.problem();
  Solution swept;
  gather(problem.W, out.r, colours.order, swept.r);
  ExplicitOperator W(arranged.W);
  const OperatorProblem checked{W, arranged.cones, arranged.u_free};
  sweeper_->load(arranged, checked, swept);
  const SolveStatus status = sweeper_->run_coloured(options_, colours.begin, goal);
  scatter(problem.W, swept.r, colours.order, out.r);
  if (status == SolveStatus::converged) {
    out.u.resize(out.r.size());
    scatter(problem.W, swept.u, colours.order, out.u);
  }
  out.residual = swept.residual;
  out.iterations = swept.iterations;
  out.history = std::move(swept.history);
  return status;
}

SolveStatus NlgsSolver::sweep(const LocalProblem& problem, const OperatorProblem& checked, Solution& out) {
  double u_free2 = 0.0;
  for (const double u : problem.u_free) u_free2 += u * u;
  const double goal = options_.tolerance * std::max(std::sqrt(u_free2), residual_floor);
  if (problem.W.cones() >= coloured_from) return solve_coloured(problem, goal, out);
  sweeper_->load(problem, checked, out);
  return options_.acceleration > 0 ? sweeper_->run_accelerated(options_, goal)
                                   : sweeper_->run(options_, goal);
}

void NlgsSolver::solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) {
  if (!begin_solve(problem, guess, "nlgs", out)) return;
  ExplicitOperator W(problem.W);
  const SolveStatus status = sweep(problem, {W, problem.cones, problem.u_free}, out);
  if (status == SolveStatus::converged)
    out.status = status;  // their residual is known
  else
    end_solve(problem, options_.tolerance, status, out);
}

void NlgsSolver::solve_global(const GlobalProblem& problem, const std::vector<double>& guess, Solution& out) {
  const auto free = begin_matrix_free(problem, guess, "nlgs", out);
  if (free) end_solve(free->view(), options_.tolerance, sweep(free->condensed(), free->view(), out), out);
}

}  // namespace percuss
