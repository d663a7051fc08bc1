#pragma once

#include <array>
#include <vector>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/io/series_maker.h"
#include "percuss/simulation/simulation.h"

namespace percuss {

/// What a results file holds of one flexible body: its mesh, and one row for each frame.
class FlexibleTables {
 public:
  /// `body` is System::flexibles[index].
  FlexibleTables(const SeriesMaker& make, const FlexibleData& body, int index);

  /// Adds the force of a contact of the frame to its nodes, if it has any of this body.
  void add_force(const Contact& contact, const ContactReport& report);
  /// The frame, with the forces that were added since the one before.
  void append(const Simulation& simulation);
  std::array<Hdf5Series*, 4> all() { return {&displacement_, &velocity_, &contact_force_, &stress_}; }

 private:
  void add_force(int body, const Vector3& force);

  int index_, first_node_, node_count_;
  Hdf5Series displacement_, velocity_, contact_force_, stress_;
  std::vector<Vector3> displacements_, velocities_, forces_;
  std::vector<double> stresses_;
};

/// The folder of a flexible body in a results file, with a / at its end.
std::string flexible_group(const std::string& body);

}  // namespace percuss
