#include <cmath>

#include "percuss/math/shorten.h"
#include "percuss/model/profile_corners.h"
#include "percuss/model/validate_checks.h"

namespace percuss {
namespace {

/// Every field of a shape is a shape.
template <class ShapeType>
void check_one_shape(ModelChecks& check, const std::string& path, const ShapeType& shape) {
  int count = 0;
  std::vector<std::string_view> names;
  const auto visit = [&](std::string_view name, const auto& given, const Field&) {
    count += given.has_value();
    names.push_back(name);
  };
  ShapeType::fields(shape, visit);
  if (count != 1)
    check.complain(path, fmt::format("{} shapes are given; give exactly one of {} and {}", count,
                                     fmt::join(names.begin(), names.end() - 1, ", "), names.back()));
}
/// Whether `file` and what may stand instead of it are given as they should.
bool check_source(ModelChecks& check, const std::string& path, const std::optional<std::string>& file,
                  bool has_others, std::string_view others, double scale, bool is_loaded) {
  if (file.has_value() == has_others)
    check.complain(path, fmt::format("give either `file` or {}", others));
  else if (!file && scale != 1)
    check.complain(path + ".scale", "it belongs to a `file`; other lengths are in m: leave it out");
  else if (file && !is_loaded)
    check.complain(path + ".file", fmt::format("'{}' has not been read", shorten(*file)));
  else
    return true;
  return false;
}

void check_profile(ModelChecks& check, const std::string& path, const Profile& profile) {
  for (Complaint& fault : faults_of(profile, path + ".profile")) check.complaints.push_back(std::move(fault));
}

void check_piece(ModelChecks& check, const std::string& path, const SimpleShape& shape) {
  if (shape.box) check.components(path, "box", *shape.box, allow::positive);
  if (shape.ellipsoid) check.components(path, "ellipsoid", *shape.ellipsoid, allow::positive);
  if (const auto& hull = shape.hull)
    check_source(check, path + ".hull", hull->file, hull->points.has_value(), "`points`", hull->scale,
                 hull->loaded != nullptr);
  if (const auto& mesh = shape.mesh)
    check_source(check, path + ".mesh", mesh->file, !mesh->vertices.empty() || !mesh->triangles.empty(),
                 "`vertices` and `triangles`", mesh->scale, mesh->loaded != nullptr);
  if (shape.profile) check_profile(check, path, *shape.profile);
}

}  // namespace

void check_shape(ModelChecks& check, const std::string& path, const Shape& shape) {
  check_one_shape(check, path, shape);
  check_piece(check, path, shape);
  if (!shape.compound) return;
  if (shape.compound->empty())
    check.complain(path + ".compound", "the list is empty; give at least one part");
  for (size_t i = 0; i < shape.compound->size(); ++i) {
    const ShapePart& part = (*shape.compound)[i];
    const std::string where = fmt::format("{}.compound[{}]", path, i);
    check_one_shape(check, where + ".shape", part.shape);
    check_piece(check, where + ".shape", part.shape);
    check_orientation(check, where, part.orientation);
  }
}

void check_shape(ModelChecks& check, const std::string& path, const PlanarShape& shape) {
  check_one_shape(check, path, shape);
  if (shape.rectangle) check.components(path, "rectangle", *shape.rectangle, allow::positive);
  if (shape.profile) check_profile(check, path, *shape.profile);
  if (const auto& segment = shape.segment; segment && segment->from == segment->to)
    check.complain(path + ".segment", fmt::format("it begins and ends at [{}, {}]; give it a length",
                                                  segment->from[0], segment->from[1]));
}

void check_orientation(ModelChecks& check, const std::string& path, const Orientation& given) {
  const double norm = given.norm();
  if (std::isfinite(norm) && std::abs(norm - 1) > quaternion_tolerance)
    check.complain(
        path + ".orientation",
        fmt::format("the norm of {{w: {}, x: {}, y: {}, z: {}}} is {:.9g}; it must be 1 (within {:.0g}; w "
                    "is 1 where it is left out)",
                    given.w, given.x, given.y, given.z, norm, quaternion_tolerance));
}

}  // namespace percuss
