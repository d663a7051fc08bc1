#include "percuss/contacts/contact_list.h"

#include <algorithm>
#include <cmath>

#include "percuss/dynamics/system.h"

namespace percuss {

void ContactList::clear() {
  contacts.clear();
  dof.clear();
  constant_jacobian.clear();
  rows = 0;
}

void ContactList::add(const Contact& contact) {
  contacts.push_back(contact);
  contacts.back().row = rows;
  rows += contact.rows;
}

void ContactList::append_coordinates(const System& system, int body_index) {
  if (body_index < 0) return;
  const BodyData& body = system.bodies[static_cast<size_t>(body_index)];
  for (int coordinate = 0; coordinate < body.coordinate_count(); ++coordinate)
    if (const int at = body.dof[static_cast<size_t>(coordinate)]; at >= 0) dof.push_back(at);
}

/// Its coordinates stand behind all others.
void ContactList::add_with_last(int first_coordinate, const Contact& contact) {
  add(contact);
  Contact& added = contacts.back();
  added.begin = first_coordinate;
  added.count = static_cast<int>(dof.size()) - first_coordinate;
  added.entry = static_cast<int>(constant_jacobian.size());
  constant_jacobian.resize(constant_jacobian.size() + static_cast<size_t>(added.rows * added.count), 0.0);
}

void ContactList::add_with_coordinates(const System& system, const Contact& contact) {
  const int begin = static_cast<int>(dof.size());
  for (const int body : {contact.a.body, contact.next_a, contact.b.body, contact.next_b})
    append_coordinates(system, body);
  add_with_last(begin, contact);
}

/// Until it is evaluated they are those of any node of the surface: what it couples shows already.
void ContactList::add_on_surface(const System& system, const ContactSurface& surface,
                                 const Contact& contact) {
  constexpr size_t of_a_facet = 12;
  const int begin = static_cast<int>(dof.size());
  append_coordinates(system, contact.a.body);
  int any = -1;
  for (const auto& of_node : surface.dofs) any = std::max(any, std::ranges::max(of_node));
  if (any < 0) any = std::ssize(dof) > begin ? dof.back() : 0;  // all of it is held
  dof.insert(dof.end(), of_a_facet, any);
  add_with_last(begin, contact);
}

int ContactSurface::place_of(int body) const {
  const auto place = std::ranges::lower_bound(nodes, body);
  return place != nodes.end() && *place == body ? static_cast<int>(place - nodes.begin()) : -1;
}

void ContactList::add_from(const ContactList& other, int c) {
  Contact contact = other[c];
  const auto append = [](auto& own, const auto& from, int first, int count) {
    own.insert(own.end(), from.begin() + first, from.begin() + first + count);
  };
  const int begin = static_cast<int>(dof.size()), entry = static_cast<int>(constant_jacobian.size());
  append(dof, other.dof, contact.begin, contact.count);
  append(constant_jacobian, other.constant_jacobian, contact.entry, contact.rows * contact.count);
  contact.begin = begin;
  contact.entry = entry;
  add(contact);
}

int ContactList::find(const ContactId& id) const {
  const auto place = std::ranges::lower_bound(contacts, id, {}, &Contact::id);
  return place != contacts.end() && place->id == id ? static_cast<int>(place - contacts.begin()) : -1;
}

bool Interactions::is_of_rigid_things(const ContactId& id) const {
  if (!things || is_declared(id)) return false;
  const auto [i, j] = things->pair_of(declared_count(), id.interaction);
  return !things->all[static_cast<size_t>(i)].is_flexible() &&
         !things->all[static_cast<size_t>(j)].is_flexible();
}

bool Interactions::knows(const ContactId& id) const {
  if (is_declared(id)) return true;
  if (!things || id.interaction < declared_count()) return false;
  const auto [i, j] = things->pair_of(declared_count(), id.interaction);
  return i <= j && j < things->count();
}

ContactName Interactions::name(const ContactId& id) const {
  if (is_declared(id)) return names[static_cast<size_t>(id.interaction)];
  auto [i, j] = things->pair_of(declared_count(), id.interaction);
  if (is_exchanged(id.kind)) std::swap(i, j);
  return {things->all[static_cast<size_t>(i)].name, things->all[static_cast<size_t>(j)].name};
}

namespace {

/// The smaller radius of gyration of the two bodies, so that moments and forces do to velocities about the
/// same; 0 if neither can turn [m].
double moment_length(const System& system, const Contact& contact) {
  double shortest = 0;
  const auto consider = [&](double length) {
    if (length > 0 && (shortest == 0 || length < shortest)) shortest = length;
  };
  for (const Attached* side : {&contact.a, &contact.b}) {
    if (side->body < 0) continue;
    const BodyData& body = system.bodies[static_cast<size_t>(side->body)];
    if (!has_rotations(body)) continue;
    const bool has_inertia = body.mass > 0 && body.inertia.diagonal().maxCoeff() > 0;
    if (has_inertia)
      consider(std::sqrt(body.inertia.diagonal().maxCoeff() / body.mass));
    else  // a node of a beam
      consider(std::isfinite(contact.thickness) ? contact.thickness : system.size);
  }
  return shortest;
}

}  // namespace

void set_rows(Contact& contact, bool is_planar, double moment_length) {
  contact.is_planar = is_planar;
  contact.law.set_tangents(is_planar ? 1 : 2);
  if (moment_length == 0) contact.law.drop_moments();
  contact.moment_length = moment_length;
  contact.law.set_moment_length(moment_length);
  contact.moments = contact.law.rolling_rows() + contact.law.spinning_rows();
  contact.rows = contact.law.rows();
}

void set_rows(const System& system, Contact& contact) {
  const auto is_planar = [&](const Attached& end) {
    return end.body < 0 || moves_in_plane(system.bodies[static_cast<size_t>(end.body)]);
  };
  set_rows(contact, is_planar(contact.a) && is_planar(contact.b), moment_length(system, contact));
}

int find_contact(const Interactions& interactions, const std::string& first, const std::string& second) {
  const auto& declared = interactions.declared;
  for (int c = 0; c < declared.count(); ++c)
    if (interactions.name(declared[c]) == ContactName{first, second}) return c;
  return -1;
}

Vector3 in_contact_frame(const Contact& contact, const std::vector<double>& by_row) {
  Vector3 values = Vector3::Zero();
  for (int row = 0; row < contact.first_moment(); ++row) values[row] = by_row[contact.row + row];
  return values;
}

Vector3 moments_in_contact_frame(const Contact& contact, const std::vector<double>& by_row) {
  Vector3 moments = Vector3::Zero();
  for (int k = 0; k < contact.moments; ++k)
    moments[contact.moment_axis(k)] =
        contact.moment_length * by_row[contact.row + contact.first_moment() + k];
  return moments;
}

}  // namespace percuss
