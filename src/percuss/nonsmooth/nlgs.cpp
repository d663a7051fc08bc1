#include "percuss/nonsmooth/nlgs.h"

#include <algorithm>
#include <barrier>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "percuss/nonsmooth/colouring.h"
#include "percuss/nonsmooth/cones.h"
#include "percuss/nonsmooth/judge.h"
#include "percuss/nonsmooth/one_contact.h"
#include "percuss/nonsmooth/packed_blocks.h"
#include "percuss/nonsmooth/sweep_acceleration.h"

namespace percuss {
namespace {

constexpr int fixed_point_steps = 100;
/// Reserved before the first step; a problem that needs more grows once.
constexpr size_t max_reserved_blocks = 20'000;

int sweep_limit(const NlgsOptions& options) {
  return options.max_iterations > 0 ? options.max_iterations : NlgsSolver::default_sweeps;
}

/// False if the contraction between the last two looks, were it to last, is too slow for the limit.  (N-23a)
bool is_promising(const NlgsOptions& options, int sweep, const std::vector<double>& history) {
  if (options.patience == 0 || sweep < options.patience || history.size() < 2) return true;
  const double now = history.back(), contraction = now / history[history.size() - 2];
  if (!(contraction < 1.0)) return false;
  const double looks = std::ceil(std::log(options.tolerance / now) / std::log(contraction));
  return sweep + looks * options.check_every <= sweep_limit(options);
}

}  // namespace

template <int D>
struct NlgsSolver::Sweeper {
  PackedBlocks<D> W;
  std::vector<int> block_begin, block_end;  ///< of a cone in W.blocks
  std::vector<OneContact> contacts;
  std::vector<double> r, u_free;  ///< D per cone
  std::vector<double> trace;      ///< of the diagonal blocks
  const LocalProblem* problem = nullptr;

  void reserve(int cone_capacity);
  void load(const LocalProblem& given, const std::vector<double>& start);
  void arrange(const std::vector<int>& order);
  void unload(std::vector<double>& out) const;
  void velocity(int c, double* u) const;
  template <bool Measure>
  double solve_cone(int c, NlgsOptions::Local local);
  double sweep_range(const int* order, int begin, int end, bool measure, NlgsOptions::Local local);
  double sweep(bool measure, NlgsOptions::Local local) {
    return sweep_range(nullptr, 0, W.cones(), measure, local);
  }
  void solve_friction(int c, const double* u, NlgsOptions::Local local);
  SolveStatus run(const NlgsOptions& options, double goal, Solution& out);
  SolveStatus run_accelerated(const NlgsOptions& options, double goal, Solution& out);
  SolveStatus run_coloured(const NlgsOptions& options, double goal, Solution& out);
  bool is_solved(double estimate2, double goal, double tolerance, Solution& out);
};

template <int D>
void NlgsSolver::Sweeper<D>::reserve(int cone_capacity) {
  const auto count = static_cast<size_t>(cone_capacity);
  W.reserve(cone_capacity, static_cast<int>(std::min(count * count, max_reserved_blocks)));
  for (auto* values : {&r, &u_free}) values->reserve(count * D);
  trace.reserve(count);
  for (auto* places : {&block_begin, &block_end}) places->reserve(count);
  if (D == 3) contacts.reserve(count);
}

template <int D>
void NlgsSolver::Sweeper<D>::load(const LocalProblem& given, const std::vector<double>& start) {
  problem = &given;
  W.pack(given);
  block_begin.assign(W.begin.begin(), W.begin.end() - 1);
  block_end.assign(W.begin.begin() + 1, W.begin.end());
  const int count = W.cones();
  r.assign(static_cast<size_t>(count) * D, 0.0);
  u_free.assign(static_cast<size_t>(count) * D, 0.0);
  trace.assign(count, 0.0);
  contacts.resize(D == 3 ? count : 0);
  for (int c = 0; c < count; ++c) {
    const Cone& cone = given.cones[c];
    for (int i = 0; i < cone.rows(); ++i) {
      r[c * D + i] = start[W.first_row[c] + i];
      u_free[c * D + i] = given.u_free[W.first_row[c] + i];
    }
    for (int i = 0; i < D; ++i) trace[c] += W.diagonal[static_cast<size_t>(c) * D * D + i * D + i];
    if constexpr (D == 3)
      if (cone.has_friction()) contacts[c].prepare(&W.diagonal[static_cast<size_t>(c) * 9]);
  }
}

/// Puts the blocks into the order in which a sweep meets the cones: memory is then read as a stream.
template <int D>
void NlgsSolver::Sweeper<D>::arrange(const std::vector<int>& order) {
  std::vector<typename PackedBlocks<D>::Block> arranged;
  arranged.reserve(W.blocks.size());
  for (const int c : order) {
    const int begin = static_cast<int>(arranged.size());
    arranged.insert(arranged.end(), W.blocks.begin() + block_begin[c], W.blocks.begin() + block_end[c]);
    block_begin[c] = begin;
    block_end[c] = static_cast<int>(arranged.size());
  }
  W.blocks.swap(arranged);
}

template <int D>
void NlgsSolver::Sweeper<D>::unload(std::vector<double>& out) const {
  for (int c = 0; c < W.cones(); ++c)
    for (int i = 0; i < problem->cones[c].rows(); ++i) out[W.first_row[c] + i] = r[c * D + i];
}

/// u_c with the reactions as they are now.
template <int D>
void NlgsSolver::Sweeper<D>::velocity(int c, double* u) const {
  double sum[D];
  for (int i = 0; i < D; ++i) sum[i] = u_free[c * D + i];
  const double* own = &W.diagonal[static_cast<size_t>(c) * D * D];
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) sum[i] += own[i * D + j] * r[c * D + j];
  W.add_products(block_begin[c], block_end[c], r.data(), sum);
  for (int i = 0; i < D; ++i) u[i] = sum[i];
}

template <int D>
void NlgsSolver::Sweeper<D>::solve_friction(int c, const double* u, NlgsOptions::Local local) {
  const Cone& cone = problem->cones[c];
  const double* own = &W.diagonal[static_cast<size_t>(c) * D * D];
  double* x = &r[c * D];
  double q[3];
  // Whatever block is taken here, a solution of the problem is left alone; the symmetric part has one.
  double block[D * D];
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) block[i * D + j] = 0.5 * (own[i * D + j] + own[j * D + i]);
  for (int i = 0; i < D; ++i) {
    q[i] = u[i];
    for (int j = 0; j < D; ++j) q[i] -= block[i * D + j] * x[j];
  }
  if (local == NlgsOptions::Local::exact) {
    contacts[c].solve(q, cone.bound, x);
    return;
  }
  const double rho = trace[c] > 0.0 ? 1.0 / trace[c] : 1.0;
  const int steps = local == NlgsOptions::Local::projection ? 1 : fixed_point_steps;
  for (int k = 0; k < steps; ++k) {
    double v[3] = {}, shifted[3] = {}, next[3] = {}, change = 0.0;
    for (int i = 0; i < D; ++i) {
      v[i] = q[i];
      for (int j = 0; j < D; ++j) v[i] += block[i * D + j] * x[j];
    }
    shift_velocity(cone, v, shifted);
    for (int i = 0; i < cone.rows(); ++i) next[i] = x[i] - rho * shifted[i];
    project(cone, next, next);
    for (int i = 0; i < cone.rows(); ++i) {
      change += std::abs(next[i] - x[i]);
      x[i] = next[i];
    }
    if (change <= 1e-15 * std::abs(x[0])) break;
  }
}

/// Solves cone c with the others held; returns the square of its residual before.
template <int D>
template <bool Measure>
double NlgsSolver::Sweeper<D>::solve_cone(int c, NlgsOptions::Local local) {
  const Cone& cone = problem->cones[c];
  double u[3] = {0.0, 0.0, 0.0};
  velocity(c, u);
  const double before2 = Measure ? cone_residual2(cone, trace[c], &r[c * D], u) : 0.0;
  const double own = W.diagonal[static_cast<size_t>(c) * D * D];
  double& x = r[c * D];
  switch (cone.kind) {
    case ConeKind::equality:
      if (own > 0.0) x -= u[0] / own;
      break;
    case ConeKind::nonnegative:
      if (own > 0.0) x = std::max(0.0, x - u[0] / own);
      break;
    case ConeKind::interval:
      if (own > 0.0) x = std::clamp(x - u[0] / own, -cone.bound, cone.bound);
      break;
    case ConeKind::planar_coulomb:
    case ConeKind::coulomb:
      if constexpr (D == 3) solve_friction(c, u, local);
      break;
  }
  return before2;
}

/// Cones order[begin .. end), or begin .. end without an order.
template <int D>
double NlgsSolver::Sweeper<D>::sweep_range(const int* order, int begin, int end, bool measure,
                                           NlgsOptions::Local local) {
  double sum = 0.0;
  for (int k = begin; k < end; ++k) {
    const int c = order ? order[k] : k;
    sum += measure ? solve_cone<true>(c, local) : solve_cone<false>(c, local);
  }
  return sum;
}

/// What a sweep met along the way is only an estimate; if it is promising the judge looks at the end of it.
template <int D>
bool NlgsSolver::Sweeper<D>::is_solved(double estimate2, double goal, double tolerance, Solution& out) {
  if (!(estimate2 <= 4.0 * goal * goal)) {
    out.history.push_back(std::sqrt(estimate2) * tolerance / goal);
    return false;
  }
  unload(out.r);
  judge_solution(*problem, out);
  out.history.push_back(out.residual.relative);
  return out.residual.is_within(tolerance);
}

template <int D>
SolveStatus NlgsSolver::Sweeper<D>::run(const NlgsOptions& options, double goal, Solution& out) {
  const int limit = sweep_limit(options);
  for (out.iterations = 1; out.iterations <= limit; ++out.iterations) {
    const bool measure = out.iterations % options.check_every == 0 || out.iterations == 1;
    const double estimate2 = sweep(measure, options.local);
    if (!measure) continue;
    if (!std::isfinite(estimate2)) return SolveStatus::not_finite;
    if (is_solved(estimate2, goal, options.tolerance, out)) return SolveStatus::converged;
    if (!is_promising(options, out.iterations, out.history)) return SolveStatus::stalled;
    if (options.deadline.passed()) return SolveStatus::time_limit;
  }
  out.iterations = limit;
  return SolveStatus::iteration_limit;
}

template <int D>
SolveStatus NlgsSolver::Sweeper<D>::run_accelerated(const NlgsOptions& options, double goal, Solution& out) {
  const int limit = sweep_limit(options);
  SweepAcceleration acceleration;
  acceleration.begin(r, D, options.acceleration);
  SolveStatus status = SolveStatus::iteration_limit;
  for (out.iterations = 1; out.iterations <= limit; ++out.iterations) {
    const double estimate2 = sweep(true, options.local);
    const bool look = out.iterations % options.check_every == 0 || out.iterations == 1;
    if (look && is_solved(estimate2, goal, options.tolerance, out)) return SolveStatus::converged;
    if (look && !is_promising(options, out.iterations, out.history)) status = SolveStatus::stalled;
    if (look && options.deadline.passed()) status = SolveStatus::time_limit;
    if (status != SolveStatus::iteration_limit) break;
    acceleration.step(problem->cones, estimate2, r);
  }
  acceleration.last_sweep(r);
  if (!all_finite(r)) return SolveStatus::not_finite;
  out.iterations = std::min(out.iterations, limit);
  return status;
}

template <int D>
SolveStatus NlgsSolver::Sweeper<D>::run_coloured(const NlgsOptions& options, double goal, Solution& out) {
  const int limit = sweep_limit(options);
  const Colouring colours = colour(W);
  arrange(colours.order);
  const int threads = std::max(1, options.threads), colour_count = static_cast<int>(colours.begin.size()) - 1;
  // Sums of fixed chunks, added in a fixed order: the same for any number of threads.
  constexpr int chunk = 256;
  std::vector<int> chunk_begin = {0}, chunks_of_colour = {0};
  for (int k = 0; k < colour_count; ++k) {
    for (int b = colours.begin[k]; b < colours.begin[k + 1]; b += chunk)
      chunk_begin.push_back(std::min(b + chunk, colours.begin[k + 1]));
    chunks_of_colour.push_back(static_cast<int>(chunk_begin.size()) - 1);
  }
  std::vector<double> sums(chunk_begin.size() - 1, 0.0);
  SolveStatus status = SolveStatus::iteration_limit;
  bool done = false;
  int sweep_number = 1;
  const auto judge_sweep = [&]() noexcept {
    if (sweep_number % options.check_every == 0 || sweep_number == 1) {
      double estimate2 = 0.0;
      for (const double s : sums) estimate2 += s;
      if (!std::isfinite(estimate2))
        status = SolveStatus::not_finite;
      else if (is_solved(estimate2, goal, options.tolerance, out))
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
    if (++step % colour_count == 0) judge_sweep();
  };
  std::barrier barrier(threads, after_colour);
  const auto work = [&](int thread) {
    int k = 0;
    do {
      const bool measure = sweep_number % options.check_every == 0 || sweep_number == 1;
      for (int b = chunks_of_colour[k] + thread; b < chunks_of_colour[k + 1]; b += threads)
        sums[b] =
            sweep_range(colours.order.data(), chunk_begin[b], chunk_begin[b + 1], measure, options.local);
      barrier.arrive_and_wait();  // after_colour sets `done`
      k = (k + 1) % colour_count;
    } while (!done);
  };
  std::vector<std::jthread> others;
  for (int thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
  work(0);
  return status;
}

NlgsSolver::NlgsSolver(const NlgsOptions& options)
    : options_(options),
      scalar_(std::make_unique<Sweeper<1>>()),
      frictional_(std::make_unique<Sweeper<3>>()) {
  options_.validate();
  if (options_.check_every < 1) throw std::invalid_argument("NlgsOptions.check_every: must be >= 1");
  if (options_.patience < 0) throw std::invalid_argument("NlgsOptions.patience: must be >= 0");
  if (options_.acceleration < 0) throw std::invalid_argument("NlgsOptions.acceleration: must be >= 0");
  if (options_.threads < 1) throw std::invalid_argument("NlgsOptions.threads: must be >= 1");
}

NlgsSolver::~NlgsSolver() = default;

void NlgsSolver::reserve(int rows) {
  scalar_->reserve(rows);
  frictional_->reserve((rows + 1) / 2);  // planar contacts have two rows
}

void NlgsSolver::solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) {
  if (!begin_solve(problem, guess, "nlgs", out)) return;
  double u_free2 = 0.0;
  for (const double u : problem.u_free) u_free2 += u * u;
  const double goal = options_.tolerance * std::max(std::sqrt(u_free2), residual_floor);
  const auto run = [&](auto& sweeper) {
    sweeper.load(problem, out.r);
    const bool is_coloured = static_cast<int>(problem.cones.size()) >= coloured_from;
    const SolveStatus status = is_coloured                 ? sweeper.run_coloured(options_, goal, out)
                               : options_.acceleration > 0 ? sweeper.run_accelerated(options_, goal, out)
                                                           : sweeper.run(options_, goal, out);
    sweeper.unload(out.r);
    return status;
  };
  const bool has_friction =
      std::any_of(problem.cones.begin(), problem.cones.end(), [](const Cone& c) { return c.has_friction(); });
  const SolveStatus status = has_friction ? run(*frictional_) : run(*scalar_);
  if (status == SolveStatus::converged)
    out.status = status;  // the judge has looked at these reactions
  else
    end_solve(problem, options_.tolerance, status, out);
}

}  // namespace percuss
