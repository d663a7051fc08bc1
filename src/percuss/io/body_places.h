#pragma once

#include <string>
#include <vector>

#include "percuss/dynamics/bodies.h"

namespace percuss {

class Hdf5Reader;

/// Where bodies are in the frames of a results file, from /states/q and the motion of frames. Of nodes of
/// floating and reduced bodies and of shafts only /flexible knows the place.
class BodyPlaces {
 public:
  /// Throws IoError if columns are not there.
  explicit BodyPlaces(const Hdf5Reader& file);
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
