#include "percuss/integrators/alpha/alpha_step.h"

namespace percuss {
namespace {

/// Sweeps converge slowly where stiffness takes back what the corrections do (G-15): from here on they are
/// accelerated. Others settle before.
constexpr int first_accelerated_sweep = 6;

}  // namespace

/// The original scheme: forces at the whole motion, so that each sub-problem changes the others.
SolveStatus AlphaStep::coupled() {
  for (int sweep = 0; sweep <= options_.newton_iterations; ++sweep) {
    const bool accelerates = options_.accelerated && sweep >= first_accelerated_sweep;
    if (sweep == first_accelerated_sweep) w_.acceleration_of_sweeps.forget();
    if (accelerates) collect_sweep(w_.sweep_start);
    bool solved = true;
    for (const Iteration iteration :
         {&AlphaStep::smooth_iteration, &AlphaStep::position_iteration, &AlphaStep::velocity_iteration}) {
      const Progress progress = (this->*iteration)();
      if (progress == Progress::failed) return status_;
      solved = solved && progress == Progress::solved;
    }
    if (friction_has_settled() && solved) return SolveStatus::converged;
    if (accelerates) accelerate_sweeps();
    if (accelerates) keep_contacts();
  }
  return SolveStatus::iteration_limit;
}

/// Contacts that close and open in turn keep sweeps from settling: all that have touched take part, and their
/// laws say which carry a force.
void AlphaStep::keep_contacts() {
  for (const int c : w_.touching) w_.has_touched[static_cast<size_t>(c)] = 1;
  position_by_law_ = velocity_by_law_ = true;
}

/// Everything that a sweep changes and the next one begins with, in units of a displacement.
void AlphaStep::collect_sweep(VectorX& x) const {
  const double mass = w_.characteristic_mass;
  x << h_ * h_ * w_.acceleration, w_.U, h_ * w_.velocity_jump, w_.tangential_impulse / mass,
      h_ * h_ / mass * w_.smooth_multipliers, w_.nu_joints / mass, h_ / mass * w_.impulses;
}

void AlphaStep::spread_sweep(const VectorX& x) {
  const double mass = w_.characteristic_mass;
  w_.acceleration = x.head(n_) / (h_ * h_);
  w_.U = x.segment(n_, n_);
  w_.velocity_jump = x.segment(2 * n_, n_) / h_;
  w_.tangential_impulse = mass * x.segment(3 * n_, n_);
  w_.smooth_multipliers = mass / (h_ * h_) * x.segment(4 * n_, m_);
  w_.nu_joints = mass * x.segment(4 * n_ + m_, m_);
  w_.impulses = mass / h_ * x.tail(m_);
}

/// The next sweep begins where Anderson's method expects the last ones to lead. Between sweeps with
/// different contacts nothing is affine.
void AlphaStep::accelerate_sweeps() {
  if (w_.closed.index != w_.last_closed || w_.hit.index != w_.last_hit) w_.acceleration_of_sweeps.forget();
  w_.last_closed = w_.closed.index;
  w_.last_hit = w_.hit.index;
  collect_sweep(w_.sweep_end);
  w_.sweep_end -= w_.sweep_start;
  w_.acceleration_of_sweeps.step(w_.sweep_start, w_.sweep_end, w_.sweep_next);
  spread_sweep(w_.sweep_next);
}

}  // namespace percuss
