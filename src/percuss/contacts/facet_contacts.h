#pragma once

#include "percuss/contacts/contact_set.h"

/// Contacts of points with the surfaces of flexible bodies.
namespace percuss {

/// Where the surfaces are at q.
void place_surfaces(const System& system, const ContactSet& contacts, const VectorX& q,
                    const Kinematics& kinematics, ContactKinematics& out);
/// Gap, directions and Jacobian of a contact, after place_surfaces(). Of one that is farther open than
/// `horizon` the gap alone.
void evaluate_facets(const System& system, const ContactSet& contacts, const VectorX& q,
                     const Kinematics& kinematics, int c, double horizon, ContactKinematics& out);
/// Whether a contact is certainly farther open than `horizon`, by how far its point and the surface have come
/// since evaluate_facets(). After place_surfaces().
bool is_surely_open(const System& system, const ContactSet& contacts, const VectorX& q,
                    const Kinematics& kinematics, int c, double horizon, const ContactKinematics& at);

}  // namespace percuss
