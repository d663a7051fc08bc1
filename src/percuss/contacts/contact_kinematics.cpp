#include "percuss/contacts/contact_kinematics.h"

#include <limits>

#include "percuss/collision/curved_gap.h"
#include "percuss/contacts/contact_rows.h"
#include "percuss/contacts/facet_contacts.h"

namespace percuss {
namespace {

/// A feature of a curved contact in space; those of half-spaces, nodes and beams are given without a piece.
Feature feature_in_space(const Things& things, const PoseAndVelocity& pose, FeatureType type, int number,
                         int piece_index, const Feature& without_piece) {
  if (piece_index < 0) return without_piece;
  const Piece& piece = things.pieces[static_cast<size_t>(piece_index)];
  const int local = number - piece.first(type);
  Feature feature = piece.mesh >= 0 ? feature_of(things.mesh(piece), type, local)
                                    : feature_of(things.shape(piece), type, local);
  feature.point = pose.x + pose.R * feature.point;
  feature.direction = pose.R * feature.direction;
  feature.half_axes = pose.R * feature.half_axes;
  return feature;
}

/// Of a line, or a normal, of one side.
Vector3 direction_of(const Contact& contact, bool is_first, const Kinematics& kinematics) {
  const int next = is_first ? contact.next_a : contact.next_b;
  const PoseAndVelocity& pose = kinematics.of(is_first ? contact.a.body : contact.b.body);
  if (next >= 0) return (kinematics.of(next).x - pose.x).normalized();
  return pose.R * (is_first ? contact.direction_a : contact.direction);
}

ClosestPoints closest_on_curves(const Interactions& interactions, const Contact& contact,
                                const Kinematics& kinematics) {
  const ContactId& id = contact.id;
  const bool is_turned = is_exchanged(id.kind);
  const FeatureType type_a = is_turned ? second_type(id.kind) : first_type(id.kind),
                    type_b = is_turned ? first_type(id.kind) : second_type(id.kind);
  const PoseAndVelocity &at_a = kinematics.of(contact.a.body), &at_b = kinematics.of(contact.b.body);
  const Things& things = *interactions.things;
  const Feature first = feature_in_space(
      things, at_a, type_a, is_turned ? id.b : id.a, contact.index,
      {type_a, contact.a.value(at_a), direction_of(contact, true, kinematics), contact.radius_a});
  const Feature second = feature_in_space(
      things, at_b, type_b, is_turned ? id.a : id.b, contact.item,
      {type_b, contact.b.value(at_b), direction_of(contact, false, kinematics), contact.radius_b});
  return gap_of_curved(first, second, branch_of(id.kind));
}

ClosestPoints closest_points(const Interactions& interactions, const Contact& contact,
                             const Kinematics& kinematics) {
  const Ball first{contact.a.value(kinematics.of(contact.a.body)), contact.radius_a};
  const PoseAndVelocity& second = kinematics.of(contact.b.body);
  const auto direction = [&](bool is_first) { return direction_of(contact, is_first, kinematics); };
  switch (contact.kind) {
    case ContactKind::plane: return ball_on_plane(first, contact.b.value(second), direction(false));
    case ContactKind::spheres: return ball_on_ball(first, {contact.b.value(second), contact.radius_b});
    case ContactKind::pin_in_hole:
      return pin_in_hole(first, {contact.b.value(second), contact.radius_b}, direction(false));
    case ContactKind::point_on_line:
      return ball_on_line(first, {contact.b.value(second), direction(false), contact.radius_b});
    case ContactKind::lines:
      return line_on_line({first.centre, contact.sign * direction(true), first.radius},
                          {contact.b.value(second), direction(false), contact.radius_b});
    case ContactKind::curved: return closest_on_curves(interactions, contact, kinematics);
    default: break;
  }
  const std::span<const ConvexFace> faces(&interactions.faces[contact.index], contact.item);
  const Vector3 centre = second.R.transpose() * (first.centre - second.x);
  const ConvexFace& face = faces[farthest_face(faces, centre)];
  return ball_before_plane(first, face.normal.dot(centre) - face.offset, second.R * face.normal);
}

/// Rows of the angular velocities of both bodies against each other, times a length.
void evaluate_moments(const System& system, const Contact& contact, const Kinematics& kinematics,
                      const ClosestPoints& closest, const Vector3* frame, ContactKinematics& out) {
  Vector3 axes[3];
  for (int k = 0; k < contact.moments; ++k) axes[k] = contact.moment_length * frame[contact.moment_axis(k)];
  double* entries = out.jacobian.data() + contact.entry + contact.first_moment() * contact.count;
  const RowWriter write{system, kinematics, axes, contact.moments, contact.count};
  entries += write.turn_of_side(contact.a.body, contact.next_a, closest.on_first, 1.0, entries);
  write.turn_of_side(contact.b.body, contact.next_b, closest.on_second, -1.0, entries);
  const Vector3 prescribed = prescribed_spin(system, kinematics, contact.a.body) -
                             prescribed_spin(system, kinematics, contact.b.body);
  for (int k = 0; k < contact.moments; ++k)
    out.motion[contact.row + contact.first_moment() + k] = axes[k].dot(prescribed);
}

/// Of a contact that is farther open than `horizon` the gap alone.
void evaluate_bodies(const Assembly& assembly, const ContactList& contacts, const Kinematics& kinematics,
                     int c, double horizon, ContactKinematics& out) {
  const Contact& contact = contacts[c];
  const System& system = assembly.system;
  const ClosestPoints closest = closest_points(assembly.interactions, contact, kinematics);
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
  const RowWriter write{system, kinematics, directions, contact.first_moment(), contact.count};
  entries += write.side(contact.a.body, contact.next_a, closest.on_first, 1.0, entries);
  write.side(contact.b.body, contact.next_b, closest.on_second, -1.0, entries);
  const Vector3 prescribed = prescribed_velocity(system, kinematics, contact.a.body, closest.on_first) -
                             prescribed_velocity(system, kinematics, contact.b.body, closest.on_second);
  for (int row = 0; row < contact.first_moment(); ++row)
    out.motion[contact.row + row] = directions[row].dot(prescribed);
  const Vector3 belt =
      belt_velocity(contact, [&](int body) -> const Matrix3& { return kinematics.of(body).R; });
  for (int row = 1; row < contact.first_moment(); ++row)
    out.motion[contact.row + row] -= directions[row].dot(belt);
  if (contact.moments > 0) evaluate_moments(system, contact, kinematics, closest, directions, out);
}

/// The rate of a joint's coordinate as a row, for its stops and its dry friction.
void evaluate_coordinate(const System& system, const ContactList& contacts, const Kinematics& kinematics,
                         int c, ContactKinematics& out) {
  const Contact& contact = contacts[c];
  const ScalarFunction& coordinate = system.joints.coordinates[contact.index];
  if (contact.has_gap()) out.gap[c] = contact.sign * (evaluate(coordinate, kinematics) - contact.offset);
  out.motion[contact.row] = contact.sign * prescribed_rate(coordinate, system.bodies, kinematics);
  double columns[4 * max_body_coordinates];
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

void evaluate_user_gap(const ContactList& contacts, const VectorX& q, Kinematics& kinematics, int c,
                       UserGaps& known, ContactKinematics& out) {
  const Contact& contact = contacts[c];
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

void evaluate_without_surface(const Assembly& assembly, const ContactList& contacts, const VectorX& q,
                              Kinematics& kinematics, int c, double horizon, UserGaps& user_gaps,
                              ContactKinematics& out) {
  const Contact& contact = contacts[c];
  switch (contact.kind) {
    case ContactKind::fixed_plane: {
      const double* entries = out.jacobian.data() + contact.entry;
      double gap = contact.offset;
      for (int i = 0; i < contact.count; ++i) gap += entries[i] * q[contacts.dof[contact.begin + i]];
      out.gap[c] = gap;
      break;
    }
    case ContactKind::limit:
    case ContactKind::joint_friction:
      evaluate_coordinate(assembly.system, contacts, kinematics, c, out);
      break;
    case ContactKind::user: evaluate_user_gap(contacts, q, kinematics, c, user_gaps, out); break;
    case ContactKind::plane:
    case ContactKind::spheres:
    case ContactKind::pin_in_hole:
    case ContactKind::point_on_line:
    case ContactKind::lines:
    case ContactKind::curved:
    case ContactKind::convex: evaluate_bodies(assembly, contacts, kinematics, c, horizon, out); break;
    case ContactKind::facets: break;
  }
}

}  // namespace

Frame contact_frame(const Contact& contact, const Vector3& normal) {
  if (contact.is_planar && contact.rows > 1)
    return {normal, Vector3::UnitZ().cross(normal), Vector3::UnitZ()};
  return frame_from_normal(normal);
}

std::vector<ContactKinematics::Surface> make_surfaces(const Interactions& interactions) {
  std::vector<ContactKinematics::Surface> surfaces;
  for (const auto& surface : interactions.surfaces)
    surfaces.push_back({FacetTree(surface.facets, surface.margin),
                        std::vector<Vector3>(surface.nodes.size(), Vector3::Zero())});
  return surfaces;
}

ContactKinematics make_contact_kinematics(const Interactions& interactions, const ContactList& contacts) {
  ContactKinematics at;
  at.surfaces = make_surfaces(interactions);
  fit(contacts, at);
  return at;
}

void make_room(const ContactList& contacts, ContactKinematics& at) {
  const auto count = contacts.contacts.size();
  at.gap.assign(count, 0.0);
  at.motion.assign(static_cast<size_t>(contacts.rows), 0.0);
  at.facet.assign(count, -1);
  at.looks.assign(count, {});
  for (auto* vectors : {&at.point, &at.direction, &at.tangent}) vectors->assign(count, Vector3::Zero());
  at.dof = contacts.dof;
  at.jacobian = contacts.constant_jacobian;
  at.is_complete = false;
  at.version = contacts.version;
  for (auto& surface : at.surfaces) surface.is_touched = false;
  for (const Contact& contact : contacts.contacts)
    if (contact.has_surface()) at.surfaces[static_cast<size_t>(contact.index)].is_touched = true;
  for (size_t c = 0; c < count; ++c) {
    const Contact& contact = contacts.contacts[c];
    if (contact.kind != ContactKind::fixed_plane) continue;
    at.direction[c] = contact.direction;
    at.tangent[c] = contact_frame(contact, contact.direction).tangent1;
  }
}

void evaluate_contacts(const Assembly& assembly, const ContactList& contacts, const VectorX& q,
                       Kinematics& kinematics, ContactKinematics& out) {
  evaluate_near_contacts(assembly, contacts, q, everywhere, {}, kinematics, out);
}

void evaluate_near_contacts(const Assembly& assembly, const ContactList& contacts, const VectorX& q,
                            double horizon, std::span<const ContactStatus> status, Kinematics& kinematics,
                            ContactKinematics& out) {
  const auto horizon_of = [&](int c) {
    const bool was_closed = !status.empty() && status[c] != ContactStatus::open;
    return was_closed ? everywhere : horizon;
  };
  fit(contacts, out);
  out.is_complete = horizon == everywhere;
  UserGaps user_gaps;
  for (int c = 0; c < contacts.count(); ++c)
    evaluate_without_surface(assembly, contacts, q, kinematics, c, horizon_of(c), user_gaps, out);
  if (assembly.interactions.surfaces.empty()) return;
  place_surfaces(assembly, q, kinematics, out);
  for (int c = 0; c < contacts.count(); ++c)
    if (contacts[c].kind == ContactKind::facets &&
        !is_surely_open(assembly, contacts, q, kinematics, c, horizon_of(c), out))
      evaluate_facets(assembly, contacts, q, kinematics, c, horizon_of(c), out);
}

void evaluate_contacts_without_surfaces(const Assembly& assembly, const ContactList& contacts,
                                        std::span<const int> some, const VectorX& q, Kinematics& kinematics,
                                        ContactKinematics& out) {
  fit(contacts, out);
  UserGaps user_gaps;
  for (const int c : some)
    evaluate_without_surface(assembly, contacts, q, kinematics, c, everywhere, user_gaps, out);
}

}  // namespace percuss
