#include "percuss/integrators/event/constraint_projection.h"

#include <algorithm>
#include <cmath>

#include "percuss/math/least_norm_solve.h"

namespace percuss {
namespace {

constexpr double dependent_corrections = 1e-10;  ///< part of W that counts as zero
constexpr double closed_enough = 1e-14;          ///< of gaps and joints, as a part of the model's size
constexpr int max_position_corrections = 8;

}  // namespace

ConstraintProjection::ConstraintProjection(const Assembly& assembly)
    : change_(VectorX::Zero(assembly.system.dof_count())),
      multipliers_(VectorX::Zero(assembly.system.constraint_count())),
      joint_residual_(multipliers_),
      no_force_(change_) {}

/// x += the smallest change that takes the joints' and the contacts' residual away.
void ConstraintProjection::correct(Mechanics& mechanics, const VectorX& joint_residual, VectorX& x) {
  mechanics.respond(no_force_, joint_residual, change_, multipliers_);
  x += change_;
  if (response_.rows.empty()) return;
  for (Eigen::Index i = 0; i < contact_residual_.size(); ++i)
    contact_residual_[i] -= mechanics.along(response_.rows[static_cast<size_t>(i)].row, change_);
  response_.find(mechanics);
  x += response_.columns * solve_least_norm(response_.W, contact_residual_, dependent_corrections);
}

SolveStatus ConstraintProjection::positions(Mechanics& mechanics, const std::vector<ContactMemory>& modes,
                                            double t, const VectorX& v, VectorX& q) {
  double last = INFINITY;
  VectorX increment(v.size());
  for (int k = 0;; ++k) {
    if (!mechanics.move_to(q, v, t)) return SolveStatus::singular;
    response_.clear();
    for (int c = 0; c < mechanics.contacts().count(); ++c) {
      const ContactMode mode = modes[static_cast<size_t>(c)].mode;
      if (mechanics.contacts()[c].has_gap() && (is_closed(mode) || mode == ContactMode::hit))
        response_.add({{c, 0}});
    }
    contact_residual_.resize(static_cast<Eigen::Index>(response_.rows.size()));
    for (size_t i = 0; i < response_.rows.size(); ++i)
      contact_residual_[static_cast<Eigen::Index>(i)] = -mechanics.gap(response_.rows[i].row.contact);
    joint_residual_ = -mechanics.joint_gap();
    double constraint_residual = relative_violation(mechanics.system, joint_residual_);
    for (size_t i = 0; i < response_.rows.size(); ++i) {
      const int c = response_.rows[i].row.contact;
      constraint_residual =
          std::max(constraint_residual, std::abs(mechanics.gap_length(c)) / mechanics.system.size);
    }
    if (!std::isfinite(constraint_residual)) return SolveStatus::not_finite;
    if (constraint_residual <= closed_enough || constraint_residual > 0.5 * last)
      return SolveStatus::converged;  // the rest is rounding
    if (k == max_position_corrections) return SolveStatus::iteration_limit;
    last = constraint_residual;
    increment.setZero();
    correct(mechanics, joint_residual_, increment);
    retract(mechanics.system, increment, q);
  }
}

void ConstraintProjection::velocities(Mechanics& mechanics, const std::vector<ContactMemory>& modes,
                                      VectorX& v) {
  response_.clear();
  for (int c = 0; c < mechanics.contacts().count(); ++c) {
    const ContactMode mode = modes[static_cast<size_t>(c)].mode;
    const Contact& contact = mechanics.contacts()[c];
    if (!is_closed(mode)) continue;
    const int rows = mode == ContactMode::stick ? contact.rows : contact.first_tangent();
    for (int row = 0; row < rows; ++row) response_.add({{c, row}});
  }
  joint_residual_ = -mechanics.joint_rate();
  if (response_.rows.empty() && joint_residual_.size() == 0) return;
  contact_residual_.resize(static_cast<Eigen::Index>(response_.rows.size()));
  for (size_t i = 0; i < response_.rows.size(); ++i)
    contact_residual_[static_cast<Eigen::Index>(i)] = -mechanics.velocity(response_.rows[i].row);
  correct(mechanics, joint_residual_, v);
}

}  // namespace percuss
