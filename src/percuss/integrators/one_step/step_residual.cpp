#include "percuss/integrators/one_step/step_residual.h"

#include <algorithm>
#include <cmath>

namespace percuss {

void add_reactions(const ContactSet& contacts, const ContactKinematics& at, const ActiveContacts& active,
                   const std::vector<double>& r, VectorX& b) {
  for (size_t row = 0; row < active.index.size(); ++row) {
    const Contact& contact = contacts.contacts[active.index[row]];
    for (int i = contact.begin; i < contact.begin + contact.count; ++i)
      b[contacts.dof[i]] += at.normal[i] * r[row];
  }
}

void velocity_scale(const System& system, const VectorX& v, const VectorX& impulse, VectorX& scale) {
  for (Eigen::Index i = 0; i < scale.size(); ++i) {
    const double mass = system.mass[i];
    scale[i] = std::abs(v[i]) + (mass > 0 ? std::abs(impulse[i]) / mass : 0.0);
  }
}

double joint_lack(const Joints& joints, const std::vector<double>& G, const VectorX& v, const VectorX& scale,
                  const VectorX& g_t, VectorX& lack) {
  double worst = 0, largest_scale = 0;
  for (int i = 0; i < joints.row_count(); ++i) {
    double sum = g_t[i], row_scale = std::abs(g_t[i]);
    for (int p = joints.row_begin[i]; p < joints.row_begin[i + 1]; ++p) {
      sum += G[p] * v[joints.dof[p]];
      row_scale += std::abs(G[p]) * scale[joints.dof[p]];
    }
    lack[i] = -sum;
    if (!std::isfinite(sum)) return sum;
    worst = std::max(worst, std::abs(sum));
    largest_scale = std::max(largest_scale, row_scale);
  }
  return largest_scale > 0 ? worst / largest_scale : 0.0;
}

double contact_lack(const ContactSet& contacts, const ContactKinematics& at, const ActiveContacts& active,
                    const ContactStage& stage, const VectorX& v) {
  double worst = 0, largest_scale = 0;
  for (size_t row = 0; row < active.index.size(); ++row) {
    const int c = active.index[row];
    const Contact& contact = contacts.contacts[c];
    double u = at.motion[c];
    double scale = std::abs(u) + std::abs(active.u_before[row]) + std::abs(stage.free_velocity(row));
    for (int i = contact.begin; i < contact.begin + contact.count; ++i) {
      const double part = at.normal[i] * v[contacts.dof[i]];
      u += part;
      scale += std::abs(part);
    }
    const double shift = contact.restitution * active.u_before[row];
    worst = std::max(worst, std::abs(u + shift - stage.solution().u[row]));
    largest_scale = std::max(largest_scale, scale);
  }
  return largest_scale > 0 ? worst / largest_scale : 0.0;
}

}  // namespace percuss
