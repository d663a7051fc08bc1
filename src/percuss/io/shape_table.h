#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "percuss/dynamics/system.h"

namespace percuss {

class Hdf5Reader;
class Hdf5Writer;

/// What can be drawn of a body, an obstacle or a section: /shapes of docs/formats/results.md.
struct DrawnShape {
  std::string name;                 ///< of the body, the half-space or the face of a box
  std::string carrier;              ///< the body or frame that it moves with, or `ground`
  std::string kind;                 ///< as in the scene, or `point`, `points`, `line`, `plate`
  Vector3 size = Vector3::Zero();   ///< [m]
  Vector3 place = Vector3::Zero();  ///< from where it is measured, in the axes of the carrier [m]
  Vector3 axis = Vector3::UnitZ();  ///< normal of a half-space
  std::vector<Vector3> vertices;    ///< from `place` [m]
  std::vector<std::array<int, 3>> triangles;
};

/// Bodies in the order of the model, then obstacles. The system must be that of the model.
std::vector<DrawnShape> drawn_shapes(const Model& model, const System& system);

void write_shapes(Hdf5Writer& file, const std::vector<DrawnShape>& shapes, const System& system);
/// `bodies` are the names of /bodies. Throws IoError if the numbers do not belong together.
std::vector<DrawnShape> read_shapes(const Hdf5Reader& file, const std::vector<std::string>& bodies);

}  // namespace percuss
