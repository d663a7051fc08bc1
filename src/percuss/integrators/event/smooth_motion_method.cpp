#include <algorithm>
#include <cmath>
#include <limits>

#include "percuss/integrators/event/smooth_motion.h"

namespace percuss {
namespace {

constexpr double part_of_flight = 0.05;  ///< of the estimated flight, that the first step may take
/// Of the time left, for the first step at least where a contact opens: what ARKODE takes may be so short
/// that the gap does not differ from zero yet.
constexpr double part_of_lifting = 1e-4;
constexpr double low_gap = 1e4;            ///< in absolute tolerances: up to it the one-step method goes
constexpr double lowest_flight = 1e-15;    ///< of the place along the normal: below it gaps are rounding
constexpr int steps_between_looks = 2000;  ///< for contacts that creep
constexpr double part_of_creeping =
    0.01;                           ///< of the absolute tolerance: a slip that needs no step of its own
constexpr int max_one_steps = 200;  ///< for that
constexpr double part_of_difference = 1e-7;  ///< of the model's size, a radian or the speed, for differences

}  // namespace

// ----------------------------- which method, and its first step

bool SmoothMotion::has_just_opened(int c) const {
  return during_[static_cast<size_t>(c)].mode == ContactMode::open && mechanics_->contacts()[c].has_gap() &&
         mechanics_->gap_length(c) <= options_.event_tolerance * system_.size;
}

/// A contact that has just opened comes back after 2 u/a: the first step must see it open. One that lifts
/// off without velocity needs time until its gap is more than rounding.
double SmoothMotion::first_step(double hint, double h) const {
  double step = hint, flight = std::numeric_limits<double>::infinity();
  for (int c = 0; c < contacts_; ++c) {
    const ContactRow normal = {c, 0};
    if (!has_just_opened(c)) continue;
    const double u = mechanics_->velocity(normal);
    const double a = mechanics_->along(normal, forces_->acceleration()) + mechanics_->contact_bias(normal);
    if (u > 0 && a < 0)
      flight = std::min(flight, part_of_flight * 2 * u / -a);
    else
      step = std::max(step, part_of_lifting * h);
  }
  if (!std::isfinite(flight)) return step;
  return step > 0 ? std::min(step, flight) : flight;
}

/// The last flights of an accumulation are lower than the rounding of a gap: their ends cannot be found. Such
/// contacts stay closed if a force holds them; the projection takes their velocity.  (EV-17)
bool SmoothMotion::end_unseen_flights(EventMemory& memory) const {
  bool some = false;
  for (int c = 0; c < contacts_; ++c) {
    const ContactRow normal = {c, 0};
    if (!has_just_opened(c)) continue;
    const double u = mechanics_->velocity(normal);
    const double a = mechanics_->along(normal, forces_->acceleration()) + mechanics_->contact_bias(normal);
    const double place = mechanics_->at.direction[c].dot(mechanics_->at.point[c]);
    if (!(u > 0 && a < 0 && u * u / (-2 * a) < lowest_flight * std::abs(place))) continue;
    memory.contacts[static_cast<size_t>(c)].mode = ContactMode::slip;
    memory.modes_are_old = some = true;
  }
  return some;
}

/// A contact that opens leaves with a velocity of zero, and a low bounce stays within the tolerance: what a
/// multistep method leaves in its first steps would close such contacts again and again.
SmoothMethod& SmoothMotion::choose_method(bool creeps) {
  lifting_.clear();
  if (options_.method != EventMethod::bdf && !creeps) return *one_step_;
  if (!multistep_) {
    multistep_ = make_multistep(size(), options_.max_order);
    matrix_.emplace(assembly_);
  }
  for (int c = 0; c < contacts_; ++c)
    if (has_just_opened(c)) lifting_.push_back(c);
  one_steps_left_ = max_one_steps;
  return lifting_.empty() ? *multistep_ : *one_step_;
}

/// Whether after many steps a contact slides by less in one of them than anybody asked for: stability limits
/// the steps, not accuracy.  (EV-18)
bool SmoothMotion::is_creeping(double t, const double* y) {
  const double h = t - last_time_;
  last_time_ = t;
  if (++steps_ % steps_between_looks != 0) return false;
  read(y);
  mechanics_->look_at(q_, v_, from_->time + t);
  for (int c = 0; c < contacts_; ++c)
    if (during_[static_cast<size_t>(c)].mode == ContactMode::slip &&
        mechanics_->contacts()[c].tangents() == 2 &&
        sliding_speed(*mechanics_, c) * h < part_of_creeping * options_.absolute_tolerance)
      return true;
  return false;
}

bool SmoothMotion::is_lifting() {
  if (--one_steps_left_ == 0) return false;
  return std::ranges::any_of(
      lifting_, [&](int c) { return mechanics_->gap(c) < low_gap * options_.absolute_tolerance; });
}

// ----------------------------- Newton's linear systems

bool SmoothMotion::factorise(double t, const double* y, double gamma) {
  read(y);
  return mechanics_->move_to(q_, v_, from_->time + t) &&
         matrix_->factorise(*mechanics_, q_, v_, from_->time + t, gamma);
}

void SmoothMotion::solve(const double* r, double* x) { matrix_->solve(r, x); }

/// (EV-16)
double SmoothMotion::difference(const double* x) const {
  double largest = 0;
  for (int i = 0; i < chart_; ++i)
    largest = std::max(largest, std::abs(x[i]) / (rotations_[static_cast<size_t>(i)] ? 1.0 : system_.size));
  for (int i = chart_; i < states(); ++i) largest = std::max(largest, std::abs(x[i]) / speed_);
  return largest > 0 ? part_of_difference / largest : 1;
}

}  // namespace percuss
