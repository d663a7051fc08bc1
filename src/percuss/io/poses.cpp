#include "percuss/io/poses.h"

#include <algorithm>
#include <set>

#include "percuss/io/hdf5_reader.h"
#include "percuss/io/hdf5_writer.h"
#include "percuss/io/io_error.h"
#include "percuss/simulation/simulation.h"

namespace percuss {

std::vector<PoseTables::Place> PoseTables::find_places(const System& system,
                                                       const std::vector<DrawnShape>& shapes) {
  std::vector<char> is_node(system.bodies.size(), 0);
  for (const FlexibleData& body : system.flexibles)
    for (int i = 0; i < body.node_count(); ++i) is_node[static_cast<std::size_t>(body.first_node + i)] = 1;
  std::set<std::string> carriers;
  for (const DrawnShape& shape : shapes) carriers.insert(shape.carrier);
  std::vector<Place> places;
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    const BodyData& body = system.bodies[b];
    const bool is_left_out = is_node[b] ? !carriers.contains(body.name) : body.kind == BodyKind::flexible;
    if (!is_left_out) places.push_back({static_cast<int>(b), body.kind != BodyKind::translating});
  }
  return places;
}

PoseTables::PoseTables(const SeriesMaker& make, const System& system, const std::vector<DrawnShape>& shapes)
    : PoseTables(make, system, find_places(system, shapes)) {}

PoseTables::PoseTables(const SeriesMaker& make, const System& system, std::vector<Place> places)
    : position(make.vectors("position", 3 * places.size(), "m")),
      rotation(make.vectors(
          "rotation", 4 * static_cast<std::size_t>(std::ranges::count(places, true, &Place::turns)), "1")),
      places_(std::move(places)) {
  std::vector<std::int32_t> table(2 * system.bodies.size(), -1);
  std::int32_t positions = 0, rotations = 0;
  for (const Place& place : places_) {
    table[2 * static_cast<std::size_t>(place.body)] = positions++;
    if (place.turns) table[2 * static_cast<std::size_t>(place.body) + 1] = rotations++;
  }
  make.file.make_matrix(make.group + "place", table, 2);
}

void PoseTables::append(const Simulation& simulation) {
  positions_.clear();
  rotations_.clear();
  for (const Place& place : places_) {
    const PoseAndVelocity pose = simulation.pose({place.body});
    positions_.insert(positions_.end(), pose.x.begin(), pose.x.end());
    if (!place.turns) continue;
    // The directors of a natural body are orthonormal but for errors of its constraints.
    const Eigen::Quaterniond rotation_of_body = Eigen::Quaterniond(pose.R).normalized();
    rotations_.insert(rotations_.end(), rotation_of_body.coeffs().begin(), rotation_of_body.coeffs().end());
  }
  position.append(positions_.data(), std::ssize(positions_));
  rotation.append(rotations_.data(), std::ssize(rotations_));
}

StoredPoses::StoredPoses(const Hdf5Reader& file, std::int64_t bodies)
    : place_(file.read<std::int32_t>("/bodies/place", 0, bodies, 2)),
      positions_(file.shape("/bodies/position").width / 3),
      rotations_(file.shape("/bodies/rotation").width / 4) {
  for (std::size_t i = 0; i < place_.size(); ++i) {
    const bool is_rotation = i % 2 == 1;
    if (place_[i] < -1 || place_[i] >= (is_rotation ? rotations_ : positions_) ||
        (is_rotation && place_[i] >= 0 && place_[i - 1] < 0))
      throw IoError::cannot("read", file.path(), "the file is damaged (/bodies/place)");
  }
}

std::vector<PoseAndVelocity> StoredPoses::at(const Hdf5Reader& file, std::int64_t frame) const {
  const auto x = file.read<double>("/bodies/position", frame, 1, 3 * positions_);
  const auto q = file.read<double>("/bodies/rotation", frame, 1, 4 * rotations_);
  std::vector<PoseAndVelocity> poses(place_.size() / 2);
  for (std::size_t b = 0; b < poses.size(); ++b) {
    const std::int32_t position = place_[2 * b], rotation = place_[2 * b + 1];
    if (position >= 0) poses[b].x = Vector3(&x[3 * static_cast<std::size_t>(position)]);
    if (rotation >= 0)
      poses[b].R = Eigen::Quaterniond(&q[4 * static_cast<std::size_t>(rotation)]).toRotationMatrix();
  }
  return poses;
}

}  // namespace percuss
