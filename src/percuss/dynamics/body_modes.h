#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "percuss/model/model.h"

/// How a flexible body vibrates.  docs/theory/reduction.md, section 5
namespace percuss {

struct ModesRequest {
  std::string body = {};                ///< a flexible one
  int count = 20;                       ///< besides rigid motions
  bool is_free = false;                 ///< neither held nor jointed to the ground, whatever the model says
  std::vector<std::string> fixed = {};  ///< nodes and node sets that are held besides, and do not turn
};

struct BodyMode {
  double value = 0;  ///< square of the angular frequency [1/s^2]
  bool is_rigid = false;
  double modal_mass = 0;                     ///< of the shape below [kg]
  Vector3 effective_mass = Vector3::Zero();  ///< along x, y and z, as a part of the mass of the body
  std::vector<Vector3> shape;                ///< displacements of the nodes, the largest is 1

  double omega() const { return is_rigid ? 0 : std::sqrt(value); }  ///< [rad/s]
  double frequency() const;                                         ///< [Hz]
};

struct BodyModes {
  std::shared_ptr<const Mesh> mesh;
  double mass = 0;  ///< [kg]
  std::vector<BodyMode> modes;
  std::vector<std::string> notes;  ///< on the model
};

/// The lowest modes of a body about its undeformed state, with the joints that hold it at the ground and
/// without other bodies, springs and contacts. Throws ModelError.
BodyModes body_modes(const Model& model, const ModesRequest& request);

}  // namespace percuss
