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

void ActiveContacts::reserve(int contacts) {
  index.reserve(contacts);
  u_before.reserve(3 * static_cast<size_t>(contacts));
}

void ActiveContacts::add(const ContactSet& contacts, const ContactKinematics& at, const VectorX& v, int c) {
  index.push_back(c);
  for (int row = 0; row < 3; ++row)
    u_before.push_back(row < contacts.contacts[c].rows ? relative_velocity(contacts, at, c, row, v) : 0.0);
}

void activate(const ContactSet& contacts, const ContactKinematics& at, const VectorX& v, double h,
              Activation rule, double tolerance, ActiveContacts& active) {
  active.index.clear();
  active.u_before.clear();
  const double horizon = step_fraction(rule) * h;
  for (int c = 0; c < contacts.count(); ++c) {
    const Contact& contact = contacts.contacts[c];
    const double ahead = horizon > 0 ? horizon * relative_velocity(contacts, at, c, 0, v) : 0;
    if (contact.has_gap() && contact.gap_length * (at.gap[c] + ahead) > tolerance) continue;
    active.add(contacts, at, v, c);
  }
}

}  // namespace percuss
