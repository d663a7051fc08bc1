#include "percuss/integrators/event/mechanics.h"

#include <algorithm>
#include <cmath>

#include "percuss/contacts/found_contacts.h"
#include "percuss/dynamics/chart.h"
#include "percuss/dynamics/forces.h"

namespace percuss {
namespace {

constexpr int max_response_corrections = 20;
/// Increment of rotations [rad] and of lengths, as a part of the model's size, over which velocities are
/// differentiated: with a formula of fourth order its error and rounding are both about 1e-12.
constexpr double difference_size = 1e-3;
constexpr double longest_difference = 1e-4;  ///< [s] prescribed motions are differentiated as well

}  // namespace

Mechanics::Mechanics(const Assembly& assembly)
    : system(assembly.system),
      kinematics(make_kinematics(assembly.system)),
      at(make_contact_kinematics(assembly.interactions, assembly.interactions.declared)),
      saddle(assembly.system, SaddlePoint::Matrix::mass),
      assembly_(assembly),
      contacts_(&assembly.interactions.declared),
      n_(assembly.system.dof_count()),
      m_(assembly.system.constraint_count()),
      nearby_(kinematics),
      at_nearby_(at),
      bias_(static_cast<size_t>(contacts_->rows), 0.0),
      rotations_(chart_rotations(assembly.system)) {
  for (VectorX* x : {&force_, &residual_, &increment_}) x->setZero(n_);
  for (VectorX* x : {&gamma_, &gap_, &rate_, &constraint_residual_}) x->setZero(m_);
  for (VectorX* x : {&b_, &z_, &dx_}) x->setZero(n_ + m_);
  q_nearby_ = system.initial.q;
  biases_.reserve(system.bodies.size());
}

void Mechanics::take(const ContactList& contacts) {
  contacts_ = &contacts;
  bias_.resize(static_cast<size_t>(contacts.rows));
}

void Mechanics::count_turns_from(const std::vector<double>& angles) {
  kinematics.angles = nearby_.angles = angles;
}

void Mechanics::look_at(const VectorX& q, const VectorX& v, double t) {
  q_ = &q;
  v_ = &v;
  t_ = t;
  if (system.needs_poses() || !assembly_.interactions.is_constant) update(system, q, v, t, kinematics);
  evaluate_contacts(assembly_, contacts(), q, kinematics, at);
}

bool Mechanics::move_to(const VectorX& q, const VectorX& v, double t) {
  look_at(q, v, t);
  evaluate_force(system, q, v, t, kinematics, force_);
  if (m_ > 0) {
    constraint_jacobian(system, kinematics, saddle.constraint_jacobian());
    constraint_accelerations(system, t, kinematics, biases_, gamma_);
  }
  if (is_factorised_) return true;
  assemble_iteration_matrix(system, q, v, t, 0, 0, kinematics, saddle.matrix());
  ++factorisations;
  if (!saddle.factorise()) return false;
  is_factorised_ = m_ == 0 && system.user_systems.empty();
  return true;
}

void Mechanics::respond(const VectorX& force, const VectorX& rate, VectorX& x, VectorX& multipliers) {
  b_.head(n_) = force;
  b_.tail(m_) = rate;
  saddle.factor().forward(b_, z_);
  saddle.factor().backward(z_, dx_);
  x = dx_.head(n_);
  multipliers = -dx_.tail(m_);
  if (m_ > 0) refine(force, rate, x, multipliers);
}

/// Makes good what the regularisation of dependent joints and of coordinates without mass has left (J-6).
void Mechanics::refine(const VectorX& force, const VectorX& rate, VectorX& x, VectorX& multipliers) {
  double last = INFINITY;
  for (int k = 0; k < max_response_corrections; ++k) {
    multiply_mass(system, *q_, x, kinematics, residual_);
    residual_ = force - residual_;
    add_transposed(system.joints, saddle.constraint_jacobian(), multipliers, residual_);
    multiply(system.joints, saddle.constraint_jacobian(), x, constraint_residual_);
    constraint_residual_ = rate - constraint_residual_;
    const double size = residual_.norm() + constraint_residual_.norm();
    if (!(size > 0) || size >= 0.5 * last) return;
    last = size;
    b_.head(n_) = residual_;
    b_.tail(m_) = constraint_residual_;
    saddle.factor().forward(b_, z_);
    saddle.factor().backward(z_, dx_);
    x += dx_.head(n_);
    multipliers -= dx_.tail(m_);
  }
}

const VectorX& Mechanics::joint_gap() {
  if (m_ > 0) constraint_values(system, kinematics, t_, gap_);
  return gap_;
}

const VectorX& Mechanics::joint_rate() {
  if (m_ == 0) return rate_;
  constraint_rates(system, kinematics, t_, rate_);
  multiply(system.joints, saddle.constraint_jacobian(), *v_, constraint_residual_);
  rate_ += constraint_residual_;
  return rate_;
}

double Mechanics::along(ContactRow r, const VectorX& x) const {
  return relative_velocity(contacts(), at, r.contact, r.row, x) -
         at.motion[contacts()[r.contact].row + r.row];
}

double Mechanics::size_along(ContactRow r, const VectorX& x) const {
  const Contact& contact = contacts()[r.contact];
  const double* H = at.jacobian.data() + contact.entry + r.row * contact.count;
  const int* dof = at.dof.data() + contact.begin;
  double size = 0;
  for (int i = 0; i < contact.count; ++i) size += std::abs(H[i] * x[dof[i]]);
  return size;
}

void Mechanics::add_force(ContactRow r, double factor, VectorX& b) const {
  const Contact& contact = contacts()[r.contact];
  const double* H = at.jacobian.data() + contact.entry + r.row * contact.count;
  const int* dof = at.dof.data() + contact.begin;
  for (int i = 0; i < contact.count; ++i) b[dof[i]] += factor * H[i];
}

double Mechanics::difference_step() const {
  double fastest = difference_size / longest_difference;
  for (int i = 0; i < n_; ++i)
    fastest = std::max(fastest, std::abs((*v_)[i]) / (rotations_[i] ? 1.0 : std::min(system.size, 1.0)));
  return difference_size / fastest;
}

/// d/dt (H^T v + u_t) at constant v from its values at q * (k s v), k = ±1, ±2.
void Mechanics::find_contact_biases(const std::vector<int>& list) {
  for (const int c : list) std::fill_n(&bias_[contacts()[c].row], contacts()[c].rows, 0.0);
  if (assembly_.interactions.is_constant || list.empty()) return;
  const double s = difference_step();
  struct Sample {
    double place, weight;
  };
  for (const Sample sample : {Sample{1, 8}, {-1, -8}, {2, -1}, {-2, 1}}) {
    increment_ = sample.place * s * *v_;
    q_nearby_ = *q_;
    retract(system, increment_, q_nearby_);
    update(system, q_nearby_, *v_, t_ + sample.place * s, nearby_);
    evaluate_contacts(assembly_, contacts(), q_nearby_, nearby_, at_nearby_);
    for (const int c : list)
      for (int row = 0; row < contacts()[c].rows; ++row)
        bias_[contacts()[c].row + row] +=
            sample.weight / (12 * s) * relative_velocity(contacts(), at_nearby_, c, row, *v_);
  }
}

double Mechanics::fastest() const {
  double speed = v_->size() > 0 ? v_->lpNorm<Eigen::Infinity>() : 0.0;
  for (int c = 0; c < contacts().count(); ++c)
    for (int row = 0; row < contacts()[c].rows; ++row) speed = std::max(speed, std::abs(velocity({c, row})));
  return speed;
}

double Mechanics::room(int c) const {
  return room_on_features(assembly_.interactions, contacts()[c], kinematics) +
         feature_tolerance * contacts()[c].thickness;
}

}  // namespace percuss
