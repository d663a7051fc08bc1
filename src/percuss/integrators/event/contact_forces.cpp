#include "percuss/integrators/event/contact_forces.h"

#include <algorithm>
#include <cmath>

#include "percuss/math/least_norm_solve.h"

namespace percuss {
namespace {

constexpr double dependent_rows = 1e-10;  ///< part of W that counts as zero
constexpr double solved_rows = 1e-6;  ///< what may be left of accelerations, of those without contact forces

}  // namespace

void ContactResponse::clear() {
  rows.clear();
  list.clear();
}

void ContactResponse::add(const ForceRow& row) {
  rows.push_back(row);
  if (list.empty() || list.back() != row.row.contact) list.push_back(row.row.contact);
}

void ContactResponse::find(Mechanics& mechanics) {
  const auto count = static_cast<Eigen::Index>(rows.size());
  const Eigen::Index n = mechanics.system.dof_count(), m = mechanics.system.constraint_count();
  columns.resize(n, count);
  multipliers.resize(m, count);
  W.resize(count, count);
  VectorX b(n), x(n), y(m);
  const VectorX no_rate = VectorX::Zero(m);
  for (Eigen::Index j = 0; j < count; ++j) {
    const ForceRow& force = rows[static_cast<size_t>(j)];
    b.setZero();
    mechanics.add_force(force.row, 1, b);
    for (int k = 0; k < 2; ++k)
      if (force.drag[k] != 0) mechanics.add_force({force.row.contact, k + 1}, force.drag[k], b);
    mechanics.respond(b, no_rate, x, y);
    columns.col(j) = x;
    multipliers.col(j) = y;
    for (Eigen::Index i = 0; i < count; ++i) W(i, j) = mechanics.along(rows[static_cast<size_t>(i)].row, x);
  }
}

std::array<double, 2> drag_of(const Contact& contact, const std::array<double, 2>& slip, double speed) {
  if (contact.rows == 1) return {};
  const double friction = contact.law.largest_friction(1, speed);
  return {-friction * slip[0], contact.rows > 2 ? -friction * slip[1] : 0.0};
}

double sliding_speed(const Mechanics& mechanics, int c) {
  const Contact& contact = mechanics.contacts()[c];
  double speed = 0;
  for (int row = contact.first_tangent(); row < contact.rows; ++row)
    speed = std::hypot(speed, mechanics.velocity({c, row}));
  return speed;
}

std::array<double, 2> slip_direction(const Mechanics& mechanics, int c, const ContactMemory& memory,
                                     double slowest) {
  if (mechanics.contacts()[c].rows < 3) return memory.slip;
  const double u1 = mechanics.velocity({c, 1}), u2 = mechanics.velocity({c, 2});
  const double speed = std::hypot(u1, u2);
  return speed > slowest ? std::array<double, 2>{u1 / speed, u2 / speed} : memory.slip;
}

ContactForces::ContactForces(const Assembly& assembly)
    : force_(VectorX::Zero(assembly.system.dof_count())),
      acceleration_(force_),
      joint_force_(VectorX::Zero(assembly.system.constraint_count())),
      contact_force_(static_cast<size_t>(assembly.interactions.declared.rows), 0.0) {}

void ContactForces::choose_rows(const Mechanics& mechanics, const std::vector<ContactMemory>& modes,
                                double slowest) {
  response_.clear();
  for (int c = 0; c < mechanics.contacts().count(); ++c) {
    const ContactMemory& memory = modes[static_cast<size_t>(c)];
    const Contact& contact = mechanics.contacts()[c];
    if (!is_closed(memory.mode)) continue;
    const bool sticks = memory.mode == ContactMode::stick;
    if (!contact.has_gap()) {
      if (sticks) response_.add({{c, 0}});
      if (sticks) continue;
      const double drag = -contact.law.largest_friction(1) * memory.slip[0];
      contact_force_[contact.row] = drag;
      mechanics.add_force({c, 0}, drag, force_);
      continue;
    }
    std::array<double, 2> drag = {};
    if (!sticks) {
      const double speed = contact.law.friction_is_constant() ? 0.0 : sliding_speed(mechanics, c);
      drag = drag_of(contact, slip_direction(mechanics, c, memory, slowest), speed);
    }
    response_.add({{c, 0}, drag});
    for (int row = 1; sticks && row < contact.rows; ++row) response_.add({{c, row}});
  }
}

bool ContactForces::find(Mechanics& mechanics, const std::vector<ContactMemory>& modes, double slowest) {
  contact_force_.assign(static_cast<size_t>(mechanics.contacts().rows), 0.0);
  force_ = mechanics.force();
  choose_rows(mechanics, modes, slowest);
  mechanics.respond(force_, -mechanics.joint_bias(), acceleration_, joint_force_);
  return response_.rows.empty() || solve_rows(mechanics);
}

bool ContactForces::solve_rows(Mechanics& mechanics) {
  mechanics.find_contact_biases(response_.list);
  response_.find(mechanics);
  const auto count = static_cast<Eigen::Index>(response_.rows.size());
  VectorX free(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const ContactRow row = response_.rows[static_cast<size_t>(i)].row;
    free[i] = mechanics.along(row, acceleration_) + mechanics.contact_bias(row);
  }
  const VectorX lambda = solve_least_norm(response_.W, -free, dependent_rows);
  const double left = (response_.W * lambda + free).lpNorm<Eigen::Infinity>();
  if (!(left <= solved_rows * free.lpNorm<Eigen::Infinity>())) return false;
  acceleration_ += response_.columns * lambda;
  joint_force_ += response_.multipliers * lambda;
  for (Eigen::Index i = 0; i < count; ++i) {
    const ForceRow& force = response_.rows[static_cast<size_t>(i)];
    double* out = &contact_force_[mechanics.contacts()[force.row.contact].row];
    out[force.row.row] += lambda[i];
    for (int k = 0; k < 2; ++k)
      if (force.drag[k] != 0) out[k + 1] += force.drag[k] * lambda[i];
  }
  return true;
}

}  // namespace percuss
