#pragma once

#include <array>
#include <vector>

#include "percuss/integrators/event/event_memory.h"
#include "percuss/integrators/event/mechanics.h"

namespace percuss {

/// A force of size 1 in a contact: along a row, and with it friction along the tangents.
struct ForceRow {
  ContactRow row;
  std::array<double, 2> drag = {};  ///< F = H_row + drag_1 H_T1 + drag_2 H_T2
};

/// What forces in some rows do: columns M^-1 F_j on the motions that joints allow, and W_ij = H_i^T M^-1 F_j.
/// (EV-5)
struct ContactResponse {
  std::vector<ForceRow> rows;
  std::vector<int> list;  ///< of the contacts with rows
  MatrixX columns, multipliers, W;

  void clear();
  void add(const ForceRow& row);
  void find(Mechanics& mechanics);
};

/// The friction that goes with a normal force of size 1: -mu s, with the direction s of sliding.
std::array<double, 2> drag_of(const Contact& contact, const std::array<double, 2>& slip, double speed);
/// The direction in which a contact slides: as it was decided in the plane, that of its velocity in space.
std::array<double, 2> slip_direction(const Mechanics& mechanics, int c, const ContactMemory& memory,
                                     double slowest);
/// |u_T|, or |u| of a dry joint.
double sliding_speed(const Mechanics& mechanics, int c);

/// Accelerations, and the forces of joints and contacts, for given modes: closed contacts keep their normal
/// velocity, sticking ones also their sliding velocity.  (EV-5)
class ContactForces {
 public:
  explicit ContactForces(const Assembly& assembly);

  /// `mechanics` must be at the state. False if no forces satisfy the equations. Below the sliding speed
  /// `slowest` friction keeps the direction in which sliding began.
  bool find(Mechanics& mechanics, const std::vector<ContactMemory>& modes, double slowest);
  const VectorX& acceleration() const { return acceleration_; }
  const VectorX& joint_force() const { return joint_force_; }
  const std::vector<double>& contact_force() const { return contact_force_; }  ///< N, T1, T2 of each [N]

 private:
  void choose_rows(const Mechanics& mechanics, const std::vector<ContactMemory>& modes, double slowest);
  bool solve_rows(Mechanics& mechanics);

  ContactResponse response_;
  VectorX force_, acceleration_, joint_force_;
  std::vector<double> contact_force_;
};

}  // namespace percuss
