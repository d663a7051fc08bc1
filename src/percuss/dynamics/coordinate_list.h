#pragma once

#include <vector>

#include "percuss/dynamics/system.h"

namespace percuss {

/// Collects the coordinates with their initial values while bodies are added to a system.
class CoordinateList {
 public:
  explicit CoordinateList(System& system) : system_(system) {}

  int count() const { return static_cast<int>(q_.size()); }
  /// Index of a new coordinate. `weight` is the force of gravity along it.
  int add(double mass, double q, double v, double weight = 0);
  /// The three rotations of a spatial body about its own axes; `body` becomes the next of the system.
  void add_rotation(const Quaternion& rotation, const Vector3& omega, const Vector3& inertia, BodyData& body);
  /// Adds a finished body.
  void finish(BodyData body);
  /// Call after the last one: fills masses, weights and the initial state of the system.
  void write();

 private:
  void write_frames();

  System& system_;
  std::vector<double> mass_, weight_, q_, v_;
  std::vector<char> is_rotation_;  ///< whether it turns a quaternion
  std::vector<Quaternion> rotations_;
};

}  // namespace percuss
