#include "percuss/integrators/floating/trapezoidal_balance.h"

#include <algorithm>

#include "percuss/dynamics/forces.h"
#include "percuss/integrators/one_step/step_residual.h"

namespace percuss {
namespace {

/// c in M >= c diag(M): 1/8 for rectangular hex8, 1/4 for quad4, 1/2 for simplices; half of it allows cells
/// whose volume is stretched unevenly by a factor of two.
constexpr double least_part_of_diagonal = 1.0 / 16;

/// Whether all of M comes from linear elements and particles, for which this holds.
bool is_near_diagonal(const System& system) {
  const auto is_linear_shape = [](const SolidSet& set) {
    const SolidShape shape = set.group.options().shape;
    return shape != SolidShape::tet10 && shape != SolidShape::hex20;
  };
  const auto is_whole = [](const FlexibleData& body) { return body.reduction == nullptr; };
  return system.has_constant_matrices() && system.mass_blocks.empty() &&
         std::ranges::all_of(system.solids, is_linear_shape) &&
         std::ranges::all_of(system.flexibles, is_whole);
}

/// Reactions of the iteration before, which b still has in it.
void take_out_reactions(const ContactList& contacts, TrapezoidalScratch& w) {
  w.b.setZero();
  if (!w.active.index.empty())
    add_reactions(contacts, w.moved, w.active, ContactLevel::velocity, w.contacts.solution().r, w.b);
  w.b = -w.b;
}

/// Where M depends on q the trapezoidal rule holds for M v' = f and not for (M v)' = f: the mean of M at both
/// ends acts on v_{n+1} - v_n, which is by (M_{n+1} - M_n)(v_n + v_{n+1})/2 more than M_n v_n - M_{n+1}
/// v_{n+1} (FF-12e).
void add_change_of_mass(const System& system, const State& state, TrapezoidalScratch& w) {
  for (size_t s = 0; s < system.user_systems.size(); ++s) {
    const UserSystemData& user = system.user_systems[s];
    const auto of = [&](VectorX& x) { return x.segment(user.first, user.size); };
    UserSystemCalls& calls = w.kinematics.user_systems[s];
    of(w.increment) = 0.5 * (of(w.v) + state.v.segment(user.first, user.size));
    of(w.b).noalias() += calls.mass(w.q) * of(w.increment);
    of(w.b).noalias() -= calls.mass(state.q) * of(w.increment);
  }
}

/// b of (FF-12).
void evaluate_whole_balance(const System& system, double h, const State& state, TrapezoidalScratch& w) {
  evaluate_force_in_frames(system, w.q, w.v, state.time + h, w.kinematics, w.full_forces, w.force);
  multiply_mass(system, w.q, w.v, w.kinematics, w.momentum);
  w.speed2 = w.v.dot(w.momentum);
  w.b = w.carried + 0.5 * h * w.force - w.momentum;
  add_change_of_mass(system, state, w);
  for (const auto& frame : w.frames) frame.add_impulse(w.force, w.b);
}

/// b of (FF-12b): the mean of linear forces is the force halfway, and where nothing but frames moves on the
/// momenta cancel.
void evaluate_balance_of_guess(const System& system, double h, const State& state, TrapezoidalScratch& w) {
  w.halfway = 0.5 * (state.q + w.q);
  w.increment = 0.5 * (state.v + w.v);
  evaluate_force_without_frames(system, w.halfway, w.increment, state.time, w.kinematics, w.force);
  w.b = h * w.force;
  for (size_t k = 0; k < w.frames.size(); ++k) {
    w.turning[k] = w.frames[k].turning();
    w.frames[k].add(w.frames[k].balance_of_guess(), w.b);
  }
}

/// b of (FF-12c) after A dv = b + H r: reactions and what has turned are all that is left in it.
void evaluate_turned_balance(const ContactList& contacts, TrapezoidalScratch& w) {
  take_out_reactions(contacts, w);
  w.speed2 = 0;
  for (size_t k = 0; k < w.frames.size(); ++k) {
    const FrameStep::Terms turning = w.frames[k].turning();
    w.frames[k].add(turning - w.turning[k], w.b);
    w.turning[k] = turning;
    w.speed2 += w.frames[k].rigid_energy2();
  }
}

/// (FF-12b) with A^-1 applied, (FF-12d).
void evaluate_motion_of_guess(const System& system, const State& state, TrapezoidalScratch& w) {
  w.halfway = 0.5 * (state.q + w.q);
  w.increment = 0.5 * (state.v + w.v);
  system.constant.find_lead(w.halfway, w.increment, w.force);
  w.known.setZero();
  w.free_motion->add_elastic(system, w.force, w.known);
  for (size_t k = 0; k < w.frames.size(); ++k) {
    w.turning[k] = w.frames[k].turning();
    w.free_motion->add_turning(k, w.frames[k], w.frames[k].balance_of_guess(), w.known);
  }
}

/// (FF-12c), what has turned with A^-1 applied; b keeps the reactions.
void evaluate_turned_motion(const ContactList& contacts, TrapezoidalScratch& w) {
  take_out_reactions(contacts, w);
  w.known.setZero();
  for (size_t k = 0; k < w.frames.size(); ++k) {
    const FrameStep::Terms turning = w.frames[k].turning();
    w.free_motion->add_turning(k, w.frames[k], turning - w.turning[k], w.known);
    w.turning[k] = turning;
  }
}

/// Whether nothing but the turning of frames and directions makes the balance of momenta nonlinear, and
/// nothing but weight and contacts moves a frame (FF-12b), if all rotational forces are reduced.
bool has_linear_balance(const System& system) {
  const bool damping_moves_frames = !system.constant.damping.empty() && system.constant.viscosity.size() == 0;
  return system.has_constant_matrices() && !system.forces_need_poses() &&
         (system.floating.empty() || !damping_moves_frames);
}

}  // namespace

TrapezoidalScratch::TrapezoidalScratch(const Assembly& assembly, const SolverChoice& solver)
    : saddle(assembly.system),
      contacts(assembly, saddle.factor(), solver),
      kinematics(make_kinematics(assembly.system)),
      moved(make_contact_kinematics(assembly.interactions, assembly.interactions.declared)),
      surfaces(assembly.system) {
  const System& system = assembly.system;
  for (VectorX* x : {&v, &increment, &force, &momentum, &carried, &b, &known, &dx})
    x->setZero(system.dof_count());
  q = halfway = system.initial.q;
  for (const auto& frame : system.floating) frames.emplace_back(frame);
  turning.resize(frames.size());
  local_rotation.assign(system.floating.size(), Vector3::Zero());
  start_rotation = local_rotation;
  active.reserve(assembly.interactions.declared);
  touching.reserve(2 * assembly.interactions.declared.contacts.size());
  reactions.reserve(assembly.interactions.declared.rows);
  mass_is_near_diagonal = is_near_diagonal(system);
}

void TrapezoidalScratch::choose_balance(const System& system, bool rotational_forces_are_reduced) {
  is_linear_between_frames = rotational_forces_are_reduced && has_linear_balance(system);
  if (is_linear_between_frames && FreeMotion::fits(system) && contacts.has_responses()) free_motion.emplace();
}

bool prepare_balance(const System& system, double h, TrapezoidalScratch& w) {
  return !w.free_motion || w.free_motion->update(system, w.frames, h);
}

void evaluate_balance(const Assembly& assembly, double h, const State& state, bool is_first,
                      TrapezoidalScratch& w) {
  if (!w.is_linear_between_frames)
    evaluate_whole_balance(assembly.system, h, state, w);
  else if (is_first)
    w.free_motion ? evaluate_motion_of_guess(assembly.system, state, w)
                  : evaluate_balance_of_guess(assembly.system, h, state, w);
  else
    w.free_motion ? evaluate_turned_motion(w.list(), w) : evaluate_turned_balance(w.list(), w);
}

SolveStatus solve_balance(double h, const State& state, bool again, TrapezoidalScratch& w,
                          StepReport& report) {
  const ContactList& contacts = w.list();
  const SparseLdlt& factor = w.saddle.factor();
  if (w.free_motion)
    return again
               ? w.contacts.solve_again_from(contacts, w.moved, w.active, w.v, w.known, w.b, w.dx, w, report)
               : w.contacts.solve_from(contacts, w.moved, factor, w.active, h, state, w.v, w.known, w.dx, w,
                                       report);
  return again ? w.contacts.solve_again(contacts, w.moved, factor, w.active, w.v, w.b, w.dx, w, report)
               : w.contacts.solve(contacts, w.moved, factor, w.active, h, state, w.v, w.b, w.dx, w, report);
}

bool is_balanced(const System& system, double tolerance, const TrapezoidalScratch& w) {
  if (!w.mass_is_near_diagonal) return false;
  const double change = (w.b.array().square() / system.mass.array()).sum() / least_part_of_diagonal;
  return change <= tolerance * tolerance * w.speed2;
}

}  // namespace percuss
