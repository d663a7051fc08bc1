#include "percuss/integrators/event/mode_decision.h"

#include <algorithm>
#include <cmath>

#include "percuss/math/least_norm_solve.h"

namespace percuss {
namespace {

constexpr double decision_rounding =
    1e-8;                           ///< of accelerations, as a part of their terms without contact forces
constexpr double dependent = 1e-9;  ///< of W_cc: what the other rows leave of a dependent one

}  // namespace

SolveStatus ModeDecision::decide(Mechanics& mechanics, const TouchTolerance& tolerance,
                                 std::vector<ContactMemory>& modes, Workspace& work, StepReport& report) {
  choose(mechanics, tolerance, modes);
  if (std::ranges::any_of(modes, [](const ContactMemory& c) { return c.mode == ContactMode::hit; }))
    return SolveStatus::converged;
  SolveStatus status = solve(mechanics, work, report);
  if (status == SolveStatus::converged && !all_released_separate(mechanics)) {
    // What has lost its force is pressed together by the new forces of others.
    for (const int c : released_) add_candidate(mechanics, c, tolerance, modes[static_cast<size_t>(c)]);
    released_.clear();
    status = solve(mechanics, work, report);
  }
  if (status == SolveStatus::converged) read_modes(mechanics, modes);
  return status;
}

void ModeDecision::choose(const Mechanics& mechanics, const TouchTolerance& tolerance,
                          std::vector<ContactMemory>& modes) {
  response_.clear();
  problem_.cones.clear();
  candidates_.clear();
  released_.clear();
  force_ = mechanics.force();
  for (int c = 0; c < mechanics.contacts().count(); ++c) {
    ContactMemory& memory = modes[static_cast<size_t>(c)];
    if (memory.mode == ContactMode::open || memory.mode == ContactMode::idle) {
      const double u = mechanics.velocity({c, 0}), g = mechanics.gap_length(c);
      const bool rests = g <= tolerance.gap && std::abs(u) <= tolerance.speed;
      if (!rests) memory.mode = g <= 0 && u < -tolerance.speed ? ContactMode::hit : ContactMode::open;
      if (!rests) continue;
    }
    if (memory.mode == ContactMode::released)
      released_.push_back(c);
    else
      add_candidate(mechanics, c, tolerance, memory);
  }
}

/// Where it slides, friction is known: a force along H_N - mu s H_T. Else it is looked for in Coulomb's cone.
void ModeDecision::add_candidate(const Mechanics& mechanics, int c, const TouchTolerance& tolerance,
                                 ContactMemory& memory) {
  const Contact& contact = mechanics.contacts()[c];
  const int first = contact.first_tangent();
  const bool begins = memory.mode == ContactMode::begins_slip;
  const double speed = sliding_speed(mechanics, c);
  const double slowest = contact.tangents() == 2 ? tolerance.slip : tolerance.speed;
  const bool stopped = memory.mode == ContactMode::stick;
  const bool slides = contact.tangents() > 0 && (begins || (!stopped && speed > slowest));
  if (slides && !begins)
    memory.slip = {mechanics.velocity({c, first}) / speed,
                   contact.tangents() > 1 ? mechanics.velocity({c, first + 1}) / speed : 0.0};
  candidates_.push_back({c, static_cast<int>(response_.rows.size()), slides});
  if (slides && !contact.has_gap()) {
    mechanics.add_force({c, 0}, -contact.law.largest_friction(1) * memory.slip[0], force_);
    return;
  }
  if (slides) {
    response_.add({{c, 0}, drag_of(contact, memory.slip, speed)});
    problem_.cones.push_back({ConeKind::nonnegative});
    return;
  }
  for (int row = 0; row < contact.rows; ++row) response_.add({{c, row}});
  problem_.cones.push_back(contact.law.cone(1));
}

SolveStatus ModeDecision::solve(Mechanics& mechanics, Workspace& work, StepReport& report) {
  mechanics.respond(force_, -mechanics.joint_bias(), acceleration_, joint_force_);
  std::vector<int> list = response_.list;
  list.insert(list.end(), released_.begin(), released_.end());
  mechanics.find_contact_biases(list);
  response_.find(mechanics);
  problem_.u_free.clear();
  no_acceleration_ = 0;
  const auto know_rounding = [&](ContactRow row) {
    const double terms = mechanics.size_along(row, acceleration_) + std::abs(mechanics.contact_bias(row));
    no_acceleration_ = std::max(no_acceleration_, decision_rounding * terms);
  };
  for (const int c : released_) know_rounding({c, 0});
  const auto count = static_cast<Eigen::Index>(response_.rows.size());
  for (Eigen::Index i = 0; i < count; ++i) {
    const ContactRow row = response_.rows[static_cast<size_t>(i)].row;
    problem_.u_free.push_back(acceleration_of(mechanics, row));
    know_rounding(row);
  }
  problem_.W.clear();
  problem_.W.add_cones(problem_.cones);
  problem_.W.append_all([&](int i, int j) { return response_.W(i, j); });
  if (count == 0) return SolveStatus::converged;
  report.active_contacts = std::max(report.active_contacts, static_cast<int>(candidates_.size()));
  solver_->solve(problem_, {}, solution_);
  report.residual = std::max(report.residual, solution_.residual.relative);
  work.tell(problem_, solution_);
  if (solution_.status != SolveStatus::converged) return solution_.status;
  acceleration_ += response_.columns * Eigen::Map<const VectorX>(solution_.r.data(), count);
  return SolveStatus::converged;
}

double ModeDecision::acceleration_of(const Mechanics& mechanics, ContactRow row) const {
  return mechanics.along(row, acceleration_) + mechanics.contact_bias(row);
}

bool ModeDecision::all_released_separate(Mechanics& mechanics) const {
  return std::ranges::all_of(released_, [&](int c) {
    return acceleration_of(mechanics, {c, 0}) >= -no_acceleration_;
  });
}

/// Whether closing a row closes nothing that the given ones leave open.
bool ModeDecision::is_dependent(const std::vector<int>& rows, int row) const {
  if (rows.empty()) return false;
  const auto count = static_cast<Eigen::Index>(rows.size());
  MatrixX W(count, count);
  VectorX column(count), across(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    column[i] = response_.W(rows[static_cast<size_t>(i)], row);
    across[i] = response_.W(row, rows[static_cast<size_t>(i)]);
    for (Eigen::Index j = 0; j < count; ++j)
      W(i, j) = response_.W(rows[static_cast<size_t>(i)], rows[static_cast<size_t>(j)]);
  }
  const double left = response_.W(row, row) - across.dot(solve_least_norm(W, column, dependent));
  return std::abs(left) <= dependent * std::abs(response_.W(row, row));
}

void ModeDecision::read_modes(const Mechanics& mechanics, std::vector<ContactMemory>& modes) {
  std::vector<int> closed_rows;
  std::vector<const Candidate*> doubtful;
  const auto close = [&](const Candidate& candidate) {
    ContactMemory& memory = modes[static_cast<size_t>(candidate.contact)];
    read_friction(mechanics, candidate, memory);
    closed_rows.push_back(candidate.first_row);
    const int rows = mechanics.contacts()[candidate.contact].rows;
    for (int k = 1; memory.mode == ContactMode::stick && k < rows; ++k)
      closed_rows.push_back(candidate.first_row + k);
  };
  for (const Candidate& candidate : candidates_) {
    ContactMemory& memory = modes[static_cast<size_t>(candidate.contact)];
    if (!mechanics.contacts()[candidate.contact].has_gap()) {
      read_friction(mechanics, candidate, memory);
      if (memory.mode == ContactMode::stick) closed_rows.push_back(candidate.first_row);
      continue;
    }
    const int row = candidate.first_row;
    if (solution_.r[static_cast<size_t>(row)] * std::abs(response_.W(row, row)) > no_acceleration_)
      close(candidate);
    else if (solution_.u[static_cast<size_t>(row)] > no_acceleration_)
      memory.mode = ContactMode::open;
    else
      doubtful.push_back(&candidate);
  }
  // Neither force nor acceleration: closed, unless those that are closed hold it anyway.
  for (const Candidate* candidate : doubtful) {
    if (is_dependent(closed_rows, candidate->first_row))
      modes[static_cast<size_t>(candidate->contact)].mode = ContactMode::idle;
    else
      close(*candidate);
  }
  for (const int c : released_) {
    const bool leaves = acceleration_of(mechanics, {c, 0}) > no_acceleration_ || closed_rows.empty();
    modes[static_cast<size_t>(c)].mode = leaves ? ContactMode::open : ContactMode::idle;
  }
}

void ModeDecision::read_friction(const Mechanics& mechanics, const Candidate& candidate,
                                 ContactMemory& memory) const {
  const Contact& contact = mechanics.contacts()[candidate.contact];
  const int first = contact.first_tangent();
  memory.mode = ContactMode::slip;
  if (candidate.slides || contact.tangents() == 0) return;
  const size_t row = static_cast<size_t>(candidate.first_row + first);
  const double a1 = solution_.u[row], a2 = contact.tangents() > 1 ? solution_.u[row + 1] : 0.0;
  const double size = std::hypot(a1, a2);
  if (size <= no_acceleration_)
    memory.mode = ContactMode::stick;
  else
    memory.slip = {a1 / size, a2 / size};
}

}  // namespace percuss
