#include "percuss/model/validate_checks.h"

namespace percuss {
namespace {

std::string join_messages(const std::vector<Complaint>& complaints) {
  std::string text;
  for (const auto& c : complaints)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", c.path, c.message);
  return text;
}

}  // namespace

ModelError::ModelError(std::vector<Complaint> complaints)
    : std::runtime_error(join_messages(complaints)), complaints_(std::move(complaints)) {}

std::vector<Complaint> validate(const Model& model) {
  ModelChecks check(model);
  RangeCheck ranges(check.complaints);
  Model::fields(model, ranges);
  check.declare_names();
  if (model.bodies.empty() && model.systems.empty())
    check.complain("bodies", "the scene has no body; at least one is needed");
  check_pairs(check);
  check_bodies(check);
  check_frames(check);
  check_joints(check);
  check_clearances(check);
  check_obstacles(check);
  check_springs(check);
  check_forces(check);
  check_contacts(check);
  return std::move(check.complaints);
}

}  // namespace percuss
