#include "percuss/integrators/one_step/step_residual.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percuss {

void add_reactions(const ContactList& contacts, const ContactKinematics& at, const ActiveContacts& active,
                   ContactLevel level, const std::vector<double>& r, VectorX& b) {
  const double* reaction = r.data();
  for (const int c : active.index) {
    const Contact& contact = contacts[c];
    const double* H = at.jacobian.data() + contact.entry;
    const int* dof = at.dof.data() + contact.begin;
    const int rows = level == ContactLevel::position ? 1 : contact.rows;
    for (int row = 0; row < rows; ++row, ++reaction, H += contact.count)
      for (int i = 0; i < contact.count; ++i) b[dof[i]] += H[i] * *reaction;
  }
}

double force_rounding(const System& system) {
  double stiffness = system.element_stiffness;
  for (const auto& spring : system.axis_springs) stiffness = std::max(stiffness, spring.stiffness);
  for (const auto& spring : system.distance_springs) stiffness = std::max(stiffness, spring.stiffness);
  for (const auto& spring : system.coordinate_springs)
    stiffness = std::max(stiffness, spring.stiffness.cwiseAbs().maxCoeff());
  return 16 * std::numeric_limits<double>::epsilon() * std::sqrt(system.dof_count()) * stiffness *
         system.size;
}

void velocity_scale(const System& system, const SparseMatrix& A, const VelocityTerms& terms, VectorX& scale) {
  // Times the strictest tolerance of joint_residual() this moves a body by a hundredth of the rounding of its
  // place.
  constexpr double still = 1e-3;
  const double* entries = A.valuePtr();
  for (Eigen::Index i = 0; i < scale.size(); ++i) {
    const auto k = static_cast<size_t>(i);
    const double mass = entries[system.mass_entry[k]], unit = system.is_rotation[k] ? 1.0 : system.size;
    const double impulse =
        std::abs(terms.reaction[i]) + (terms.impulse ? std::abs((*terms.impulse)[i]) : 0.0);
    scale[i] = std::max(std::abs(terms.before[i]), std::abs(terms.v[i])) + (mass > 0 ? impulse / mass : 0.0) +
               (terms.h > 0 ? still * unit / terms.h : 0.0);
  }
}

double joint_residual(const Joints& joints, const std::vector<double>& G, const VectorX& v,
                      const VectorX& scale, const VectorX& g_t, VectorX& constraint_residual) {
  double worst[2] = {}, largest_scale[2] = {};  // of angles and of lengths
  for (int i = 0; i < joints.row_count(); ++i) {
    double sum = g_t[i], row_scale = std::abs(g_t[i]);
    for (int p = joints.row_begin[i]; p < joints.row_begin[i + 1]; ++p) {
      sum += G[p] * v[joints.dof[p]];
      row_scale += std::abs(G[p]) * scale[joints.dof[p]];
    }
    constraint_residual[i] = -sum;
    if (!std::isfinite(sum)) return sum;
    const size_t unit = joints.rows[static_cast<size_t>(i)].is_length ? 1 : 0;
    worst[unit] = std::max(worst[unit], std::abs(sum));
    largest_scale[unit] = std::max(largest_scale[unit], row_scale);
  }
  const auto relative = [&](size_t unit) {
    return worst[unit] > 0 ? worst[unit] / largest_scale[unit] : 0.0;
  };
  return std::max(relative(0), relative(1));
}

double contact_residual(const ContactList& contacts, const ContactKinematics& at,
                        const ActiveContacts& active, const ContactStage& stage, const VectorX& v,
                        const VectorX* subtracted) {
  double worst = 0, largest_scale = 0;
  size_t problem_row = 0;
  for (size_t k = 0; k < active.index.size(); ++k) {
    const int c = active.index[k];
    const Contact& contact = contacts[c];
    const double* H = at.jacobian.data() + contact.entry;
    const int* dof = at.dof.data() + contact.begin;
    for (int row = 0; row < contact.rows; ++row, ++problem_row, H += contact.count) {
      const double before = active.before(k)[row];
      double u = at.motion[contact.row + row];
      double scale = std::abs(u) + std::abs(before) + std::abs(stage.free_velocity(problem_row)) +
                     stage.reaction_effect(problem_row);
      for (int i = 0; i < contact.count; ++i) {
        const double part = H[i] * v[dof[i]];
        u += part;
        scale += std::abs(part) + (subtracted ? std::abs(H[i] * (*subtracted)[dof[i]]) : 0.0);
      }
      const double shift = contact.law.shift(row, before);
      worst = std::max(worst, std::abs(u + shift - stage.solution().u[problem_row]));
      largest_scale = std::max(largest_scale, scale);
    }
  }
  return largest_scale > 0 ? worst / largest_scale : 0.0;
}

}  // namespace percuss
