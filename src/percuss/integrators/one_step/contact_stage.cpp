#include "percuss/integrators/one_step/contact_stage.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "percuss/integrators/one_step/guess.h"
#include "percuss/integrators/one_step/step_residual.h"
#include "percuss/math/dense.h"
#include "percuss/nonsmooth/residual.h"

namespace percuss {
namespace {

/// Entries of W reserved before the first step; a model that needs more grows once, when its contacts close.
constexpr long max_reserved_entries = 1'000'000;
constexpr int max_reserved_equations = 200;
constexpr double dependent_pivot = 1e-12;  ///< of W, below which a row depends on others
constexpr double stick_tolerance = 1e-9;   ///< part of the velocities in a contact that is no sliding
constexpr double rest_tolerance = 1e-9;    ///< part of the largest velocity that is no impact
constexpr double gap_roundings = 4;        ///< coordinates that meet in a gap (M-9)
constexpr double impact_factor = 2;        ///< steps of smooth motion that a jump must exceed (M-9)
constexpr double jam_factor = 10;          ///< how much more than smooth forces a jamming contact does (M-9a)

}  // namespace

ContactStage::ContactStage(const Assembly& assembly, const SparseLdlt& factor, const SolverChoice& solver,
                           ContactLevel level)
    : level_(level),
      tolerance_(solver.tolerance),
      acceptable_(solver.acceptable),
      gravity_(assembly.system.gravity.norm()),
      finest_(activation_tolerance(assembly.system, {})),
      solver_(make_solver(solver, assembly.system.workers)),
      delassus_(assembly, factor, level) {
  int rows = 0;
  for (const Contact& contact : assembly.interactions.declared.contacts) rows += this->rows(contact);
  first_row_.reserve(assembly.interactions.declared.count() + 1);
  u_free_.reserve(rows);
  change_.reserve(rows);
  guess_.reserve(rows);
  last_r_.reserve(rows);
  kept_.reserve(rows);
  solved_.reserve(assembly.interactions.declared.count());
  for (VectorX* x : {&z_, &forces_, &velocity_}) x->setZero(factor.size());
  solver_->reserve(rows);
  equations_.reserve(std::min(rows, max_reserved_equations));
  const int contacts = assembly.interactions.declared.count();
  const auto at_most = [](long count) { return static_cast<int>(std::min(count, max_reserved_entries)); };
  problem_.W.reserve(contacts, rows, at_most(static_cast<long>(contacts) * contacts),
                     at_most(static_cast<long>(rows) * rows));
  problem_.u_free.reserve(rows);
  problem_.cones.reserve(contacts);
  solution_.reserve(rows);
}

void ContactStage::reserve_tests() {
  delassus_.reserve_tests();
  change_.reserve(2 * change_.capacity());
}

void ContactStage::prepare(const ContactList& contacts, const ContactKinematics& at,
                           const ContactKinematics& test, const SparseLdlt& factor,
                           const ActiveContacts& active, double h, const std::vector<double>& guess,
                           const VectorX& v, Workspace& work, StepReport& report) {
  work.clock.mark(report.seconds.forces);
  if (active.index.empty()) return;
  if (modify_) delassus_.forget();  // what it keeps was amended
  delassus_.update(contacts, at, test, factor, active, problem_.W);
  if (modify_) modify_(problem_.W);
  delassus_.multiply_transposed(z_, change_);
  assemble(contacts, test, active, h, guess, v, work);
  work.clock.mark(report.seconds.contacts);
}

SolveStatus ContactStage::finish(const SparseLdlt& factor, const ActiveContacts& active, VectorX& dx,
                                 Workspace& work, StepReport& report) {
  solved_ = active.index;
  if (active.index.empty()) {
    delassus_.solve_without_contacts(factor, z_, dx);
    return SolveStatus::converged;
  }
  const SolveStatus status = solve_by_law(active, work, report);
  if (status == SolveStatus::converged) delassus_.solve(solution_.r, z_, dx);
  return status;
}

SolveStatus ContactStage::solve(const ContactList& contacts, const ContactKinematics& at,
                                const SparseLdlt& factor, const ActiveContacts& active, double h,
                                const State& last, const VectorX& v, const VectorX& b, VectorX& dx,
                                Workspace& work, StepReport& report) {
  return solve_across(contacts, at, at, factor, active, h, last.contacts.reaction, v, b, dx, work, report);
}

SolveStatus ContactStage::solve_keeping(const ContactList& contacts, const ContactKinematics& at,
                                        const SparseLdlt& factor, const ActiveContacts& active, double h,
                                        const VectorX& v, const VectorX& b, VectorX& dx, Workspace& work,
                                        StepReport& report) {
  kept_.assign(static_cast<size_t>(contacts.rows), 0.0);
  for (size_t k = 0; k < solved_.size(); ++k) {
    const Contact& contact = contacts[solved_[k]];
    std::copy_n(solution_.r.begin() + first_row_[k], rows(contact), kept_.begin() + contact.row);
  }
  delassus_.begin(factor, b, false, z_);
  prepare(contacts, at, at, factor, active, h, kept_, v, work, report);
  if (active.index.empty()) return finish(factor, active, dx, work, report);
  solution_.u = problem_.u_free;
  problem_.W.multiply_add(guess_.data(), solution_.u.data());
  solution_.residual = residual_of(problem_, guess_, solution_.u);
  if (!solution_.residual.is_within(tolerance_)) return finish(factor, active, dx, work, report);
  solution_.r = guess_;
  solved_ = active.index;
  report_residual(report);
  delassus_.solve(solution_.r, z_, dx);
  return SolveStatus::converged;
}

SolveStatus ContactStage::solve_from(const ContactList& contacts, const ContactKinematics& at,
                                     const SparseLdlt& factor, const ActiveContacts& active, double h,
                                     const State& last, const VectorX& v, const VectorX& known, VectorX& dx,
                                     Workspace& work, StepReport& report) {
  delassus_.begin_with(known);
  prepare(contacts, at, at, factor, active, h, last.contacts.reaction, v, work, report);
  return finish(factor, active, dx, work, report);
}

SolveStatus ContactStage::solve_across(const ContactList& contacts, const ContactKinematics& at,
                                       const ContactKinematics& test, const SparseLdlt& factor,
                                       const ActiveContacts& active, double h,
                                       const std::vector<double>& guess, const VectorX& v, const VectorX& b,
                                       VectorX& dx, Workspace& work, StepReport& report) {
  delassus_.begin(factor, b, &test != &at, z_);
  prepare(contacts, at, test, factor, active, h, guess, v, work, report);
  return finish(factor, active, dx, work, report);
}

SolveStatus ContactStage::solve_again(const ContactList& contacts, const ContactKinematics& at,
                                      const SparseLdlt& factor, const ActiveContacts& active,
                                      const VectorX& v, const VectorX& b, VectorX& dx, Workspace& work,
                                      StepReport& report) {
  forces_ = b;
  add_reactions(contacts, at, active, level_, solution_.r, forces_);
  delassus_.solve(factor, forces_, dx);
  return settle(contacts, at, active, v, dx, work, report);
}

SolveStatus ContactStage::solve_again_from(const ContactList& contacts, const ContactKinematics& at,
                                           const ActiveContacts& active, const VectorX& v,
                                           const VectorX& known, const VectorX& b, VectorX& dx,
                                           Workspace& work, StepReport& report) {
  forces_ = b;
  add_reactions(contacts, at, active, level_, solution_.r, forces_);
  dx = known;
  delassus_.add_response(forces_, dx);
  return settle(contacts, at, active, v, dx, work, report);
}

SolveStatus ContactStage::settle(const ContactList& contacts, const ContactKinematics& at,
                                 const ActiveContacts& active, const VectorX& v, VectorX& dx, Workspace& work,
                                 StepReport& report) {
  assert(!modify_);  // W alone would not tell what reactions do
  work.clock.mark(report.seconds.forces);
  last_r_ = solution_.r;
  velocity_ = v + dx.head(v.size());
  shift_problem(contacts, at, active, velocity_);
  work.clock.mark(report.seconds.contacts);
  solution_.residual = residual_of(problem_, last_r_, solution_.u);
  if (solution_.residual.is_within(tolerance_)) {
    report_residual(report);
    return SolveStatus::converged;
  }
  guess_ = last_r_;
  const SolveStatus status = solve_by_law(active, work, report, true);
  if (status != SolveStatus::converged) return status;
  for (size_t i = 0; i < last_r_.size(); ++i) last_r_[i] = solution_.r[i] - last_r_[i];
  forces_.setZero();
  add_reactions(contacts, at, active, level_, last_r_, forces_);
  delassus_.add_response(forces_, dx);
  return status;
}

void ContactStage::report_residual(StepReport& report) const {
  const Residual& residual = solution_.residual;
  report.residual = std::max(report.residual, residual.relative);
  if (problem_.cones.empty() || !std::isfinite(residual.absolute)) return;
  const double each = residual.absolute / std::sqrt(static_cast<double>(problem_.cones.size()));
  report.displacement = std::max(report.displacement, each * unit_length());
  if (gravity_ > 0 && h_ > 0)
    report.force_error = std::max(report.force_error, each * unit_length() / (gravity_ * h_ * h_));
}

/// A residual that the step cannot tell from none (N-6d) is as good as the tolerance; one above is reported,
/// with the contact that misses its law most.
SolveStatus ContactStage::solve_by_law(const ActiveContacts& active, Workspace& work, StepReport& report,
                                       bool again) {
  sharpen_guess(problem_, guess_);
  if (again)
    solver_->solve_again(problem_, guess_, solution_);
  else
    solver_->solve(problem_, guess_, solution_);
  const bool is_worst = solution_.residual.relative > report.residual;
  report_residual(report);
  work.clock.mark(report.seconds.solver);
  work.tell(problem_, solution_);
  const bool is_short =
      solution_.status == SolveStatus::iteration_limit || solution_.status == SolveStatus::stalled;
  if (is_short && solution_.residual.relative <= acceptable_) {
    solution_.status = SolveStatus::converged;
    if (solution_.residual.absolute > problem_.resolution) {
      report.accepted = 1;
      if (is_worst || report.worst_contact < 0)
        report.worst_contact =
            active.index[static_cast<size_t>(worst_cone(problem_, solution_.r, solution_.u))];
    }
  }
  // The limit of iterations that users set is that of the scheme.
  return solution_.status == SolveStatus::iteration_limit ? SolveStatus::stalled : solution_.status;
}

int ContactStage::row_count(const ContactList& contacts, const ActiveContacts& active) const {
  int count = 0;
  for (const int c : active.index) count += rows(contacts[c]);
  return count;
}

SolveStatus ContactStage::solve_dense(const ContactList& contacts, const ActiveContacts& active, double h,
                                      const State& last, const MatrixX& W, const VectorX& u_free,
                                      Workspace& work, StepReport& report) {
  delassus_.forget();
  begin_problem(h, work.whole_step(), active.index.size());
  for (size_t k = 0; k < active.index.size(); ++k) {
    const int c = active.index[k];
    const Contact& contact = contacts[c];
    begin_contact(contact, h, work.sliding_speed(c));
    for (int row = 0; row < rows(contact); ++row) {
      const int i = first_row_.back() + row;
      const double before = level_ == ContactLevel::position ? 0.0 : active.before(k)[row];
      add_free_velocity(contact, row, u_free[i], before, last.contacts.reaction[contact.row + row]);
    }
    first_row_.push_back(first_row_.back() + rows(contact));
  }
  problem_.W.clear();
  problem_.W.add_cones(problem_.cones);
  problem_.W.append_all([&](int i, int j) { return W(i, j); });
  return solve_by_law(active, work, report);
}

SolveStatus ContactStage::solve_equations(const ContactList& contacts, const ContactKinematics& at,
                                          const SparseLdlt& factor, const ActiveContacts& active, double h,
                                          const State& last, const VectorX& v, const VectorX& b, VectorX& dx,
                                          Workspace& work, StepReport& report) {
  delassus_.begin(factor, b, false, z_);
  prepare(contacts, at, at, factor, active, h, last.contacts.reaction, v, work, report);
  if (active.index.empty()) {
    delassus_.solve_without_contacts(factor, z_, dx);
    return SolveStatus::converged;
  }
  const SolveStatus status = solve_rows_as_equations();
  work.clock.mark(report.seconds.solver);
  if (status == SolveStatus::converged) delassus_.solve(solution_.r, z_, dx);
  return status;
}

/// W r = -u_free, with the least r where the rows depend on each other.
SolveStatus ContactStage::solve_rows_as_equations() {
  const int n = problem_.size();
  equations_.resize(n);
  for (int i = 0; i < n; ++i)
    problem_.W.for_each_in_row(i, [&](int j, double w) { equations_.entry(i, j) = w; });
  solution_.r.resize(n);
  solution_.u.assign(n, 0.0);
  solution_.method = "active set";
  if (!equations_.factorise(dependent_pivot)) return solve_indefinite_equations();
  equations_.solve(problem_.u_free.data(), solution_.r.data());
  for (double& r : solution_.r) r = -r;
  return SolveStatus::converged;
}

/// W has the signs of A^-1: where A is not positive definite, as that of a body under pressure, W need not
/// be.
SolveStatus ContactStage::solve_indefinite_equations() {
  const int n = problem_.size();
  MatrixX W = MatrixX::Zero(n, n);
  for (int i = 0; i < n; ++i) problem_.W.for_each_in_row(i, [&](int j, double w) { W(i, j) = w; });
  Eigen::Map<VectorX> r(solution_.r.data(), n);
  r = -Eigen::Map<const VectorX>(problem_.u_free.data(), n);
  return solve_with_full_pivoting(W, r) ? SolveStatus::converged : SolveStatus::singular;
}

/// A contact sticks if what is left of its sliding is rounding.
ContactStatus ContactStage::smooth_status(const Contact& contact, int first_row, const double* before) const {
  double sliding = 0, scale = 0;
  for (int row = 0; row < contact.rows; ++row) {
    const int i = first_row + row;
    scale += std::abs(u_free_[i]) + problem_.W.diagonal(i) * std::abs(solution_.r[i]);
    if (row >= contact.first_tangent() && row < contact.first_moment())
      sliding += std::abs(solution_.u[i] - shift(contact, row, before[row]));
  }
  const bool can_stick = contact.tangents() > 0;
  return can_stick && sliding <= stick_tolerance * scale ? ContactStatus::stick : ContactStatus::slip;
}

/// An impact is a step with a jump that the smooth forces cannot cause (M-9): of the normal velocity, because
/// the bodies approached, or of the sliding velocity, because the contact jammed.
bool ContactStage::is_impact(const Contact& contact, int first_row, const double* before,
                             const Speeds& speeds) const {
  const double rounding = speeds.rounding;
  const double jump = -(before[0] + shift(contact, 0, before[0]));
  if (jump > impact_factor * std::abs(u_free_[first_row] - before[0]) + rounding) return true;
  double change = 0, own = 0, W_TT = 0;
  const int tangents_end = contact.first_moment();
  for (int row = 1; row < tangents_end; ++row)
    change =
        std::hypot(change, solution_.u[first_row + row] - (before[row] + shift(contact, row, before[row])));
  if (change <= jam_factor * speeds.smooth + rounding) return false;  // whatever W is
  const double* block = problem_.W.block(problem_.W.own(problem_.W.cone_of_row(first_row)));
  for (int row = 1; row < tangents_end; ++row) {
    double effect = 0;  // of the contact's own reaction: others' impacts move it as well
    for (int j = 0; j < contact.rows; ++j)
      effect += block[row * contact.rows + j] * solution_.r[first_row + j];
    own = std::hypot(own, effect);
    W_TT = std::max(W_TT, block[row * (contact.rows + 1)]);
  }
  const double ratio = contact.law.largest_friction(1) * W_TT / problem_.W.diagonal(first_row);
  return std::min(change, own) > jam_factor * (1 + ratio) * speeds.smooth + rounding;
}

ContactStage::Speeds ContactStage::speeds(const ActiveContacts& active, const VectorX& q) const {
  Speeds speeds;
  double fastest = 0;
  for (const double u : problem_.u_free) fastest = std::max(fastest, std::abs(u));
  // At rest the fastest is itself rounding: an approach that the coordinates do not feel in a step is none.
  constexpr double unit_rounding = std::numeric_limits<double>::epsilon();
  const double unfelt =
      h_ > 0 && q.size() > 0 ? gap_roundings * unit_rounding * q.lpNorm<Eigen::Infinity>() / h_ : 0;
  speeds.rounding = rest_tolerance * fastest + unfelt;
  for (size_t k = 0; k < active.index.size(); ++k)
    for (int row = 0; row < first_row_[k + 1] - first_row_[k]; ++row)
      speeds.smooth = std::max(speeds.smooth, std::abs(u_free_[first_row_[k] + row] - active.before(k)[row]));
  return speeds;
}

ContactStatus ContactStage::status(const ContactList& contacts, const ActiveContacts& active, size_t k,
                                   const Speeds& speeds) const {
  const int first = first_row_[k];
  const Contact& contact = contacts[active.index[k]];
  const double* before = active.before(k);
  if (contact.has_gap() && !(solution_.r[first] > 0)) return ContactStatus::open;
  const bool impact = contact.has_gap() && is_impact(contact, first, before, speeds);
  return impact ? ContactStatus::impact : smooth_status(contact, first, before);
}

void ContactStage::store(const ContactList& contacts, const ActiveContacts& active, State& state) const {
  std::fill(state.contacts.reaction.begin(), state.contacts.reaction.end(), 0.0);
  std::fill(state.contacts.status.begin(), state.contacts.status.end(), ContactStatus::open);
  if (active.index.empty()) return;
  const Speeds speeds = this->speeds(active, state.q);
  for (size_t k = 0; k < active.index.size(); ++k) {
    const int c = active.index[k];
    const Contact& contact = contacts[c];
    std::copy_n(&solution_.r[first_row_[k]], contact.rows, &state.contacts.reaction[contact.row]);
    state.contacts.status[c] = status(contacts, active, k, speeds);
  }
}

}  // namespace percuss
