#pragma once

#include <array>
#include <vector>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/io/flexible_tables.h"
#include "percuss/io/poses.h"
#include "percuss/io/results_layout.h"
#include "percuss/io/series_maker.h"
#include "percuss/simulation/simulation.h"

namespace percuss {

/// One row for each frame.
struct FrameTables {
  Hdf5Series time, step, q, v, joint_impulse, energy, probes, first_row;
  Hdf5Series steps, iterations, max_iterations, active_contacts, residual, penetration, drift, impacts,
      smallest_step, largest_step, rejected, error;

  FrameTables(const SeriesMaker& make, const SeriesMaker& report, const Simulation& simulation);
  std::array<Hdf5Series*, 20> all();
  void append(const Simulation& simulation, const std::vector<double>& probe_values,
              std::int64_t first_contact_row);
};

/// One row for each contact of a frame that is closed, or was since the frame before.
struct ContactTables {
  Hdf5Series contact, status, gap, point, normal, tangent, velocity, force, moment, impulse, work;

  explicit ContactTables(const SeriesMaker& make);
  std::array<Hdf5Series*, 11> all();
  void append(int index, const ContactReport& report);
};

/// One row for each contact with a number: what is always listed, and what has touched so far.
struct ContactPairTables {
  Hdf5Series body, obstacle, id;

  ContactPairTables(const SeriesMaker& make, const Interactions& interactions);
  std::array<Hdf5Series*, 3> all() { return {&body, &obstacle, &id}; }
  void append(const ContactName& name, const ContactId& contact);
};

/// One row for each impact.
struct ImpactTables {
  Hdf5Series time, contact, velocity_before, velocity_after, impulse, work;

  explicit ImpactTables(const SeriesMaker& make);
  std::array<Hdf5Series*, 6> all();
  void append(const Impact& impact);
};

/// One row for each step that went on although its contacts miss their tolerance.
struct AcceptedTables {
  Hdf5Series time, step_size, residual, displacement, contact;

  explicit AcceptedTables(const SeriesMaker& make);
  std::array<Hdf5Series*, 5> all() { return {&time, &step_size, &residual, &displacement, &contact}; }
  void append(const AcceptedStep& step);
};

/// Everything that grows during a run.
class ResultsTables {
 public:
  ResultsTables(Hdf5Writer& file, const Simulation& simulation, const std::vector<DrawnShape>& shapes);
  void append_frame(const Simulation& simulation, const std::vector<double>& probe_values);
  void append_impacts(const Simulation& simulation);
  void append_accepted(const Simulation& simulation);
  /// The contacts that have got a number since.
  void append_new_contacts(const Simulation& simulation);
  void write_out();
  void copy(const Hdf5Reader& source, const RowCounts& rows);  ///< the first rows of an older file
  RowCounts rows() const {
    return {frames_.time.rows(), contacts_.contact.rows(), impacts_.time.rows(), accepted_.time.rows()};
  }

 private:
  FrameTables frames_;
  PoseTables poses_;
  ContactPairTables pairs_;
  ContactTables contacts_;
  ImpactTables impacts_;
  AcceptedTables accepted_;
  std::vector<FlexibleTables> flexibles_;
};

}  // namespace percuss
