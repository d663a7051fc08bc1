#include "percuss/integrators/one_step/position_projection.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "percuss/dynamics/forces.h"
#include "percuss/integrators/one_step/refinement.h"

namespace percuss {
namespace {

constexpr int most_projections = 50;

}  // namespace

PositionProjection::PositionProjection(const Assembly& assembly, const SolverChoice& solver)
    : saddle_(assembly.system, SaddlePoint::Matrix::mass),
      gaps_(assembly, saddle_.factor(), solver, ContactLevel::position),
      kinematics_(make_kinematics(assembly.system)),
      at_(make_contact_kinematics(assembly.interactions, assembly.interactions.declared)) {
  const int n = assembly.system.dof_count(), m = assembly.system.constraint_count();
  momentum_.setZero(n);
  for (VectorX* x : {&nu_, &g_}) x->setZero(m);
  for (VectorX* x : {&b_, &dx_}) x->setZero(n + m);
  q_ = assembly.system.initial.q;
  closed_.reserve(assembly.interactions.declared);
}

/// Open joints and overlaps, relative to the model's size.
double PositionProjection::constraint_residual(const System& system, const ContactList& contacts) const {
  double worst = relative_violation(system, g_);
  for (const int c : closed_.index)
    worst = std::max(worst, -at_.gap[c] * contacts[c].gap_length / system.size);
  return worst;
}

SolveStatus PositionProjection::project(const Assembly& assembly, const State& state, double h,
                                        const VectorX& q, const VectorX& v, const ActiveContacts& active,
                                        VectorX& U, Workspace& work, StepReport& report) {
  const ContactList& contacts = work.list();
  const System& system = assembly.system;
  const int n = system.dof_count(), m = system.constraint_count();
  const double t = state.time + h;
  closed_.clear();
  for (const int c : active.index)
    if (contacts[c].has_gap()) closed_.add(contacts[c], c);
  kinematics_.angles = state.angles;
  nu_.setZero();
  Refinement refinement;
  for (int i = 0; i < most_projections; ++i) {
    q_ = q;
    retract(system, U, q_);
    if (system.needs_poses() || !assembly.interactions.is_constant) update(system, q_, v, t, kinematics_);
    evaluate_contacts(assembly, contacts, q_, kinematics_, at_);
    if (m > 0) constraint_values(system, kinematics_, t, g_);
    const double error = constraint_residual(system, contacts);
    if (!std::isfinite(error)) return SolveStatus::not_finite;
    if (refinement.is_done(error)) return SolveStatus::converged;
    refinement.go_on_from(error);
    multiply_mass(system, q_, U, kinematics_, momentum_);
    b_.head(n) = -momentum_;
    if (m > 0) {
      constraint_jacobian(system, kinematics_, saddle_.constraint_jacobian());
      momentum_.setZero();
      add_transposed(system.joints, saddle_.constraint_jacobian(), nu_, momentum_);
      b_.head(n) += momentum_;
      b_.tail(m) = -g_;
    }
    if (!is_factorised_) {
      assemble_iteration_matrix(system, q_, v, t, 0, 0, kinematics_, saddle_.matrix());
      if (!saddle_.factorise()) return SolveStatus::singular;
      is_factorised_ = m == 0 && system.user_systems.empty();
      ++report.factorisations;
    }
    const SolveStatus status =
        gaps_.solve(contacts, at_, saddle_.factor(), closed_, h, state, v, b_, dx_, work, report);
    if (status != SolveStatus::converged) return status;
    U += dx_.head(n);
    if (m > 0) nu_ -= dx_.tail(m);
    ++report.by_level[1];
  }
  return SolveStatus::iteration_limit;
}

}  // namespace percuss
