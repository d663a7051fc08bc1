#include "percuss/dynamics/consistent_start.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "percuss/dynamics/forces.h"
#include "percuss/dynamics/saddle_point.h"

namespace percuss {
namespace {

/// Largest change of a position, as a fraction of the model's size.
constexpr double allowed_change = 0.1;
constexpr int max_newton = 50, max_refinements = 20;

[[noreturn]] void refuse(Complaint complaint) {
  throw ModelError(std::vector<Complaint>{std::move(complaint)});
}

class Projection {
 public:
  explicit Projection(System& system)
      : system_(system), kinematics_(make_kinematics(system)), saddle_(system) {
    n_ = system.dof_count();
    m_ = system.constraint_count();
    b_.setZero(n_ + m_);
    z_.setZero(n_ + m_);
    x_.setZero(n_ + m_);
  }

  StartReport run(double t) {
    StartReport report;
    project_positions(t, report);
    project_velocities(t, report);
    find_accelerations(t, report);
    return report;
  }

 private:
  /// M and G at the present configuration, factorised.
  void prepare(double t) {
    const State& state = system_.initial;
    update(system_, state.q, state.v, t, kinematics_);
    assemble_iteration_matrix(system_, state.q, state.v, t, 0, 0, kinematics_, saddle_.matrix());
    constraint_jacobian(system_, kinematics_, saddle_.constraint_jacobian());
    refuse_free_massless();
    if (!saddle_.factorise())
      refuse({"bodies",
              "the mass matrix is not positive definite: a body without mass or inertia "
              "must be held by joints"});
  }

  /// A coordinate without mass must be determined by a joint.
  void refuse_free_massless() const {
    std::vector<char> held(static_cast<size_t>(n_), 0);
    for (const auto& user : system_.user_systems) std::fill_n(held.begin() + user.first, user.size, 1);
    const auto& G = saddle_.constraint_jacobian();
    for (size_t p = 0; p < G.size(); ++p)
      if (G[p] != 0) held[system_.joints.dof[p]] = 1;
    for (int i = 0; i < n_; ++i)
      if (system_.mass[i] == 0 && !held[i])
        refuse({"bodies", fmt::format("'{}' has no mass or inertia and no joint determines it; give it "
                                      "some, or hold it by a joint",
                                      velocity_names(system_)[static_cast<size_t>(i)].name)});
  }

  /// Solves M x + G^T y = force, G x = rate for increments until nothing is left.
  void solve(const VectorX& force, const VectorX& rate, VectorX& x, VectorX& y) {
    x.setZero(n_);
    y.setZero(m_);
    VectorX residual(n_), lack(m_), part(n_);
    double last = INFINITY;
    for (int k = 0; k < max_refinements; ++k) {
      multiply_mass(system_, system_.initial.q, x, kinematics_, residual);
      residual = force - residual;
      add_transposed(system_.joints, saddle_.constraint_jacobian(), -y, residual);
      multiply(system_.joints, saddle_.constraint_jacobian(), x, lack);
      lack = rate - lack;
      const double size = residual.norm() + lack.norm();
      if (size == 0 || (k > 1 && size >= 0.5 * last)) break;
      last = size;
      b_.head(n_) = residual;
      b_.tail(m_) = lack;
      saddle_.factor().forward(b_, z_);
      saddle_.factor().backward(z_, x_);
      x += x_.head(n_);
      y += x_.tail(m_);
      if (k == 0 && saddle_.regularisation() > 0) drop_null_space(y);
    }
  }

  /// Rounding leaves a part of y that redundant joints do not feel; this takes it out of the least-norm y.
  void drop_null_space(VectorX& y) {
    b_.head(n_).setZero();
    b_.tail(m_) = saddle_.regularisation() * y;
    saddle_.factor().forward(b_, z_);
    saddle_.factor().backward(z_, x_);
    y += x_.tail(m_);
  }

  void project_positions(double t, StartReport& report) {
    State& state = system_.initial;
    const VectorX before = state.q;
    VectorX g(m_), dq, multipliers;
    const double tolerance = 1e-13 * system_.size;
    for (int k = 0;; ++k) {
      prepare(t);
      constraint_values(system_, kinematics_, t, g);
      if (k == 0 && m_ > 0) g.cwiseAbs().maxCoeff(&largest_row_);
      if (m_ == 0 || g.lpNorm<Eigen::Infinity>() <= tolerance) break;
      if (k == max_newton || !g.allFinite()) refuse_unreachable(g);
      solve(VectorX::Zero(n_), -g, dq, multipliers);
      if (k > 5 && dq.lpNorm<Eigen::Infinity>() < 1e-15 * system_.size &&
          g.lpNorm<Eigen::Infinity>() > 1e-9 * system_.size)
        refuse_unreachable(g);
      // Near a dead end the full step is useless; a limited one keeps the bodies in sight.
      const double length = dq.lpNorm<Eigen::Infinity>();
      if (length > system_.size) dq *= system_.size / length;
      retract(system_, dq, state.q);
      if (k > 20 && g.lpNorm<Eigen::Infinity>() < 1e-11 * system_.size) break;
    }
    if (m_ == 0) return;
    read_angles(system_.joints, kinematics_, state.angles);
    difference(system_, before, state.q, dq);
    Eigen::Index where = 0;
    report.position_change = dq.cwiseAbs().maxCoeff(&where);
    report.most_moved = velocity_names(system_)[static_cast<size_t>(where)].name;
    if (report.position_change > allowed_change * system_.size)
      refuse({joint_path(static_cast<int>(largest_row_)),
              fmt::format("closing the joints would move '{}' by {:.4g}, more than a tenth of the "
                          "model's size ({:.4g} m); place the bodies closer to where they belong",
                          report.most_moved, report.position_change, system_.size)});
    for (const int row : saddle_.dependent_rows()) report.dependent_rows.push_back(row_name(row));
  }

  [[noreturn]] void refuse_unreachable(const VectorX& g) {
    Eigen::Index worst = 0;
    const double size = g.cwiseAbs().maxCoeff(&worst);
    refuse({joint_path(static_cast<int>(worst)),
            fmt::format("the joint cannot be closed: {} is off by {:.4g} and no motion of the "
                        "bodies brings it to zero; are two drives or joints contradicting?",
                        row_name(static_cast<int>(worst)), size)});
  }

  void project_velocities(double t, StartReport& report) {
    if (m_ == 0) return;
    State& state = system_.initial;
    VectorX rate(m_), g_t(m_), dv, multipliers;
    multiply(system_.joints, saddle_.constraint_jacobian(), state.v, rate);
    constraint_rates(system_, kinematics_, t, g_t);
    rate += g_t;
    solve(VectorX::Zero(n_), -rate, dv, multipliers);
    VectorX left(m_);
    multiply(system_.joints, saddle_.constraint_jacobian(), dv, left);
    left += rate;
    const double scale = 1e-9 * (rate.lpNorm<Eigen::Infinity>() + g_t.lpNorm<Eigen::Infinity>()) + 1e-12;
    Eigen::Index worst = 0;
    if (left.cwiseAbs().maxCoeff(&worst) > scale)
      refuse({joint_path(static_cast<int>(worst)),
              fmt::format("no velocity satisfies it: {} is left with a rate of {:.4g}; are two "
                          "drives contradicting?",
                          row_name(static_cast<int>(worst)), left[worst])});
    state.v += dv;
    Eigen::Index where = 0;
    report.velocity_change = dv.cwiseAbs().maxCoeff(&where);
    report.most_accelerated = velocity_names(system_)[static_cast<size_t>(where)].name;
  }

  void find_accelerations(double t, StartReport& report) {
    const State& state = system_.initial;
    VectorX f(n_), gamma(m_);
    update(system_, state.q, state.v, t, kinematics_);
    evaluate_force(system_, state.q, state.v, t, kinematics_, f);
    if (m_ > 0) constraint_accelerations(system_, t, kinematics_, gamma);
    solve(f, -gamma, report.acceleration, report.multipliers);
    report.multipliers = -report.multipliers;
  }

  const JointData& joint_of(int row) const {
    for (const auto& joint : system_.joints.joints)
      if (row >= joint.first_row && row < joint.first_row + joint.row_count) return joint;
    return system_.joints.joints.front();
  }
  std::string row_name(int row) const {
    return fmt::format("{} of {} '{}'", system_.joints.rows[row].what, joint_of(row).kind,
                       joint_of(row).name);
  }
  const std::string& joint_path(int row) const { return joint_of(row).path; }

  System& system_;
  Kinematics kinematics_;
  SaddlePoint saddle_;
  int n_, m_;
  Eigen::Index largest_row_ = 0;  ///< the joint that was farthest from closed
  VectorX b_, z_, x_;
};

}  // namespace

StartReport make_consistent(System& system, double t) { return Projection(system).run(t); }

}  // namespace percuss
