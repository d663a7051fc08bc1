#include "percuss/contacts/view_contact.h"

#include "percuss/contacts/contact_rows.h"
#include "percuss/contacts/facet_contacts.h"

namespace percuss {

ContactView view_contact(const Assembly& assembly, const ContactList& list, const ContactKinematics& at,
                         const State& state, int c) {
  const Contact& contact = list[c];
  const ContactName name = assembly.interactions.name(contact);
  ContactView view{name.first,
                   name.second,
                   at.point[c],
                   at.direction[c],
                   at.gap[c],
                   at.tangent[c],
                   {relative_velocity(list, at, c, 0, state.v), 0, 0}};
  if (contact.is_of_joint() || contact.kind == ContactKind::user) {
    for (int row = 1; row < contact.rows; ++row)
      view.velocity[row] = relative_velocity(list, at, c, row, state.v);
    return view;
  }
  const auto pose_of = [&](int body) {
    return place(assembly.system.bodies[static_cast<size_t>(body)], state.q, state.v, state.time);
  };
  const auto velocity_at = [&](int body, const Vector3& point) -> Vector3 {
    if (body < 0) return Vector3::Zero();
    const PoseAndVelocity p = pose_of(body);
    return p.v + p.R_dot * to_body_axes(assembly.system.bodies[static_cast<size_t>(body)], p, point);
  };
  const auto rotation_of = [&](int body) -> Matrix3 {
    return body < 0 ? Matrix3(Matrix3::Identity()) : pose_of(body).R;
  };
  const auto velocity_of_side = [&](int body, int next, const Vector3& point) -> Vector3 {
    if (next < 0) return velocity_at(body, point);
    const Vector3 x1 = pose_of(body).x, x2 = pose_of(next).x;
    const PointOnBeam on_beam(x1, x2, point);
    return (1 - on_beam.t) * velocity_at(body, x1 + on_beam.arm) +
           on_beam.t * velocity_at(next, x2 + on_beam.arm);
  };
  if (contact.kind == ContactKind::fixed_plane)
    view.point = place(assembly.system.bodies[contact.a.body], state.q, state.v, state.time).x -
                 contact.radius_a * view.normal;
  if (view.normal.isZero(0)) return view;
  if (contact.kind == ContactKind::facets) {  // the second side is spread over nodes
    const Vector3 sliding =
        velocity_over_facets(assembly, list, at, c, state) - belt_velocity(contact, rotation_of);
    view.velocity[1] = view.tangent.dot(sliding);
    view.velocity[2] = view.normal.cross(view.tangent).dot(sliding);
    return view;
  }
  // Frictionless contacts have no tangential rows, but they slide too.
  const Frame frame = contact_frame(contact, view.normal);
  const Vector3 relative = velocity_of_side(contact.a.body, contact.next_a, view.point) -
                           velocity_of_side(contact.b.body, contact.next_b, view.point) -
                           belt_velocity(contact, rotation_of);
  view.tangent = frame.tangent1;
  view.velocity[1] = frame.tangent1.dot(relative);
  view.velocity[2] = frame.tangent2.dot(relative);
  return view;
}

}  // namespace percuss
