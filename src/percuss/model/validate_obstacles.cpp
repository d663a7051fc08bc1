#include <set>
#include <stdexcept>

#include "percuss/math/shorten.h"
#include "percuss/model/shape_properties.h"
#include "percuss/model/validate_checks.h"

namespace percuss {
namespace {

void check_obstacle(ModelChecks& check, const std::string& path, const HalfSpaceObstacle& plane) {
  check.material(path, plane.material);
  check.carrier(path + ".frame", "frame or body", plane.frame);
  if (plane.normal.allFinite() && plane.normal.norm() == 0)
    check.complain(path + ".normal", "[0, 0, 0] is not allowed; normal must have a direction");
}
void check_obstacle(ModelChecks& check, const std::string& path, const BoxObstacle& box) {
  check.material(path, box.material);
  for (int axis = 0; axis < 3; ++axis)
    if (!(box.lower[axis] <= box.upper[axis]))
      check.complain(path + ".upper",
                     fmt::format("{} = {} is not allowed; it must be at least {} = {} of lower", "xyz"[axis],
                                 box.upper[axis], "xyz"[axis], box.lower[axis]));
  if (box.faces.empty()) check.complain(path + ".faces", "the list is empty; leave it out for all six faces");
  if (std::set<BoxFace>(box.faces.begin(), box.faces.end()).size() != box.faces.size())
    check.complain(path + ".faces", "a face is named twice");
}

/// What has a shape moves with what has a place and axes of its own.
void check_carrier_of_shape(ModelChecks& check, const std::string& path, const std::string& frame) {
  if (check.flexible_owner(frame))
    check.complain(path + ".frame",
                   fmt::format("'{}' is flexible; a shape moves with a frame or a rigid or planar body "
                               "(half-spaces move with nodes)",
                               owner_of(frame)));
  else
    check.carrier(path + ".frame", "frame or body", frame);
}
void check_place(ModelChecks& check, const std::string& path, const PlacedObstacle& given) {
  check.material(path, given.material);
  check_carrier_of_shape(check, path, given.frame);
  check_orientation(check, path, given.orientation);
}
void check_obstacle(ModelChecks& check, const std::string& path, const ShapeObstacle& given) {
  check_place(check, path, given);
  const size_t complaints = check.complaints.size();
  check_shape(check, path + ".shape", given.shape);
  if (check.complaints.size() > complaints) return;
  try {
    mass_properties_of_shape(given.shape);
  } catch (const std::invalid_argument& e) {
    check.complaints.push_back(complaint_about(given.shape, path + ".shape", e.what()));
  }
}

void check_obstacle(ModelChecks& check, const std::string& path, const MeshObstacle& given) {
  check_place(check, path, given);
  if (!given.surface)
    check.complain(path + ".file", fmt::format("'{}' has not been read", shorten(given.file)));
  else if (const std::string defect = open_mesh_defect(*given.surface); !defect.empty())
    check.complain(path + ".file", defect + "; mend the surface, its borders may stay open");
}
void check_obstacle(ModelChecks& check, const std::string& path, const HeightmapObstacle& given) {
  check_place(check, path, given);
  check.components(path, "cell", given.cell, allow::positive);
  if (const bool is_picture = given.file.ends_with(".png"); is_picture != given.height.has_value())
    check.complain(path + ".height", is_picture
                                         ? "it is missing: give the heights [low, high] of black and white"
                                         : "it belongs to a .png picture; a .csv file has heights in m");
  else if (is_picture && !((*given.height)[0] < (*given.height)[1]))
    check.complain(path + ".height", fmt::format("[{}, {}] is not allowed; the first must be the lower one",
                                                 (*given.height)[0], (*given.height)[1]));
  else if (!given.surface)
    check.complain(path + ".file", fmt::format("'{}' has not been read", shorten(given.file)));
}

}  // namespace

void check_obstacles(ModelChecks& check) {
  for (size_t i = 0; i < check.model.obstacles.size(); ++i)
    std::visit(
        [&](const auto& obstacle) { check_obstacle(check, fmt::format("obstacles[{}]", i), obstacle); },
        check.model.obstacles[i]);
}

}  // namespace percuss
