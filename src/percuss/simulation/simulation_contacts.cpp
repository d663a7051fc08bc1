// What a simulation tells of its contacts, and how it follows them when others are listed.

#include <algorithm>
#include <limits>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/contacts/view_contact.h"
#include "percuss/simulation/simulation_parts.h"

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
  const State& state = parts_->current.state;
  const size_t earlier_impacts = parts_->impacts.size();
  double penetration = 0;
  const ContactList& list = contact_list();
  for (int c = 0; c < list.count(); ++c) {
    const Contact& contact = list[c];
    if (contact.has_gap() && parts_->now->contacts.gap[c] <= 0) {
      const double depth = -parts_->now->contacts.gap[c];
      parts_->numbers.give(list, c, parts_->current.contacts);
      penetration = std::max(penetration, depth);
      parts_->current.extremes.watch_overlap(contact, depth, parts_->assembly.system.size);
    }
    if (state.contacts.status[c] == ContactStatus::open) continue;
    const Vector3 impulse = in_contact_frame(contact, state.contacts.reaction);
    const double work = parts_->booking.contacts[c];
    const int number = parts_->numbers.give(list, c, parts_->current.contacts);
    ContactSums& sums = parts_->current.contacts[static_cast<size_t>(number)];
    sums.impulse += impulse[0];
    for (int row = 0; row < 3; ++row) sums.interval_impulse[row] += impulse[row];
    sums.interval_work += work;
    sums.interval_status = std::max(sums.interval_status, state.contacts.status[c]);
    if (state.contacts.status[c] != ContactStatus::impact) continue;
    const double u_before = relative_velocity(list, parts_->start->contacts, c, 0, parts_->before.v);
    const double u_after = relative_velocity(list, parts_->now->contacts, c, 0, state.v);
    parts_->impacts.push_back({state.time, number, u_before, u_after, impulse[0], work});
    ++sums.interval_impacts;
    sums.interval_impact_impulse += impulse[0];
  }
  if (report.accepted > 0)
    parts_->accepted.push_back({state.time, state.last_step, report.residual, report.displacement,
                                parts_->numbers.give(list, report.worst_contact, parts_->current.contacts)});
  for (size_t i = 0; i < parts_->peaks.size(); ++i) {
    double& peak = parts_->current.peaks[i];
    peak = std::max(peak, parts_->peaks[i].of_step(*this));
  }
  const int new_impacts = static_cast<int>(parts_->impacts.size() - earlier_impacts);
  for (StepStatistics* statistics : {&parts_->current.total, &parts_->current.interval})
    statistics->add(report, state, new_impacts, penetration);
}

const ContactKinematics& Simulation::contacts() const {
  if (!parts_->now->contacts.is_complete)
    parts_->now->find_contacts(parts_->assembly, contact_list(), parts_->current.state.q);
  return parts_->now->contacts;
}

namespace {

bool carries_force(const State& state, int place) {
  const ContactStatus status = state.contacts.status[static_cast<size_t>(place)];
  return (status == ContactStatus::slip || status == ContactStatus::stick) && state.last_step != 0;
}

}  // namespace

Vector3 Simulation::contact_force(int place) const {
  if (!carries_force(parts_->current.state, place)) return Vector3::Zero();
  return contact_impulse(place) / parts_->current.state.last_step;
}

Vector3 Simulation::contact_moment(int place) const {
  const State& state = parts_->current.state;
  if (!carries_force(state, place)) return Vector3::Zero();
  return moments_in_contact_frame(contact_list()[place], state.contacts.reaction) / state.last_step;
}

Vector3 Simulation::contact_impulse(int place) const {
  return in_contact_frame(contact_list()[place], parts_->current.state.contacts.reaction);
}

Vector3 Simulation::to_space(int place, const Vector3& in_contact_frame) const {
  const Vector3 &N = contacts().direction[static_cast<size_t>(place)],
                &T1 = contacts().tangent[static_cast<size_t>(place)];
  return in_contact_frame[0] * N + in_contact_frame[1] * T1 + in_contact_frame[2] * N.cross(T1);
}

const ContactList& Simulation::contact_list() const { return parts_->detection.list(); }
int Simulation::contact_count() const { return contact_list().count(); }
ContactName Simulation::contact_name(const ContactId& id) const {
  return parts_->assembly.interactions.name(id);
}
int Simulation::find_contact(const ContactId& id) const { return contact_list().find(id); }
std::vector<ContactId> Simulation::find_contacts(const std::string& first, const std::string& second) const {
  std::vector<ContactId> found;
  for (const Contact& contact : contact_list().contacts)
    if (contact_name(contact.id) == ContactName{first, second}) found.push_back(contact.id);
  return found;
}
double Simulation::gap(int place) const { return contacts().gap[static_cast<size_t>(place)]; }
double Simulation::contact_velocity(int place, const VectorX& v) const {
  return relative_velocity(contact_list(), contacts(), place, 0, v);
}
const ContactSums& Simulation::contact_sums(int place) const { return sums_of(parts_->numbers.at(place)); }
const ContactSums& Simulation::contact_sums(const ContactId& id) const {
  return sums_of(parts_->numbers.of(id));
}
const std::vector<ContactSums>& Simulation::contact_record() const { return parts_->current.contacts; }

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
Vector3 Simulation::contact_moment(const ContactId& id) const {
  const int place = find_contact(id);
  return place < 0 ? Vector3::Zero().eval() : contact_moment(place);
}
ContactStatus Simulation::contact_status(const ContactId& id) const {
  const int place = find_contact(id);
  return place < 0 ? ContactStatus::open : parts_->current.state.contacts.status[static_cast<size_t>(place)];
}

const ContactSums& Simulation::sums_of(int number) const {
  static const ContactSums none;
  return number < 0 ? none : parts_->current.contacts[static_cast<size_t>(number)];
}

ContactReport Simulation::contact_report(int place) const {
  const ContactSums& sums = contact_sums(place);
  return {view_contact(place),   contact_force(place),
          contact_moment(place), Vector3(sums.interval_impulse.data()),
          sums.interval_status,  sums.interval_work};
}

ContactView Simulation::view_contact(int place) const {
  return percuss::view_contact(parts_->assembly, contact_list(), contacts(), parts_->current.state, place);
}

std::vector<std::pair<int, ContactReport>> Simulation::contact_reports() const {
  std::vector<std::pair<int, ContactReport>> reports;
  for (int place = 0; place < contact_count(); ++place) {
    const int number = parts_->numbers.at(place);
    if (number < 0) continue;  // it never touched
    const bool was_open =
        parts_->current.contacts[static_cast<size_t>(number)].interval_status == ContactStatus::open;
    if (!was_open || gap(place) <= 0) reports.emplace_back(number, contact_report(place));
  }
  for (const DepartedContact& contact : parts_->current.departed) {
    const ContactSums& sums = parts_->current.contacts[static_cast<size_t>(contact.number)];
    if (find_contact(sums.id) >= 0) continue;  // it is back
    const ContactName name = contact_name(sums.id);
    reports.emplace_back(contact.number,
                         ContactReport{{name.first, name.second, contact.point, contact.normal, contact.gap,
                                        contact.tangent, contact.velocity},
                                       Vector3::Zero(),
                                       Vector3::Zero(),
                                       Vector3(sums.interval_impulse.data()),
                                       sums.interval_status,
                                       sums.interval_work});
  }
  return reports;
}

/// What carries something by contact moves to its new place; what is new is evaluated where everything is.
void Simulation::follow_contacts() {
  note_departures(parts_->detection.before());
  realign(contact_list(), parts_->integrator->contact_memory_size(), parts_->current.state.contacts,
          parts_->realignment);
  parts_->numbers.follow(contact_list());
  take_along(parts_->realignment, parts_->current.control);
  parts_->now->complete(parts_->assembly, contact_list(), parts_->current.state, parts_->contact_horizon);
  number_closed();
}

void Simulation::number_closed() {
  for (int c = 0; c < contact_count(); ++c)
    if (contact_list()[c].has_gap() && parts_->now->contacts.gap[static_cast<size_t>(c)] <= 0)
      parts_->numbers.give(contact_list(), c, parts_->current.contacts);
}

void Simulation::note_departures(const ContactList& before) {
  for (int c = 0; c < before.count(); ++c) {
    if (find_contact(before[c].id) >= 0) continue;
    const int number = parts_->numbers.at(c);
    if (number < 0 ||
        parts_->current.contacts[static_cast<size_t>(number)].interval_status == ContactStatus::open)
      continue;
    parts_->now->find_contacts(parts_->assembly, before, parts_->current.state.q);
    const ContactView view =
        percuss::view_contact(parts_->assembly, before, parts_->now->contacts, parts_->current.state, c);
    std::erase_if(parts_->current.departed, [&](const DepartedContact& d) { return d.number == number; });
    parts_->current.departed.push_back(
        {number, view.gap, view.point, view.normal, view.tangent, view.velocity});
  }
}

}  // namespace percuss
