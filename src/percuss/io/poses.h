#pragma once

#include <cstdint>
#include <vector>

#include "percuss/dynamics/system.h"
#include "percuss/io/drawn_bodies.h"
#include "percuss/io/series_maker.h"

namespace percuss {

class Hdf5Reader;
class Simulation;

/// Where bodies are, decoded once: /bodies/position and /bodies/rotation of a results file.
/// docs/formats/results.md
class PoseTables {
 public:
  /// Of all bodies but the nodes of flexible ones, which are in /flexible; of nodes only those with which
  /// something drawn moves. `make` is for the group /bodies.
  PoseTables(const SeriesMaker& make, const System& system, const std::vector<DrawnShape>& shapes);
  void append(const Simulation& simulation);

  Hdf5Series position, rotation;

 private:
  struct Place {
    int body;
    bool turns;  ///< whether it has a rotation
  };
  static std::vector<Place> find_places(const System& system, const std::vector<DrawnShape>& shapes);
  PoseTables(const SeriesMaker& make, const System& system, std::vector<Place> places);

  std::vector<Place> places_;
  std::vector<double> positions_, rotations_;  ///< scratch: one row of each
};

/// The same when a file is read.
class StoredPoses {
 public:
  /// Throws IoError if the table of places does not fit.
  StoredPoses(const Hdf5Reader& file, std::int64_t bodies);
  bool has(std::size_t body) const { return place_[2 * body] >= 0; }
  /// Column of its x in /bodies/position; -1: none.
  std::int64_t position_column(std::size_t body) const {
    return has(body) ? std::int64_t{3} * place_[2 * body] : -1;
  }
  /// x and R of every body that has a pose, without velocities.
  std::vector<PoseAndVelocity> at(const Hdf5Reader& file, std::int64_t frame) const;

 private:
  std::vector<std::int32_t> place_;  ///< by body: among positions and among rotations, -1: none
  std::int64_t positions_ = 0, rotations_ = 0;
};

}  // namespace percuss
