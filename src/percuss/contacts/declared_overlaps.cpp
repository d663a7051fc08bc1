#include "percuss/contacts/declared_overlaps.h"

#include <vector>

#include "percuss/collision/features.h"

namespace percuss {
namespace {

struct Corners {
  std::vector<Vector3> places;  ///< in the axes of their body
  std::string against;
};

ConvexShape hull_shape(const System& system, int body, const std::vector<Vector3>& corners) {
  if (!moves_in_plane(system.bodies[static_cast<size_t>(body)]))
    return polyhedron_shape(convex_hull(corners), Vector3::Zero());
  std::vector<Vector2> in_plane;
  for (const Vector3& corner : corners) in_plane.emplace_back(corner.head<2>());
  return polygon_shape(planar_convex_hull(in_plane), Vector3::Zero());
}

}  // namespace

std::map<std::pair<int, int>, DeclaredOverlap> declared_overlaps(const Assembly& assembly,
                                                                 const Kinematics& kinematics) {
  std::map<std::pair<int, int>, Corners> corners;  // of the first body against the faces of the second
  for (const Contact& contact : assembly.interactions.declared.contacts) {
    if (contact.kind != ContactKind::convex || contact.radius_a > 0) continue;
    Corners& of_pair = corners[{contact.a.body, contact.b.body}];
    of_pair.places.push_back(contact.a.local);
    of_pair.against = assembly.interactions.name(contact).second;
  }
  std::map<std::pair<int, int>, DeclaredOverlap> overlaps;
  FeatureFinder finder;
  for (const auto& [pair, of_first] : corners) {
    const auto [a, b] = pair;
    const auto reverse = corners.find({b, a});
    if (a > b || reverse == corners.end()) continue;
    const Corners& of_second = reverse->second;
    const ConvexShape first = hull_shape(assembly.system, a, of_first.places),
                      second = hull_shape(assembly.system, b, of_second.places);
    const PoseAndVelocity &at_a = kinematics.of(a), &at_b = kinematics.of(b);
    const double apart = finder.separation({&first, at_a.x, at_a.R}, {&second, at_b.x, at_b.R});
    overlaps.emplace(pair, DeclaredOverlap{{of_second.against, of_first.against}, -apart});
  }
  return overlaps;
}

}  // namespace percuss
