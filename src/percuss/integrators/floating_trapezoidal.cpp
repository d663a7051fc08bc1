#include "percuss/integrators/floating_trapezoidal.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "percuss/dynamics/forces.h"
#include "percuss/integrators/floating/trapezoidal_balance.h"
#include "percuss/integrators/one_step/finish_step.h"
#include "percuss/integrators/one_step/step_residual.h"

namespace percuss {
namespace {

constexpr double no_change_yet = std::numeric_limits<double>::infinity();

/// The scheme of the floating-frame paper; docs/theory/floating_frame.md (FF-10) to (FF-13):
///   M v_{n+1} = M v_n + h/2 (f_n + f_{n+1}) + H r,   q_{n+1} = q_n * h/2 (v_n + v_{n+1})
///   K* ∋ û ⟂ r ∈ K for the contacts that are closed at the start, with theta u_{n+1} + (1 - theta) u_n
/// where momenta and forces of a body in a floating frame are carried into the axes that the frame has at
/// the end of the step. The matrix of floating and of linear bodies is factorised once; what it lacks, the
/// turning of frames and contact frames, is found by repeating.
class FloatingTrapezoidal final : public Integrator {
 public:
  FloatingTrapezoidal(const FloatingTrapezoidalOptions& options, const SolverChoice& solver)
      : options_(options), solver_(solver) {}

  int memory_size(const System& system) const override {
    return keeps_local_rotation() ? 3 * static_cast<int>(system.floating.size()) : 0;
  }
  std::unique_ptr<Workspace> make_workspace(const Assembly& assembly) const override;
  double contact_horizon(const Assembly& assembly) const override {
    return activation_tolerance(assembly.system, options_.activation_tolerance);
  }
  StepReport advance(const StepContext& context, State& state, Workspace& work) const override;

 private:
  bool keeps_factor(const System& system) const {
    return system.has_constant_matrices() || options_.iteration == InnerIteration::fixed_point;
  }
  bool keeps_local_rotation() const { return options_.rotational_forces == FrameForces::none; }
  bool has_only(FrameForces forces, const System& system) const {
    return std::ranges::all_of(
        system.floating, [&](const FloatingFrame& frame) { return options_.forces_of(frame) == forces; });
  }
  static void list_touching(const ContactList& contacts, TrapezoidalScratch& w);
  void begin(const Assembly& assembly, double h, const State& state, TrapezoidalScratch& w) const;
  SolveStatus iterate(const Assembly& assembly, double h, const State& state, TrapezoidalScratch& w,
                      StepReport& report) const;
  bool factorise(const System& system, double h, const State& state, TrapezoidalScratch& w,
                 StepReport& report) const;
  static void move(const System& system, double h, const State& state, TrapezoidalScratch& w);
  SolveStatus solve(const Assembly& assembly, double h, const State& state, bool is_first,
                    TrapezoidalScratch& w, StepReport& report) const;
  static void turn_twice(double h, TrapezoidalScratch& w);
  bool has_settled(double h, TrapezoidalScratch& w) const;
  static bool is_small(double change, double size, double tolerance, double rounding, double& last);

  FloatingTrapezoidalOptions options_;
  SolverChoice solver_;
};

std::unique_ptr<Workspace> FloatingTrapezoidal::make_workspace(const Assembly& assembly) const {
  auto work = std::make_unique<TrapezoidalScratch>(assembly, solver_);
  work->activation_tolerance = contact_horizon(assembly);
  const System& system = assembly.system;
  work->force_rounding = force_rounding(system);
  work->choose_balance(system, has_only(FrameForces::reduced, system));
  work->full_forces.clear();
  for (const FloatingFrame& frame : system.floating)
    work->full_forces.push_back(options_.forces_of(frame) == FrameForces::full);
  if (system.element_stiffness > 0)
    work->place_rounding = std::numeric_limits<double>::epsilon() * system.size;
  work->contacts.set_added_shift((1 - options_.theta) / options_.theta);
  if (keeps_local_rotation()) {
    const DoubleRotation& rotation = work->double_rotation.emplace(assembly, work->frames);
    work->contacts.set_modification([&rotation](BlockMatrix& W) { rotation.modify(W); });
  }
  return work;
}

/// Contacts with surfaces stay where they were at the start of the step. Many points touch one wall.
void FloatingTrapezoidal::list_touching(const ContactList& contacts, TrapezoidalScratch& w) {
  w.touching.clear();
  int wall = -1;
  for (const int c : w.active.index) {
    const Contact& contact = contacts[static_cast<size_t>(c)];
    if (contact.has_surface()) continue;
    if (contact.b.body >= 0 && contact.b.body != wall) w.touching.push_back(wall = contact.b.body);
    for (const int body : {contact.a.body, contact.next_a, contact.next_b})
      if (body >= 0) w.touching.push_back(body);
  }
}

void FloatingTrapezoidal::begin(const Assembly& assembly, double h, const State& state,
                                TrapezoidalScratch& w) const {
  const System& system = assembly.system;
  if (system.forces_need_poses()) place_as(w.start().kinematics, w.kinematics);
  activate(w.list(), w.start().contacts, state.v, h, Activation::start_gap, w.activation_tolerance, w.active);
  list_touching(w.list(), w);
  if (!w.is_linear_between_frames) {
    evaluate_force_in_frames(system, state.q, state.v, state.time, w.kinematics, w.full_forces, w.force);
    multiply_mass(system, state.q, state.v, w.kinematics, w.momentum);
    w.carried = w.momentum + 0.5 * h * w.force;
  }
  w.v = state.v;
  for (size_t k = 0; k < w.frames.size(); ++k) {
    if (keeps_local_rotation() && state.step > 0)
      w.start_rotation[k] = state.memory.segment<3>(3 * static_cast<int>(k));
    if (state.step == 0) w.start_rotation[k].setZero();
    w.local_rotation[k] = w.start_rotation[k];
    FrameStep& frame = w.frames[k];
    frame.begin(options_.forces_of(frame.frame()), h, state, w.local_rotation[k]);
    frame.guess(w.v);
    if (w.is_linear_between_frames) {
      frame.carry_weight(system.gravity);
    } else {
      frame.carry(w.momentum, w.force);
      frame.frame().of(w.carried).setZero();
    }
  }
}

/// False if it is singular. Constant matrices are factorised once per step size, and so are those of the
/// fixed point iteration.
bool FloatingTrapezoidal::factorise(const System& system, double h, const State& state, TrapezoidalScratch& w,
                                    StepReport& report) const {
  if (keeps_factor(system) && w.factorised_step == h) return true;
  const bool at_rest = options_.iteration == InnerIteration::fixed_point;
  assemble_iteration_matrix(system, at_rest ? system.initial.q : w.q, w.v, state.time + h, 0.5 * h,
                            0.25 * h * h, w.kinematics, w.saddle.matrix());
  w.factorised_step = std::numeric_limits<double>::quiet_NaN();
  if (!w.saddle.factorise()) return false;
  if (!prepare_balance(system, h, w)) return false;
  w.factorised_step = h;
  ++report.factorisations;
  return true;
}

/// Without rotational forces the moments that turn a frame turn its local velocities as well (FF-11).
void FloatingTrapezoidal::turn_twice(double h, TrapezoidalScratch& w) {
  for (size_t k = 0; k < w.frames.size(); ++k) {
    const FrameStep& frame = w.frames[k];
    w.local_rotation[k] =
        w.start_rotation[k] + frame.start_rotation() + 0.5 * h * frame.local_rotation_of(w.force);
    if (w.active.index.empty()) continue;
    const Vector3 by_contacts = w.double_rotation->local_rotation_of(w.contacts.solution().r, k);
    frame.add_local_rotation(by_contacts, w.dx);
    w.local_rotation[k] += by_contacts;
  }
}

/// Whether a change is within the tolerance, or has stopped shrinking where only rounding is left of it.
bool FloatingTrapezoidal::is_small(double change, double size, double tolerance, double rounding,
                                   double& last) {
  constexpr double tiny = 1e-12;  // below it the change itself counts
  constexpr double nearly_rounding = 1e-6;
  const double relative = change / (size < tiny ? 1.0 : size);
  const bool stagnates = relative < nearly_rounding && relative > 0.5 * last;
  last = relative;
  return relative <= tolerance || change <= rounding || stagnates;
}

/// Whether the last iteration has changed velocities and reactions by no more than the tolerances.
bool FloatingTrapezoidal::has_settled(double h, TrapezoidalScratch& w) const {
  // Of places that stand in q themselves: stiff forces know velocities no better than that.
  const double n = static_cast<double>(w.v.size());
  const double of_velocities = w.place_rounding / h * std::sqrt(n);
  const bool moves_on =
      !is_small(w.dx.norm(), w.v.norm(), options_.inner_tolerance, of_velocities, w.last_change[0]);
  if (w.active.index.empty()) return !moves_on;
  const auto& r = w.contacts.solution().r;
  w.reactions.resize(r.size(), 0.0);
  double change = 0, size = 0;
  for (size_t i = 0; i < r.size(); ++i) {
    change += (r[i] - w.reactions[i]) * (r[i] - w.reactions[i]);
    size += r[i] * r[i];
  }
  w.reactions = r;
  const double of_reactions = h * w.force_rounding * std::sqrt(static_cast<double>(r.size()));
  return is_small(std::sqrt(change), std::sqrt(size), options_.outer_tolerance, of_reactions,
                  w.last_change[1]) &&
         !moves_on;
}

/// q at the end of the step for the velocities there.
void FloatingTrapezoidal::move(const System& system, double h, const State& state, TrapezoidalScratch& w) {
  w.increment = 0.5 * h * (state.v + w.v);
  w.q = state.q;
  retract_outside_frames(system, w.increment, w.q);
  for (size_t k = 0; k < w.frames.size(); ++k) w.frames[k].advance(w.v, w.local_rotation[k], w.q);
}

/// The change of velocities and the reactions for the balance as it is.
SolveStatus FloatingTrapezoidal::solve(const Assembly& assembly, double h, const State& state, bool is_first,
                                       TrapezoidalScratch& w, StepReport& report) const {
  // Afterwards only frames and directions turn a little; without rotational forces they turn twice.
  const bool again =
      !is_first && keeps_factor(assembly.system) && !keeps_local_rotation() && !w.active.index.empty();
  return solve_balance(h, state, again, w, report);
}

SolveStatus FloatingTrapezoidal::iterate(const Assembly& assembly, double h, const State& state,
                                         TrapezoidalScratch& w, StepReport& report) const {
  const System& system = assembly.system;
  w.reactions.clear();
  w.last_change = {no_change_yet, no_change_yet};
  for (int i = 0; i < options_.max_iterations; ++i) {
    move(system, h, state, w);
    if (system.forces_need_poses())
      update(system, w.q, w.v, state.time + h, w.kinematics);
    else
      update_some(system, w.touching, w.q, w.v, state.time + h, w.kinematics);
    if (!factorise(system, h, state, w, report)) return SolveStatus::singular;
    evaluate_balance(assembly, h, state, i == 0, w);
    if (i > 0 && w.active.index.empty() && is_balanced(system, options_.inner_tolerance, w)) {
      ++report.iterations;
      return SolveStatus::converged;
    }
    if (!w.active.index.empty()) {
      evaluate_contacts_without_surfaces(assembly, w.list(), w.active.index, w.q, w.kinematics, w.moved);
      w.surfaces.carry(w.list(), w.active.index, w.frames, w.start().contacts, w.moved);
      if (keeps_local_rotation()) w.double_rotation->update(w.list(), w.moved, w.active);
    }
    const SolveStatus solved = solve(assembly, h, state, i == 0, w, report);
    if (solved != SolveStatus::converged) return solved;
    if (keeps_local_rotation()) turn_twice(h, w);
    w.v += w.dx;
    ++report.iterations;
    if (!std::isfinite(w.v.sum())) return SolveStatus::not_finite;
    if (has_settled(h, w)) return SolveStatus::converged;
  }
  return SolveStatus::iteration_limit;
}

StepReport FloatingTrapezoidal::advance(const StepContext& context, State& state,
                                        Workspace& workspace) const {
  auto& w = static_cast<TrapezoidalScratch&>(workspace);
  const Assembly& assembly = context.assembly;
  const double h = context.h;
  const System& system = assembly.system;
  StepReport report;
  w.clock.start(w.measure_time);
  w.kinematics.angles = state.angles;
  begin(assembly, h, state, w);
  w.clock.mark(report.seconds.contacts);
  report.status = iterate(assembly, h, state, w, report);
  if (report.status != SolveStatus::converged) return report;
  report.active_contacts = static_cast<int>(w.active.index.size());
  move(system, h, state, w);
  if (keeps_local_rotation())
    for (size_t k = 0; k < w.frames.size(); ++k)
      state.memory.segment<3>(3 * static_cast<int>(k)) = w.local_rotation[k];
  state.q = w.q;
  state.v = w.v;
  finish_step(system, w.kinematics, VectorX(), h, state);
  w.contacts.store(w.list(), w.active, state);
  w.clock.mark(report.seconds.forces);
  return report;
}

}  // namespace

FrameForces FloatingTrapezoidalOptions::forces_of(const FloatingFrame& frame) const {
  if (rotational_forces == FrameForces::none) return FrameForces::none;
  if (frame.nodal < frame.size) return FrameForces::reduced;  // modes have no nodes to turn one by one
  if (rotational_forces) return *rotational_forces;
  return frame.asked_forces == RotationalForces::full ? FrameForces::full : FrameForces::reduced;
}

void FloatingTrapezoidalOptions::complain_about(const System& system,
                                                std::vector<Complaint>& complaints) const {
  if (!rotational_forces || rotational_forces == FrameForces::none) return;
  const bool is_full = rotational_forces == FrameForces::full;
  for (const FloatingFrame& frame : system.floating)
    if (frame.asked_forces && (*frame.asked_forces == RotationalForces::full) != is_full)
      complaints.push_back(
          {"integrator.rotational_forces",
           fmt::format("'{}' asks for `rotational_forces: {}`; leave the one of the "
                       "integrator out, and the scheme does what each body says",
                       system.bodies[static_cast<size_t>(frame.body)].name, is_full ? "reduced" : "full")});
}

std::unique_ptr<Integrator> make_floating_trapezoidal(const FloatingTrapezoidalOptions& options,
                                                      const SolverChoice& solver) {
  return std::make_unique<FloatingTrapezoidal>(options, solver);
}

}  // namespace percuss
