#include "percuss/integrators/event/smooth_motion.h"

#include <algorithm>
#include <cmath>

#include "percuss/dynamics/chart.h"
#include "percuss/dynamics/energies.h"
#include "percuss/integrators/event/multistep.h"
#include "percuss/integrators/event/runge_kutta.h"

namespace percuss {
namespace {

constexpr double margin_factor = 10;   ///< of the tolerances, by which a missed event is noticed
constexpr double force_margin = 1e-6;  ///< the same for forces, of the largest
constexpr double largest_turn = 1;     ///< [rad] rotation since the start at which a step ends

ContactStatus status_of(ContactMode mode) {
  if (mode == ContactMode::slip) return ContactStatus::slip;
  return mode == ContactMode::stick ? ContactStatus::stick : ContactStatus::open;
}

}  // namespace

double slowest_sliding(const EventDrivenOptions& options, double fastest) {
  return margin_factor * (options.relative_tolerance * fastest + options.absolute_tolerance);
}

SmoothMotion::SmoothMotion(const Assembly& assembly, const EventDrivenOptions& options)
    : assembly_(assembly),
      system_(assembly.system),
      options_(options),
      n_(assembly.system.dof_count()),
      chart_(chart_size(assembly.system)),
      m_(assembly.system.constraint_count()),
      q_(assembly.system.initial.q),
      v_(VectorX::Zero(n_)),
      x_(VectorX::Zero(chart_)),
      x_rate_(x_),
      rotations_(chart_rotations(assembly.system)) {
  take(assembly.interactions.declared);
}

void SmoothMotion::take(const ContactList& contacts) {
  if (one_step_ && contacts.count() == contacts_ && contacts.rows == contact_rows_) return;
  contacts_ = contacts.count();
  contact_rows_ = contacts.rows;
  one_step_ = make_runge_kutta(size());
  multistep_.reset();
  matrix_.reset();
  y_.setZero(size().states + size().sums);
}

void SmoothMotion::read(const double* y) {
  x_ = Eigen::Map<const VectorX>(y, chart_);
  v_ = Eigen::Map<const VectorX>(y + chart_, n_);
  move_by_chart(system_, from_->q, x_, q_);
}

bool SmoothMotion::find_forces(double t, const double* y) {
  ++evaluations_;
  read(y);
  return mechanics_->move_to(q_, v_, from_->time + t) &&
         forces_->find(*mechanics_, during_, margins_.speed) && std::isfinite(forces_->acceleration().sum());
}

bool SmoothMotion::rate(double t, const double* y, bool with_sums, double* f) {
  if (!find_forces(t, y)) return false;
  chart_rate(system_, q_, x_, v_, x_rate_);
  Eigen::Map<VectorX>(f, chart_) = x_rate_;
  Eigen::Map<VectorX>(f + chart_, n_) = forces_->acceleration();
  if (!with_sums) return true;
  std::copy(forces_->contact_force().begin(), forces_->contact_force().end(), f + states());
  Eigen::Map<VectorX>(f + states() + contact_rows_, m_) = forces_->joint_force();
  find_powers(t, f + first_work());
  return true;
}

/// Of friction in each contact, of loads, of prescribed motions, and what dampers lose (E-1) to (E-5): a step
/// may be long, and its ends and its middle say little about it.
void SmoothMotion::find_powers(double t, double* powers) {
  std::fill_n(powers, contacts_ + 3, 0.0);
  double &loads = powers[contacts_], &drives = powers[contacts_ + 1], &dampers = powers[contacts_ + 2];
  Kinematics& kinematics = mechanics_->kinematics;
  const double time = from_->time + t;
  for (int c = 0; c < contacts_; ++c) {
    if (!is_closed(during_[static_cast<size_t>(c)].mode)) continue;
    const Contact& contact = mechanics_->contacts()[c];
    const double* force = &forces_->contact_force()[contact.row];
    for (int row = 0; row < contact.rows; ++row) {
      if (row >= contact.first_tangent()) powers[c] += force[row] * mechanics_->velocity({c, row});
      drives -= force[row] * mechanics_->at.motion[contact.row + row];
    }
  }
  if (!system_.loads.empty()) {
    load_.setZero(n_);
    add_loads(system_.loads, system_.bodies, kinematics, time, load_);
    loads = load_.dot(v_);
  }
  if (system_.has_frames()) drives += prescribed_power(system_, kinematics);
  if (m_ > 0) {
    joint_rates_.setZero(m_);
    constraint_rates(system_, kinematics, time, joint_rates_);
    drives -= forces_->joint_force().dot(joint_rates_);
  }
  if (system_.has_dampers()) dampers = damping_power(system_, q_, v_, kinematics);
}

StepWork SmoothMotion::work() const {
  const double* sums = y_.data() + first_work();
  const auto count = static_cast<size_t>(contacts_);
  return {
      .loads = sums[count], .drives = sums[count + 1], .dampers = sums[count + 2], .contacts = {sums, count}};
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
  for (int i = 0; i < states(); ++i)
    weight[i] = scale / (options_.relative_tolerance * std::abs(y[i]) + options_.absolute_tolerance);
}

bool SmoothMotion::goes_on(double t, const double* y) {
  is_stopped_ = *should_stop_ && (*should_stop_)();
  if (is_stopped_) return false;
  is_creeping_ = !is_multistep_ && is_creeping(t, y);
  if (is_creeping_) return false;
  if (system_.joints.angle_count > 0 || !lifting_.empty()) {
    read(y);
    mechanics_->look_at(q_, v_, from_->time + t);
  }
  if (system_.joints.angle_count > 0) {
    std::vector<double> angles = mechanics_->kinematics.angles;
    read_angles(system_.joints, mechanics_->kinematics, angles);
    mechanics_->count_turns_from(angles);
  }
  if (!system_.is_flat()) {
    x_ = Eigen::Map<const VectorX>(y, chart_);
    if (largest_rotation(system_, x_) > largest_turn) return false;
  }
  return lifting_.empty() || is_lifting();
}

SmoothEnd SmoothMotion::advance(const State& from, double h, Mechanics& mechanics, ContactForces& forces,
                                EventMemory& memory, const std::function<bool()>& should_stop) {
  take(mechanics.contacts());
  should_stop_ = &should_stop;
  is_stopped_ = false;
  from_ = &from;
  mechanics_ = &mechanics;
  forces_ = &forces;
  during_ = memory.contacts;
  status_.resize(during_.size());
  std::ranges::transform(during_, status_.begin(), [](const ContactMemory& c) { return status_of(c.mode); });
  evaluations_ = 0;
  length_ = 0;
  y_.setZero();
  y_.segment(chart_, n_) = from.v;
  margins_ = {};
  if (!find_forces(0, y_.data())) return SmoothEnd::no_rate;
  std::vector<int> open;
  for (size_t c = 0; c < during_.size(); ++c)
    if (during_[c].mode == ContactMode::open) open.push_back(static_cast<int>(c));
  mechanics.find_contact_biases(open);
  for (const double f : forces.contact_force())
    memory.largest_force = std::max(memory.largest_force, std::abs(f));
  // Relative to how far anything gets in this step, as the error is: bodies of a metre may move by
  // micrometres.
  const double speed = mechanics.fastest() + h * forces.acceleration().lpNorm<Eigen::Infinity>();
  const double reach = std::min(system_.size, h * speed);
  margins_.gap = options_.event_tolerance * system_.size +
                 margin_factor * (options_.relative_tolerance * reach + options_.absolute_tolerance);
  for (const int c : open)  // one that is deeper already would never be seen
    if (mechanics.contacts()[c].has_gap())
      margins_.gap = std::max(margins_.gap, -2 * mechanics.gap_length(c));
  if (end_unseen_flights(memory)) return SmoothEnd::event;  // after no time
  margins_.speed = slowest_sliding(options_, mechanics.fastest());
  margins_.force = force_margin * memory.largest_force;
  speed_ = mechanics.fastest() + system_.size / h;

  SmoothMethod& method = choose_method(memory.creeps);
  is_multistep_ = &method == multistep_.get();  // starts with order 1, whatever the last step was
  is_creeping_ = false;
  steps_ = 0;
  last_time_ = 0;
  const double asked = is_multistep_ ? 0 : first_step(memory.step_hint, h);
  const SmoothEnd end = method.integrate(*this, h, asked, y_.data(), length_);
  if (is_stopped_) return SmoothEnd::stopped;
  if (end == SmoothEnd::no_rate || end == SmoothEnd::no_step || end == SmoothEnd::work) return end;
  // A step that was cut off at the end says nothing about how long it might have been.
  const bool was_cut = end == SmoothEnd::reached && method.steps() == 1 && asked >= h;
  if (!is_multistep_) memory.step_hint = was_cut ? std::max(asked, method.next_step()) : method.next_step();
  memory.creeps = (memory.creeps || is_creeping_) && end != SmoothEnd::event;
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
