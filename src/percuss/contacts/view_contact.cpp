#include "percuss/contacts/view_contact.h"

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
  const auto velocity_at = [&](int body, const Vector3& point) -> Vector3 {
    if (body < 0) return Vector3::Zero();
    const BodyData& data = assembly.system.bodies[body];
    const PoseAndVelocity p = place(data, state.q, state.v, state.time);
    return p.v + p.R_dot * to_body_axes(data, p, point);
  };
  if (contact.kind == ContactKind::fixed_plane)
    view.point = place(assembly.system.bodies[contact.a.body], state.q, state.v, state.time).x -
                 contact.radius_a * view.normal;
  if (view.normal.isZero(0)) return view;
  if (contact.kind == ContactKind::facets) {  // the second side is spread over nodes
    const Vector3 sliding = velocity_over_facets(assembly, list, at, c, state);
    view.velocity[1] = view.tangent.dot(sliding);
    view.velocity[2] = view.normal.cross(view.tangent).dot(sliding);
    return view;
  }
  // Frictionless contacts have no tangential rows, but they slide too.
  const Frame frame = contact_frame(contact, view.normal);
  const Vector3 relative = velocity_at(contact.a.body, view.point) - velocity_at(contact.b.body, view.point);
  view.tangent = frame.tangent1;
  view.velocity[1] = frame.tangent1.dot(relative);
  view.velocity[2] = frame.tangent2.dot(relative);
  return view;
}

}  // namespace percuss
