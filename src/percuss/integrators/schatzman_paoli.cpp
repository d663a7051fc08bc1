#include "percuss/integrators/schatzman_paoli.h"

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

constexpr int most_sp_iterations = 100;
constexpr double sp_motion_tolerance = 1e-12;

/// docs/theory/schatzman_paoli.md; [Acary 2020, eqs 39-40], in the mean velocity V of a step:
///   q_{k+1} = q_k * h V_{k+1}
///   M (V_{k+1} - V_k) = h f(q_k * theta h V_{k+1}, V_{k+1}, t_{k+theta}) + G^T Lambda + H P
///   g(q_{k+1}) = 0                                    for the joints
///   0 <= gap(q*)  ⟂  P >= 0,   q* = (q_{k+1} + e q_{k-1})/(1 + e) = q_k * h (V_{k+1} - e V_k)/(1 + e)
class SchatzmanPaoli final : public Integrator {
 public:
  SchatzmanPaoli(const SchatzmanPaoliOptions& options, const SolverChoice& solver)
      : options_(options), solver_(solver) {}

  int memory_size(const System& system) const override { return system.dof_count(); }  // V_k
  std::unique_ptr<Workspace> make_workspace(const Assembly& assembly) const override;
  StepReport advance(const StepContext& context, State& state, Workspace& work) const override;

 private:
  SchatzmanPaoliOptions options_;
  SolverChoice solver_;
};

/// How much the velocity before the step counts: e.
double part_before(const ContactLaw& law) { return law.shift(0, 1); }

struct PaoliScratch final : Workspace {
  PaoliScratch(const Assembly& assembly, const SolverChoice& solver)
      : saddle(assembly.system),
        contacts(assembly, saddle.factor(), solver, ContactLevel::position),
        middle(make_contact_kinematics(assembly.interactions, assembly.interactions.declared)),
        at(middle) {
    const System& system = assembly.system;
    const int n = system.dof_count(), m = system.constraint_count();
    for (VectorX* x : {&V, &increment, &force, &momentum, &residual}) x->setZero(n);
    for (VectorX* x : {&multipliers, &constraint_residual, &targets}) x->setZero(m);
    for (VectorX* x : {&b, &dx}) x->setZero(n + m);
    q_theta = q_star = q_end = system.initial.q;
    active.reserve(assembly.interactions.declared);
    assembly.interactions.for_each_law([&](const ContactLaw& law) {
      if (std::ranges::find(restitutions, part_before(law)) == restitutions.end())
        restitutions.push_back(part_before(law));
    });
    rounding = force_rounding(system);
  }

  SaddlePoint saddle;  ///< [M + h C + h^2 theta K, G^T; G, -eps]
  double factorised_step = std::numeric_limits<double>::quiet_NaN();
  ContactStage contacts;
  ActiveContacts active;
  ContactKinematics middle;          ///< at one of the q*
  ContactKinematics at;              ///< each contact at its q*, gap times (1 + e)/h: a velocity
  std::vector<double> restitutions;  ///< the different e
  VectorX V, increment, q_theta, q_star, q_end, force, momentum, residual;
  VectorX multipliers, constraint_residual, b, dx;
  VectorX targets;      ///< of drives that prescribe a speed
  double rounding = 0;  ///< [N]
};

std::unique_ptr<Workspace> SchatzmanPaoli::make_workspace(const Assembly& assembly) const {
  return std::make_unique<PaoliScratch>(assembly, solver_);
}

/// Every contact at the q* of its restitution; a contact that was closed in an iteration stays active.
void evaluate_between(const Assembly& assembly, double h, const State& state, PaoliScratch& w) {
  const System& system = assembly.system;
  const ContactList& contacts = w.list();
  for (const double e : w.restitutions) {
    w.increment = h / (1 + e) * (w.V - e * state.memory);
    w.q_star = state.q;
    retract(system, w.increment, w.q_star);
    if (!assembly.interactions.is_constant) update(system, w.q_star, w.V, state.time + h, w.end().kinematics);
    fit(contacts, w.at);
    evaluate_contacts(assembly, contacts, w.q_star, w.end().kinematics, w.middle);
    for (int c = 0; c < contacts.count(); ++c) {
      const Contact& contact = contacts[c];
      if (!contact.has_gap() || part_before(contact.law) != e) continue;
      w.at.gap[c] = (1 + e) / h * w.middle.gap[c];
      std::copy_n(&w.middle.dof[contact.begin], contact.count, &w.at.dof[contact.begin]);  // of its facet
      std::copy_n(&w.middle.jacobian[contact.entry], contact.count, &w.at.jacobian[contact.entry]);
      if (w.at.gap[c] > 0 || std::ranges::find(w.active.index, c) != w.active.index.end()) continue;
      *w.active.add(contact, c) = relative_velocity(contacts, w.start().contacts, c, 0, state.v);
    }
  }
}

void place_paoli_end(const System& system, double h, const State& state, PaoliScratch& w) {
  w.q_end = state.q;
  w.increment = h * w.V;
  retract(system, w.increment, w.q_end);
}

/// b = h f - M (V - V_k) + G^T Lambda, and how far the joints are from closed.
void evaluate_paoli_motion(const System& system, double h, double theta, const State& state, bool is_first,
                           PaoliScratch& w) {
  const double t_theta = state.time + theta * h;
  w.increment = theta * h * w.V;
  w.q_theta = state.q;
  retract(system, w.increment, w.q_theta);
  if (system.needs_poses()) update(system, w.q_theta, w.V, t_theta, w.end().kinematics);
  evaluate_force(system, w.q_theta, w.V, t_theta, w.end().kinematics, w.force);
  place_paoli_end(system, h, state, w);
  if (system.needs_poses()) update(system, w.q_end, w.V, state.time + h, w.end().kinematics);
  if (is_first) {  // V = V_k still
    w.momentum.setZero();
  } else {
    w.increment = w.V - state.memory;
    multiply_mass(system, w.q_end, w.increment, w.end().kinematics, w.momentum);
  }
  w.residual = h * w.force - w.momentum;
  if (system.constraint_count() == 0) return;
  constraint_jacobian(system, w.end().kinematics, w.saddle.constraint_jacobian());
  constraint_values(system, w.end().kinematics, state.time + h, w.targets, w.constraint_residual);
  w.constraint_residual /= -h;
  add_transposed(system.joints, w.saddle.constraint_jacobian(), w.multipliers, w.residual);
}

/// Joints and contacts at position level, relative to the model's size; `residual` gets H P.
double paoli_error(const Assembly& assembly, double h, PaoliScratch& w) {
  double worst = h * relative_violation(assembly.system, w.constraint_residual);
  const Solution& solution = w.contacts.solution();
  for (size_t k = 0; k < w.active.index.size(); ++k) {
    const int c = w.active.index[k];
    const double promised = k < solution.u.size() ? solution.u[k] : 0.0;
    const Contact& contact = w.list()[c];
    const double unit = contact.gap_length / assembly.system.size, e = part_before(contact.law);
    worst = std::max(worst, unit * h / (1 + e) * std::abs(w.at.gap[c] - promised));
  }
  add_reactions(w.list(), w.at, w.active, ContactLevel::position, solution.r, w.residual);
  return worst;
}

StepReport SchatzmanPaoli::advance(const StepContext& context, State& state, Workspace& workspace) const {
  auto& w = static_cast<PaoliScratch&>(workspace);
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
  if (state.step == 0) state.memory = state.v - 0.5 * h * assembly.start.acceleration;  // V_0
  w.end().kinematics.angles = state.angles;
  if (m > 0) speed_targets(system, w.start().kinematics, state.time, h, w.targets);
  w.active.clear();
  w.V = state.memory;
  w.multipliers.setZero();
  Refinement refinement;
  const bool constant_matrix = system.has_constant_matrices() && m == 0;
  const bool linear = assembly.is_linear();
  for (;;) {
    const size_t contacts_before = w.active.index.size();
    evaluate_between(assembly, h, state, w);
    if (linear && report.iterations > 0 && w.active.index.size() == contacts_before) {
      place_paoli_end(system, h, state, w);  // one solve was exact
      break;
    }
    evaluate_paoli_motion(system, h, options_.theta, state, report.iterations == 0, w);
    w.b.head(n) = w.residual;
    if (report.iterations > 0 && w.active.index.size() == contacts_before) {
      const double error = paoli_error(assembly, h, w);
      const double scale = h * w.force.norm() + w.momentum.norm();
      if (!std::isfinite(error + scale)) return end_with(SolveStatus::not_finite);
      multiply_mass(system, w.q_end, w.V, w.end().kinematics, w.momentum);
      const double rounding = h * w.rounding + 8 * std::numeric_limits<double>::epsilon() * w.momentum.norm();
      const bool moves = w.residual.norm() > sp_motion_tolerance * scale + rounding;
      if (!moves && refinement.is_done(error)) break;
      refinement.go_on_from(error);
      if (report.iterations == most_sp_iterations) return end_with(SolveStatus::iteration_limit);
    }
    if (!constant_matrix || w.factorised_step != h) {
      assemble_iteration_matrix(system, w.q_end, w.V, state.time + h, h, h * h * options_.theta,
                                w.end().kinematics, w.saddle.matrix());
      w.factorised_step = std::numeric_limits<double>::quiet_NaN();
      if (!w.saddle.factorise()) return end_with(SolveStatus::singular);
      w.factorised_step = h;
      ++report.factorisations;
    }
    if (m > 0) w.b.tail(m) = w.constraint_residual;
    const SolveStatus solved =
        w.contacts.solve(w.list(), w.at, w.saddle.factor(), w.active, h, state, w.V, w.b, w.dx, w, report);
    if (solved != SolveStatus::converged) return end_with(solved);
    w.V += w.dx.head(n);
    if (m > 0) w.multipliers -= w.dx.tail(m);
    ++report.iterations;
  }
  if (!std::isfinite(w.V.sum())) return end_with(SolveStatus::not_finite);
  report.active_contacts = static_cast<int>(w.active.index.size());
  state.q = w.q_end;
  state.v = w.V;
  state.memory = w.V;
  finish_step(system, w.end().kinematics, w.multipliers, h, state);
  w.contacts.store(w.list(), w.active, state);
  w.clock.mark(report.seconds.forces);
  return report;
}

}  // namespace

std::unique_ptr<Integrator> make_schatzman_paoli(const SchatzmanPaoliOptions& options,
                                                 const SolverChoice& solver) {
  return std::make_unique<SchatzmanPaoli>(options, solver);
}

}  // namespace percuss
