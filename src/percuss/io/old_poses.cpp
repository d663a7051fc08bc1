#include "percuss/io/old_poses.h"

#include "percuss/io/hdf5_reader.h"
#include "percuss/io/io_error.h"

namespace percuss {
namespace {

constexpr int pose_numbers = 7;  ///< x, y, z and the quaternion x, y, z, w

BodyKind kind_of(const std::string& name) {
  if (name == "planar") return BodyKind::planar;
  if (name == "spatial") return BodyKind::spatial;
  if (name == "natural") return BodyKind::natural;
  if (name == "frame") return BodyKind::frame;
  return BodyKind::translating;
}

/// The coordinates whose columns a kind needs to be placed.
std::pair<int, int> needed_coordinates(BodyKind kind) {
  switch (kind) {
    case BodyKind::planar: return {5, 6};
    case BodyKind::spatial: return {3, 7};
    case BodyKind::natural: return {3, 12};
    default: return {0, 0};
  }
}

}  // namespace

OldPoses::OldPoses(const Hdf5Reader& file) {
  const auto kinds = file.read_strings("/bodies/kind");
  const auto count = std::ssize(kinds);
  const auto columns = file.read<std::int32_t>("/bodies/coordinates", 0, count, max_body_coordinates);
  const auto fixed = file.read<double>("/bodies/fixed", 0, count, 3);
  width_ = file.shape("/states/q").width;
  for (std::size_t b = 0; b < kinds.size(); ++b) {
    Body body{kind_of(kinds[b]), {}, Vector3(&fixed[3 * b])};
    const auto [first, end] = needed_coordinates(body.kind);
    for (int coordinate = 0; coordinate < max_body_coordinates; ++coordinate) {
      body.column[coordinate] = columns[max_body_coordinates * b + static_cast<std::size_t>(coordinate)];
      const bool is_needed = coordinate >= first && coordinate < end;
      if (body.column[coordinate] < (is_needed ? 0 : -1) || body.column[coordinate] >= width_)
        throw IoError::cannot("read", file.path(), "the file is damaged (/bodies/coordinates)");
    }
    if (body.kind == BodyKind::frame) body.frame = frames_++;
    bodies_.push_back(body);
  }
}

std::vector<PoseAndVelocity> OldPoses::at(const Hdf5Reader& file, std::int64_t frame) const {
  const auto q = file.read<double>("/states/q", frame, 1, width_);
  const auto prescribed =
      file.read<double>("/bodies/frame_placement", frame, 1, std::int64_t{pose_numbers} * frames_);
  std::vector<PoseAndVelocity> poses(bodies_.size());
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Body& body = bodies_[b];
    PoseAndVelocity& pose = poses[b];
    const auto value = [&](int coordinate) { return q[static_cast<std::size_t>(body.column[coordinate])]; };
    if (body.kind == BodyKind::frame) {
      const double* values = &prescribed[static_cast<std::size_t>(pose_numbers * body.frame)];
      pose.x = Vector3(values);
      pose.R = Quaternion(values[6], values[3], values[4], values[5]).toRotationMatrix();
      continue;
    }
    for (int axis = 0; axis < 3; ++axis)
      pose.x[axis] = body.column[axis] < 0 ? body.fixed[axis] : value(axis);
    if (body.kind == BodyKind::planar)
      pose.R = Eigen::AngleAxisd(value(5), Vector3::UnitZ()).toRotationMatrix();
    else if (body.kind == BodyKind::spatial)
      pose.R = Quaternion(value(6), value(3), value(4), value(5)).toRotationMatrix();
    else if (body.kind == BodyKind::natural)
      for (int i = 0; i < 9; ++i) pose.R(i % 3, i / 3) = value(3 + i);
  }
  return poses;
}

}  // namespace percuss
