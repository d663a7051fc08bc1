#include "percuss/dynamics/coordinate_list.h"

#include <algorithm>

namespace percuss {

int CoordinateList::add(double mass, double q, double v, double weight) {
  mass_.push_back(mass);
  weight_.push_back(weight);
  q_.push_back(q);
  v_.push_back(v);
  is_rotation_.push_back(false);
  return count() - 1;
}

void CoordinateList::add_rotation(const Quaternion& rotation, const Vector3& omega, const Vector3& inertia,
                                  BodyData& body) {
  rotations_.push_back(rotation);
  system_.rotating_bodies.push_back(static_cast<int>(system_.bodies.size()));
  system_.gyroscopic_forces.push_back(system_.rotating_bodies.back());
  for (int axis = 0; axis < 3; ++axis) {
    body.dof[3 + axis] = add(inertia[axis], 0, omega[axis]);
    is_rotation_.back() = true;
  }
}

void CoordinateList::finish(BodyData body) {
  system_.body_index.emplace(body.name, static_cast<int>(system_.bodies.size()));
  system_.bodies.push_back(std::move(body));
}

void CoordinateList::write() {
  const auto copy = [](const std::vector<double>& from, VectorX& to) {
    to = Eigen::Map<const VectorX>(from.data(), static_cast<Eigen::Index>(from.size()));
  };
  copy(mass_, system_.mass);
  copy(weight_, system_.gravity_force);
  copy(v_, system_.initial.v);
  system_.is_rotation = is_rotation_;
  for (const BodyData& body : system_.bodies)
    for (int coordinate = 3; coordinate < body.coordinate_count(); ++coordinate)
      if (body.dof[coordinate] >= 0) system_.is_rotation[static_cast<size_t>(body.dof[coordinate])] = true;
  const auto n = static_cast<Eigen::Index>(q_.size());
  system_.initial.q.resize(n + static_cast<Eigen::Index>(system_.rotating_bodies.size()));
  system_.initial.q.head(n) = Eigen::Map<const VectorX>(q_.data(), n);
  for (size_t k = 0; k < system_.rotating_bodies.size(); ++k) {
    BodyData& body = system_.bodies[static_cast<size_t>(system_.rotating_bodies[k])];
    body.quaternion_w = static_cast<int>(n) + static_cast<int>(k);
    write_quaternion(body, rotations_[k], system_.initial.q);
  }
  write_frames();
}

/// Place and attitude of floating frames come last in q.
void CoordinateList::write_frames() {
  VectorX& q = system_.initial.q;
  std::vector<char> is_summed(static_cast<size_t>(count()), 1);
  for (size_t i = 0; i < is_rotation_.size(); ++i) is_summed[i] = !is_rotation_[i];
  auto end = q.size();
  q.conservativeResize(end + 7 * static_cast<Eigen::Index>(system_.floating.size()));
  for (auto& frame : system_.floating) {
    frame.frame_q = static_cast<int>(end);
    frame.set(frame.origin, Quaternion::Identity(), q);
    std::fill_n(is_summed.begin() + frame.first, frame.size, 0);
    const FlexibleData& flexible = system_.flexibles[static_cast<size_t>(frame.flexible)];
    const auto tell = [&](int body) {
      system_.bodies[static_cast<size_t>(body)].frame_q = frame.frame_q;
      system_.bodies[static_cast<size_t>(body)].frame_origin = frame.origin;
    };
    tell(frame.body);
    for (int node = 0; node < flexible.node_count(); ++node) tell(flexible.first_node + node);
    end += 7;
  }
  for (int i = 0; i < count(); ++i) {
    if (!is_summed[static_cast<size_t>(i)]) continue;
    if (system_.summed.empty() || system_.summed.back().end < i) system_.summed.push_back({i, i});
    system_.summed.back().end = i + 1;
  }
}

}  // namespace percuss
