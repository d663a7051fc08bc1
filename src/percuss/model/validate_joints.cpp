#include <cmath>

#include "percuss/model/validate_checks.h"

namespace percuss {
namespace {

void check_distance(ModelChecks& check, const std::string& path, const JointBase& joint) {
  if (joint.at && !joint.body_point && !joint.to_point)
    check.complain(path + ".at",
                   "a distance between a place and itself is 0; give `body_point` and `to_point`");
  if (!joint.at && joint.body_point && !joint.to_point)
    check.complain(path + ".to_point", "a distance needs both points");
  if (joint.length && joint.length->is_constant() && joint.length->value(0) <= 0)
    check.complain(
        path + ".length",
        fmt::format("{} is not allowed; length must be > 0 (a ball joint holds two points together)",
                    joint.length->value(0)));
}

void check_tie(ModelChecks& check, const std::string& path, const JointBase& tie) {
  if (!check.flexible_owner(tie.body)) {
    if (check.mover(path + ".nodes", tie.body))
      check.complain(path + ".nodes",
                     fmt::format("'{}' is not flexible; a `fixed` joint holds other bodies", tie.body));
    return;
  }
  check.nodes(path + ".nodes", tie.body);
  if (owner_of(tie.to) == owner_of(tie.body))
    check.complain(path + ".to", fmt::format("nodes of '{}' cannot be tied to their own body; name another "
                                             "body, a node of one, a frame or `ground`",
                                             owner_of(tie.to)));
  else
    check.carrier(path + ".to", "body", tie.to);
}

/// See JointBase.
struct JointNeeds {
  bool has_place, holds_turns, fits_plane;
};

void check_joint(ModelChecks& check, const std::string& path, const JointBase& joint, std::string_view kind,
                 const JointNeeds& needs) {
  if (kind == "tie") return check_tie(check, path, joint);
  if (needs.has_place && !joint.at && !joint.body_point && !check.flexible_owner(joint.body))
    check.complain(path, "give its place: `at`, or `body_point` and `to_point`");
  if (joint.at && (joint.body_point || joint.to_point) && kind != "distance")
    check.complain(path + ".at", "give either `at`, or `body_point` and `to_point`");
  if (kind == "distance") check_distance(check, path, joint);
  check.direction(path + ".axis", joint.axis);
  if (kind == "universal") {
    check.direction(path + ".second_axis", joint.second_axis);
    if (std::abs(joint.axis.normalized().dot(joint.second_axis.normalized())) > 1e-6)
      check.complain(path + ".second_axis",
                     fmt::format("{} is not allowed; it must be perpendicular to `axis`, which is {}",
                                 text_of(joint.second_axis), text_of(joint.axis)));
  }
  if (kind == "screw" && joint.pitch == 0)
    check.complain(path + ".pitch", "0 is not allowed; a screw without pitch is a hinge");
  if (joint.friction > 0 && joint.drive && !joint.drive->load)
    check.complain(path + ".friction",
                   fmt::format("{} has no effect where a drive prescribes the motion; leave one of them out",
                               joint.friction));
  if (joint.drive) {
    const Drive& d = *joint.drive;
    if (const int count = d.coordinate.has_value() + d.speed.has_value() + d.load.has_value(); count != 1)
      check.complain(
          path + ".drive",
          fmt::format("{} of them are given; give exactly one of coordinate, speed and load", count));
  }
  if (joint.limits) {
    const Limits& l = *joint.limits;
    if (l.lower && l.upper && *l.lower > *l.upper)
      check.complain(path + ".limits.upper",
                     fmt::format("{} is not allowed; it must be at least lower = {}", *l.upper, *l.lower));
    if (!l.lower && !l.upper)
      check.complain(path + ".limits", "it holds nothing; give `lower`, `upper` or both");
  }
  const std::string body = joint.carrier(), to = joint.to_carrier();
  if (!check.ends(path, body, to, kind)) return;
  for (const auto* end : {&body, &to})
    if (needs.holds_turns && *end != "ground" && !check.turns(*end))
      check.complain(
          path,
          fmt::format(
              "'{}' cannot turn: a {} needs rigid or planar bodies or beams; a ball joint holds a particle "
              "or a node",
              *end, kind));
  if (!check.is_planar(body) || !check.is_planar(to)) return;
  if (!needs.fits_plane)
    check.complain(
        path, fmt::format("a {} joint does not fit planar bodies; use hinge, slider, fixed, ball, distance, "
                          "point_on_line or point_on_plane",
                          kind));
  const double along_z = std::abs(joint.axis.normalized().z());
  if (kind == "hinge" && std::abs(along_z - 1) > 1e-9)
    check.complain(path + ".axis",
                   fmt::format("{} is not allowed; a hinge of planar bodies turns about [0, 0, 1]",
                               text_of(joint.axis)));
  if (kind == "slider" || kind == "point_on_line" || kind == "point_on_plane")
    check.in_plane(path + ".axis", joint.axis);
}

template <class J>
void check_joint(ModelChecks& check, const std::string& path, const J& joint) {
  check_joint(check, path, joint, J::kind, {J::has_place, J::holds_turns, J::fits_plane});
}
void check_joint(ModelChecks& check, const std::string& path, const Gear& gear) {
  if (gear.joints[0].empty() || gear.joints[1].empty())
    return check.complain(path + ".joints", "name two hinges or sliders");
  for (int k = 0; k < 2; ++k) check.coordinate(fmt::format("{}.joints[{}]", path, k), gear.joints[k]);
  if (gear.joints[0] == gear.joints[1])
    check.complain(path + ".joints",
                   fmt::format("'{}' stands twice; name two different joints", gear.joints[0]));
  if (gear.ratio == 0) check.complain(path + ".ratio", "0 is not allowed; it would hold the first joint");
}

}  // namespace

void check_joints(ModelChecks& check) {
  for (size_t i = 0; i < check.model.joints.size(); ++i) {
    const std::string path = fmt::format("joints[{}]", i);
    std::visit([&](const auto& joint) { check_joint(check, path, joint); }, check.model.joints[i]);
  }
}

}  // namespace percuss
