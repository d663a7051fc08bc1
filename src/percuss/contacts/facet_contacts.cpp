#include "percuss/contacts/facet_contacts.h"

#include <algorithm>
#include <cmath>

#include "percuss/contacts/contact_rows.h"

namespace percuss {
namespace {

Vector3 node_place(const System& system, int body, const VectorX& q, const Kinematics& kinematics) {
  const BodyData& node = system.bodies[body];
  if (node.kind == BodyKind::floating) return kinematics.of(body).x;
  Vector3 x = node.start;
  for (int axis = 0; axis < 3; ++axis)
    if (node.dof[axis] >= 0) x[axis] = q[node.dof[axis]];
  return x;
}

bool is_node(const System& system, int body) {
  return body >= 0 && system.bodies[static_cast<size_t>(body)].kind == BodyKind::translating;
}

Vector3 point_of(const System& system, const Contact& contact, const VectorX& q,
                 const Kinematics& kinematics) {
  return is_node(system, contact.a.body) ? node_place(system, contact.a.body, q, kinematics)
                                         : contact.a.value(kinematics.of(contact.a.body));
}

FacetProjection closest_on_surface(const Contact& contact, const ContactSurface& surface,
                                   const ContactKinematics::Surface& placed, const Vector3& p, int likely) {
  return closest_on_surface(surface, placed, {p, contact.radius_a, contact.item}, likely);
}

}  // namespace

/// A point far behind the surface does not touch it from outside: it is on the other side of the body.
FacetProjection closest_on_surface(const ContactSurface& surface, const ContactKinematics::Surface& placed,
                                   const SurfacePoint& point, int likely) {
  const auto may_touch = [&](int facet) {
    if (point.own_node >= 0 && placed.tree.has_node(facet, point.own_node)) return false;
    return placed.tree.is_before(facet, point.place, surface.thickness);
  };
  FacetProjection closest = placed.tree.closest(point.place, point.radius + surface.reach, may_touch, likely);
  if (!(closest.gap > -surface.thickness)) closest.facet = -1;
  return closest;
}

void place_surface(const System& system, const ContactSurface& surface, const VectorX& q,
                   const Kinematics& kinematics, ContactKinematics::Surface& placed) {
  double farthest2 = 0;
  for (size_t i = 0; i < surface.nodes.size(); ++i) {
    const Vector3 x = surface.is_floating ? kinematics.of(surface.nodes[i]).x
                                          : node_place(system, surface.nodes[i], q, kinematics);
    farthest2 = std::max(farthest2, (x - placed.points[i]).squaredNorm());
    placed.points[i] = x;
  }
  placed.travel += std::sqrt(farthest2);
  placed.tree.update(placed.points);
}

void place_surfaces(const Assembly& assembly, const VectorX& q, const Kinematics& kinematics,
                    ContactKinematics& out) {
  for (size_t s = 0; s < out.surfaces.size(); ++s)
    if (out.surfaces[s].is_touched)
      place_surface(assembly.system, assembly.interactions.surfaces[s], q, kinematics, out.surfaces[s]);
}

/// No point of a surface moves farther than its nodes. As long as all facets are farther away than the
/// thickness of the body the contact cannot be found closed, whatever sides of facets the point passes.
bool is_surely_open(const Assembly& assembly, const ContactList& contacts, const VectorX& q,
                    const Kinematics& kinematics, int c, double horizon, const ContactKinematics& at) {
  constexpr double rounding = 1e-12;  // of sums over many steps
  const Contact& contact = contacts[c];
  const ContactSurface& surface = assembly.interactions.surfaces[contact.index];
  const ContactKinematics::Look& last = at.looks[c];
  const double needed = contact.radius_a + std::max(surface.thickness, horizon);
  const double travel = at.surfaces[contact.index].travel, travelled = travel - last.travel;
  const double rest = last.distance - travelled - needed - rounding * (last.distance + travel);
  return rest > 0 &&
         (point_of(assembly.system, contact, q, kinematics) - last.point).squaredNorm() < rest * rest;
}

/// d(gap) = n . (dp - sum w_k dx_k) with the weights w_k of the closest point, and likewise along the
/// tangents.
void evaluate_facets(const Assembly& assembly, const ContactList& contacts, const VectorX& q,
                     const Kinematics& kinematics, int c, double horizon, ContactKinematics& out) {
  const Contact& contact = contacts[c];
  const ContactSurface& surface = assembly.interactions.surfaces[contact.index];
  const System& system = assembly.system;
  const Vector3 p = point_of(system, contact, q, kinematics);
  const FacetProjection closest =
      closest_on_surface(contact, surface, out.surfaces[contact.index], p, out.facet[c]);
  out.looks[c] = {p, closest.distance, out.surfaces[contact.index].travel};
  out.facet[c] = closest.facet;
  out.gap[c] = closest.facet < 0 ? surface.reach : closest.gap - contact.radius_a;
  if (out.gap[c] > horizon) return;
  double* entries = out.jacobian.data() + contact.entry;
  int* dof = out.dof.data() + contact.begin;
  std::fill(entries, entries + contact.rows * contact.count, 0.0);
  for (int row = 0; row < contact.rows; ++row) out.motion[contact.row + row] = 0;
  if (closest.facet < 0) {  // nothing is near
    out.direction[c] = out.tangent[c] = Vector3::Zero();
    return;
  }
  out.point[c] = p - contact.radius_a * closest.normal;
  out.direction[c] = closest.normal;
  // Along the first edge of the facet, so that small changes of the normal do not turn the tangents.
  const auto& corners = surface.facets.nodes[closest.facet];
  const auto& points = out.surfaces[contact.index].points;
  const Vector3 edge = points[corners[1]] - points[corners[0]];
  Vector3 directions[3] = {closest.normal, (edge - closest.normal.dot(edge) * closest.normal).normalized(),
                           Vector3::Zero()};
  directions[2] = closest.normal.cross(directions[1]);
  out.tangent[c] = directions[1];
  int count = 0;
  if (is_node(system, contact.a.body)) {
    const BodyData& body = system.bodies[contact.a.body];
    for (int axis = 0; axis < 3; ++axis) {
      if (body.dof[axis] < 0) continue;
      for (int row = 0; row < contact.rows; ++row)
        entries[row * contact.count + count] = directions[row][axis];
      ++count;
    }
  } else {
    count = RowWriter{system, kinematics, directions, contact.rows, contact.count}.point(
        contact.a.body, out.point[c], 1.0, entries);
    const Vector3 prescribed = prescribed_velocity(system, kinematics, contact.a.body, out.point[c]);
    for (int row = 0; row < contact.rows; ++row)
      out.motion[contact.row + row] = directions[row].dot(prescribed);
  }
  const Vector3 belt =
      belt_velocity(contact, [&](int body) -> const Matrix3& { return kinematics.of(body).R; });
  for (int row = 1; row < contact.rows; ++row) out.motion[contact.row + row] -= directions[row].dot(belt);
  // All corners belong to one body, which turns its axes under the directions if it has a floating frame.
  if (surface.is_floating) {
    const Matrix3& R = kinematics.of(surface.nodes[corners[0]]).R;
    for (int row = 0; row < contact.rows; ++row) directions[row] = R.transpose() * directions[row];
  }
  for (int k = 0; k < 4 && corners[k] >= 0; ++k) {
    const auto& corner = surface.dofs[corners[k]];
    for (int axis = 0; axis < 3; ++axis) {
      if (corner[axis] < 0) continue;
      dof[count] = corner[axis];
      for (int row = 0; row < contact.rows; ++row)
        entries[row * contact.count + count] = -closest.weights[k] * directions[row][axis];
      ++count;
    }
  }
  // What is left of the entries keeps its zeros: nodes that are held, and the fourth corner of a triangle.
}

Vector3 velocity_over_facets(const Assembly& assembly, const ContactList& contacts,
                             const ContactKinematics& at, int c, const State& state) {
  const Contact& contact = contacts[c];
  const ContactSurface& surface = assembly.interactions.surfaces[contact.index];
  const System& system = assembly.system;
  const auto place_at = [&](int body) {
    return place(system.bodies[static_cast<size_t>(body)], state.q, state.v, state.time);
  };
  const int body = contact.a.body;
  const PoseAndVelocity pose = body < 0 ? PoseAndVelocity() : place_at(body);
  const Vector3 p = is_node(system, body) ? pose.x : contact.a.value(pose);
  const FacetProjection closest =
      closest_on_surface(contact, surface, at.surfaces[contact.index], p, at.facet[c]);
  if (closest.facet < 0) return Vector3::Zero();
  Vector3 velocity = pose.v;
  if (body >= 0) velocity += pose.R_dot * to_body_axes(system.bodies[body], pose, at.point[c]);
  for (int k = 0; k < 4; ++k) {
    const int node = surface.facets.nodes[closest.facet][k];
    if (node < 0) break;
    velocity -= closest.weights[k] * place_at(surface.nodes[node]).v;
  }
  return velocity;
}

}  // namespace percuss
