#include "percuss/contacts/contact_set.h"

#include <limits>

#include "percuss/contacts/contact_rows.h"
#include "percuss/contacts/facet_contacts.h"

namespace percuss {
namespace {

/// Where two bodies are closest, in space. The normal points from the second to the first.
struct Closest {
  double gap = 0;
  Vector3 on_first = Vector3::Zero(), on_second = Vector3::Zero(), normal = Vector3::Zero();
};

Closest closest_on_plane(const Contact& contact, const Kinematics& kinematics) {
  const Placement& second = kinematics.of(contact.b.body);
  const Vector3 n = second.R * contact.direction;
  const Vector3 centre = contact.a.value(kinematics.of(contact.a.body));
  const double distance = n.dot(centre - contact.b.value(second));
  return {distance - contact.radius_a, centre - contact.radius_a * n, centre - distance * n, n};
}

Closest closest_of_spheres(const Contact& contact, const Kinematics& kinematics) {
  const Vector3 first = contact.a.value(kinematics.of(contact.a.body));
  const Vector3 second = contact.b.value(kinematics.of(contact.b.body));
  const double distance = (first - second).norm();
  // Concentric spheres have no normal; any will do to push them apart.
  const Vector3 n = distance > 0 ? Vector3((first - second) / distance) : Vector3::UnitZ();
  return {distance - contact.radius_a - contact.radius_b, first - contact.radius_a * n,
          second + contact.radius_b * n, n};
}

Closest closest_in_hole(const Contact& contact, const Kinematics& kinematics) {
  const Placement& hole = kinematics.of(contact.b.body);
  const Vector3 axis = hole.R * contact.direction;
  const Vector3 centre = contact.b.value(hole), pin = contact.a.value(kinematics.of(contact.a.body));
  const double along = axis.dot(pin - centre);
  const Vector3 offset = pin - centre - along * axis;
  const double eccentricity = offset.norm();
  const double gap = contact.radius_b - contact.radius_a - eccentricity;
  if (eccentricity == 0) return {gap, pin, pin, Vector3::Zero()};
  const Vector3 outward = offset / eccentricity;
  return {gap, pin + contact.radius_a * outward, centre + along * axis + contact.radius_b * outward,
          -outward};
}

/// The face that the point is farthest ahead of.
Closest closest_on_convex(const Contact& contact, const ContactSet& contacts, const Kinematics& kinematics) {
  const Placement& second = kinematics.of(contact.b.body);
  const Vector3 centre = contact.a.value(kinematics.of(contact.a.body));
  const Vector3 local = second.R.transpose() * (centre - second.x);
  const auto distance_to = [&](int f) {
    return contacts.faces[f].normal.dot(local) - contacts.faces[f].offset;
  };
  int face = contact.index;
  double distance = distance_to(face);
  for (int f = contact.index + 1; f < contact.index + contact.item; ++f) {
    const double d = distance_to(f);
    if (d <= distance) continue;
    distance = d;
    face = f;
  }
  const Vector3 n = second.R * contacts.faces[face].normal;
  return {distance - contact.radius_a, centre - contact.radius_a * n, centre - distance * n, n};
}

/// Of a contact that is farther open than `horizon` the gap alone.
void evaluate_bodies(const System& system, const ContactSet& contacts, const Kinematics& kinematics, int c,
                     double horizon, ContactKinematics& out) {
  const Contact& contact = contacts.contacts[c];
  Closest closest;
  switch (contact.kind) {
    case ContactKind::plane: closest = closest_on_plane(contact, kinematics); break;
    case ContactKind::spheres: closest = closest_of_spheres(contact, kinematics); break;
    case ContactKind::pin_in_hole: closest = closest_in_hole(contact, kinematics); break;
    default: closest = closest_on_convex(contact, contacts, kinematics); break;
  }
  out.gap[c] = closest.gap;
  if (closest.gap > horizon) return;
  out.point[c] = closest.on_first;
  out.direction[c] = closest.normal;
  Vector3 directions[3] = {closest.normal, Vector3::Zero(), Vector3::Zero()};
  if (contact.rows > 1 && !closest.normal.isZero(0)) {
    const Frame frame = contact_frame(contact, closest.normal);
    directions[1] = frame.tangent1;
    directions[2] = frame.tangent2;
  }
  out.tangent[c] = directions[1];
  double* entries = out.jacobian.data() + contact.entry;
  const int count = write_rows(system, kinematics, contact.a.body, closest.on_first, directions, contact.rows,
                               1.0, contact.count, entries);
  write_rows(system, kinematics, contact.b.body, closest.on_second, directions, contact.rows, -1.0,
             contact.count, entries + count);
  Vector3 prescribed = Vector3::Zero();  // velocity of the first body against the second
  for (const bool is_first : {true, false}) {
    const int body = is_first ? contact.a.body : contact.b.body;
    if (body < 0 || system.bodies[body].kind != BodyKind::frame) continue;
    const Placement& frame = kinematics.of(body);
    const Vector3 local = frame.R.transpose() * ((is_first ? closest.on_first : closest.on_second) - frame.x);
    prescribed += (is_first ? 1.0 : -1.0) * (frame.v + frame.R_dot * local);
  }
  for (int row = 0; row < contact.rows; ++row)
    out.motion[contact.row + row] = directions[row].dot(prescribed);
}

/// The rate of a joint's coordinate as a row, for its stops and its dry friction.
void evaluate_coordinate(const System& system, const ContactSet& contacts, const Kinematics& kinematics,
                         int c, ContactKinematics& out) {
  const Contact& contact = contacts.contacts[c];
  const ScalarFunction& coordinate = system.joints.coordinates[contact.index];
  if (contact.has_gap()) out.gap[c] = contact.sign * (evaluate(coordinate, kinematics) - contact.offset);
  out.motion[contact.row] = contact.sign * prescribed_rate(coordinate, system.bodies, kinematics);
  double columns[4 * max_slots];
  gradient(coordinate, system.bodies, kinematics, columns);
  int entry = contact.entry;
  for (int i = 0; i < coordinate.columns(); ++i)
    if (coordinate.dof[i] >= 0) out.jacobian[entry++] = contact.sign * columns[i];
}

/// What a user's system said last; its contacts stand together.
struct UserGaps {
  int system = -1;
  const VectorX* gaps = nullptr;
  const MatrixX *normals = nullptr, *tangents = nullptr;
};

void evaluate_user_gap(const ContactSet& contacts, const VectorX& q, Kinematics& kinematics, int c,
                       UserGaps& known, ContactKinematics& out) {
  const Contact& contact = contacts.contacts[c];
  if (known.system != contact.index) {
    UserSystemCalls& calls = kinematics.user_systems[contact.index];
    known = {contact.index, &calls.gaps(q), &calls.gap_jacobian(q), &calls.tangent_jacobian(q)};
  }
  double* entries = out.jacobian.data() + contact.entry;
  out.gap[c] = (*known.gaps)[contact.item];
  for (int i = 0; i < contact.count; ++i) {
    entries[i] = (*known.normals)(contact.item, i);
    for (int row = 1; row < contact.rows; ++row)
      entries[row * contact.count + i] = (*known.tangents)(2 * contact.item + row - 1, i);
  }
}

constexpr double everywhere = std::numeric_limits<double>::infinity();  ///< a horizon

void evaluate_without_surface(const System& system, const ContactSet& contacts, const VectorX& q,
                              Kinematics& kinematics, int c, double horizon, UserGaps& user_gaps,
                              ContactKinematics& out) {
  const Contact& contact = contacts.contacts[c];
  switch (contact.kind) {
    case ContactKind::fixed_plane: {
      const double* entries = out.jacobian.data() + contact.entry;
      double gap = contact.offset;
      for (int i = 0; i < contact.count; ++i) gap += entries[i] * q[contacts.dof[contact.begin + i]];
      out.gap[c] = gap;
      break;
    }
    case ContactKind::limit:
    case ContactKind::joint_friction: evaluate_coordinate(system, contacts, kinematics, c, out); break;
    case ContactKind::user: evaluate_user_gap(contacts, q, kinematics, c, user_gaps, out); break;
    case ContactKind::plane:
    case ContactKind::spheres:
    case ContactKind::pin_in_hole:
    case ContactKind::convex: evaluate_bodies(system, contacts, kinematics, c, horizon, out); break;
    case ContactKind::facets: break;
  }
}

}  // namespace

Frame contact_frame(const Contact& contact, const Vector3& normal) {
  if (contact.rows == 2) return {normal, Vector3::UnitZ().cross(normal), Vector3::UnitZ()};
  return frame_from_normal(normal);
}

void ContactSet::add(Contact contact) {
  contact.row = rows;
  rows += contact.rows;
  contacts.push_back(std::move(contact));
}

Vector3 in_contact_frame(const Contact& contact, const std::vector<double>& by_row) {
  Vector3 values = Vector3::Zero();
  for (int row = 0; row < std::min(contact.rows, 3); ++row) values[row] = by_row[contact.row + row];
  return values;
}

ContactKinematics make_contact_kinematics(const ContactSet& contacts) {
  ContactKinematics at;
  const auto count = contacts.contacts.size();
  at.gap.assign(count, 0.0);
  at.motion.assign(contacts.rows, 0.0);
  at.facet.assign(count, -1);
  at.looks.assign(count, {});
  for (auto* vectors : {&at.point, &at.direction, &at.tangent}) vectors->assign(count, Vector3::Zero());
  at.dof = contacts.dof;
  for (const auto& surface : contacts.surfaces)
    at.surfaces.push_back({FacetTree(surface.facets, surface.margin),
                           std::vector<Vector3>(surface.nodes.size(), Vector3::Zero())});
  at.jacobian = contacts.constant_jacobian;
  for (size_t c = 0; c < count; ++c) {
    const Contact& contact = contacts.contacts[c];
    if (contact.kind != ContactKind::fixed_plane) continue;
    at.direction[c] = contact.direction;
    at.tangent[c] = contact_frame(contact, contact.direction).tangent1;
  }
  return at;
}

void evaluate_contacts(const System& system, const ContactSet& contacts, const VectorX& q,
                       Kinematics& kinematics, ContactKinematics& out) {
  evaluate_near_contacts(system, contacts, q, everywhere, {}, kinematics, out);
}

void evaluate_near_contacts(const System& system, const ContactSet& contacts, const VectorX& q,
                            double horizon, std::span<const ContactStatus> status, Kinematics& kinematics,
                            ContactKinematics& out) {
  const auto horizon_of = [&](int c) {
    const bool was_closed = !status.empty() && status[c] != ContactStatus::open;
    return was_closed ? everywhere : horizon;
  };
  out.is_complete = horizon == everywhere;
  UserGaps user_gaps;
  for (int c = 0; c < contacts.count(); ++c)
    evaluate_without_surface(system, contacts, q, kinematics, c, horizon_of(c), user_gaps, out);
  if (contacts.surfaces.empty()) return;
  place_surfaces(system, contacts, q, kinematics, out);
  for (int c = 0; c < contacts.count(); ++c)
    if (contacts.contacts[c].kind == ContactKind::facets &&
        !is_surely_open(system, contacts, q, kinematics, c, horizon_of(c), out))
      evaluate_facets(system, contacts, q, kinematics, c, horizon_of(c), out);
}

void evaluate_contacts_without_surfaces(const System& system, const ContactSet& contacts,
                                        std::span<const int> some, const VectorX& q, Kinematics& kinematics,
                                        ContactKinematics& out) {
  UserGaps user_gaps;
  for (const int c : some)
    evaluate_without_surface(system, contacts, q, kinematics, c, everywhere, user_gaps, out);
}

int find_contact(const ContactSet& contacts, const std::string& first, const std::string& second) {
  for (int c = 0; c < contacts.count(); ++c)
    if (contacts.contacts[c].first == first && contacts.contacts[c].second == second) return c;
  return -1;
}

}  // namespace percuss
