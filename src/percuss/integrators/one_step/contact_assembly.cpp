#include <algorithm>

#include "percuss/integrators/one_step/contact_stage.h"

// The contact problem of a step from the factors of its matrix.  docs/theory/moreau.md (M-7)

namespace percuss {
namespace {

Cone cone_of(const Contact& contact, double h) {
  if (contact.kind == ContactKind::dry_joint) return {ConeKind::interval, h * contact.friction};
  if (contact.rows == 1) return {ConeKind::nonnegative};
  return {contact.rows == 2 ? ConeKind::planar_coulomb : ConeKind::coulomb, contact.friction};
}

}  // namespace

void ContactStage::eliminate(const ContactSet& contacts, const ContactKinematics& at,
                             const SparseLdlt& factor, const ActiveContacts& active, Columns& columns) {
  columns.entries.index.clear();
  columns.entries.value.clear();
  columns.begin.assign(1, 0);
  for (const int c : active.index) {
    const Contact& contact = contacts.contacts[c];
    const int* dof = at.dof.data() + contact.begin;
    for (int row = 0; row < rows(contact); ++row) {
      const double* H = at.jacobian.data() + contact.entry + row * contact.count;
      factor.forward_sparse(dof, H, contact.count, columns.entries, work_);
      columns.begin.push_back(static_cast<int>(columns.entries.index.size()));
    }
  }
}

/// The first row of each contact, and the contacts of each tree. A contact acts on the same trees always,
/// also where it slides over a surface: that is one body.
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
    begin_contact(contact, h);
    find_neighbours(contacts, factor, contact, k);
    for (int row = 0; row < rows(contact); ++row) {
      const int r = first_row_[k] + row;
      double u = gaps ? test.gap[c] : relative_velocity(contacts, test, c, row, v);
      for (int p = tests.begin[r]; p < tests.begin[r + 1]; ++p)
        u += y.value[p] * z_[y.index[p]] / factor.pivot(y.index[p]);
      add_free_velocity(contact, row, u, gaps ? 0.0 : active.u_before[3 * k + row], guess[3 * c + row]);
      append_row(factor, tests, r);
    }
  }
  for (const int c : active.index)
    for (int i = 0; i < contacts.contacts[c].count; ++i)
      first_in_tree_[factor.tree(contacts.dof[contacts.contacts[c].begin + i])] = -1;
}

void ContactStage::begin_contact(const Contact& contact, double h) {
  problem_.cones.push_back(level_ == ContactLevel::position ? Cone{ConeKind::nonnegative}
                                                            : cone_of(contact, h));
}

void ContactStage::add_free_velocity(const Contact& contact, int row, double u, double u_before,
                                     double guess) {
  u_free_.push_back(u);
  problem_.u_free.push_back(u + restitution(contact, row) * u_before);
  guess_.push_back(level_ == ContactLevel::position ? 0.0 : guess);
}

}  // namespace percuss
