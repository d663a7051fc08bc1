#include "percuss/integrators/event/smooth_motion.h"

#include <algorithm>
#include <cmath>

#include "percuss/integrators/event/multistep.h"
#include "percuss/integrators/event/runge_kutta.h"

namespace percuss {
namespace {

constexpr double margin_factor = 10;     ///< of the tolerances, by which a missed event is noticed
constexpr double force_margin = 1e-6;    ///< the same for forces, of the largest
constexpr double chart_size = 1;         ///< [rad] rotation since the start at which a step ends
constexpr double part_of_flight = 0.05;  ///< of the estimated flight, that the first step may take
constexpr double low_gap =
    1e4;  ///< in absolute tolerances: below it an opening contact needs one-step methods
constexpr int max_one_steps = 200;           ///< for that
constexpr double part_of_difference = 1e-7;  ///< of the model's size, a radian or the speed, for differences

/// The increment changes with rate(phi, omega), where R_0 exp(phi) turns with omega: the inverse of the right
/// Jacobian of SO(3).  (EV-6)
Vector3 increment_rate(const Vector3& phi, const Vector3& omega) {
  const double angle = phi.norm();
  const double factor = angle < 1e-3
                            ? 1.0 / 12 + angle * angle / 720
                            : 1 / (angle * angle) - (1 + std::cos(angle)) / (2 * angle * std::sin(angle));
  const Vector3 cross = phi.cross(omega);
  return omega + 0.5 * cross + factor * phi.cross(cross);
}

ContactStatus status_of(ContactMode mode) {
  if (mode == ContactMode::slip) return ContactStatus::slip;
  return mode == ContactMode::stick ? ContactStatus::stick : ContactStatus::open;
}

}  // namespace

double slowest_sliding(const EventDrivenOptions& options, double fastest) {
  return margin_factor * (options.relative_tolerance * fastest + options.absolute_tolerance);
}

SmoothMotion::SmoothMotion(const Assembly& assembly, const EventDrivenOptions& options)
    : system_(assembly.system),
      options_(options),
      n_(assembly.system.dof_count()),
      m_(assembly.system.constraint_count()),
      contacts_(assembly.contacts.count()),
      one_step_(make_runge_kutta(size())),
      y_(VectorX::Zero(2 * n_ + 3 * contacts_ + m_)),
      q_(assembly.system.initial.q),
      v_(VectorX::Zero(n_)),
      increment_(v_) {
  if (options.method != EventMethod::bdf) return;
  multistep_ = make_multistep(size(), options.max_order);
  matrix_.emplace(assembly);
}

void SmoothMotion::read(const double* y) {
  increment_ = Eigen::Map<const VectorX>(y, n_);
  v_ = Eigen::Map<const VectorX>(y + n_, n_);
  q_ = from_->q;
  retract(system_, increment_, q_);
}

bool SmoothMotion::find_forces(double t, const double* y) {
  ++evaluations_;
  read(y);
  return mechanics_->move_to(q_, v_, from_->time + t) &&
         forces_->find(*mechanics_, during_, margins_.speed) && std::isfinite(forces_->acceleration().sum());
}

bool SmoothMotion::rate(double t, const double* y, double* f) {
  if (!find_forces(t, y)) return false;
  Eigen::Map<VectorX>(f, n_) = v_;
  for (const int b : system_.rotating_bodies) {
    const int i = system_.bodies[b].dof[3];
    Eigen::Map<Vector3>(f + i) = increment_rate(increment_.segment<3>(i), v_.segment<3>(i));
  }
  Eigen::Map<VectorX>(f + n_, n_) = forces_->acceleration();
  std::copy(forces_->contact_force().begin(), forces_->contact_force().end(), f + 2 * n_);
  Eigen::Map<VectorX>(f + 2 * n_ + 3 * contacts_, m_) = forces_->joint_force();
  return true;
}

bool SmoothMotion::events(double t, const double* y, double* values) {
  if (std::ranges::any_of(during_, [](const ContactMemory& c) { return is_closed(c.mode); })) {
    if (!find_forces(t, y)) return false;
  } else {
    read(y);
    mechanics_->look_at(q_, v_, from_->time + t);
  }
  evaluate_events(*mechanics_, *forces_, during_, margins_, values);
  return true;
}

/// The norm is that of positions and velocities alone; impulses follow from them.
void SmoothMotion::weights(const double* y, double scale, double* weight) {
  for (int i = 0; i < 2 * n_; ++i)
    weight[i] = scale / (options_.relative_tolerance * std::abs(y[i]) + options_.absolute_tolerance);
}

bool SmoothMotion::factorise(double t, const double* y, double gamma) {
  read(y);
  return mechanics_->move_to(q_, v_, from_->time + t) &&
         matrix_->factorise(*mechanics_, q_, v_, from_->time + t, gamma);
}

void SmoothMotion::solve(const double* r, double* x) { matrix_->solve(r, x); }

/// (EV-16)
double SmoothMotion::difference(const double* x) const {
  double largest = 0;
  for (int i = 0; i < n_; ++i) {
    const bool is_length = system_.moves_by_sum.empty() || system_.moves_by_sum[i];
    largest =
        std::max({largest, std::abs(x[i]) / (is_length ? system_.size : 1), std::abs(x[n_ + i]) / speed_});
  }
  return largest > 0 ? part_of_difference / largest : 1;
}

bool SmoothMotion::goes_on(double t, const double* y) {
  if (system_.joints.angle_count > 0 || !lifting_.empty()) {
    read(y);
    mechanics_->look_at(q_, v_, from_->time + t);
  }
  if (!is_lifting()) return false;
  if (system_.joints.angle_count > 0) {
    std::vector<double> angles = mechanics_->kinematics.angles;
    read_angles(system_.joints, mechanics_->kinematics, angles);
    mechanics_->count_turns_from(angles);
  }
  for (const int b : system_.rotating_bodies)
    if (Eigen::Map<const Vector3>(y + system_.bodies[b].dof[3]).norm() > chart_size) return false;
  return true;
}

bool SmoothMotion::has_just_opened(int c) const {
  return during_[static_cast<size_t>(c)].mode == ContactMode::open &&
         mechanics_->contacts.contacts[c].has_gap() &&
         mechanics_->gap(c) <= options_.event_tolerance * system_.size;
}

/// A contact that has just opened comes back after 2 u/a: the first step must see it open.
double SmoothMotion::first_step(double hint) const {
  double step = hint;
  for (int c = 0; c < contacts_; ++c) {
    const ContactRow normal = {c, 0};
    if (!has_just_opened(c)) continue;
    const double u = mechanics_->velocity(normal);
    const double a = mechanics_->along(normal, forces_->acceleration()) + mechanics_->contact_drift(normal);
    if (u <= 0 || a >= 0) continue;
    const double flight = part_of_flight * 2 * u / -a;
    step = step > 0 ? std::min(step, flight) : flight;
  }
  return step;
}

/// A contact that opens leaves with a velocity of zero, and a low bounce stays within the tolerance: what a
/// multistep method leaves in its first steps would close such contacts again and again.
SmoothMethod& SmoothMotion::choose_method() {
  lifting_.clear();
  if (!multistep_) return *one_step_;
  for (int c = 0; c < contacts_; ++c)
    if (has_just_opened(c)) lifting_.push_back(c);
  one_steps_left_ = max_one_steps;
  return lifting_.empty() ? *multistep_ : *one_step_;
}

bool SmoothMotion::is_lifting() {
  if (lifting_.empty()) return true;
  if (--one_steps_left_ == 0) return false;
  return std::ranges::any_of(
      lifting_, [&](int c) { return mechanics_->gap(c) < low_gap * options_.absolute_tolerance; });
}

SmoothEnd SmoothMotion::advance(const State& from, double h, Mechanics& mechanics, ContactForces& forces,
                                EventMemory& memory) {
  from_ = &from;
  mechanics_ = &mechanics;
  forces_ = &forces;
  during_ = memory.contacts;
  status_.resize(during_.size());
  std::ranges::transform(during_, status_.begin(), [](const ContactMemory& c) { return status_of(c.mode); });
  evaluations_ = 0;
  length_ = 0;
  y_.setZero();
  y_.segment(n_, n_) = from.v;
  margins_ = {};
  if (!find_forces(0, y_.data())) return SmoothEnd::no_rate;
  std::vector<int> open;
  for (size_t c = 0; c < during_.size(); ++c)
    if (during_[c].mode == ContactMode::open) open.push_back(static_cast<int>(c));
  mechanics.find_contact_drifts(open);
  for (const double f : forces.contact_force())
    memory.largest_force = std::max(memory.largest_force, std::abs(f));
  margins_.gap = options_.event_tolerance * system_.size +
                 margin_factor * (options_.relative_tolerance * system_.size + options_.absolute_tolerance);
  margins_.speed = slowest_sliding(options_, mechanics.fastest());
  margins_.force = force_margin * memory.largest_force;
  speed_ = mechanics.fastest() + system_.size / h;

  SmoothMethod& method = choose_method();
  const bool is_multistep = &method == multistep_.get();  // starts with order 1, whatever the last step was
  const double asked = is_multistep ? 0 : first_step(memory.step_hint);
  const SmoothEnd end = method.integrate(*this, h, asked, y_.data(), length_);
  if (end == SmoothEnd::no_rate || end == SmoothEnd::no_step || end == SmoothEnd::work) return end;
  // A step that was cut off at the end says nothing about how long it might have been.
  const bool was_cut = end == SmoothEnd::reached && method.steps() == 1 && asked >= h;
  memory.step_hint = was_cut ? std::max(asked, method.next_step()) : method.next_step();
  read(y_.data());
  if (end == SmoothEnd::event) {
    if (!find_forces(length_, y_.data())) return SmoothEnd::no_rate;
    take_events(mechanics, forces, method.found(), margins_, memory.contacts);
    memory.modes_are_old = true;
    for (size_t c = 0; c < during_.size(); ++c) {
      const ContactMode now = memory.contacts[c].mode;
      if (now == ContactMode::hit || now == ContactMode::stick) during_[c].mode = now;
    }
  } else {
    mechanics.look_at(q_, v_, from.time + length_);
  }
  return end;
}

}  // namespace percuss
