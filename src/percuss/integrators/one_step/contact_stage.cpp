#include "percuss/integrators/one_step/contact_stage.h"

#include <algorithm>
#include <cmath>

#include "percuss/integrators/one_step/guess.h"

namespace percuss {
namespace {

/// Entries reserved before the first step; a model that needs more grows once, when its contacts close.
constexpr long max_reserved_entries = 1'000'000;
constexpr double dependent_pivot = 1e-12;  ///< of W, below which a row depends on others
constexpr double stick_tolerance = 1e-9;   ///< part of the velocities in a contact that is no sliding
constexpr double rest_tolerance = 1e-9;    ///< part of the largest velocity that is no impact

Cone cone_of(const Contact& contact, double h) {
  if (contact.kind == ContactKind::dry_joint) return {ConeKind::interval, h * contact.friction};
  if (contact.rows == 1) return {ConeKind::nonnegative};
  return {contact.rows == 2 ? ConeKind::planar_coulomb : ConeKind::coulomb, contact.friction};
}

}  // namespace

ContactStage::ContactStage(const Assembly& assembly, const SparseLdlt& factor, const SolverChoice& solver,
                           ContactLevel level)
    : level_(level),
      solver_(make_solver(solver)),
      work_(factor.make_forward_work()),
      dense_(factor.size(), 0.0) {
  const int count = assembly.contacts.count();
  long entries = 0;
  int rows = 0;
  for (const Contact& contact : assembly.contacts.contacts) {
    rows += this->rows(contact);
    for (int i = 0; i < contact.count; ++i)
      entries += this->rows(contact) * factor.path_length(assembly.contacts.dof[contact.begin + i]);
  }
  entries = std::min(entries, max_reserved_entries);
  columns_.entries.index.reserve(entries);
  columns_.entries.value.reserve(entries);
  columns_.begin.reserve(rows + 1);
  first_row_.reserve(count + 1);
  first_in_tree_.assign(factor.size(), -1);
  tree_entries_.reserve(assembly.contacts.dof.size());
  neighbours_.reserve(assembly.contacts.dof.size() + 1);
  u_free_.reserve(rows);
  guess_.reserve(rows);
  z_.setZero(factor.size());
  solver_->reserve(rows);
  problem_.reserve(rows,
                   static_cast<int>(std::min<long>(static_cast<long>(rows) * rows, max_reserved_entries)));
  solution_.reserve(rows);
}

void ContactStage::eliminate(const ContactSet& contacts, const ContactKinematics& at,
                             const SparseLdlt& factor, const ActiveContacts& active, Columns& columns) {
  columns.entries.index.clear();
  columns.entries.value.clear();
  columns.begin.assign(1, 0);
  for (const int c : active.index) {
    const Contact& contact = contacts.contacts[c];
    const int* dof = contacts.dof.data() + contact.begin;
    for (int row = 0; row < rows(contact); ++row) {
      const double* H = at.jacobian.data() + contact.entry + row * contact.count;
      factor.forward_sparse(dof, H, contact.count, columns.entries, work_);
      columns.begin.push_back(static_cast<int>(columns.entries.index.size()));
    }
  }
}

/// The first row of each contact, and the contacts of each tree.
void ContactStage::list_rows(const ContactSet& contacts, const SparseLdlt& factor,
                             const ActiveContacts& active) {
  first_row_.assign(1, 0);
  tree_entries_.clear();
  for (int k = 0; k < static_cast<int>(active.index.size()); ++k) {
    const Contact& contact = contacts.contacts[active.index[k]];
    const int* dof = contacts.dof.data() + contact.begin;
    first_row_.push_back(first_row_.back() + rows(contact));
    for (int i = 0; i < contact.count; ++i) {
      int& first = first_in_tree_[factor.tree(dof[i])];
      if (first >= 0 && tree_entries_[first].contact == k) continue;
      tree_entries_.push_back({k, first});
      first = static_cast<int>(tree_entries_.size()) - 1;
    }
  }
}

/// Active contacts that share a tree with this one, itself among them, ascending.
void ContactStage::find_neighbours(const ContactSet& contacts, const SparseLdlt& factor,
                                   const Contact& contact, int own) {
  neighbours_.clear();
  int last_tree = -1;
  for (int i = contact.begin; i < contact.begin + contact.count; ++i) {
    const int tree = factor.tree(contacts.dof[i]);
    if (tree == last_tree) continue;
    last_tree = tree;
    for (int entry = first_in_tree_[tree]; entry >= 0; entry = tree_entries_[entry].next)
      neighbours_.push_back(tree_entries_[entry].contact);
  }
  std::sort(neighbours_.begin(), neighbours_.end());
  neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
  if (neighbours_.empty()) neighbours_.push_back(own);  // a body that cannot move along the normal
}

/// A row of W, with y of the row scattered in dense_.
void ContactStage::append_row(const SparseLdlt& factor, const Columns& tests, int row) {
  const auto& index = tests.entries.index;
  for (int p = tests.begin[row]; p < tests.begin[row + 1]; ++p)
    dense_[index[p]] = tests.entries.value[p] / factor.pivot(index[p]);
  for (const int other : neighbours_)
    for (int column = first_row_[other]; column < first_row_[other + 1]; ++column) {
      double w = 0;
      for (int p = columns_.begin[column]; p < columns_.begin[column + 1]; ++p)
        w += columns_.entries.value[p] * dense_[columns_.entries.index[p]];
      problem_.W.append(column, w);
    }
  problem_.W.end_row();
  for (int p = tests.begin[row]; p < tests.begin[row + 1]; ++p) dense_[index[p]] = 0;
}

void ContactStage::assemble(const ContactSet& contacts, const ContactKinematics& test, const Columns& tests,
                            const SparseLdlt& factor, const ActiveContacts& active, double h,
                            const std::vector<double>& guess, const VectorX& v) {
  problem_.clear();
  u_free_.clear();
  guess_.clear();
  const SparseVector& y = tests.entries;
  for (int k = 0; k < static_cast<int>(active.index.size()); ++k) {
    const int c = active.index[k];
    const Contact& contact = contacts.contacts[c];
    const bool gaps = level_ == ContactLevel::position;
    problem_.cones.push_back(gaps ? Cone{ConeKind::nonnegative} : cone_of(contact, h));
    find_neighbours(contacts, factor, contact, k);
    for (int row = 0; row < rows(contact); ++row) {
      const int r = first_row_[k] + row;
      double u = gaps ? test.gap[c] : relative_velocity(contacts, test, c, row, v);
      for (int p = tests.begin[r]; p < tests.begin[r + 1]; ++p)
        u += y.value[p] * z_[y.index[p]] / factor.pivot(y.index[p]);
      u_free_.push_back(u);
      problem_.u_free.push_back(gaps ? u : u + restitution(contact, row) * active.u_before[3 * k + row]);
      guess_.push_back(gaps ? 0.0 : guess[3 * c + row]);
      append_row(factor, tests, r);
    }
  }
  for (const int c : active.index)
    for (int i = 0; i < contacts.contacts[c].count; ++i)
      first_in_tree_[factor.tree(contacts.dof[contacts.contacts[c].begin + i])] = -1;
}

void ContactStage::prepare(const ContactSet& contacts, const ContactKinematics& at,
                           const ContactKinematics& test, const SparseLdlt& factor,
                           const ActiveContacts& active, double h, const std::vector<double>& guess,
                           const VectorX& v, const VectorX& b, Workspace& work, StepReport& report) {
  factor.forward(b, z_);
  work.clock.mark(report.seconds.forces);
  if (active.index.empty()) return;
  eliminate(contacts, at, factor, active, columns_);
  if (&test != &at) eliminate(contacts, test, factor, active, tests_);
  list_rows(contacts, factor, active);
  assemble(contacts, test, &test == &at ? columns_ : tests_, factor, active, h, guess, v);
  work.clock.mark(report.seconds.contacts);
}

void ContactStage::apply(const SparseLdlt& factor, VectorX& dx) {
  for (int row = 0; row < problem_.size(); ++row)
    for (int p = columns_.begin[row]; p < columns_.begin[row + 1]; ++p)
      z_[columns_.entries.index[p]] += solution_.r[row] * columns_.entries.value[p];
  factor.backward(z_, dx);
}

SolveStatus ContactStage::solve(const ContactSet& contacts, const ContactKinematics& at,
                                const SparseLdlt& factor, const ActiveContacts& active, double h,
                                const State& last, const VectorX& v, const VectorX& b, VectorX& dx,
                                Workspace& work, StepReport& report) {
  return solve_across(contacts, at, at, factor, active, h, last.reaction, v, b, dx, work, report);
}

SolveStatus ContactStage::solve_across(const ContactSet& contacts, const ContactKinematics& at,
                                       const ContactKinematics& test, const SparseLdlt& factor,
                                       const ActiveContacts& active, double h,
                                       const std::vector<double>& guess, const VectorX& v, const VectorX& b,
                                       VectorX& dx, Workspace& work, StepReport& report) {
  prepare(contacts, at, test, factor, active, h, guess, v, b, work, report);
  if (active.index.empty()) {
    factor.backward(z_, dx);
    return SolveStatus::converged;
  }
  sharpen_guess(problem_, guess_);
  solver_->solve(problem_, guess_, solution_);
  report.residual = std::max(report.residual, solution_.residual.relative);
  work.clock.mark(report.seconds.solver);
  if (work.observer) work.observer(problem_, solution_);
  // The limit of iterations that users set is that of the scheme.
  if (solution_.status == SolveStatus::iteration_limit) return SolveStatus::stalled;
  if (solution_.status != SolveStatus::converged) return solution_.status;
  apply(factor, dx);
  return SolveStatus::converged;
}

SolveStatus ContactStage::solve_equations(const ContactSet& contacts, const ContactKinematics& at,
                                          const SparseLdlt& factor, const ActiveContacts& active, double h,
                                          const State& last, const VectorX& v, const VectorX& b, VectorX& dx,
                                          Workspace& work, StepReport& report) {
  prepare(contacts, at, at, factor, active, h, last.reaction, v, b, work, report);
  if (active.index.empty()) {
    factor.backward(z_, dx);
    return SolveStatus::converged;
  }
  const SolveStatus status = solve_rows_as_equations();
  work.clock.mark(report.seconds.solver);
  if (status == SolveStatus::converged) apply(factor, dx);
  return status;
}

/// W r = -u_free, with the least r where the rows depend on each other.
SolveStatus ContactStage::solve_rows_as_equations() {
  const int n = problem_.size();
  equations_.resize(n);
  for (int i = 0; i < n; ++i)
    for (int p = problem_.W.row_begin[i]; p < problem_.W.row_begin[i + 1]; ++p)
      equations_.entry(i, problem_.W.column[p]) = problem_.W.value[p];
  solution_.r.resize(n);
  solution_.u.assign(n, 0.0);
  solution_.method = "active set";
  if (!equations_.factorise(dependent_pivot)) return SolveStatus::singular;
  equations_.solve(problem_.u_free.data(), solution_.r.data());
  for (double& r : solution_.r) r = -r;
  return SolveStatus::converged;
}

/// A contact sticks if what is left of its sliding is rounding.
ContactStatus ContactStage::smooth_status(const Contact& contact, int first_row) const {
  double sliding = 0, scale = 0;
  for (int row = first_row; row < first_row + contact.rows; ++row) {
    scale += std::abs(u_free_[row]) + problem_.W.diagonal(row) * std::abs(solution_.r[row]);
    if (row > first_row || !contact.has_gap()) sliding += std::abs(solution_.u[row]);
  }
  const bool can_stick = contact.rows > 1 || !contact.has_gap();
  return can_stick && sliding <= stick_tolerance * scale ? ContactStatus::stick : ContactStatus::slip;
}

double ContactStage::fastest() const {
  double fastest = 0;
  for (const double u : problem_.u_free) fastest = std::max(fastest, std::abs(u));
  return fastest;
}

ContactStatus ContactStage::status(const ContactSet& contacts, const ActiveContacts& active, size_t k,
                                   double fastest) const {
  const int first = first_row_[k];
  const Contact& contact = contacts.contacts[active.index[k]];
  if (contact.has_gap() && !(solution_.r[first] > 0)) return ContactStatus::open;
  // An impact is a step whose jump (1 + e)|u_n| exceeds what the smooth forces do to the velocity in it.
  const double before = active.u_before[3 * k], jump = -(1 + contact.restitution) * before;
  const bool impact =
      contact.has_gap() && jump > std::abs(u_free_[first] - before) + rest_tolerance * fastest;
  return impact ? ContactStatus::impact : smooth_status(contact, first);
}

void ContactStage::store(const ContactSet& contacts, const ActiveContacts& active, State& state) const {
  std::fill(state.reaction.begin(), state.reaction.end(), 0.0);
  std::fill(state.contact_status.begin(), state.contact_status.end(), ContactStatus::open);
  const double fastest = this->fastest();
  for (size_t k = 0; k < active.index.size(); ++k) {
    const int c = active.index[k];
    std::copy_n(&solution_.r[first_row_[k]], contacts.contacts[c].rows, &state.reaction[3 * c]);
    state.contact_status[c] = status(contacts, active, k, fastest);
  }
}

}  // namespace percuss
