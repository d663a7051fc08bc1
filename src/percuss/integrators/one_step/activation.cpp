#include "percuss/integrators/one_step/activation.h"

namespace percuss {
namespace {

constexpr double step_fraction(Activation rule) {
  switch (rule) {
    case Activation::start_gap: return 0.0;
    case Activation::half_step_gap: return 0.5;
    case Activation::predicted_gap: return 1.0;
  }
  return 0.0;
}

}  // namespace

double activation_tolerance(const System& system, const std::optional<double>& given) {
  return given.value_or(1e-12 * system.size);
}

void ActiveContacts::reserve(const ContactList& contacts) {
  index.reserve(contacts.count());
  first_.reserve(contacts.count());
  u_before_.reserve(contacts.rows);
}

void ActiveContacts::clear() {
  index.clear();
  first_.clear();
  u_before_.clear();
}

double* ActiveContacts::add(const Contact& contact, int c) {
  index.push_back(c);
  first_.push_back(static_cast<int>(u_before_.size()));
  u_before_.resize(u_before_.size() + static_cast<size_t>(contact.rows), 0.0);
  return before(index.size() - 1);
}

void ActiveContacts::add(const ContactList& contacts, const ContactKinematics& at, const VectorX& v, int c) {
  double* u = add(contacts[c], c);
  for (int row = 0; row < contacts[c].rows; ++row) u[row] = relative_velocity(contacts, at, c, row, v);
}

void activate(const ContactList& contacts, const ContactKinematics& at, const VectorX& v, double h,
              Activation rule, double tolerance, ActiveContacts& active) {
  active.clear();
  const double horizon = step_fraction(rule) * h;
  for (int c = 0; c < contacts.count(); ++c) {
    const Contact& contact = contacts[c];
    const double ahead = horizon > 0 ? horizon * relative_velocity(contacts, at, c, 0, v) : 0;
    if (contact.has_gap() && contact.gap_length * (at.gap[c] + ahead) > tolerance) continue;
    active.add(contacts, at, v, c);
  }
}

}  // namespace percuss
