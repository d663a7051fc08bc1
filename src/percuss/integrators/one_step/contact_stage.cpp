#include "percuss/integrators/one_step/contact_stage.h"

#include <algorithm>
#include <cmath>

namespace percuss {
namespace {

/// Entries reserved before the first step; a model that needs more grows once, when its contacts close.
constexpr long max_reserved_entries = 1'000'000;

}  // namespace

ContactStage::ContactStage(const Assembly& assembly, const SparseLdlt& factor, const SolverChoice& solver)
    : solver_(make_solver(solver)), work_(factor.make_forward_work()), dense_(factor.size(), 0.0) {
  const int count = assembly.contacts.count();
  long entries = 0;
  for (const Contact& contact : assembly.contacts.contacts)
    for (int i = 0; i < contact.count; ++i)
      entries += factor.path_length(assembly.contacts.dof[contact.begin + i]);
  entries = std::min(entries, max_reserved_entries);
  columns_.index.reserve(entries);
  columns_.value.reserve(entries);
  column_begin_.reserve(count + 1);
  first_in_tree_.assign(factor.size(), -1);
  tree_entries_.reserve(assembly.contacts.dof.size());
  neighbours_.reserve(assembly.contacts.dof.size() + 1);
  u_free_.reserve(count);
  solver_->reserve(count);
  problem_.reserve(count,
                   static_cast<int>(std::min<long>(static_cast<long>(count) * count, max_reserved_entries)));
  solution_.reserve(count);
}

void ContactStage::eliminate_columns(const ContactSet& contacts, const ContactKinematics& at,
                                     const SparseLdlt& factor, const ActiveContacts& active) {
  columns_.index.clear();
  columns_.value.clear();
  column_begin_.assign(1, 0);
  tree_entries_.clear();
  for (int row = 0; row < static_cast<int>(active.index.size()); ++row) {
    const Contact& contact = contacts.contacts[active.index[row]];
    const int* dof = contacts.dof.data() + contact.begin;
    factor.forward_sparse(dof, at.normal.data() + contact.begin, contact.count, columns_, work_);
    column_begin_.push_back(static_cast<int>(columns_.index.size()));
    for (int i = 0; i < contact.count; ++i) {
      int& first = first_in_tree_[factor.tree(dof[i])];
      if (first >= 0 && tree_entries_[first].row == row) continue;
      tree_entries_.push_back({row, first});
      first = static_cast<int>(tree_entries_.size()) - 1;
    }
  }
}

void ContactStage::find_neighbours(const ContactSet& contacts, const SparseLdlt& factor,
                                   const Contact& contact, int row) {
  neighbours_.clear();
  int last_tree = -1;
  for (int i = contact.begin; i < contact.begin + contact.count; ++i) {
    const int tree = factor.tree(contacts.dof[i]);
    if (tree == last_tree) continue;
    last_tree = tree;
    for (int entry = first_in_tree_[tree]; entry >= 0; entry = tree_entries_[entry].next)
      neighbours_.push_back(tree_entries_[entry].row);
  }
  std::sort(neighbours_.begin(), neighbours_.end());
  neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
  if (neighbours_.empty()) neighbours_.push_back(row);  // a body that cannot move along the normal
}

void ContactStage::assemble(const ContactSet& contacts, const ContactKinematics& at, const SparseLdlt& factor,
                            const ActiveContacts& active, const VectorX& v, const VectorX& z) {
  problem_.clear();
  u_free_.clear();
  for (int row = 0; row < static_cast<int>(active.index.size()); ++row) {
    const Contact& contact = contacts.contacts[active.index[row]];
    double u = normal_velocity(contacts, at, active.index[row], v);
    for (int p = column_begin_[row]; p < column_begin_[row + 1]; ++p) {
      const int k = columns_.index[p];
      u += columns_.value[p] * z[k] / factor.pivot(k);
      dense_[k] = columns_.value[p];
    }
    u_free_.push_back(u);
    problem_.u_free.push_back(u + contact.restitution * active.u_before[row]);
    problem_.cones.push_back({ConeKind::nonnegative});
    find_neighbours(contacts, factor, contact, row);
    for (const int other : neighbours_) {
      double w = 0;
      for (int p = column_begin_[other]; p < column_begin_[other + 1]; ++p)
        w += columns_.value[p] * dense_[columns_.index[p]] / factor.pivot(columns_.index[p]);
      problem_.W.append(other, w);
    }
    problem_.W.end_row();
    for (int p = column_begin_[row]; p < column_begin_[row + 1]; ++p) dense_[columns_.index[p]] = 0;
  }
  for (const int c : active.index)
    for (int i = 0; i < contacts.contacts[c].count; ++i)
      first_in_tree_[factor.tree(contacts.dof[contacts.contacts[c].begin + i])] = -1;
}

const Solution& ContactStage::solve(const ContactSet& contacts, const ContactKinematics& at,
                                    const SparseLdlt& factor, const ActiveContacts& active, const VectorX& v,
                                    VectorX& z, PhaseClock& clock, PhaseTimes& seconds) {
  eliminate_columns(contacts, at, factor, active);
  assemble(contacts, at, factor, active, v, z);
  clock.mark(seconds.contacts);
  solver_->solve(problem_, guess_, solution_);
  for (size_t row = 0; row < active.index.size(); ++row)
    for (int p = column_begin_[row]; p < column_begin_[row + 1]; ++p)
      z[columns_.index[p]] += solution_.r[row] * columns_.value[p];
  clock.mark(seconds.solver);
  return solution_;
}

void ContactStage::store(const ContactSet& contacts, const ActiveContacts& active, State& state) const {
  std::fill(state.reaction.begin(), state.reaction.end(), 0.0);
  std::fill(state.contact_status.begin(), state.contact_status.end(), ContactStatus::open);
  for (size_t row = 0; row < active.index.size(); ++row) {
    const int c = active.index[row];
    state.reaction[c] = solution_.r[row];
    if (!(solution_.r[row] > 0)) continue;
    // An impact is a step whose jump (1 + e)|u_n| exceeds what the smooth forces do to the velocity in it.
    const double jump = -(1 + contacts.contacts[c].restitution) * active.u_before[row];
    const bool impact = jump > std::abs(u_free_[row] - active.u_before[row]);
    state.contact_status[c] = impact ? ContactStatus::impact : ContactStatus::slip;
  }
}

}  // namespace percuss
