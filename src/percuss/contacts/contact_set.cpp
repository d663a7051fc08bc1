#include "percuss/contacts/contact_set.h"

namespace percuss {

ContactSet build_contacts(const Model& model, const System& system) {
  ContactSet set;
  set.walls = walls_of(model.obstacles);
  std::vector<Complaint> complaints;
  const auto resolved = resolve_contacts(model, complaints);
  if (!complaints.empty()) throw ModelError(std::move(complaints));
  for (const auto& pair : resolved) {
    const BodyData& body = system.bodies[pair.body];
    const Wall& wall = set.walls[pair.wall];
    Contact contact;
    contact.body = pair.body;
    contact.wall = pair.wall;
    contact.restitution =
        find_law(model, common(model.bodies[pair.body]).material, wall.material)->restitution;
    contact.offset = -wall.solid.normal.dot(wall.solid.point) - body.radius;
    for (int axis = 0; axis < 3; ++axis) {
      const double n = wall.solid.normal[axis];
      if (n == 0) continue;
      if (body.point.dof[axis] < 0) {
        contact.offset += n * body.point.fixed[axis];
      } else {
        contact.dof[contact.count] = body.point.dof[axis];
        contact.normal[contact.count++] = n;
      }
    }
    set.contacts.push_back(contact);
  }
  return set;
}

int find_contact(const System& system, const ContactSet& contacts, const std::string& body,
                 const std::string& wall) {
  for (int c = 0; c < contacts.count(); ++c)
    if (system.bodies[contacts.contacts[c].body].name == body &&
        contacts.walls[contacts.contacts[c].wall].name == wall)
      return c;
  return -1;
}

ContactView view_contact(const System& system, const ContactSet& contacts, int index, const VectorX& q,
                         const VectorX& v) {
  const Contact& contact = contacts.contacts[index];
  const BodyData& body = system.bodies[contact.body];
  const Wall& wall = contacts.walls[contact.wall];
  const Frame frame = frame_from_normal(wall.solid.normal);
  const Vector3 velocity = body.point.velocity(v);
  return {body.name,
          wall.name,
          body.point.position(q) - body.radius * wall.solid.normal,
          wall.solid.normal,
          contact.gap(q),
          {contact.velocity(v), frame.tangent1.dot(velocity), frame.tangent2.dot(velocity)}};
}

Assembly build_assembly(const Model& model) {
  System system = build_system(model);
  ContactSet contacts = build_contacts(model, system);
  system.initial.reaction.assign(contacts.contacts.size(), 0.0);
  system.initial.contact_status.assign(contacts.contacts.size(), ContactStatus::open);
  return {std::move(system), std::move(contacts)};
}

}  // namespace percuss
