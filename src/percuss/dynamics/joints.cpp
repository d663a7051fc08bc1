#include "percuss/dynamics/joints.h"

#include <algorithm>

#include "percuss/dynamics/system.h"

namespace percuss {

int Joints::find(const std::string& name) const {
  const auto found =
      std::find_if(joints.begin(), joints.end(), [&](const auto& j) { return j.name == name; });
  return found == joints.end() ? -1 : static_cast<int>(found - joints.begin());
}

void Joints::add_row(ConstraintRow row, const std::vector<BodyData>& bodies) {
  row.function.finish(bodies);
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

void constraint_jacobian(const System& system, const Kinematics& kinematics, std::vector<double>& G) {
  double columns[4 * max_slots];
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
                              std::vector<Drift>& drifts, VectorX& gamma) {
  drifts.clear();
  for (size_t b = 0; b < system.bodies.size(); ++b)
    drifts.push_back(drift(system.bodies[b], kinematics.placements[b], t));
  for (int i = 0; i < system.constraint_count(); ++i) {
    const ConstraintRow& row = system.joints.rows[i];
    gamma[i] = acceleration(row.function, kinematics, drifts);
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
