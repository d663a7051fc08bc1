#include <algorithm>

#include "percuss/integrators/galerkin/galerkin_step.h"

namespace percuss {
namespace {

/// Part of a step over which velocities are differentiated: far above rounding, far below the error of the
/// scheme.
constexpr double difference_ratio = 1e-2;

}  // namespace

/// The closed contacts, and dry joints; without restitution.
void GalerkinStep::choose_closed(const ContactKinematics& at) {
  w_.active.clear();
  for (int c = 0; c < contacts_.count(); ++c) {
    if (contacts_[c].has_gap() && is_open(at, c)) continue;
    w_.active.add(contacts_[c], c);
  }
  report_.active_contacts = std::max(report_.active_contacts, static_cast<int>(w_.active.index.size()));
}

/// At acceleration level a contact that separates carries no force.
void GalerkinStep::leave_out_separating(const ContactKinematics& at, const VectorX& v) {
  w_.kept = w_.active.index;
  std::erase_if(w_.kept, [&](int c) {
    return contacts_[c].has_gap() &&
           contacts_[c].gap_length * dt_ * relative_velocity(contacts_, at, c, 0, v) >
               w_.activation_tolerance;
  });
  w_.active.clear();
  for (const int c : w_.kept) w_.active.add(contacts_[c], c);
}

/// dt (G a + gamma) = 0, written for v + dt a. `kinematics` is at the stage.
void GalerkinStep::test_joint_accelerations(const VectorX& v, double t) {
  constraint_accelerations(system_, t, end_.kinematics, w_.biases, w_.prescribed);
  w_.prescribed *= dt_;
  multiply(system_.joints, w_.saddle.constraint_jacobian(), v, w_.constraint_residual);
  w_.prescribed -= w_.constraint_residual;
}

/// (T-8): the law of the normals is between r and dt g_NN = dt (H_N^T a + d/dt H_N^T v), that of the tangents
/// between r and u_T + dt du_T/dt. As velocities of `test` they are H^T (v + dt a) with other motions.
void GalerkinStep::test_accelerations(const ContactKinematics& at, const VectorX& q, const VectorX& v,
                                      double t) {
  if (m_ > 0) test_joint_accelerations(v, t);
  if (w_.active.index.empty()) return;
  w_.test = at;
  const double step = difference_ratio * dt_;
  for (const double side : {1.0, -1.0}) {
    if (assembly_.interactions.is_constant) break;
    w_.increment = side * step * v;
    w_.q_nearby = q;
    retract(system_, w_.increment, w_.q_nearby);
    update(system_, w_.q_nearby, v, t + side * step, w_.shifted);
    evaluate_contacts(assembly_, contacts_, w_.q_nearby, w_.shifted, w_.nearby);
    for (const int c : w_.active.index)
      for (int row = 0; row < contacts_[c].rows; ++row)
        w_.test.motion[contacts_[c].row + row] +=
            side * relative_velocity(contacts_, w_.nearby, c, row, v) / (2 * difference_ratio);
  }
  for (const int c : w_.active.index)
    if (contacts_[c].has_gap()) w_.test.motion[contacts_[c].row] -= relative_velocity(contacts_, at, c, 0, v);
}

/// (T-9): the law sees the velocity of the stage and a step of contact forces, and of the other forces only
/// if the scheme says so: else what they do, K^-1 impulse, is left out. `kinematics` is at the stage.
void GalerkinStep::test_velocities(double t) {
  if (m_ > 0) constraint_rates(system_, end_.kinematics, t, w_.prescribed);
  if (rules_.law == ForceLaw::velocity_with_forces || w_.active.index.empty()) return;
  w_.b.head(n_) = w_.impulse;
  w_.b.tail(m_).setZero();
  w_.saddle.factor().forward(w_.b, w_.z);
  w_.saddle.factor().backward(w_.z, w_.dx);
  w_.unseen = w_.dx.head(n_);
}

/// Those of the first stage count only if no impact follows.
void GalerkinStep::keep_first_reactions() {
  w_.first_multipliers = w_.stage_multipliers;
  std::fill(w_.first_reaction.begin(), w_.first_reaction.end(), 0.0);
  const double* r = w_.contacts.solution().r.data();
  for (const int c : w_.active.index) {
    const int rows = contacts_[c].rows;
    std::copy_n(r, rows, &w_.first_reaction[contacts_[c].row]);
    r += rows;
  }
}

/// Adds the impulses of the last stage, and the status of its contacts, to those of the step.
void GalerkinStep::take_reactions(double factor) {
  w_.multipliers += factor * w_.stage_multipliers;
  const double* r = w_.contacts.solution().r.data();
  const auto speeds = w_.active.index.empty() ? ContactStage::Speeds{} : w_.contacts.speeds(w_.active, w_.q);
  for (size_t k = 0; k < w_.active.index.size(); ++k) {
    const int c = w_.active.index[k], rows = contacts_[c].rows;
    for (int row = 0; row < rows; ++row) w_.reaction[contacts_[c].row + row] += factor * r[row];
    ContactStatus& status = w_.status[c];
    status = std::max(status, w_.contacts.status(contacts_, w_.active, k, speeds));
    r += rows;
  }
}

/// Half of the first stage, and a contact that has opened since was not open all the time.
void GalerkinStep::take_first_reactions() {
  w_.multipliers += 0.5 * w_.first_multipliers;
  for (size_t i = 0; i < w_.first_reaction.size(); ++i) w_.reaction[i] += 0.5 * w_.first_reaction[i];
  for (int c = 0; c < contacts_.count(); ++c)
    if (w_.first_reaction[contacts_[c].row] > 0) w_.status[c] = std::max(w_.status[c], ContactStatus::slip);
}

}  // namespace percuss
