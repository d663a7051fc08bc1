#include "percuss/integrators/moreau_jean.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "percuss/dynamics/forces.h"
#include "percuss/dynamics/saddle_point.h"
#include "percuss/integrators/one_step/contact_stage.h"
#include "percuss/integrators/one_step/finish_step.h"
#include "percuss/integrators/one_step/position_projection.h"
#include "percuss/integrators/one_step/refinement.h"
#include "percuss/integrators/one_step/step_residual.h"

namespace percuss {
namespace {

struct JeanScratch;

/// docs/theory/moreau.md (M-1) to (M-9), joints (M-11), friction (M-14), (M-15):
///   M (v_{n+1} - v_n) = h f(q_{n+theta}, v_{n+theta}, t_{n+theta}) + G_{n+theta}^T Lambda + H r
///   q_{n+1} = q_n * h v_{n+theta} [* U],   x_{n+theta} = theta x_{n+1} + (1 - theta) x_n
///   G v_{n+1} + g_t = 0              for the joints
///   K* ∋ û ⟂ r ∈ K                   for the active contacts, û = ū + mu |ū_T| N: exact Coulomb friction
///                                    with ū_N = u_N,{n+1} + e u_N,n, ū_T = u_T,{n+1} + e_T u_T,n (M-14),
///                                    which without friction is 0 <= u_{n+1} + e u_n ⟂ r >= 0
///   |r| <= h F, r = -h F sign(u)     for dry joints where they move (M-15)
/// with G and H at q_{n+1}, but for the reactions of joints: they act along G at q_{n+theta}, where the
/// forces act too, which makes the scheme of second order with joints for theta = 1/2 (M-11). In a step with
/// an impact they act at its end, as the impact does.
class MoreauJean final : public Integrator {
 public:
  MoreauJean(const MoreauJeanOptions& options, const SolverChoice& solver)
      : options_(options), solver_(solver) {}

  std::unique_ptr<Workspace> make_workspace(const Assembly& assembly) const override;
  StepReport advance(const StepContext& context, State& state, Workspace& work) const override;

 private:
  SolveStatus sweep(const Assembly& assembly, double h, const State& state, JeanScratch& w,
                    StepReport& report) const;
  SolveStatus solve_velocities(const Assembly& assembly, double h, const State& state, JeanScratch& w,
                               StepReport& report) const;
  SolveStatus project_positions(const Assembly& assembly, double h, const State& state, JeanScratch& w,
                                StepReport& report, bool& settled) const;

  MoreauJeanOptions options_;
  SolverChoice solver_;
};

struct JeanScratch final : Workspace {
  JeanScratch(const Assembly& assembly, const SolverChoice& solver)
      : saddle(assembly.system),
        contacts(assembly, saddle.factor(), solver),
        kinematics(make_kinematics(assembly.system)),
        projection(assembly, solver) {
    const int n = assembly.system.dof_count(), m = assembly.system.constraint_count();
    for (VectorX* x : {&v, &v_theta, &U, &last_U, &increment, &force, &momentum, &residual, &scale})
      x->setZero(n);
    for (VectorX* x : {&multipliers, &prescribed, &constraint_residual}) x->setZero(m);
    for (VectorX* x : {&b, &z, &dx}) x->setZero(n + m);
    q_theta = q_end = assembly.system.initial.q;
    force_jacobian.resize(assembly.system.joints.dof.size());
    active.reserve(assembly.interactions.declared);
  }

  SaddlePoint saddle;  ///< [M + h theta C + h^2 theta^2 K, G^T; G, -eps]
  double factorised_step = std::numeric_limits<double>::quiet_NaN();
  ActiveContacts active;
  ContactStage contacts;
  Kinematics kinematics;  ///< at theta
  PositionProjection projection;
  VectorX U, last_U;  ///< displacement by the projection, of this sweep and of the one before
  VectorX v, v_theta, increment, q_theta, q_end, force, momentum, residual, scale;
  VectorX multipliers, prescribed, constraint_residual;
  std::vector<double> force_jacobian;  ///< G at theta, along which the reactions of joints act
  VectorX b, z, dx;
  bool is_projected = false;
  bool is_first = true;               ///< v = v_n still
  bool is_fallback = false;           ///< joints are kept after a few iterations, near dead centres
  bool reactions_act_at_end = false;  ///< along G of the end: in steps with impacts, and near dead centres
  double joint_error = 0;             ///< of the joints at velocity level, relative
  double activation_tolerance = 0;
  double spring_rounding = 0;  ///< of the spring forces [N]

  /// Rounding of M (v - v_n), below which no residual can fall [N s]; the diagonal of the iteration matrix
  /// stands for that of M.
  double momentum_rounding(const System& system, const State& state) {
    const double* A = saddle.matrix().valuePtr();
    double largest = 0;
    for (int i = 0; i < system.dof_count(); ++i)
      largest = std::max(largest, A[system.mass_entry[i]] * std::max(std::abs(v[i]), std::abs(state.v[i])));
    return 4 * std::numeric_limits<double>::epsilon() * largest;
  }
};

std::unique_ptr<Workspace> MoreauJean::make_workspace(const Assembly& assembly) const {
  auto work = std::make_unique<JeanScratch>(assembly, solver_);
  const System& system = assembly.system;
  work->activation_tolerance = activation_tolerance(system, options_.activation_tolerance);
  double stiffness = system.element_stiffness;
  for (const auto& spring : system.distance_springs) stiffness = std::max(stiffness, spring.stiffness);
  work->spring_rounding = 16 * std::numeric_limits<double>::epsilon() * stiffness * system.size;
  return work;
}

/// b = h f - M (v - v_n) at the present v, with everything that depends on it.
void evaluate_motion(const Assembly& assembly, const State& state, double h, double theta, bool is_first,
                     JeanScratch& w) {
  const System& system = assembly.system;
  const double t_theta = state.time + theta * h;
  w.v_theta = theta * w.v + (1 - theta) * state.v;
  w.increment = theta * h * w.v_theta;
  w.q_theta = state.q;
  retract(system, w.increment, w.q_theta);
  if (system.needs_poses()) update(system, w.q_theta, w.v_theta, t_theta, w.kinematics);
  evaluate_force(system, w.q_theta, w.v_theta, t_theta, w.kinematics, w.force);
  if (is_first) {  // v = v_n still
    w.momentum.setZero();
  } else {
    w.increment = w.v - state.v;
    multiply_mass(system, w.q_theta, w.increment, w.kinematics, w.momentum);
  }
  w.b.head(system.dof_count()) = h * w.force - w.momentum;
  if (system.constraint_count() > 0 && !w.reactions_act_at_end)
    constraint_jacobian(system, w.kinematics, w.force_jacobian);
}

/// The reactions of joints go on as they are. Those of least norm are found from zero only (J-8).
void guess_multipliers(const Assembly& assembly, double h, const State& state, VectorX& multipliers) {
  multipliers.setZero();
  if (state.last_step > 0 && assembly.start.dependent_rows.empty())
    for (Eigen::Index i = 0; i < multipliers.size(); ++i)
      multipliers[i] = h / state.last_step * state.joint_impulse[static_cast<size_t>(i)];
}

/// Whether a contact of the step is not closed yet, so that its velocity jumps.
bool has_impact(const ContactList& contacts, const ActiveContacts& active, const VectorX& v) {
  constexpr double at_rest = 1e-9;  // of the largest velocity
  const double slowest = active.index.empty() ? 0.0 : at_rest * v.lpNorm<Eigen::Infinity>();
  for (size_t k = 0; k < active.index.size(); ++k)
    if (contacts[active.index[k]].has_gap() && *active.before(k) < -slowest) return true;
  return false;
}

/// A point that slides over an edge of a faceted surface, or a pin near the middle of its hole, can have one
/// normal before an iteration and another one after it, for ever. After so many iterations the contacts keep
/// the frames they have.
constexpr int iterations_with_new_frames = 6;
constexpr int iterations_with_smooth_frames = 15;
/// Near a dead centre, where G_{n+theta} and G_{n+1} differ by more than the joints have to spare, the
/// iteration with both diverges. After so many the step begins anew with G_{n+1} alone.
constexpr int iterations_with_midpoint = 12;
/// There G_{n+1} is kept after a few iterations: what it lacks then is far below the error of the step.
constexpr int iterations_with_new_joints = 4;

/// Joints and contact normals at the end of the step.
void evaluate_end(const Assembly& assembly, const State& state, double h, bool with_joints,
                  bool with_contacts, JeanScratch& w) {
  const System& system = assembly.system;
  if (system.constraint_count() == 0 && assembly.interactions.is_constant) return;
  w.increment = h * w.v_theta;
  w.q_end = state.q;
  retract(system, w.increment, w.q_end);
  if (w.is_projected) retract(system, w.U, w.q_end);
  update(system, w.q_end, w.v, state.time + h, w.end().kinematics);
  if (system.constraint_count() > 0) {
    if (with_joints) {
      constraint_jacobian(system, w.end().kinematics, w.saddle.constraint_jacobian());
      constraint_rates(system, w.end().kinematics, state.time + h, w.prescribed);
    }
    w.residual.setZero();
    add_transposed(system.joints, w.reactions_act_at_end ? w.saddle.constraint_jacobian() : w.force_jacobian,
                   w.multipliers, w.residual);
    w.b.head(system.dof_count()) += w.residual;
  }
  if (with_contacts && !w.active.index.empty()) w.end().find_contacts(assembly, w.list(), w.q_end);
}

/// How well the equations hold, relative to the terms in them (M-12).
struct StepError {
  double motion = 0;      ///< equations of motion, over newton_tolerance and rounding: 1 is good enough
  double velocities = 0;  ///< joints and contacts at velocity level, relative
};
StepError step_error(const Assembly& assembly, const State& state, double h, double tolerance,
                     JeanScratch& w) {
  const System& system = assembly.system;
  const double scale = h * w.force.lpNorm<Eigen::Infinity>() + w.momentum.lpNorm<Eigen::Infinity>();
  w.residual = w.b.head(system.dof_count());
  const bool touching = !w.active.index.empty();
  if (touching)
    add_reactions(w.list(), w.end().contacts, w.active, ContactLevel::velocity, w.contacts.solution().r,
                  w.residual);
  const double rounding = h * w.spring_rounding + w.momentum_rounding(system, state);
  StepError error;
  const double residual = w.residual.lpNorm<Eigen::Infinity>(), allowed = tolerance * scale + rounding;
  error.motion = residual == 0 ? 0.0 : residual / allowed;  // nothing moves and nothing pulls: 0/0
  error.velocities = w.joint_error;
  if (touching)
    error.velocities =
        std::max(error.velocities, contact_residual(w.list(), w.end().contacts, w.active, w.contacts, w.v));
  return error;
}

/// Newton in v_{n+1}; exact after one iteration where everything is linear. The change of G and H with v is
/// left out of the matrix: they are refreshed instead, which costs a power of h per iteration.
SolveStatus MoreauJean::solve_velocities(const Assembly& assembly, double h, const State& state,
                                         JeanScratch& w, StepReport& report) const {
  const System& system = assembly.system;
  const int n = system.dof_count(), m = system.constraint_count();
  const double theta = options_.theta;
  const bool constant_matrix = system.has_constant_matrices() && m == 0;
  const bool linear = assembly.is_linear();
  const int most = m == 0 || w.reactions_act_at_end
                       ? options_.newton_iterations
                       : std::min(options_.newton_iterations, iterations_with_midpoint);
  const int with_new_frames =
      assembly.interactions.surfaces.empty() ? iterations_with_smooth_frames : iterations_with_new_frames;
  Refinement refinement;
  StepError last_error;
  for (int iterations = 0;; ++iterations) {
    evaluate_motion(assembly, state, h, theta, w.is_first, w);
    evaluate_end(assembly, state, h, !w.is_fallback || iterations < iterations_with_new_joints,
                 iterations < with_new_frames, w);
    if (iterations == iterations_with_smooth_frames && !w.active.index.empty()) ++report.fallbacks;
    if (m > 0) {
      w.increment = h * w.force;
      // evaluate_end() has left G^T Lambda in `residual`.
      velocity_scale(system, w.saddle.matrix(), {h, state.v, w.v, w.residual, &w.increment}, w.scale);
      w.joint_error = joint_residual(system.joints, w.saddle.constraint_jacobian(), w.v, w.scale,
                                     w.prescribed, w.constraint_residual);
    }
    if (!linear && iterations > 0) {
      const StepError error = last_error = step_error(assembly, state, h, options_.newton_tolerance, w);
      if (!std::isfinite(error.motion + error.velocities)) return SolveStatus::not_finite;
      if (error.motion <= 1 && refinement.is_done(error.velocities)) return SolveStatus::converged;
      refinement.go_on_from(error.velocities);
      if (error.motion > 1) refinement.forget();  // v changes for the sake of the motion
      if (iterations == most) return SolveStatus::iteration_limit;
    }
    if (!constant_matrix || w.factorised_step != h) {
      assemble_iteration_matrix(system, w.q_theta, w.v_theta, state.time + theta * h, h * theta,
                                h * h * theta * theta, w.kinematics, w.saddle.matrix());
      w.factorised_step = std::numeric_limits<double>::quiet_NaN();
      if (!w.saddle.factorise()) return SolveStatus::singular;
      w.factorised_step = h;
      ++report.factorisations;
    }
    if (m > 0) w.b.tail(m) = w.constraint_residual;
    report.forget_contact_problems();
    const bool keeps_reactions = iterations > 0 && last_error.velocities < settled_frames;
    const SolveStatus solved = keeps_reactions
                                   ? w.contacts.solve_keeping(w.list(), w.end().contacts, w.saddle.factor(),
                                                              w.active, h, w.v, w.b, w.dx, w, report)
                                   : w.contacts.solve(w.list(), w.end().contacts, w.saddle.factor(), w.active,
                                                      h, state, w.v, w.b, w.dx, w, report);
    if (solved != SolveStatus::converged) return solved;
    w.v += w.dx.head(n);
    w.is_first = false;
    if (m > 0) {
      w.constraint_residual = -w.dx.tail(m);
      if (!w.reactions_act_at_end)  // G at theta feels it
        w.saddle.drop_null_space(w.constraint_residual, w.b, w.z, w.dx);
      w.multipliers += w.constraint_residual;
    }
    ++report.iterations;
    if (linear) return SolveStatus::converged;
  }
}

/// U for the present velocities; settled if it moves nothing that the velocities were found with. A contact
/// that would overlap becomes active.
SolveStatus MoreauJean::project_positions(const Assembly& assembly, double h, const State& state,
                                          JeanScratch& w, StepReport& report, bool& settled) const {
  const System& system = assembly.system;
  w.increment = h * (options_.theta * w.v + (1 - options_.theta) * state.v);
  w.q_theta = state.q;
  retract(system, w.increment, w.q_theta);
  w.last_U = w.U;
  const SolveStatus status =
      w.projection.project(assembly, state, h, w.q_theta, w.v, w.active, w.U, w, report);
  w.last_U -= w.U;
  // A correction of the size of rounding is found anew in every sweep.
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
  settled = relative_change(system, w.last_U) <= 1e-8 * relative_change(system, w.U) + rounding;
  for (int c = 0; c < w.list().count(); ++c) {
    if (!w.list()[c].has_gap() ||
        w.list()[c].gap_length * w.projection.gaps()[c] >= -w.activation_tolerance ||
        std::ranges::find(w.active.index, c) != w.active.index.end())
      continue;
    w.active.add(w.list(), w.start().contacts, state.v, c);
    settled = false;
  }
  return status;
}

/// Velocities and, if they are projected, positions of a step from its start on.
SolveStatus MoreauJean::sweep(const Assembly& assembly, double h, const State& state, JeanScratch& w,
                              StepReport& report) const {
  w.v = state.v;
  w.is_first = true;
  guess_multipliers(assembly, h, state, w.multipliers);
  w.U.setZero();
  for (int sweep = 0; sweep <= options_.newton_iterations; ++sweep) {
    if (const SolveStatus status = solve_velocities(assembly, h, state, w, report);
        status != SolveStatus::converged)
      return status;
    if (!w.is_projected) return SolveStatus::converged;
    bool settled = true;
    if (const SolveStatus status = project_positions(assembly, h, state, w, report, settled);
        status != SolveStatus::converged)
      return status;
    if (settled) return SolveStatus::converged;
  }
  return SolveStatus::iteration_limit;
}

StepReport MoreauJean::advance(const StepContext& context, State& state, Workspace& workspace) const {
  auto& w = static_cast<JeanScratch&>(workspace);
  const Assembly& assembly = context.assembly;
  const double h = context.h;
  const System& system = assembly.system;
  StepReport report;
  const auto end_with = [&](SolveStatus status) {
    report.status = status;
    return report;
  };
  w.clock.start(w.measure_time);
  w.kinematics.angles = w.end().kinematics.angles = state.angles;
  activate(w.list(), w.start().contacts, state.v, h, options_.activation, w.activation_tolerance, w.active);
  w.clock.mark(report.seconds.contacts);

  w.is_projected = options_.stabilisation == Stabilisation::combined_projection;
  w.reactions_act_at_end = has_impact(w.list(), w.active, state.v);
  w.is_fallback = false;
  SolveStatus status = sweep(assembly, h, state, w, report);
  if (status != SolveStatus::converged && system.constraint_count() > 0) {
    w.reactions_act_at_end = w.is_fallback = true;
    ++report.fallbacks;
    status = sweep(assembly, h, state, w, report);
  }
  if (status != SolveStatus::converged) return end_with(status);
  if (!std::isfinite(w.v.sum())) return end_with(SolveStatus::not_finite);
  report.active_contacts = static_cast<int>(w.active.index.size());

  w.v_theta = options_.theta * w.v + (1 - options_.theta) * state.v;
  w.increment = h * w.v_theta;
  retract(system, w.increment, state.q);
  if (w.is_projected) {
    retract(system, w.U, state.q);
    report.by_level[2] = report.iterations;
    report.iterations += report.by_level[1];
  }
  state.v = w.v;
  finish_step(system, w.end().kinematics, w.multipliers, h, state);
  w.contacts.store(w.list(), w.active, state);
  w.clock.mark(report.seconds.forces);
  return report;
}

}  // namespace

std::unique_ptr<Integrator> make_moreau_jean(const MoreauJeanOptions& options, const SolverChoice& solver) {
  return std::make_unique<MoreauJean>(options, solver);
}

}  // namespace percuss
