#include "percuss/integrators/hht/hht_step.h"

#include <algorithm>
#include <cmath>

#include "percuss/dynamics/forces.h"
#include "percuss/integrators/one_step/refinement.h"
#include "percuss/integrators/one_step/step_residual.h"

namespace percuss {
namespace {

constexpr int most_newton_iterations = 100;
constexpr double motion_tolerance = 1e-12;

}  // namespace

HhtScratch::HhtScratch(const Assembly& assembly, const SolverChoice& solver, const HhtForm& form)
    : motion(assembly.system),
      jump(assembly.system, SaddlePoint::Matrix::mass),
      contacts(assembly, jump.factor(), solver, form.level) {
  const System& system = assembly.system;
  const int n = system.dof_count(), m = system.constraint_count();
  for (VectorX* x : {&a, &w, &v, &v_p, &x_p, &increment, &force, &momentum, &residual, &scale}) x->setZero(n);
  for (VectorX* x : {&lambda, &Lambda, &multipliers, &constraint_residual, &targets}) x->setZero(m);
  for (VectorX* x : {&b, &dx, &z, &da}) x->setZero(n + m);
  q = system.initial.q;
  coupling = system.pattern;
  active.reserve(assembly.interactions.declared);
  for (const Contact& contact : assembly.interactions.declared.contacts) most_rows += contact.rows;
  most_rows = std::min(most_rows, 64);
  Y.resize(n + m, most_rows);
  Z.resize(n + m, most_rows);
  W.resize(most_rows, most_rows);
  directions.reserve(3 * assembly.interactions.declared.dof.size());
  coordinates.reserve(3 * assembly.interactions.declared.dof.size());
  u_free.resize(most_rows);
  activation_tolerance = percuss::activation_tolerance(system, form.activation_tolerance);
  rounding = force_rounding(system);
}

SolveStatus HhtStep::run() {
  predict();
  Refinement refinement;
  for (;;) {
    evaluate();
    choose_contacts();
    if (report_.iterations > 0) {
      const double constraints = constraint_error(), motion = motion_error();
      if (!std::isfinite(constraints + motion)) return SolveStatus::not_finite;
      if (motion <= 1 && refinement.is_done(constraints)) return SolveStatus::converged;
      refinement.go_on_from(constraints);
      if (report_.iterations == most_newton_iterations) return SolveStatus::iteration_limit;
    }
    if (!factorise()) return SolveStatus::singular;
    if (const SolveStatus status = iterate(); status != SolveStatus::converged) return status;
    ++report_.iterations;
    if (linear_) {
      place_end();
      return SolveStatus::converged;
    }
  }
}

/// What is known before a and w are (H-2).
void HhtStep::predict() {
  const auto [alpha, gamma, beta] = form_.coefficients;
  const double c0 = alpha * (1 - gamma), c1 = (1 - alpha) * (1 - gamma) + alpha * gamma;
  const double d0 = alpha * (0.5 - beta), d1 = (1 - alpha) * (0.5 - beta) + alpha * beta;
  c2_ = (1 - alpha) * gamma;
  d2_ = (1 - alpha) * beta;
  cw_ = form_.impulses_are_forces ? c2_ : 1.0;
  dw_ = form_.impulses_are_forces ? h_ * d2_ : 0.5 * h_;
  const auto a_n = state_.memory.head(n_), a_before = state_.memory.segment(n_, n_);
  w_.v_p = state_.v + h_ * (c0 * a_before + c1 * a_n);
  w_.x_p = h_ * state_.v + h_ * h_ * (d0 * a_before + d1 * a_n);
  if (form_.impulses_are_forces) {
    const auto w_n = state_.memory.segment(2 * n_, n_), w_before = state_.memory.tail(n_);
    w_.v_p += c0 * w_before + c1 * w_n;
    w_.x_p += h_ * (d0 * w_before + d1 * w_n);
  }
  if (linear_)
    w_.a.setZero();  // the one iteration finds all of it
  else
    w_.a = a_n;
  w_.w.setZero();
  w_.lambda.setZero();
  w_.Lambda.setZero();
  w_.active.clear();
  w_.end().kinematics.angles = state_.angles;
  if (m_ > 0) speed_targets(system_, w_.start().kinematics, state_.time, h_, w_.targets);
  if (form_.level == ContactLevel::velocity)
    activate(w_.list(), w_.start().contacts, state_.v, h_, form_.activation, w_.activation_tolerance,
             w_.active);
}

void HhtStep::place_end() {
  w_.v = w_.v_p + h_ * c2_ * w_.a + cw_ * w_.w;
  w_.increment = w_.x_p + h_ * h_ * d2_ * w_.a + dw_ * w_.w;
  w_.q = state_.q;
  retract(system_, w_.increment, w_.q);
}

/// Forces, joints and contacts at the present end of the step; residual = f + G^T lambda - M a.
void HhtStep::evaluate() {
  place_end();
  const double t = state_.time + h_;
  if (system_.needs_poses() || !assembly_.interactions.is_constant)
    update(system_, w_.q, w_.v, t, w_.end().kinematics);
  evaluate_force(system_, w_.q, w_.v, t, w_.end().kinematics, w_.force);
  w_.residual = w_.force;
  if (!linear_) {
    multiply_mass(system_, w_.q, w_.a, w_.end().kinematics, w_.momentum);
    w_.residual -= w_.momentum;
  }
  if (m_ > 0) {
    constraint_jacobian(system_, w_.end().kinematics, w_.motion.constraint_jacobian());
    constraint_values(system_, w_.end().kinematics, t, w_.targets, w_.constraint_residual);
    w_.constraint_residual = -w_.constraint_residual;
    add_transposed(system_.joints, w_.motion.constraint_jacobian(), w_.lambda, w_.residual);
  }
  w_.end().find_contacts(assembly_, w_.list(), w_.q);
}

/// At position level every contact that was closed in an iteration takes part from then on.
void HhtStep::choose_contacts() {
  if (form_.level == ContactLevel::velocity) return;
  const auto& index = w_.active.index;
  for (int c = 0; c < w_.list().count(); ++c)
    if (w_.list()[c].has_gap() && w_.end().contacts.gap[c] <= 0 &&
        std::find(index.begin(), index.end(), c) == index.end())
      *w_.active.add(w_.list()[c], c) = relative_velocity(w_.list(), w_.start().contacts, c, 0, state_.v);
}

double HhtStep::motion_error() {
  const double scale = w_.force.norm() + w_.momentum.norm();
  constexpr double smallest = std::numeric_limits<double>::min();
  // An iteration that changes accelerations by their rounding has nothing more to gain: the gyroscopic force
  // of a body that spins freely is rounding of what cancels in it.
  const bool is_rounding = w_.da.head(n_).norm() <= 4 * std::numeric_limits<double>::epsilon() * w_.a.norm();
  const double error =
      is_rounding ? 0 : w_.residual.norm() / (motion_tolerance * scale + w_.rounding + smallest);
  if (w_.active.index.empty()) return error;
  // M w = H r + G^T Lambda with the normals of the present end.
  multiply_mass(system_, w_.q, w_.w, w_.end().kinematics, w_.increment);
  const double size = w_.increment.norm();
  w_.increment = -w_.increment;
  add_reactions(w_.list(), w_.end().contacts, w_.active, form_.level, w_.contacts.solution().r, w_.increment);
  if (m_ > 0) add_transposed(system_.joints, w_.motion.constraint_jacobian(), w_.Lambda, w_.increment);
  return std::max(error, w_.increment.norm() / (1e-10 * size + smallest));
}

/// Joints at position level, contacts at theirs, relative to what cancels in them.
double HhtStep::constraint_error() {
  double error = relative_violation(system_, w_.constraint_residual);
  if (form_.level == ContactLevel::velocity)
    return std::max(error, contact_residual(w_.list(), w_.end().contacts, w_.active, w_.contacts, w_.v));
  for (int c = 0; c < w_.list().count(); ++c) {
    const auto place = std::find(w_.active.index.begin(), w_.active.index.end(), c);
    const auto row = static_cast<size_t>(place - w_.active.index.begin());
    const auto& u = w_.contacts.solution().u;
    const bool solved = place != w_.active.index.end() && row < u.size();
    const double gap = w_.end().contacts.gap[c], unit = w_.list()[c].gap_length / system_.size;
    error = std::max(error, unit * (solved ? std::abs(gap - u[row]) : std::max(-gap, 0.0)));
  }
  return error;
}

bool HhtStep::factorise() {
  if (constant_matrices_ && w_.factorised_step == h_) return true;
  const double t = state_.time + h_;
  w_.factorised_step = std::numeric_limits<double>::quiet_NaN();
  assemble_iteration_matrix(system_, w_.q, w_.v, t, h_ * c2_, h_ * h_ * d2_, w_.end().kinematics,
                            w_.motion.matrix());
  if (!w_.motion.factorise()) return false;
  ++report_.factorisations;
  if (!assembly_.interactions.empty()) {
    assemble_iteration_matrix(system_, w_.q, w_.v, t, 0, 0, w_.end().kinematics, w_.jump.matrix());
    w_.jump.constraint_jacobian() = w_.motion.constraint_jacobian();
    if (!w_.jump.factorise()) return false;
    assemble_iteration_matrix(system_, w_.q, w_.v, t, cw_, dw_, w_.end().kinematics, w_.coupling);
  }
  w_.factorised_step = h_;
  return true;
}

/// The linear equations (H-5) for the changes of a and w with the contact law between them.
SolveStatus HhtStep::iterate() {
  report_.forget_contact_problems();
  w_.b.head(n_) = w_.residual;
  if (!w_.w.isZero(0)) {
    couple(w_.w, w_.increment);
    w_.b.head(n_) += w_.increment;
  }
  if (m_ > 0) w_.b.tail(m_) = w_.constraint_residual / (h_ * h_ * d2_);
  solve(w_.motion, w_.b, w_.z, w_.da);
  w_.clock.mark(report_.seconds.forces);
  const int rows = w_.contacts.row_count(w_.list(), w_.active);
  if (rows > 0) {
    if (const SolveStatus status = solve_contacts(rows); status != SolveStatus::converged) return status;
  }
  w_.a += w_.da.head(n_);
  if (m_ > 0) w_.lambda -= w_.da.tail(m_);
  return SolveStatus::converged;
}

}  // namespace percuss
