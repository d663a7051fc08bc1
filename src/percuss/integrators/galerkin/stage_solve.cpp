#include <algorithm>
#include <cmath>
#include <limits>

#include "percuss/dynamics/forces.h"
#include "percuss/integrators/galerkin/galerkin_step.h"
#include "percuss/integrators/one_step/step_residual.h"

namespace percuss {
namespace {

constexpr int max_stage_solves = 60;

}  // namespace

/// The matrix of (J-6) with M and G at q; `kinematics` must be there.
bool GalerkinStep::factorise(const VectorX& q, const VectorX& v, double t) {
  if (w_.is_constant && w_.keeps_factor) return true;
  if (m_ > 0) constraint_jacobian(system_, end_.kinematics, w_.saddle.constraint_jacobian());
  assemble_iteration_matrix(system_, q, v, t, 0, 0, end_.kinematics, w_.saddle.matrix());
  w_.keeps_factor = w_.saddle.factorise();
  ++report_.factorisations;
  return w_.keeps_factor;
}

/// (T-11): M (v - from) = impulse + G^T Lambda + H r with G_t v + g_t = 0 for the joints and the law of the
/// active contacts between r and H_t^T v, into w.v_new and w.stage_multipliers. Without joints one solve is
/// exact; with them it is repeated, because the matrix has G in the place of G_t.
SolveStatus GalerkinStep::solve_stage(const VectorX& q, const ContactKinematics& at, const Test& test,
                                      double dt) {
  w_.v_new = w_.from;
  w_.stage_multipliers.setZero();
  Refinement refinement(test.tolerance);
  for (int solves = 0;; ++solves) {
    w_.residual = w_.impulse;
    if (solves > 0) {
      w_.increment = w_.v_new - w_.from;
      multiply_mass(system_, q, w_.increment, end_.kinematics, w_.momentum);
      w_.residual -= w_.momentum;
    }
    w_.v_law = w_.v_new - w_.unseen;
    if (m_ > 0) {
      w_.increment.setZero();
      add_transposed(system_.joints, w_.saddle.constraint_jacobian(), w_.stage_multipliers, w_.increment);
      w_.residual += w_.increment;
      velocity_scale(system_, w_.saddle.matrix(), {dt, w_.from, w_.v_new, w_.increment, &w_.impulse},
                     w_.scale);
      double constraint_residual =
          joint_residual(system_.joints, *test.G, w_.v_new, w_.scale, w_.prescribed, w_.constraint_residual);
      if (!std::isfinite(constraint_residual)) return SolveStatus::not_finite;
      if (solves > 0 && !w_.active.index.empty())
        constraint_residual = std::max(
            constraint_residual,
            contact_residual(contacts_, *test.contacts, w_.active, w_.contacts, w_.v_law, &w_.unseen));
      if (solves > 0 && refinement.is_done(constraint_residual)) return SolveStatus::converged;
      const bool diverges = test.G != &w_.saddle.constraint_jacobian() && solves > 1 &&
                            constraint_residual > 0.5 * refinement.last();
      if (diverges || solves == max_stage_solves) return SolveStatus::iteration_limit;
      refinement.go_on_from(constraint_residual);
      w_.b.tail(m_) = w_.constraint_residual;
    }
    w_.b.head(n_) = w_.residual;
    const SolveStatus status =
        w_.contacts.solve_across(contacts_, at, *test.contacts, w_.saddle.factor(), w_.active, dt, w_.guess,
                                 w_.v_law, w_.b, w_.dx, w_, report_);
    if (status != SolveStatus::converged) return status;
    w_.v_new += w_.dx.head(n_);
    ++report_.iterations;
    if (m_ == 0) return SolveStatus::converged;
    w_.stage_multipliers -= w_.dx.tail(m_);
  }
}

}  // namespace percuss
