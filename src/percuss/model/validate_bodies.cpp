#include <algorithm>
#include <cmath>
#include <set>

#include "percuss/math/shorten.h"
#include "percuss/model/validate_checks.h"

namespace percuss {
namespace {

void check_points(ModelChecks& check, const std::string& path, const NamedMap<Vector3>& points) {
  static const std::set<std::string_view> quantities = {
      "position", "velocity", "displacement", "speed", "angle", "angular_velocity", "omega", "orientation"};
  for (const auto& [name, point] : points) {
    const std::string where = fmt::format("{}.points.{}", path, name);
    if (!is_plain_name(name)) check.complain(where, bad_name(name));
    if (quantities.contains(name))
      check.complain(
          where, fmt::format("'{}' is not allowed as a name; it has a meaning of its own in probes", name));
  }
}

void check_body(ModelChecks& check, const std::string& path, const Particle& particle) {
  check.material(path, particle.material);
}
void check_body(ModelChecks& check, const std::string& path, const Sphere& sphere) {
  check.material(path, sphere.material);
  if (sphere.mass) return;
  const Material* material = find_named(check.model.materials, sphere.material);
  if (!material && !sphere.material.empty()) return;  // an unknown material, which has been reported
  if (!material || !material->density)
    check.complaints.push_back(
        {path + ".mass",
         fmt::format("sphere '{}' has no mass; give `mass`, or a material with a density", sphere.name),
         path + ".material"});
}
void check_body(ModelChecks& check, const std::string& path, const RigidBody& body) {
  check.material(path, body.material);
  check_points(check, path, body.points);
  check_orientation(check, path, body.orientation);
  if (body.inertia) check.components(path, "inertia", *body.inertia, allow::nonnegative);
  if (!body.inertia && !body.products.isZero(0))
    check.complain(path + ".products",
                   fmt::format("{} is not used: products belong to a given `inertia`; give "
                               "both, or leave both to the shape",
                               text_of(body.products)));
  if (body.shape) check_shape(check, path + ".shape", *body.shape);
}
void check_body(ModelChecks& check, const std::string& path, const PlanarBody& body) {
  check.material(path, body.material);
  check_points(check, path, body.points);
  if (body.velocity[2] != 0)
    check.complain(path + ".velocity[2]",
                   fmt::format("{} is not allowed; a planar body cannot move along z", body.velocity[2]));
  if (!body.shape) return;
  check_shape(check, path + ".shape", *body.shape);
}

}  // namespace

void check_bodies(ModelChecks& check) {
  for (size_t i = 0; i < check.model.bodies.size(); ++i)
    std::visit([&](const auto& body) { check_body(check, fmt::format("bodies[{}]", i), body); },
               check.model.bodies[i]);
}

void check_frames(ModelChecks& check) {
  for (size_t i = 0; i < check.model.frames.size(); ++i) {
    const MovingFrame& frame = check.model.frames[i];
    const std::string path = fmt::format("frames[{}]", i);
    check_points(check, path, frame.points);
    check.direction(path + ".axis", frame.axis);
  }
}

void check_equations(ModelChecks& check, const std::string& path, const UserSystem& system) {
  std::set<std::string> names;
  const auto check_name = [&](std::string_view what, const std::string& name) {
    const bool is_new = names.insert(name).second;
    if (!is_plain_name(name) || !is_new)
      check.complain(path + ".plugin",
                     fmt::format("'{}' has a {} named '{}'; {}", system.name, what, shorten(name),
                                 is_new ? "use letters, digits, _ and -" : "each needs a name of its own"));
  };
  const auto coordinates = system.equations->coordinate_names();
  if (coordinates.empty())
    check.complain(path + ".plugin",
                   fmt::format("'{}' has no coordinates; it needs at least one", system.name));
  for (const auto& name : coordinates) check_name("coordinate", name);
  names.clear();
  for (const auto& gap : system.equations->gaps()) {
    check_name("gap", gap.name);
    if (!allow::unit_interval.contains(gap.restitution))
      return check.complain(path + ".parameters",
                            fmt::format("gap '{}' of '{}' has restitution {}; it must be {}", gap.name,
                                        system.name, gap.restitution, describe(allow::unit_interval)));
    if (!allow::nonnegative.contains(gap.friction))
      return check.complain(path + ".parameters",
                            fmt::format("gap '{}' of '{}' has friction {}; it must be {}", gap.name,
                                        system.name, gap.friction, describe(allow::nonnegative)));
    if (gap.tangents != 1 && gap.tangents != 2)
      return check.complain(path + ".parameters",
                            fmt::format("gap '{}' of '{}' has {} tangents; it must have 1 or 2", gap.name,
                                        system.name, gap.tangents));
  }
}

}  // namespace percuss
