#include "percuss/nonsmooth/scaled_contacts.h"

#include <algorithm>
#include <cmath>

#include "percuss/nonsmooth/cones.h"
#include "percuss/nonsmooth/judge.h"

namespace percuss {

void ScaledContacts::set_scale(const std::vector<Cone>& given, const Eigen::VectorXd& diagonal) {
  cones = given;
  scale.resize(diagonal.size());
  int i = 0;
  for (Cone& cone : cones) {
    const double trace = diagonal.segment(i, cone.rows()).sum();
    const double E = trace > 0.0 ? std::sqrt(cone.rows() / trace) : 1.0;
    scale.segment(i, cone.rows()).setConstant(E);
    if (cone.kind == ConeKind::interval) cone.bound /= E;
    i += cone.rows();
  }
}

double ScaledContacts::residual2(const Eigen::VectorXd& r, const Eigen::VectorXd& u) const {
  double sum = 0.0;
  int i = 0;
  for (const Cone& cone : cones) {
    // With the trace of a scaled block the judge's rho_c is 1, as (NA-3) says.
    sum += cone_residual2(cone, cone.rows(), &r[i], &u[i]) / (scale[i] * scale[i]);
    i += cone.rows();
  }
  return sum;
}

ScaledProblem::ScaledProblem(const LocalProblem& problem) : W(problem.W) {
  const int n = problem.size();
  Eigen::VectorXd diagonal(n);
  for (int i = 0; i < n; ++i) diagonal[i] = problem.W.diagonal(i);
  set_scale(problem.cones, diagonal);
  q = scale.cwiseProduct(Eigen::Map<const Eigen::VectorXd>(problem.u_free.data(), n));
  for (int c = 0; c < W.cones(); ++c)  // all rows of a cone have one scale
    for (int k = W.begin(c); k < W.end(c); ++k) {
      const double factor = scale[W.first_row(c)] * scale[W.first_row(W.other(k))];
      const int count = W.rows_of(c) * W.rows_of(W.other(k));
      for (int i = 0; i < count; ++i) W.block(k)[i] *= factor;
    }
}

void ScaledProblem::velocity(const Eigen::VectorXd& r, Eigen::VectorXd& u) const {
  u = q;
  W.multiply_add(r.data(), u.data());
}

double judge_scale(const ScaledContacts& contacts) {
  return std::max(contacts.q.cwiseQuotient(contacts.scale).norm(), residual_floor);
}

}  // namespace percuss
