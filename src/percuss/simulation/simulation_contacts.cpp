// What a simulation tells of its contacts, and how it follows them when others are listed.

#include <algorithm>
#include <limits>

#include "percuss/simulation/simulation.h"

namespace percuss {
namespace {

/// What adaptive steps remember of contacts.
void take_along(const Realignment& moved, StepControl& control) {
  if (control.gap_acceleration.empty()) return;
  const std::vector<double> before = std::move(control.gap_acceleration);
  control.gap_acceleration.clear();
  for (const int origin : moved.origin)
    control.gap_acceleration.push_back(origin < 0 ? 0.0 : before[static_cast<size_t>(origin)]);
}

}  // namespace

void Simulation::add_sums(const StepReport& report) {
  const State& state = current_.state;
  const size_t earlier_impacts = impacts_.size();
  double penetration = 0;
  const ContactList& list = contact_list();
  for (int c = 0; c < list.count(); ++c) {
    const Contact& contact = list[c];
    if (contact.has_gap() && now_->contacts.gap[c] <= 0) {
      const double depth = -now_->contacts.gap[c];
      numbers_.give(list, c, current_.contacts);
      penetration = std::max(penetration, depth);
      current_.extremes.watch_overlap(contact, depth, assembly_->system.size);
    }
    if (state.contacts.status[c] == ContactStatus::open) continue;
    const Vector3 impulse = in_contact_frame(contact, state.contacts.reaction);
    const double work = booking_.contacts[c];
    const int number = numbers_.give(list, c, current_.contacts);
    ContactSums& sums = current_.contacts[static_cast<size_t>(number)];
    sums.impulse += impulse[0];
    for (int row = 0; row < 3; ++row) sums.interval_impulse[row] += impulse[row];
    sums.interval_work += work;
    sums.interval_status = std::max(sums.interval_status, state.contacts.status[c]);
    if (state.contacts.status[c] != ContactStatus::impact) continue;
    const double u_before = relative_velocity(list, start_->contacts, c, 0, before_.v);
    const double u_after = relative_velocity(list, now_->contacts, c, 0, state.v);
    impacts_.push_back({state.time, number, u_before, u_after, impulse[0], work});
  }
  const int new_impacts = static_cast<int>(impacts_.size() - earlier_impacts);
  for (StepStatistics* statistics : {&current_.total, &current_.interval})
    statistics->add(report, state, new_impacts, penetration);
}

const ContactKinematics& Simulation::contacts() const {
  if (!now_->contacts.is_complete) now_->find_contacts(*assembly_, contact_list(), current_.state.q);
  return now_->contacts;
}

Vector3 Simulation::contact_force(int place) const {
  const ContactState& contacts = current_.state.contacts;
  const ContactStatus status = contacts.status[static_cast<size_t>(place)];
  const bool carries_force = status == ContactStatus::slip || status == ContactStatus::stick;
  if (!carries_force || current_.state.last_step == 0) return Vector3::Zero();
  return in_contact_frame(contact_list()[place], contacts.reaction) / current_.state.last_step;
}

double Simulation::gap(const ContactId& id) const {
  const int place = find_contact(id);
  return place < 0 ? std::numeric_limits<double>::infinity() : gap(place);
}
double Simulation::contact_velocity(const ContactId& id) const {
  const int place = find_contact(id);
  return place < 0 ? 0.0 : contact_velocity(place);
}
Vector3 Simulation::contact_force(const ContactId& id) const {
  const int place = find_contact(id);
  return place < 0 ? Vector3::Zero().eval() : contact_force(place);
}
ContactStatus Simulation::contact_status(const ContactId& id) const {
  const int place = find_contact(id);
  return place < 0 ? ContactStatus::open : current_.state.contacts.status[static_cast<size_t>(place)];
}

const ContactSums& Simulation::sums_of(int number) const {
  static const ContactSums none;
  return number < 0 ? none : current_.contacts[static_cast<size_t>(number)];
}

ContactReport Simulation::contact_report(int place) const {
  const ContactSums& sums = contact_sums(place);
  return {view_contact(place), contact_force(place), Vector3(sums.interval_impulse.data()),
          sums.interval_status, sums.interval_work};
}

ContactView Simulation::view_contact(int place) const {
  return percuss::view_contact(*assembly_, contact_list(), contacts(), current_.state, place);
}

std::vector<std::pair<int, ContactReport>> Simulation::contact_reports() const {
  std::vector<std::pair<int, ContactReport>> reports;
  for (int place = 0; place < contact_count(); ++place) {
    const int number = numbers_.at(place);
    if (number < 0) continue;  // it never touched
    const bool was_open =
        current_.contacts[static_cast<size_t>(number)].interval_status == ContactStatus::open;
    if (!was_open || gap(place) <= 0) reports.emplace_back(number, contact_report(place));
  }
  for (const DepartedContact& contact : current_.departed) {
    const ContactSums& sums = current_.contacts[static_cast<size_t>(contact.number)];
    if (find_contact(sums.id) >= 0) continue;  // it is back
    const ContactName& name = contact_name(sums.id);
    reports.emplace_back(contact.number,
                         ContactReport{{name.first, name.second, contact.point, contact.normal, contact.gap,
                                        contact.tangent, contact.velocity},
                                       Vector3::Zero(),
                                       Vector3(sums.interval_impulse.data()),
                                       sums.interval_status,
                                       sums.interval_work});
  }
  return reports;
}

/// What carries something by contact moves to its new place; what is new is evaluated where everything is.
void Simulation::follow_contacts() {
  note_departures(detection_->before());
  realign(contact_list(), integrator_->contact_memory_size(), current_.state.contacts, realignment_);
  numbers_.follow(contact_list());
  take_along(realignment_, current_.control);
  now_->complete(*assembly_, contact_list(), current_.state, contact_horizon_);
  number_closed();
}

void Simulation::number_closed() {
  for (int c = 0; c < contact_count(); ++c)
    if (contact_list()[c].has_gap() && now_->contacts.gap[static_cast<size_t>(c)] <= 0)
      numbers_.give(contact_list(), c, current_.contacts);
}

void Simulation::note_departures(const ContactList& before) {
  for (int c = 0; c < before.count(); ++c) {
    if (find_contact(before[c].id) >= 0) continue;
    const int number = numbers_.at(c);
    if (number < 0 || current_.contacts[static_cast<size_t>(number)].interval_status == ContactStatus::open)
      continue;
    now_->find_contacts(*assembly_, before, current_.state.q);
    const ContactView view = percuss::view_contact(*assembly_, before, now_->contacts, current_.state, c);
    std::erase_if(current_.departed, [&](const DepartedContact& d) { return d.number == number; });
    current_.departed.push_back({number, view.gap, view.point, view.normal, view.tangent, view.velocity});
  }
}

}  // namespace percuss
