#include <cmath>

#include "percuss/integrators/one_step/contact_stage.h"

// The contact problem of a step from the factors of its matrix.  docs/theory/moreau.md (M-7)

namespace percuss {

/// With the scale (N-6c) and the resolution (N-6d) of the step that is taken in one or several parts.
void ContactStage::begin_problem(double h, double whole_step, size_t contacts) {
  h_ = h;
  const double all = std::sqrt(static_cast<double>(contacts));
  const bool gaps = level_ == ContactLevel::position;
  problem_.scale = all * gravity_ * whole_step * (gaps ? whole_step : 1.0);
  problem_.resolution = all * finest_ / (gaps ? 1.0 : whole_step);
  problem_.cones.clear();
  problem_.u_free.clear();
  u_free_.clear();
  guess_.clear();
  first_row_.assign(1, 0);
}

void ContactStage::assemble(const ContactList& contacts, const ContactKinematics& test,
                            const ActiveContacts& active, double h, const std::vector<double>& guess,
                            const VectorX& v, const Workspace& work) {
  begin_problem(h, work.whole_step(), active.index.size());
  const bool gaps = level_ == ContactLevel::position;
  for (size_t k = 0; k < active.index.size(); ++k) {
    const int c = active.index[k];
    const Contact& contact = contacts[c];
    begin_contact(contact, h, work.sliding_speed(c));
    for (int row = 0; row < rows(contact); ++row) {
      const double before = gaps ? test.gap[c] : relative_velocity(contacts, test, c, row, v);
      add_free_velocity(contact, row, before + change_[first_row_[k] + row],
                        gaps ? 0.0 : active.before(k)[row], guess[contact.row + row]);
    }
    first_row_.push_back(first_row_.back() + rows(contact));
  }
}

void ContactStage::shift_problem(const ContactList& contacts, const ContactKinematics& at,
                                 const ActiveContacts& active, const VectorX& v) {
  for (size_t k = 0; k < active.index.size(); ++k) {
    const int c = active.index[k];
    const Contact& contact = contacts[c];
    for (int row = 0; row < rows(contact); ++row) {
      const int i = first_row_[k] + row;
      const double by_reactions = solution_.u[i] - problem_.u_free[i];  // W r
      const double added = shift(contact, row, active.before(k)[row]);
      const double u = relative_velocity(contacts, at, c, row, v);
      u_free_[i] = u - by_reactions;
      problem_.u_free[i] = u_free_[i] + added;
      solution_.u[i] = u + added;
    }
  }
}

void ContactStage::begin_contact(const Contact& contact, double h, double sliding_speed) {
  problem_.cones.push_back(level_ == ContactLevel::position ? Cone{ConeKind::nonnegative}
                                                            : contact.law.cone(h, sliding_speed));
}

void ContactStage::add_free_velocity(const Contact& contact, int row, double u, double u_before,
                                     double guess) {
  u_free_.push_back(u);
  problem_.u_free.push_back(u + shift(contact, row, u_before));
  guess_.push_back(level_ == ContactLevel::position ? 0.0 : guess);
}

}  // namespace percuss
