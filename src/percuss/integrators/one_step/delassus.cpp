#include "percuss/integrators/one_step/delassus.h"

#include <algorithm>

#include "percuss/math/wide.h"

namespace percuss {
namespace {

/// Entries reserved before the first step; a model that needs more grows once, when its contacts close.
constexpr long max_reserved_column_entries = 1'000'000;

/// A block of Compliance::multiply into W, and its transpose into the row of the other contact.
PERCUSS_ALWAYS_INLINE void write_block(const double* block, int rows, int columns, double* own,
                                       double* mirrored) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) own[i * columns + j] = mirrored[j * rows + i] = block[lanes * j + i];
}

}  // namespace

Delassus::Delassus(const Assembly& assembly, const SparseLdlt& factor, ContactLevel level)
    : level_(level),
      compliance_(assembly, factor),
      work_(factor.make_forward_work()),
      dense_(factor.size(), 0.0) {
  const ContactList& contacts = assembly.interactions.declared;
  long entries = 0;
  int rows = 0;
  for (const Contact& contact : contacts.contacts) {
    rows += row_count(contact, level);
    for (int i = 0; i < contact.count; ++i)
      entries += row_count(contact, level) * factor.path_length(contacts.dof[contact.begin + i]);
  }
  if (!factor.blocks()) {
    entries = std::min(entries, max_reserved_column_entries);
    columns_.entries.index.reserve(entries);
    columns_.entries.value.reserve(entries);
    columns_.weighted.reserve(entries);
  }
  for (VectorX* x : {&full_, &result_}) x->setZero(factor.size());
  columns_.begin.reserve(rows + 1);
  first_row_.reserve(contacts.count() + 1);
  index_.reserve(contacts.count());
  if (compliance_.is_used()) {
    places_.reserve(contacts.count());
    known_blocks_.reserve(contacts.count());
    blocks_of_contact_.reserve(12 * contacts.contacts.size());
  }
  forces_.dof.reserve(contacts.dof.size());
  forces_.jacobian.reserve(3 * contacts.dof.size());
  first_in_component_.assign(factor.size(), -1);
  component_entries_.reserve(contacts.dof.size());
  neighbours_.reserve(contacts.dof.size() + 1);
}

void Delassus::reserve_tests() {
  tests_.entries.index.reserve(columns_.entries.index.capacity());
  tests_.entries.value.reserve(columns_.entries.value.capacity());
  tests_.weighted.reserve(columns_.weighted.capacity());
  tests_.begin.reserve(columns_.begin.capacity());
  velocities_.dof.reserve(forces_.dof.capacity());
  velocities_.jacobian.reserve(forces_.jacobian.capacity());
}

/// Compares the directions with the known ones, and remembers them.
bool Delassus::has_changed(const ContactList& contacts, const ContactKinematics& at,
                           const ActiveContacts& active, KnownRows& known) {
  size_t dofs = 0, entries = 0;
  bool same = true;
  const auto compare = [&same](auto& list, size_t& next, const auto* values, int count) {
    if (list.size() < next + static_cast<size_t>(count)) list.resize(next + static_cast<size_t>(count));
    auto* own = list.data() + next;
    same = same && std::equal(values, values + count, own);
    if (!same) std::copy_n(values, count, own);
    next += static_cast<size_t>(count);
  };
  for (const int c : active.index) {
    const Contact& contact = contacts[c];
    compare(known.dof, dofs, at.dof.data() + contact.begin, contact.count);
    compare(known.jacobian, entries, at.jacobian.data() + contact.entry,
            row_count(contact, level_) * contact.count);
  }
  return !same;
}

void Delassus::update(const ContactList& contacts, const ContactKinematics& at, const ContactKinematics& test,
                      const SparseLdlt& factor, const ActiveContacts& active, BlockMatrix& W) {
  const bool across = &test != &at;
  const bool keeps_contacts = factor_ == &factor && across_ == across && index_ == active.index;
  bool changed = !keeps_contacts || version_ != factor.version();
  changed = has_changed(contacts, at, active, forces_) || changed;
  if (across) changed = has_changed(contacts, test, active, velocities_) || changed;
  if (!changed) return;
  factor_ = &factor;
  version_ = factor.version();
  across_ = across;
  index_ = active.index;
  in_blocks_ = factor.blocks() != nullptr;
  by_compliance_ = !across && compliance_.is_used();
  if (by_compliance_) {
    compliance_.update(factor);
    if (keeps_contacts) return fill_by_compliance(W);
    list_places(contacts);
  } else if (in_blocks_) {
    blocks_.clear();
    const auto add = [&](const int* dof, const double* H, int count) { blocks_.add(dof, H, count); };
    for_each_row(contacts, at, active, add);
    if (across) for_each_row(contacts, test, active, add);
    blocks_.eliminate(*factor.blocks());
  } else {
    eliminate(contacts, at, factor, active, columns_);
    if (across) eliminate(contacts, test, factor, active, tests_);
  }
  list_rows(contacts, factor, active);
  W.clear();
  const int count = static_cast<int>(active.index.size());
  for (int k = 0; k < count; ++k) W.add_cone(first_row_[k + 1] - first_row_[k]);
  for (int k = 0; k < count; ++k) {
    find_neighbours(contacts, factor, contacts[active.index[k]], k);
    for (const int other : neighbours_) W.append(other);
    W.end_cone();
  }
  if (by_compliance_)
    fill_by_compliance(W);
  else if (in_blocks_)
    fill_by_blocks(W);
  else
    for (int row = 0; row < W.rows(); ++row) fill_row(across ? tests_ : columns_, row, W);
  for (const int c : active.index)
    for (int i = 0; i < contacts[c].count; ++i)
      first_in_component_[factor.component(contacts.dof[contacts[c].begin + i])] = -1;
}

void Delassus::list_places(const ContactList& contacts) {
  places_.clear();
  int dof = 0, entry = 0;
  for (const int c : index_) {
    const Contact& contact = contacts[c];
    places_.push_back({dof, entry, contact.count});
    dof += contact.count;
    entry += row_count(contact, level_) * contact.count;
  }
}

Compliance::Directions Delassus::directions(int k) const {
  const Place& place = places_[k];
  return {&forces_.dof[place.dof], &forces_.jacobian[place.entry], place.count,
          first_row_[k + 1] - first_row_[k]};
}

/// The blocks of a contact with itself and those after it; W is symmetric. Columns stand in order, so that
/// what is mirrored into a row comes in order as well.
void Delassus::fill_by_compliance(BlockMatrix& W) {
  const int count = static_cast<int>(places_.size());
  known_blocks_.assign(count, 0);
  compliance_.forget_contacts();
  for (int k = 0; k < count; ++k) compliance_.add_contact(directions(k));
  compliance_.finish_contacts();
  for (int k = 0; k < count; ++k) {
    neighbours_.clear();
    for (int p = W.own(k); p < W.end(k); ++p) neighbours_.push_back(W.other(p));
    blocks_of_contact_.resize(12 * neighbours_.size());
    compliance_.multiply(k, neighbours_, blocks_of_contact_.data());
    const double* block = blocks_of_contact_.data();
    const int rows = W.rows_of(k);
    for (int p = W.own(k); p < W.end(k); ++p, block += 12) {
      const int other = W.other(p), columns = W.rows_of(other);
      double* mirrored = W.block(W.begin(other) + known_blocks_[other]++);
      if (rows == 3 && columns == 3)  // the usual case, without loops
        write_block(block, 3, 3, W.block(p), mirrored);
      else
        write_block(block, rows, columns, W.block(p), mirrored);
    }
  }
}

/// Calls visit(coordinates, entries of H, their number) for each row of the active contacts.
template <class Visit>
void Delassus::for_each_row(const ContactList& contacts, const ContactKinematics& at,
                            const ActiveContacts& active, Visit&& visit) const {
  for (const int c : active.index) {
    const Contact& contact = contacts[c];
    for (int row = 0; row < row_count(contact, level_); ++row)
      visit(at.dof.data() + contact.begin, at.jacobian.data() + contact.entry + row * contact.count,
            contact.count);
  }
}

void Delassus::eliminate(const ContactList& contacts, const ContactKinematics& at, const SparseLdlt& factor,
                         const ActiveContacts& active, Columns& columns) {
  columns.entries.index.clear();
  columns.entries.value.clear();
  columns.begin.assign(1, 0);
  for_each_row(contacts, at, active, [&](const int* dof, const double* H, int count) {
    factor.forward_sparse(dof, H, count, columns.entries, work_);
    columns.begin.push_back(static_cast<int>(columns.entries.index.size()));
  });
  columns.weighted.resize(columns.entries.value.size());
  for (size_t p = 0; p < columns.weighted.size(); ++p)
    columns.weighted[p] = columns.entries.value[p] / factor.pivot(columns.entries.index[p]);
}

/// The first row of each contact, and the contacts of each component. A contact acts on the same components
/// always, also where it slides over a surface: that is one body.
void Delassus::list_rows(const ContactList& contacts, const SparseLdlt& factor,
                         const ActiveContacts& active) {
  first_row_.assign(1, 0);
  component_entries_.clear();
  for (int k = 0; k < static_cast<int>(active.index.size()); ++k) {
    const Contact& contact = contacts[active.index[k]];
    const int* dof = contacts.dof.data() + contact.begin;
    first_row_.push_back(first_row_.back() + row_count(contact, level_));
    for (int i = 0; i < contact.count; ++i) {
      int& first = first_in_component_[factor.component(dof[i])];
      if (first >= 0 && component_entries_[first].contact == k) continue;
      component_entries_.push_back({k, first});
      first = static_cast<int>(component_entries_.size()) - 1;
    }
  }
}

/// Active contacts that share a component with this one, itself among them, ascending.
void Delassus::find_neighbours(const ContactList& contacts, const SparseLdlt& factor, const Contact& contact,
                               int own) {
  neighbours_.clear();
  int last_component = -1;
  for (int i = contact.begin; i < contact.begin + contact.count; ++i) {
    const int component = factor.component(contacts.dof[i]);
    if (component == last_component) continue;
    last_component = component;
    for (int entry = first_in_component_[component]; entry >= 0; entry = component_entries_[entry].next)
      neighbours_.push_back(component_entries_[entry].contact);
  }
  std::sort(neighbours_.begin(), neighbours_.end());
  neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
  if (neighbours_.empty()) neighbours_.push_back(own);  // a body that cannot move along the normal
}

/// One row of W, with y of the row scattered in dense_.
void Delassus::fill_row(const Columns& tests, int row, BlockMatrix& W) {
  const auto& index = tests.entries.index;
  for (int p = tests.begin[row]; p < tests.begin[row + 1]; ++p) dense_[index[p]] = tests.weighted[p];
  const int c = W.cone_of_row(row), i = row - W.first_row(c);
  for (int k = W.begin(c); k < W.end(c); ++k) {
    const int first = W.first_row(W.other(k)), count = W.rows_of(W.other(k));
    double* out = W.block(k) + i * count;
    for (int column = first; column < first + count; ++column) {
      double w = 0;
      for (int p = columns_.begin[column]; p < columns_.begin[column + 1]; ++p)
        w += columns_.entries.value[p] * dense_[columns_.entries.index[p]];
      *out++ = w;
    }
  }
  for (int p = tests.begin[row]; p < tests.begin[row + 1]; ++p) dense_[index[p]] = 0;
}

void Delassus::fill_by_blocks(BlockMatrix& W) {
  const int rows = first_row_.back(), first_test = across_ ? rows : 0;
  blocks_.for_each_gram([&](const int* columns, int count, const double* gram) {
    for (int a = 0; a < count; ++a) {
      const int row = columns[a] - first_test;
      if (row < 0) continue;
      const int c = W.cone_of_row(row), i = row - W.first_row(c);
      int k = W.begin(c);
      for (int b = 0; b < count && columns[b] < rows; ++b) {
        const int other = W.cone_of_row(columns[b]);
        while (W.other(k) != other) ++k;
        W.block(k)[i * W.rows_of(other) + columns[b] - W.first_row(other)] +=
            gram[static_cast<size_t>(std::min(a, b)) * static_cast<size_t>(count) +
                 static_cast<size_t>(std::max(a, b))];
      }
    }
  });
}

void Delassus::begin(const SparseLdlt& factor, const VectorX& b, bool across, VectorX& z) {
  begun_by_compliance_ = !across && compliance_.is_used();
  if (begun_by_compliance_)
    compliance_.solve(factor, b, result_);
  else
    factor.forward(b, z);
}

void Delassus::begin_with(const VectorX& known) {
  begun_by_compliance_ = true;
  result_ = known;
}

void Delassus::solve_without_contacts(const SparseLdlt& factor, VectorX& z, VectorX& x) const {
  if (begun_by_compliance_)
    x = result_;
  else
    factor.backward(z, x);
}

void Delassus::multiply_transposed(const VectorX& z, std::vector<double>& u) {
  const int rows = first_row_.back();
  if (by_compliance_) {  // Y^T D^-1 z = H^T A^-1 b
    u.assign(rows, 0.0);
    for (size_t k = 0, row = 0; k < places_.size(); ++k) {
      const Compliance::Directions own = directions(static_cast<int>(k));
      for (int a = 0; a < own.rows; ++a, ++row)
        for (int i = 0; i < own.count; ++i) u[row] += own.entries[a * own.count + i] * result_[own.dofs[i]];
    }
    return;
  }
  if (in_blocks_) {
    blocks_.multiply_transposed(z, u);
    if (across_) u.erase(u.begin(), u.begin() + rows);
    return;
  }
  const Columns& tests = across_ ? tests_ : columns_;
  u.assign(rows, 0.0);
  for (int row = 0; row < rows; ++row)
    for (int p = tests.begin[row]; p < tests.begin[row + 1]; ++p)
      u[row] += tests.weighted[p] * z[tests.entries.index[p]];
}

/// f += H r.
void Delassus::add_forces(const std::vector<double>& r, VectorX& f) const {
  for (size_t k = 0, row = 0; k < places_.size(); ++k) {
    const Compliance::Directions own = directions(static_cast<int>(k));
    for (int a = 0; a < own.rows; ++a, ++row)
      for (int i = 0; i < own.count; ++i) f[own.dofs[i]] += r[row] * own.entries[a * own.count + i];
  }
}

void Delassus::add_response(const VectorX& f, VectorX& x) {
  if (by_compliance_ && compliance_.has_responses()) return compliance_.add_response(f, x);
  compliance_.solve(*factor_, f, result_);
  x += result_;
}

void Delassus::solve(const std::vector<double>& r, VectorX& z, VectorX& x) {
  if (by_compliance_) {
    full_.setZero();
    add_forces(r, full_);
    x = result_;
    return add_response(full_, x);
  }
  if (in_blocks_) {
    blocks_.add_product(r, z);
  } else {
    for (size_t row = 0; row < r.size(); ++row)
      for (int p = columns_.begin[row]; p < columns_.begin[row + 1]; ++p)
        z[columns_.entries.index[p]] += r[row] * columns_.entries.value[p];
  }
  factor_->backward(z, x);
}

}  // namespace percuss
