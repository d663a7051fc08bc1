#pragma once

#include <optional>
#include <vector>

#include "percuss/integrators/integrator.h"

namespace percuss {

/// Which contacts enter the one-step problem: those with g_n + c h u_n <= tolerance, where c is 0, 1/2 or 1.
/// docs/theory/moreau.md (M-4). The rule is part of a scheme: it decides the size of its error.
enum class Activation { start_gap, half_step_gap, predicted_gap };
template <>
struct EnumNames<Activation> {
  static constexpr std::array<std::pair<Activation, std::string_view>, 3> values = {
      {{Activation::start_gap, "start-gap"},
       {Activation::half_step_gap, "half-step-gap"},
       {Activation::predicted_gap, "predicted-gap"}}};
};

/// The fields of the schemes that have a rule or a tolerance.
namespace activation_fields {
inline constexpr Field rule = {
    .help =
        "a contact takes part in a step if g + c h u <= tolerance, with the gap g and its rate u at the "
        "start and c = 0 (start-gap), 1/2 (half-step-gap) or 1 (predicted-gap)"};
inline constexpr Field tolerance = {
    .unit = "m", .help = "default: 1e-12 of the model's size", .range = allow::nonnegative};
}  // namespace activation_fields

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
