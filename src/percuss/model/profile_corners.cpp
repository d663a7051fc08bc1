#include "percuss/model/profile_corners.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "percuss/geometry/polygon.h"
#include "percuss/math/shorten.h"

namespace percuss {
namespace {

Vector2 vector_of(const std::array<double, 2>& point) { return {point[0], point[1]}; }
Vector2 end_of(const ProfilePiece& piece) { return vector_of(piece.arc ? piece.arc->to : *piece.line); }

bool has_arc(const ProfilePiece& piece) { return piece.arc.has_value(); }

/// An arc from its beginning, by angles about its centre.
struct SweptArc {
  SweptArc(const ProfileArc& arc, const Vector2& from) : centre(vector_of(arc.centre)) {
    const Vector2 start = from - centre, end = vector_of(arc.to) - centre;
    radius = start.norm();
    end_radius = end.norm();
    first = std::atan2(start.y(), start.x());
    sweep = std::atan2(end.y(), end.x()) - first;
    const double turn = 2 * std::numbers::pi;
    if (arc.clockwise) {
      while (sweep >= 0) sweep -= turn;
    } else {
      while (sweep <= 0) sweep += turn;
    }
  }

  /// A chord over the angle a is r (1 - cos(a / 2)) away from its arc.
  double chords_within(double tolerance) const {
    const double widest = 2 * std::acos(std::max(1 - tolerance / radius, 0.5));
    return std::max(std::ceil(std::abs(sweep) / widest - 1e-9), 1.0);
  }

  Vector2 centre;
  double radius, end_radius, first, sweep;
};

Vector2 beginning_of(const std::vector<ProfilePiece>& outline, std::size_t piece) {
  return end_of(outline[(piece + outline.size() - 1) % outline.size()]);
}

/// Between rounded numbers radii differ a little: then the chords go from the one to the other.
std::vector<Vector2> points_of(const std::vector<ProfilePiece>& outline, double tolerance) {
  std::vector<Vector2> points;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    if (outline[i].arc) {
      const SweptArc arc(*outline[i].arc, beginning_of(outline, i));
      const double chords = arc.chords_within(tolerance);
      for (double k = 1; k < chords; ++k) {
        const double part = k / chords, angle = arc.first + part * arc.sweep;
        points.emplace_back(arc.centre + std::lerp(arc.radius, arc.end_radius, part) *
                                             Vector2(std::cos(angle), std::sin(angle)));
      }
    }
    points.push_back(end_of(outline[i]));
  }
  return points;
}

std::vector<Vector2> points_of(const Profile& profile) {
  if (profile.outline) return points_of(*profile.outline, profile.tolerance);
  std::vector<Vector2> points;
  for (const auto& point : profile.polygon ? *profile.polygon : *profile.loaded)
    points.push_back(vector_of(point));
  return points;
}

std::string fault_of(const ProfileArc& arc, const Vector2& from, double tolerance) {
  const SweptArc swept(arc, from);
  if (swept.radius == 0) return "its centre is where it begins; give the centre of its circle";
  if (!(std::abs(swept.end_radius - swept.radius) <= tolerance))
    return fmt::format(
        "it begins at [{}, {}], {} m from its centre [{}, {}], and ends at [{}, {}], {} m from it; the "
        "distances may differ by the tolerance of {} m",
        from.x(), from.y(), swept.radius, arc.centre[0], arc.centre[1], arc.to[0], arc.to[1],
        swept.end_radius, tolerance);
  if (const double chords = swept.chords_within(tolerance); !(chords <= most_polygon_corners))
    return fmt::format("a tolerance of {} m makes {:.0f} chords of a radius of {} m; at most {} are allowed",
                       tolerance, chords, swept.radius, most_polygon_corners);
  return {};
}

std::vector<Complaint> faults_of(const std::vector<ProfilePiece>& outline, double tolerance,
                                 const std::string& path) {
  std::vector<Complaint> faults;
  for (std::size_t i = 0; i < outline.size(); ++i)
    if (outline[i].line.has_value() == outline[i].arc.has_value())
      faults.push_back({fmt::format("{}[{}]", path, i), "give either `line` or `arc`"});
  for (std::size_t i = 0; faults.empty() && i < outline.size(); ++i) {
    if (!outline[i].arc) continue;
    std::string fault = fault_of(*outline[i].arc, beginning_of(outline, i), tolerance);
    if (!fault.empty()) faults.push_back({fmt::format("{}[{}].arc", path, i), std::move(fault)});
  }
  return faults;
}

}  // namespace

std::vector<Complaint> faults_of(const Profile& profile, const std::string& path) {
  if (profile.polygon.has_value() + profile.outline.has_value() + profile.table.has_value() != 1)
    return {{path, "give exactly one of `polygon`, `outline` and `table`"}};
  if (!profile.table && profile.scale != 1)
    return {{path + ".scale", "it belongs to a `table`; other lengths are in m: leave it out"}};
  if (!profile.outline && profile.tolerance != Profile::default_tolerance)
    return {{path + ".tolerance", "it belongs to the arcs of an `outline`; leave it out"}};
  if (profile.table && !profile.loaded)
    return {{path + ".table", fmt::format("'{}' has not been read", shorten(*profile.table))}};
  const std::string where = path + (profile.polygon ? ".polygon" : profile.outline ? ".outline" : ".table");
  if (profile.outline)
    if (auto faults = faults_of(*profile.outline, profile.tolerance, where); !faults.empty()) return faults;
  const std::string defect = polygon_defect(points_of(profile));
  if (defect.empty()) return {};
  return {{where, profile.table ? fmt::format("{}: {}", shorten(*profile.table), defect) : defect}};
}

std::vector<Vector2> corners_of(const Profile& profile) { return tidy_polygon(points_of(profile)); }

std::shared_ptr<const TriangleMesh> mesh_of(const ExtrudedProfile& profile) {
  return std::make_shared<const TriangleMesh>(prism_mesh(corners_of(profile), profile.depth));
}

std::vector<std::string> profile_notes(const Model& model) {
  std::vector<std::string> notes;
  const auto add = [&](const std::string& name, const Profile& profile) {
    std::string note = fmt::format("'{}' has {} corners", name, corners_of(profile).size());
    if (profile.outline && std::ranges::any_of(*profile.outline, has_arc))
      note += fmt::format(", arcs as chords within {} m", profile.tolerance);
    notes.push_back(std::move(note));
  };
  const auto add_shape = [&](const std::string& name, const auto& shape) {
    if (shape.profile) add(name, *shape.profile);
    if constexpr (requires { shape.compound; })
      for (size_t i = 0; shape.compound && i < shape.compound->size(); ++i)
        if (const auto& part = (*shape.compound)[i].shape; part.profile) add(name, *part.profile);
  };
  for (const Body& body : model.bodies) {
    if (const auto* rigid = std::get_if<RigidBody>(&body); rigid && rigid->shape)
      add_shape(rigid->name, *rigid->shape);
    if (const auto* planar = std::get_if<PlanarBody>(&body); planar && planar->shape)
      add_shape(planar->name, *planar->shape);
  }
  for (const Obstacle& obstacle : model.obstacles)
    if (const auto* solid = std::get_if<ShapeObstacle>(&obstacle)) add_shape(solid->name, solid->shape);
  return notes;
}

}  // namespace percuss
