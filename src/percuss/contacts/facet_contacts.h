#pragma once

#include "percuss/contacts/contact_kinematics.h"

/// Contacts of points with the surfaces of flexible bodies.
namespace percuss {

/// A point before a surface; of a node of the surface itself the facets around it do not count.
struct SurfacePoint {
  Vector3 place;
  double radius = 0;
  int own_node = -1;  ///< its place in ContactSurface::nodes
};
/// The closest point of a surface on which it may touch; facet -1: none. A `likely` facet shortens the
/// search.
FacetProjection closest_on_surface(const ContactSurface& surface, const ContactKinematics::Surface& placed,
                                   const SurfacePoint& point, int likely = -1);

/// Where a surface is at q.
void place_surface(const System& system, const ContactSurface& surface, const VectorX& q,
                   const Kinematics& kinematics, ContactKinematics::Surface& placed);
/// The same for those that contacts of the list touch.
void place_surfaces(const Assembly& assembly, const VectorX& q, const Kinematics& kinematics,
                    ContactKinematics& out);
/// Gap, directions and Jacobian of a contact, after place_surfaces(). Of one that is farther open than
/// `horizon` the gap alone.
void evaluate_facets(const Assembly& assembly, const ContactList& contacts, const VectorX& q,
                     const Kinematics& kinematics, int c, double horizon, ContactKinematics& out);
/// Whether a contact is certainly farther open than `horizon`, by how far its point and the surface have come
/// since evaluate_facets(). After place_surfaces().
bool is_surely_open(const Assembly& assembly, const ContactList& contacts, const VectorX& q,
                    const Kinematics& kinematics, int c, double horizon, const ContactKinematics& at);

/// Velocity of the point of a contact with facets against the place of the surface under it [m/s]; zero if
/// nothing is near. For reports: frictionless contacts have no rows for it. `at` must be at q of the state.
Vector3 velocity_over_facets(const Assembly& assembly, const ContactList& contacts,
                             const ContactKinematics& at, int c, const State& state);

}  // namespace percuss
