#include "percuss/integrators/event/impact.h"

#include <algorithm>
#include <cmath>

#include "percuss/dynamics/forces.h"
#include "percuss/integrators/one_step/refinement.h"
#include "percuss/integrators/one_step/step_residual.h"

namespace percuss {
namespace {

constexpr int max_impact_corrections = 30;
constexpr double rest_after_impact = 1e-8;  ///< of the fastest speed before: what a solver may leave

}  // namespace

ImpactStage::ImpactStage(const Assembly& assembly, const SolverChoice& solver, const SaddlePoint& saddle,
                         double accumulation_time)
    : contacts_(assembly, saddle.factor(), solver), accumulation_time_(accumulation_time) {
  const int n = assembly.system.dof_count(), m = assembly.system.constraint_count();
  for (VectorX* x : {&v_, &change_, &impulse_, &residual_, &scale_}) x->setZero(n);
  for (VectorX* x : {&multipliers_, &rate_, &constraint_residual_}) x->setZero(m);
  for (VectorX* x : {&b_, &dx_}) x->setZero(n + m);
  active_.reserve(assembly.interactions.declared);
}

/// (EV-12): the intervals between the impacts of a contact, and its speeds, shrink; if they go on shrinking
/// as from the last to this one, all that are to come fall within accumulation_time.
bool ImpactStage::is_last_of_many(double time, double speed, ContactMemory& memory) const {
  const double interval = time - memory.impact_time, last = memory.impact_interval;
  const bool shrinks = last > 0 && interval < last && speed < memory.impact_speed;
  const double ratio = shrinks ? interval / last : 1.0;
  const bool is_last = shrinks && interval * ratio <= accumulation_time_ * (1 - ratio);
  const bool is_first = memory.impact_speed == 0;
  memory.impact_interval = is_first || is_last ? 0.0 : interval;
  memory.impact_time = time;
  memory.impact_speed = is_last ? 0.0 : speed;
  return is_last;
}

/// All contacts that touch take part; restitution is that of those that approach.
void ImpactStage::choose(const Mechanics& mechanics, const TouchTolerance& tolerance, double time,
                         EventMemory& memory) {
  active_.clear();
  accumulations_ = 0;
  for (int c = 0; c < mechanics.contacts().count(); ++c) {
    ContactMemory& contact = memory.contacts[static_cast<size_t>(c)];
    if (!mechanics.contacts()[c].has_gap()) continue;
    if (contact.mode == ContactMode::open && mechanics.gap_length(c) > tolerance.gap) continue;
    const double u = mechanics.velocity({c, 0});
    bool bounces = contact.mode == ContactMode::hit || u < -tolerance.speed;
    if (bounces && is_last_of_many(time, std::abs(u), contact)) {
      bounces = false;
      ++accumulations_;
    }
    double* before = active_.add(mechanics.contacts()[c], c);
    for (int row = 0; bounces && row < mechanics.contacts()[c].rows; ++row)
      before[row] = mechanics.velocity({c, row});
    before[0] = std::min(before[0], 0.0);
  }
}

/// M (v - v_n) = G^T Lambda + H r with G v + g_t = 0 and the law between u + e u_n and r; joints are made
/// good by repetition as in the other schemes (J-6).
SolveStatus ImpactStage::solve(const Assembly& assembly, Mechanics& mechanics, const State& state,
                               Workspace& work, StepReport& report) {
  const System& system = assembly.system;
  const int n = system.dof_count(), m = system.constraint_count();
  v_ = state.v;
  multipliers_.setZero();
  if (m > 0) constraint_rates(system, mechanics.kinematics, state.time, rate_);
  Refinement refinement;
  for (int k = 0;; ++k) {
    change_ = v_ - state.v;
    multiply_mass(system, state.q, change_, mechanics.kinematics, residual_);
    residual_ = -residual_;
    if (m > 0) {
      add_transposed(system.joints, mechanics.saddle.constraint_jacobian(), multipliers_, residual_);
      impulse_.setZero();
      add_transposed(system.joints, mechanics.saddle.constraint_jacobian(), multipliers_, impulse_);
      velocity_scale(system, mechanics.saddle.matrix(), {0, state.v, v_, impulse_}, scale_);
      const double constraint_residual = joint_residual(system.joints, mechanics.saddle.constraint_jacobian(),
                                                        v_, scale_, rate_, constraint_residual_);
      if (!std::isfinite(constraint_residual)) return SolveStatus::not_finite;
      if (k > 0 && refinement.is_done(constraint_residual)) return SolveStatus::converged;
      if (k == max_impact_corrections) return SolveStatus::iteration_limit;
      refinement.go_on_from(constraint_residual);
      b_.tail(m) = constraint_residual_;
    }
    b_.head(n) = residual_;
    const SolveStatus status = contacts_.solve(mechanics.contacts(), mechanics.at, mechanics.saddle.factor(),
                                               active_, 0, state, v_, b_, dx_, work, report);
    if (status != SolveStatus::converged) return status;
    v_ += dx_.head(n);
    ++report.iterations;
    if (m == 0) return SolveStatus::converged;
    multipliers_ -= dx_.tail(m);
  }
}

SolveStatus ImpactStage::apply_impact(const Assembly& assembly, Mechanics& mechanics,
                                      const TouchTolerance& tolerance, State& state, EventMemory& memory,
                                      Workspace& work, StepReport& report) {
  choose(mechanics, tolerance, state.time, memory);
  report.active_contacts = static_cast<int>(active_.index.size());
  const double at_rest = rest_after_impact * mechanics.fastest();
  const SolveStatus status = solve(assembly, mechanics, state, work, report);
  if (status != SolveStatus::converged) return status;
  if (!std::isfinite(v_.sum())) return SolveStatus::not_finite;
  report.accumulations = accumulations_;
  state.v = v_;
  std::fill(state.contacts.reaction.begin(), state.contacts.reaction.end(), 0.0);
  std::fill(state.contacts.status.begin(), state.contacts.status.end(), ContactStatus::open);
  const double* r = contacts_.solution().r.data();
  for (const int c : active_.index) {
    const int rows = mechanics.contacts()[c].rows;
    std::copy_n(r, rows, &state.contacts.reaction[mechanics.contacts()[c].row]);
    if (r[0] > 0) state.contacts.status[static_cast<size_t>(c)] = ContactStatus::impact;
    const double u = relative_velocity(mechanics.contacts(), mechanics.at, c, 0, state.v);
    memory.contacts[static_cast<size_t>(c)].mode = u > at_rest ? ContactMode::open : ContactMode::slip;
    r += rows;
  }
  memory.modes_are_old = true;
  return status;
}

}  // namespace percuss
