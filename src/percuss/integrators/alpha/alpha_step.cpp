#include "percuss/integrators/alpha/alpha_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "percuss/dynamics/forces.h"
#include "percuss/integrators/one_step/step_residual.h"

namespace percuss {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// Change of the displacement by friction, against itself, that is not worth another sweep.
constexpr double friction_tolerance = 1e-8;
/// Of a step to the one before, for which the change of the acceleration is continued (G-13).
constexpr double longest_ratio = 4;
constexpr int sweep_memory = 10;  ///< of the coupled scheme

/// Mean of the diagonal of M over the coordinates that do not turn; over all if all of them do.
double mean_mass(const System& system, AlphaScratch& w) {
  SparseMatrix& M = w.smooth.saddle.matrix();
  const State& start = system.initial;
  update(system, start.q, start.v, start.time, w.at_smooth);
  assemble_iteration_matrix(system, start.q, start.v, start.time, 0, 0, w.at_smooth, M);
  double sum = 0, sum_of_all = 0;
  int count = 0;
  for (int i = 0; i < system.dof_count(); ++i) {
    const double mass = M.valuePtr()[system.mass_entry[i]];
    sum_of_all += mass;
    if (system.is_rotation[i]) continue;
    sum += mass;
    ++count;
  }
  if (sum > 0) return sum / count;
  return sum_of_all > 0 ? sum_of_all / system.dof_count() : 1.0;
}

}  // namespace

bool ActiveSetMemory::returns_to(const std::vector<int>& contacts) {
  std::uint64_t hash = 1469598103934665603ULL;  // FNV-1a
  for (const int c : contacts) hash = (hash ^ static_cast<std::uint64_t>(c)) * 1099511628211ULL;
  const bool same_as_last = !seen_.empty() && seen_.back() == hash;
  const bool known = std::find(seen_.begin(), seen_.end(), hash) != seen_.end();
  if (!same_as_last) seen_.push_back(hash);
  return known && !same_as_last;
}

bool has_constant_iteration_matrix(const System& system, double c, double k) {
  if (system.constraint_count() > 0) return false;
  if (system.has_constant_matrices()) return true;
  return k == 0 && system.user_systems.empty() && (c == 0 || system.has_no_damping());
}

AlphaScratch::AlphaScratch(const Assembly& assembly, const SolverChoice& solver,
                           const GeneralizedAlphaOptions& options)
    : smooth(assembly.system),
      velocity(assembly.system),
      own_position(has_constant_iteration_matrix(assembly.system, 0,
                                                 options.splitting == Splitting::decoupled ? 1.0 : 0.0)
                       ? std::make_optional<IterationMatrix>(assembly.system)
                       : std::nullopt),
      position(own_position ? *own_position : smooth),
      gaps(assembly, position.saddle.factor(), solver, ContactLevel::position),
      impacts(assembly, velocity.saddle.factor(), solver),
      at_smooth(make_kinematics(assembly.system)) {
  const System& system = assembly.system;
  const int n = system.dof_count(), m = system.constraint_count(),
            count = assembly.interactions.declared.count();
  for (VectorX* x : {&acceleration, &pseudo_acceleration, &start_pseudo, &increment, &v_smooth, &U,
                     &velocity_jump, &v, &smooth_force, &smooth_impulse, &smooth_reaction,
                     &tangential_impulse, &new_tangential_impulse, &force, &momentum, &residual, &scale})
    x->setZero(n);
  for (VectorX* x : {&smooth_multipliers, &nu_joints, &impulses, &multipliers, &prescribed,
                     &constraint_residual, &turned_residual})
    x->setZero(m);
  for (VectorX* x : {&b, &dx, &z}) x->setZero(n + m);
  q_smooth = q = turned = system.initial.q;
  if (options.splitting == Splitting::coupled) {
    const int sweep_size = 4 * n + 3 * m;
    acceleration_of_sweeps.restart(sweep_size, sweep_memory);
    for (VectorX* x : {&sweep_start, &sweep_end, &sweep_next}) x->setZero(sweep_size);
    last_closed.reserve(static_cast<size_t>(count));
    last_hit.reserve(static_cast<size_t>(count));
  }
  closed.reserve(assembly.interactions.declared);
  hit.reserve(assembly.interactions.declared);
  pressed.reserve(count);
  touching.reserve(count);
  has_touched.reserve(count);
  nu.reserve(count);
  impulse.reserve(count);
  u_before.reserve(assembly.interactions.declared.rows);
  position_guesses.reserve(options.newton_iterations + 1);
  velocity_guesses.reserve(options.newton_iterations + 1);
  assembly.interactions.for_each_law(
      [&](const ContactLaw& law) { has_friction = has_friction || law.has_tangents(); });
  characteristic_mass = options.scaling ? options.scaling->mass : mean_mass(system, *this);
  activation_tolerance = percuss::activation_tolerance(system, options.activation_tolerance);
  force_rounding = percuss::force_rounding(system);
}

AlphaStep::AlphaStep(const Assembly& assembly, const GeneralizedAlphaOptions& options, double h,
                     const State& state, AlphaScratch& work, StepReport& report)
    : assembly_(assembly),
      system_(assembly.system),
      options_(options),
      alpha_(options.coefficients()),
      h_(h),
      t_(state.time + h),
      n_(assembly.system.dof_count()),
      m_(assembly.system.constraint_count()),
      restarts_(state.last_step > 0 && h > longest_ratio * state.last_step),
      linear_(assembly.is_linear()),
      state_(state),
      w_(work),
      report_(report) {
  w_.at_smooth.angles = w_.end().kinematics.angles = state.angles;
  const ContactList& contacts = w_.list();
  w_.u_before.resize(static_cast<size_t>(contacts.rows));
  for (int c = 0; c < contacts.count(); ++c)
    for (int row = 0; row < contacts[c].rows; ++row)
      w_.u_before[contacts[c].row + row] = relative_velocity(contacts, w_.start().contacts, c, row, state.v);
  begin_smooth();
  for (VectorX* x : {&w_.U, &w_.velocity_jump, &w_.smooth_multipliers, &w_.nu_joints, &w_.impulses})
    x->setZero();
  w_.has_touched.assign(contacts.contacts.size(), 0);
  w_.nu.assign(contacts.contacts.size(), 0.0);
  w_.impulse.assign(contacts.contacts.size(), 0.0);
  w_.position_guesses.clear();
  w_.velocity_guesses.clear();
  for (ActiveContacts* set : {&w_.closed, &w_.hit}) set->clear();
  w_.tangential_impulse.setZero();
  if (w_.has_friction)
    for (int c = 0; c < contacts.count(); ++c)
      add_tangential_impulse(w_.start().contacts, c, &state.contacts.reaction[contacts[c].row],
                             w_.tangential_impulse);
}

AlphaStep::Progress AlphaStep::fail(SolveStatus status) {
  status_ = status;
  return Progress::failed;
}

SolveStatus AlphaStep::solve(Iteration iteration) {
  for (int i = 0; i <= options_.newton_iterations; ++i) {
    const Progress progress = (this->*iteration)();
    if (progress == Progress::solved) return SolveStatus::converged;
    if (progress == Progress::failed) return status_;
  }
  return SolveStatus::iteration_limit;
}

/// Smooth motion, positions, velocities, one after the other. Only friction makes them depend on each other:
/// its impulse moves the bodies by h/2 times the jump it causes (G-11).
SolveStatus AlphaStep::decoupled() {
  SolveStatus status = solve(&AlphaStep::smooth_iteration);
  for (int sweep = 0; status == SolveStatus::converged; ++sweep) {
    if (sweep > options_.newton_iterations) return SolveStatus::iteration_limit;
    status = solve(&AlphaStep::position_iteration);
    if (status == SolveStatus::converged) status = solve(&AlphaStep::velocity_iteration);
    if (status == SolveStatus::converged && friction_has_settled()) break;
    begin_sweep();
  }
  return status;
}

/// A contact that friction has closed stays in A, or it might close and open for ever.
void AlphaStep::begin_sweep() {
  report_.forget_contact_problems();
  for (const int c : w_.touching) w_.has_touched[c] = 1;
  position_refinement_.forget();
  velocity_refinement_.forget();
  position_is_solved_once_ = velocity_is_solved_once_ = false;
  w_.position_guesses.clear();
  w_.velocity_guesses.clear();
}

bool AlphaStep::is_small(const VectorX& residual, double terms, double factor) const {
  const AlphaTolerance& tolerance = options_.tolerance;
  const double allowed = tolerance.relative * (terms + factor * tolerance.force) +
                         factor * w_.force_rounding + 16 * epsilon * terms;
  return residual.norm() <= allowed;
}

bool AlphaStep::factorise(IterationMatrix& matrix, const VectorX& q, const VectorX& v, double c, double k,
                          Kinematics& kinematics) {
  if (has_constant_iteration_matrix(system_, c, k) && matrix.c == c && matrix.k == k) return true;
  assemble_iteration_matrix(system_, q, v, t_, c, k, kinematics, matrix.saddle.matrix());
  matrix.c = matrix.k = -1;
  if (!matrix.saddle.factorise_any()) return false;
  matrix.c = c;
  matrix.k = k;
  ++report_.factorisations;
  return true;
}

/// The whole motion: q = q~ * U, v = v~ + jump.
void AlphaStep::place_end() {
  w_.q = w_.q_smooth;
  retract(system_, w_.U, w_.q);
  w_.v = w_.v_smooth + w_.velocity_jump;
}

/// push += h/2 T^T r_T of a contact.
void AlphaStep::add_tangential_impulse(const ContactKinematics& at, int c, const double* reaction,
                                       VectorX& tangential_impulse) const {
  const Contact& contact = w_.list()[c];
  const int* dof = at.dof.data() + contact.begin;
  for (int row = contact.first_tangent(); row < contact.rows; ++row) {
    const double* H = at.jacobian.data() + contact.entry + row * contact.count;
    for (int i = 0; i < contact.count; ++i) tangential_impulse[dof[i]] += 0.5 * h_ * H[i] * reaction[row];
  }
}

bool AlphaStep::friction_has_settled() {
  if (!w_.has_friction) return true;
  w_.new_tangential_impulse.setZero();
  double size = 0;  // with the normal reactions: where friction vanishes only rounding is left of it
  const double* reaction = w_.impacts.solution().r.data();
  for (const int c : w_.hit.index) {
    const Contact& contact = w_.list()[c];
    add_tangential_impulse(w_.end().contacts, c, reaction, w_.new_tangential_impulse);
    for (int row = 0; row < contact.rows; ++row, ++reaction)
      for (int i = 0; i < contact.count; ++i)
        size = std::max(
            size, std::abs(*reaction * w_.end().contacts.jacobian[contact.entry + row * contact.count + i]));
  }
  w_.tangential_impulse -= w_.new_tangential_impulse;
  const double change = w_.tangential_impulse.lpNorm<Eigen::Infinity>();
  w_.tangential_impulse = w_.new_tangential_impulse;
  return change <= friction_tolerance * 0.5 * h_ * size;
}

}  // namespace percuss
