#include "percuss/dynamics/joints.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "percuss/dynamics/system.h"

namespace percuss {

int Joints::find(const std::string& name) const {
  const auto found =
      std::find_if(joints.begin(), joints.end(), [&](const auto& j) { return j.name == name; });
  return found == joints.end() ? -1 : static_cast<int>(found - joints.begin());
}

void Joints::add_row(ConstraintRow row, const std::vector<BodyData>& bodies) {
  row.function.finish(bodies);
  row.is_length = std::ranges::any_of(row.function.terms, [](const FunctionTerm& term) {
    return term.kind != FunctionTerm::Kind::dot && term.kind != FunctionTerm::Kind::angle;
  });
  for (const int i : row.function.dof)
    if (i >= 0) dof.push_back(i);
  row_begin.push_back(static_cast<int>(dof.size()));
  rows.push_back(std::move(row));
}

void Joints::remember(ScalarFunction& function) {
  for (auto& term : function.terms)
    if (term.kind == FunctionTerm::Kind::angle && term.memory < 0) {
      term.memory = angle_count++;
      angle_terms.push_back(term);
    }
}

void constraint_values(const System& system, const Kinematics& kinematics, double t, VectorX& g) {
  for (int i = 0; i < system.constraint_count(); ++i) {
    const ConstraintRow& row = system.joints.rows[i];
    if (row.speed_only) {
      g[i] = 0;
      continue;
    }
    g[i] = evaluate(row.function, kinematics) - (row.target ? row.target->value(t) : 0.0);
  }
}

namespace {

/// Gauss-Legendre with five points: exact for polynomials of degree nine.
double integral(const Expression& f, double t, double h) {
  constexpr std::array<double, 3> place = {0, 0.538469310105683091, 0.906179845938663993};
  constexpr std::array<double, 3> weight = {128.0 / 225, 0.478628670499366468, 0.236926885056189088};
  double sum = weight[0] * f.value(t + 0.5 * h);
  for (size_t i = 1; i < place.size(); ++i)
    sum += weight[i] * (f.value(t + 0.5 * h * (1 - place[i])) + f.value(t + 0.5 * h * (1 + place[i])));
  return 0.5 * h * sum;
}

}  // namespace

void speed_targets(const System& system, const Kinematics& start, double t, double h, VectorX& targets) {
  for (int i = 0; i < system.constraint_count(); ++i) {
    const ConstraintRow& row = system.joints.rows[i];
    targets[i] = row.speed_only ? evaluate(row.function, start) + integral(*row.target, t, h) : 0.0;
  }
}

void constraint_values(const System& system, const Kinematics& kinematics, double t, const VectorX& targets,
                       VectorX& g) {
  constraint_values(system, kinematics, t, g);
  for (int i = 0; i < system.constraint_count(); ++i) {
    const ConstraintRow& row = system.joints.rows[i];
    if (row.speed_only) g[i] = evaluate(row.function, kinematics) - targets[i];
  }
}

double relative_violation(const System& system, const VectorX& g) {
  double worst = 0;
  for (int i = 0; i < system.constraint_count(); ++i) {
    const double violation = std::abs(g[i]) / (system.joints.rows[i].is_length ? system.size : 1.0);
    if (!std::isfinite(violation)) return violation;
    worst = std::max(worst, violation);
  }
  return worst;
}

void constraint_jacobian(const System& system, const Kinematics& kinematics, std::vector<double>& G) {
  double columns[4 * max_body_coordinates];
  size_t entry = 0;
  for (const ConstraintRow& row : system.joints.rows) {
    gradient(row.function, system.bodies, kinematics, columns);
    for (int c = 0; c < row.function.columns(); ++c)
      if (row.function.dof[c] >= 0) G[entry++] = columns[c];
  }
}

void constraint_rates(const System& system, const Kinematics& kinematics, double t, VectorX& g_t) {
  for (int i = 0; i < system.constraint_count(); ++i) {
    const ConstraintRow& row = system.joints.rows[i];
    g_t[i] = prescribed_rate(row.function, system.bodies, kinematics);
    if (row.target) g_t[i] -= row.speed_only ? row.target->value(t) : row.target->jet(t).first;
  }
}

void constraint_accelerations(const System& system, double t, const Kinematics& kinematics,
                              std::vector<BiasAcceleration>& biases, VectorX& gamma) {
  biases.clear();
  for (size_t b = 0; b < system.bodies.size(); ++b)
    biases.push_back(bias_acceleration(system.bodies[b], kinematics.poses[b], t));
  for (int i = 0; i < system.constraint_count(); ++i) {
    const ConstraintRow& row = system.joints.rows[i];
    gamma[i] = acceleration(row.function, kinematics, biases);
    if (row.target) gamma[i] -= row.speed_only ? row.target->jet(t).first : row.target->jet(t).second;
  }
}

void add_transposed(const Joints& joints, const std::vector<double>& G, const VectorX& x, VectorX& y) {
  for (int i = 0; i < joints.row_count(); ++i)
    for (int p = joints.row_begin[i]; p < joints.row_begin[i + 1]; ++p) y[joints.dof[p]] += G[p] * x[i];
}

void multiply(const Joints& joints, const std::vector<double>& G, const VectorX& v, VectorX& y) {
  for (int i = 0; i < joints.row_count(); ++i) {
    double sum = 0;
    for (int p = joints.row_begin[i]; p < joints.row_begin[i + 1]; ++p) sum += G[p] * v[joints.dof[p]];
    y[i] = sum;
  }
}

void read_angles(const Joints& joints, const Kinematics& kinematics, std::vector<double>& angles) {
  for (size_t i = 0; i < joints.angle_terms.size(); ++i)
    angles[i] = evaluate(joints.angle_terms[i], kinematics);
}

}  // namespace percuss
