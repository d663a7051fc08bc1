#include "percuss/dynamics/consistent_start.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "percuss/dynamics/forces.h"
#include "percuss/dynamics/mass_iteration.h"
#include "percuss/dynamics/saddle_point.h"
#include "percuss/math/dense.h"

namespace percuss {
namespace {

/// Largest change of a position, as a fraction of the model's size, and of an angle or director.
constexpr double allowed_change = 0.1, allowed_turn = 0.5;
constexpr int max_newton = 50, max_refinements = 20;
/// From this many coordinates on to factorise a consistent mass matrix takes longer than to iterate.
constexpr int many_coordinates = 20'000;

[[noreturn]] void refuse(Complaint complaint) {
  throw ModelError(std::vector<Complaint>{std::move(complaint)});
}

/// A motion of it may take no force.
bool may_be_massless(const BodyData& body) {
  const Matrix3& J = body.inertia;
  const bool is_spatial = body.kind == BodyKind::spatial || body.kind == BodyKind::natural;
  return body.kind != BodyKind::frame && (body.mass == 0 || (body.kind == BodyKind::planar && J(2, 2) == 0) ||
                                          (is_spatial && J.determinant() <= 1e-12 * J.diagonal().prod()));
}

class Projection {
 public:
  explicit Projection(System& system)
      : system_(system), kinematics_(make_kinematics(system)), saddle_(system, SaddlePoint::Matrix::mass) {
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
    refuse_bad_user_mass();
    if (!saddle_.factorise())
      refuse({"bodies",
              "the mass matrix is not positive definite: a body without mass or inertia "
              "must be held by joints"});
  }

  /// M v = 0 and G v = 0 only for v = 0: what has no mass must be determined by joints. This is told for the
  /// motions of single bodies.
  void refuse_free_massless() {
    for (size_t b = 0; b < system_.bodies.size(); ++b)
      if (may_be_massless(system_.bodies[b])) refuse_free_motion(static_cast<int>(b));
  }
  void refuse_free_motion(int index) {
    const BodyData& body = system_.bodies[index];
    std::vector<int> coordinates;
    for (int coordinate = 0; coordinate < body.coordinate_count(); ++coordinate)
      if (body.dof[coordinate] >= 0) coordinates.push_back(coordinate);
    const auto count = static_cast<Eigen::Index>(coordinates.size());
    MatrixX held = MatrixX::Zero(count + m_, count);  // M over G; the directors hold each other by rows of G
    VectorX unit = VectorX::Zero(n_), momentum(n_), rate(m_);
    for (Eigen::Index j = 0; j < count; ++j) {
      unit.setZero();
      unit[body.dof[coordinates[j]]] = 1;
      multiply_mass(system_, system_.initial.q, unit, kinematics_, momentum);
      for (Eigen::Index i = 0; i < count; ++i) held(i, j) = momentum[body.dof[coordinates[i]]];
      multiply(system_.joints, saddle_.constraint_jacobian(), unit, rate);
      held.col(j).tail(m_) = rate;
    }
    for (Eigen::Index i = 0; i < held.rows(); ++i)
      if (const double size = held.row(i).norm(); size > 0) held.row(i) /= size;
    const SymmetricModes motions = symmetric_modes(held.transpose() * held);
    int free_coordinate = max_body_coordinates;
    for (Eigen::Index k = 0; k < count; ++k) {
      Eigen::Index most = 0;
      motions.vectors.col(k).cwiseAbs().maxCoeff(&most);
      if (motions.values[k] < 1e-14) free_coordinate = std::min(free_coordinate, coordinates[most]);
    }
    if (free_coordinate < max_body_coordinates) refuse_massless(index, free_coordinate);
  }
  [[noreturn]] void refuse_massless(int body, int coordinate) const {
    const std::string& name = system_.bodies[body].name;
    if (coordinate < 3)
      refuse({fmt::format("bodies[{}].mass", body),
              fmt::format("0 is not allowed: no joint determines how '{}' moves along {}; give it mass, or "
                          "hold it by a joint",
                          name, "xyz"[coordinate])});
    refuse({fmt::format("bodies[{}].inertia", body),
            fmt::format("'{}' can turn about an axis without inertia and no joint determines how; give it "
                        "inertia, or hold it by a joint",
                        name)});
  }

  void refuse_bad_user_mass() const {
    for (size_t s = 0; s < system_.user_systems.size(); ++s) {
      const MatrixX M = UserSystemCalls(system_.user_systems[s]).mass(system_.initial.q);
      const double size = M.cwiseAbs().maxCoeff();
      std::string defect;
      if (!M.allFinite())
        defect = "not finite";
      else if ((M - M.transpose()).cwiseAbs().maxCoeff() > 1e-9 * size)
        defect = "not symmetric";
      else if (!DenseCholesky().factorise(M))
        defect = "not positive definite";
      if (!defect.empty())
        refuse(
            {fmt::format("systems[{}].plugin", s),
             fmt::format("the mass matrix of '{}' is {} at the start; check its parameters and mass_matrix",
                         system_.user_systems[s].name, defect)});
    }
  }

  /// Solves M x + G^T y = force, G x = rate for increments until nothing is left.
  void solve(const VectorX& force, const VectorX& rate, VectorX& x, VectorX& y) {
    x.setZero(n_);
    y.setZero(m_);
    VectorX residual(n_), constraint_residual(m_), part(n_);
    double last = INFINITY;
    for (int k = 0; k < max_refinements; ++k) {
      multiply_mass(system_, system_.initial.q, x, kinematics_, residual);
      residual = force - residual;
      add_transposed(system_.joints, saddle_.constraint_jacobian(), -y, residual);
      multiply(system_.joints, saddle_.constraint_jacobian(), x, constraint_residual);
      constraint_residual = rate - constraint_residual;
      const double size = residual.norm() + constraint_residual.norm();
      if (size == 0 || (k > 1 && size >= 0.5 * last)) break;
      last = size;
      b_.head(n_) = residual;
      b_.tail(m_) = constraint_residual;
      saddle_.factor().forward(b_, z_);
      saddle_.factor().backward(z_, x_);
      x += x_.head(n_);
      y += x_.tail(m_);
      if (k == 0 && saddle_.regularisation() > 0) saddle_.drop_null_space(y, b_, z_, x_);
    }
  }

  void project_positions(double t, StartReport& report) {
    State& state = system_.initial;
    const VectorX before = state.q;
    VectorX g(m_), dq, multipliers;
    constexpr double tolerance = 1e-13;
    update(system_, state.q, state.v, t, kinematics_);
    refuse_rods_without_length(t);
    for (int k = 0;; ++k) {
      prepare(t);
      constraint_values(system_, kinematics_, t, g);
      if (k == 0 && m_ > 0) g.cwiseAbs().maxCoeff(&widest_row_);
      const double violation = relative_violation(system_, g);
      if (m_ == 0 || violation <= tolerance) break;
      if (k == max_newton || !g.allFinite()) refuse_unreachable(g);
      solve(VectorX::Zero(n_), -g, dq, multipliers);
      const double length = relative_change(system_, dq);
      if (k > 5 && length < 1e-15 && violation > 1e-9) refuse_unreachable(g);
      // Near a dead end the full step is useless; a limited one keeps the bodies in sight.
      if (length > 1) dq /= length;
      retract(system_, dq, state.q);
      if (k > 20 && violation < 1e-11) break;
    }
    if (m_ == 0) return;
    read_angles(system_.joints, kinematics_, state.angles);
    difference(system_, before, state.q, dq);
    Eigen::Index where = 0;
    report.position_change = dq.cwiseAbs().maxCoeff(&where);
    report.most_moved = velocity_names(system_)[static_cast<size_t>(where)].name;
    refuse_large_change(dq);
    for (const int row : saddle_.dependent_rows()) report.dependent_rows.push_back(row_name(row));
  }

  void refuse_large_change(const VectorX& change) const {
    for (const auto& body : system_.bodies)
      for (int coordinate = 0; coordinate < body.coordinate_count(); ++coordinate) {
        const double size = body.dof[coordinate] < 0 ? 0.0 : std::abs(change[body.dof[coordinate]]);
        const double allowed = coordinate < 3 ? allowed_change * system_.size : allowed_turn;
        if (size <= allowed) continue;
        const std::string unit = coordinate < 3 ? " m" : body.kind == BodyKind::natural ? "" : " rad";
        refuse({joint_path(static_cast<int>(widest_row_)),
                fmt::format(
                    "{} does not fit the start: closing the joints would {} '{}' by {:.4g}{}, and at most "
                    "{:.4g}{} is allowed; place the bodies closer to where they belong",
                    row_name(static_cast<int>(widest_row_)), coordinate < 3 ? "move" : "turn", body.name,
                    size, unit, allowed, unit)});
      }
  }

  [[noreturn]] void refuse_unreachable(const VectorX& g) {
    Eigen::Index worst = 0;
    const double size = g.cwiseAbs().maxCoeff(&worst);
    refuse({joint_path(static_cast<int>(worst)),
            fmt::format(
                "the joint cannot be closed: {} stays open by {:.4g} wherever the bodies are placed; bring "
                "its points together, or take away the joint or drive that contradicts it",
                row_name(static_cast<int>(worst)), size)});
  }
  /// The two ends of a rod must be apart: it has no direction otherwise.
  void refuse_rods_without_length(double t) {
    VectorX g(m_);
    constraint_values(system_, kinematics_, t, g);
    for (const auto& joint : system_.joints.joints) {
      if (joint.kind != "distance") continue;
      const ConstraintRow& row = system_.joints.rows[joint.first_row];
      const double length = g[joint.first_row] + (row.target ? row.target->value(t) : row.function.offset);
      if (length <= 1e-12 * system_.size)
        refuse(
            {joint.path, fmt::format("both points of distance '{}' are at the same place, so that it has no "
                                     "direction; move one of them, or use a ball joint",
                                     joint.name)});
    }
  }

  void project_velocities(double t, StartReport& report) {
    if (m_ == 0) return;
    State& state = system_.initial;
    VectorX rate(m_), g_t(m_), dv, multipliers;
    multiply(system_.joints, saddle_.constraint_jacobian(), state.v, rate);
    constraint_rates(system_, kinematics_, t, g_t);
    rate += g_t;
    refuse_infinite(g_t, t);
    solve(VectorX::Zero(n_), -rate, dv, multipliers);
    VectorX left(m_);
    multiply(system_.joints, saddle_.constraint_jacobian(), dv, left);
    left += rate;
    const double scale = 1e-9 * (rate.lpNorm<Eigen::Infinity>() + g_t.lpNorm<Eigen::Infinity>()) + 1e-12;
    Eigen::Index worst = 0;
    if (left.cwiseAbs().maxCoeff(&worst) > scale)
      refuse(
          {joint_path(static_cast<int>(worst)),
           fmt::format("no velocity satisfies it: {} is left with a rate of {:.4g}; take away the joint or "
                       "drive that contradicts it",
                       row_name(static_cast<int>(worst)), left[worst])});
    state.v += dv;
    Eigen::Index where = 0;
    report.velocity_change = dv.cwiseAbs().maxCoeff(&where);
    report.most_accelerated = velocity_names(system_)[static_cast<size_t>(where)].name;
  }

  /// A drive or frame may have a value at the start but no rate: sqrt(t).
  void refuse_infinite(const VectorX& rate, double t) const {
    for (int i = 0; i < m_; ++i) {
      if (std::isfinite(rate[i])) continue;
      const auto& target = system_.joints.rows[i].target;
      refuse({joint_path(i),
              fmt::format("{} has no finite rate at t = {:.9g} s{}; begin the motion with a finite velocity",
                          row_name(i), t, target ? ": it follows " + target->canonical() : std::string())});
    }
  }

  void find_accelerations(double t, StartReport& report) {
    const State& state = system_.initial;
    VectorX f(n_), gamma(m_);
    update(system_, state.q, state.v, t, kinematics_);
    evaluate_force(system_, state.q, state.v, t, kinematics_, f);
    std::vector<BiasAcceleration> biases;
    if (m_ > 0) constraint_accelerations(system_, t, kinematics_, biases, gamma);
    solve(f, -gamma, report.acceleration, report.multipliers);
    refuse_contradicting_accelerations(gamma, report.acceleration);
    report.multipliers = -report.multipliers;
  }

  /// Far above rounding: redundant joints agree, contradicting drives leave something of their own size.
  void refuse_contradicting_accelerations(const VectorX& gamma, const VectorX& acceleration) const {
    if (m_ == 0) return;
    VectorX left(m_);
    multiply(system_.joints, saddle_.constraint_jacobian(), acceleration, left);
    left += gamma;
    const double scale = gamma.lpNorm<Eigen::Infinity>() + acceleration.lpNorm<Eigen::Infinity>();
    Eigen::Index worst = 0;
    if (left.cwiseAbs().maxCoeff(&worst) > 1e-6 * scale + 1e-9)
      refuse({joint_path(static_cast<int>(worst)),
              fmt::format(
                  "no acceleration satisfies it: {} is left with {:.4g}; take away the joint or drive that "
                  "contradicts it",
                  row_name(static_cast<int>(worst)), left[worst])});
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
  Eigen::Index widest_row_ = 0;  ///< the joint equation that is most open at the start
  VectorX b_, z_, x_;
};

/// The start of a large mesh without joints, where nothing is to be closed; nothing if M needs a closer look.
std::optional<StartReport> start_without_factors(const System& system, double t) {
  const State& state = system.initial;
  const bool has_consistent_masses = !system.constant.mass.empty();
  if (system.constraint_count() > 0 || system.dof_count() < many_coordinates || !has_consistent_masses ||
      !system.user_systems.empty() || std::ranges::any_of(system.bodies, may_be_massless))
    return std::nullopt;
  Kinematics kinematics = make_kinematics(system);
  VectorX f(system.dof_count());
  update(system, state.q, state.v, t, kinematics);
  evaluate_force(system, state.q, state.v, t, kinematics, f);
  auto acceleration = solve_mass_by_iteration(system, state.q, f, kinematics);
  if (!acceleration) return std::nullopt;
  StartReport report;
  report.acceleration = std::move(*acceleration);
  report.multipliers = VectorX::Zero(0);
  return report;
}

}  // namespace

StartReport make_consistent(System& system, double t) {
  if (auto report = start_without_factors(system, t)) return std::move(*report);
  return Projection(system).run(t);
}

}  // namespace percuss
