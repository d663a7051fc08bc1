#pragma once

#include <optional>
#include <vector>

#include "percuss/integrators/integrator.h"
#include "percuss/integrators/one_step/activation_rule.h"

namespace percuss {

/// [m]; 1e-12 of the model's size unless given, so that rounding does not open a resting contact.
double activation_tolerance(const System& system, const std::optional<double>& given);

/// The active contacts of a step, and their relative velocities at its start.
struct ActiveContacts {
  std::vector<int> index;

  void reserve(const ContactList& contacts);
  void clear();
  /// Of the k-th active contact, by rows, N first [m/s].
  const double* before(size_t k) const { return &u_before_[first_[k]]; }
  double* before(size_t k) { return &u_before_[first_[k]]; }
  /// With velocities that are zero.
  double* add(const Contact& contact, int c);
  /// `at` holds the frames at the start of the step, `v` the velocity there.
  void add(const ContactList& contacts, const ContactKinematics& at, const VectorX& v, int c);

 private:
  std::vector<int> first_;  ///< of each active contact in u_before_
  std::vector<double> u_before_;
};
/// `at` holds gaps and frames at the start of the step. Dry joints are always active.
void activate(const ContactList& contacts, const ContactKinematics& at, const VectorX& v, double h,
              Activation rule, double tolerance, ActiveContacts& active);

}  // namespace percuss
