#pragma once

#include <vector>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/dynamics/saddle_point.h"

namespace percuss {

/// One row of a contact: a direction in which its velocity or acceleration is looked at.
struct ContactRow {
  int contact = 0, row = 0;
};

/// Forces, joints and contacts at one (q, v, t), and the answer of the mechanism to forces.
/// docs/theory/event_driven.md (EV-1), (EV-2)
class Mechanics {
 public:
  explicit Mechanics(const Assembly& assembly);

  /// From now on with the contacts of this list.
  void take(const ContactList& contacts);
  const ContactList& contacts() const { return *contacts_; }

  /// The angles from which turns of hinges are counted.
  void count_turns_from(const std::vector<double>& angles);
  /// Moves to (q, v, t). False if M is not positive definite on the motions that the joints allow.
  bool move_to(const VectorX& q, const VectorX& v, double t);
  /// The same for places and gaps only: no forces, no factors.
  void look_at(const VectorX& q, const VectorX& v, double t);

  /// M x = force + G^T multipliers with G x = rate.  (EV-2)
  void respond(const VectorX& force, const VectorX& rate, VectorX& x, VectorX& multipliers);
  /// f, and d^2 g/dt^2 of the joints at constant v.
  const VectorX& force() const { return force_; }
  const VectorX& joint_bias() const { return gamma_; }
  /// g and G v + g_t of the joints.
  const VectorX& joint_gap();
  const VectorX& joint_rate();

  double gap(int c) const { return at.gap[c]; }
  /// The gap as a length, also that of a stop of a hinge.
  double gap_length(int c) const { return contacts()[c].gap_length * at.gap[c]; }
  /// How far a found contact is inside of its face or edge, beyond what counts as inside [m].
  double room(int c) const;
  double velocity(ContactRow r) const { return relative_velocity(contacts(), at, r.contact, r.row, *v_); }
  /// H^T x of a row, without prescribed motions.
  double along(ContactRow r, const VectorX& x) const;
  /// Sum of the sizes of its terms, against which rounding is measured.
  double size_along(ContactRow r, const VectorX& x) const;
  /// b += factor H of a row.
  void add_force(ContactRow r, double factor, VectorX& b) const;
  /// Accelerations of all rows of the contacts of the list at constant v, 3 per contact.  (EV-3)
  void find_contact_biases(const std::vector<int>& list);
  double contact_bias(ContactRow r) const { return bias_[contacts()[r.contact].row + r.row]; }
  /// Largest velocity of the contacts and of the coordinates that are lengths or angles.
  double fastest() const;

  const System& system;
  Kinematics kinematics;
  ContactKinematics at;
  SaddlePoint saddle;
  int factorisations = 0;

 private:
  void refine(const VectorX& force, const VectorX& rate, VectorX& x, VectorX& multipliers);
  double difference_step() const;

  const Assembly& assembly_;
  const ContactList* contacts_;
  int n_, m_;
  bool is_factorised_ = false;
  const VectorX* q_ = nullptr;
  const VectorX* v_ = nullptr;
  double t_ = 0;
  Kinematics nearby_;
  ContactKinematics at_nearby_;
  std::vector<double> bias_;
  std::vector<char> rotations_;  ///< which coordinates are
  std::vector<BiasAcceleration> biases_;
  VectorX force_, gamma_, gap_, rate_, b_, z_, dx_, residual_, constraint_residual_, increment_, q_nearby_;
};

}  // namespace percuss
