#pragma once

#include <string>
#include <vector>

#include "percuss/dynamics/bodies.h"

namespace percuss {

class Hdf5Reader;

/// Where bodies are in a results file of version 7, which has no poses: from /states/q by the kind of body,
/// and from the motion of frames.
class OldPoses {
 public:
  /// Throws IoError if columns are not there.
  explicit OldPoses(const Hdf5Reader& file);
  /// x and R of every body of /bodies; no velocities.
  std::vector<PoseAndVelocity> at(const Hdf5Reader& file, std::int64_t frame) const;

 private:
  struct Body {
    BodyKind kind;
    std::array<int, max_body_coordinates> column;  ///< of q; -1: none
    Vector3 fixed;
    int frame = -1;  ///< among the frames
  };
  std::vector<Body> bodies_;
  std::int64_t width_ = 0;  ///< of q
  int frames_ = 0;
};

}  // namespace percuss
