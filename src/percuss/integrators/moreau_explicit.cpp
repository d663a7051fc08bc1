#include "percuss/integrators/moreau_explicit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "percuss/dynamics/forces.h"
#include "percuss/dynamics/saddle_point.h"
#include "percuss/integrators/one_step/contact_stage.h"
#include "percuss/integrators/one_step/finish_step.h"
#include "percuss/integrators/one_step/refinement.h"
#include "percuss/integrators/one_step/step_residual.h"

namespace percuss {
namespace {

constexpr int max_refinements = 30;

/// docs/theory/moreau.md (M-10), [Schindler 2014, eqs 43-47]:
///   q_{n+1} = q_n * h v_n
///   v_{n+1} = v_n + h M_n^-1 f(q_n, v_n, t_n) + M_{n+1}^-1 (G^T Lambda + H r)
///   G v_{n+1} + g_t = 0              for the joints
///   K* ∋ û ⟂ r ∈ K                   for the active contacts, û = ū + mu |ū_T| N: exact Coulomb friction
///                                    with ū_N = u_N,{n+1} + e u_N,n, ū_T = u_T,{n+1} + e_T u_T,n (M-14),
///                                    which without friction is 0 <= u_{n+1} + e u_n ⟂ r >= 0
///   |r| <= h F, r = -h F sign(u)     for dry joints where they move (M-15)
/// with G and H at q_{n+1}: nothing is nonlinear. `forces: end` takes f(q_{n+1}, v_n, t_{n+1}) and M_{n+1}.
class MoreauExplicit final : public Integrator {
 public:
  MoreauExplicit(const MoreauExplicitOptions& options, const SolverChoice& solver)
      : options_(options), solver_(solver) {}

  std::unique_ptr<Workspace> make_workspace(const Assembly& assembly) const override;
  StepReport advance(const StepContext& context, State& state, Workspace& work) const override;

 private:
  MoreauExplicitOptions options_;
  SolverChoice solver_;
};

struct ExplicitScratch final : Workspace {
  ExplicitScratch(const Assembly& assembly, const SolverChoice& solver)
      : saddle(assembly.system, SaddlePoint::Matrix::mass), contacts(assembly, saddle.factor(), solver) {
    const int n = assembly.system.dof_count(), m = assembly.system.constraint_count();
    for (VectorX* x : {&impulse, &residual, &v, &dv, &scale}) x->setZero(n);
    for (VectorX* x : {&multipliers, &prescribed, &constraint_residual}) x->setZero(m);
    for (VectorX* x : {&b, &dx}) x->setZero(n + m);
    q_end = assembly.system.initial.q;
    active.reserve(assembly.interactions.declared);
  }

  SaddlePoint saddle;  ///< [M, G^T; G, -eps]
  bool is_factorised = false;
  ActiveContacts active;
  ContactStage contacts;
  VectorX q_end, impulse, residual, v, dv, scale;
  VectorX multipliers, prescribed, constraint_residual;
  VectorX b, dx;
  double activation_tolerance = 0;
};

std::unique_ptr<Workspace> MoreauExplicit::make_workspace(const Assembly& assembly) const {
  auto work = std::make_unique<ExplicitScratch>(assembly, solver_);
  work->activation_tolerance = activation_tolerance(assembly.system, options_.activation_tolerance);
  return work;
}

/// h M_{n+1} M_n^-1 f: the impulse that gives M_{n+1} the velocity of the smooth forces. Only the mass of a
/// user's system changes.
void carry_impulse(const System& system, const VectorX& q_before, const VectorX& q_end, ExplicitScratch& w) {
  for (size_t s = 0; s < system.user_systems.size(); ++s) {
    const auto& user = system.user_systems[s];
    if (user.equations->has_constant_mass()) continue;
    w.end().kinematics.user_systems[s].carry_impulse(q_before, q_end, w.impulse);
  }
}

StepReport MoreauExplicit::advance(const StepContext& context, State& state, Workspace& workspace) const {
  auto& w = static_cast<ExplicitScratch&>(workspace);
  const Assembly& assembly = context.assembly;
  const double h = context.h;
  const System& system = assembly.system;
  const int n = system.dof_count(), m = system.constraint_count();
  StepReport report;
  const auto end_with = [&](SolveStatus status) {
    report.status = status;
    return report;
  };
  w.clock.start(w.measure_time);
  Kinematics& at = w.end().kinematics;
  at.angles = state.angles;
  activate(w.list(), w.start().contacts, state.v, h, options_.activation, w.activation_tolerance, w.active);
  report.active_contacts = static_cast<int>(w.active.index.size());
  w.clock.mark(report.seconds.contacts);

  const bool at_start = options_.forces == ForcePlace::start;
  const bool placed = system.needs_poses() || !assembly.interactions.is_constant;
  if (at_start) {
    if (placed) place_as(w.start().kinematics, at);
    evaluate_force(system, state.q, state.v, state.time, at, w.impulse);
  }
  w.dv = h * state.v;
  w.q_end = state.q;
  retract(system, w.dv, w.q_end);
  if (placed) update(system, w.q_end, state.v, state.time + h, at);
  if (!at_start) evaluate_force(system, w.q_end, state.v, state.time + h, at, w.impulse);
  w.impulse *= h;
  if (at_start) carry_impulse(system, state.q, w.q_end, w);
  if (m > 0) {
    constraint_jacobian(system, at, w.saddle.constraint_jacobian());
    constraint_rates(system, at, state.time + h, w.prescribed);
  }
  if (!w.is_factorised) {
    assemble_iteration_matrix(system, w.q_end, state.v, state.time + h, 0, 0, at, w.saddle.matrix());
    if (!w.saddle.factorise()) return end_with(SolveStatus::singular);
    w.is_factorised = m == 0 && system.user_systems.empty();
    ++report.factorisations;
  }
  if (report.active_contacts > 0) w.end().find_contacts(assembly, w.list(), w.q_end);

  // One solve is exact without joints; with them a second one makes good what eps has left.
  w.v = state.v;
  w.multipliers.setZero();
  Refinement refinement;
  for (;;) {
    w.dv = w.v - state.v;
    if (report.iterations > 0) {
      multiply_mass(system, w.q_end, w.dv, at, w.residual);
      w.residual = w.impulse - w.residual;
    } else {
      w.residual = w.impulse;
    }
    if (m > 0) {
      w.dv.setZero();
      add_transposed(system.joints, w.saddle.constraint_jacobian(), w.multipliers, w.dv);
      w.residual += w.dv;
      velocity_scale(system, w.saddle.matrix(), {h, state.v, w.v, w.dv, &w.impulse}, w.scale);
      const double constraint_residual = joint_residual(system.joints, w.saddle.constraint_jacobian(), w.v,
                                                        w.scale, w.prescribed, w.constraint_residual);
      if (!std::isfinite(constraint_residual)) return end_with(SolveStatus::not_finite);
      if (report.iterations > 0 && refinement.is_done(constraint_residual)) break;
      if (report.iterations == max_refinements) return end_with(SolveStatus::iteration_limit);
      refinement.go_on_from(constraint_residual);
      w.b.tail(m) = w.constraint_residual;
    }
    w.b.head(n) = w.residual;
    const SolveStatus solved = w.contacts.solve(w.list(), w.end().contacts, w.saddle.factor(), w.active, h,
                                                state, w.v, w.b, w.dx, w, report);
    if (solved != SolveStatus::converged) return end_with(solved);
    w.v += w.dx.head(n);
    ++report.iterations;
    if (m == 0) break;
    w.multipliers -= w.dx.tail(m);
  }
  if (!std::isfinite(w.v.sum())) return end_with(SolveStatus::not_finite);

  state.q = w.q_end;
  state.v = w.v;
  finish_step(system, at, w.multipliers, h, state);
  w.contacts.store(w.list(), w.active, state);
  w.clock.mark(report.seconds.forces);
  return report;
}

}  // namespace

std::unique_ptr<Integrator> make_moreau_explicit(const MoreauExplicitOptions& options,
                                                 const SolverChoice& solver) {
  return std::make_unique<MoreauExplicit>(options, solver);
}

}  // namespace percuss
