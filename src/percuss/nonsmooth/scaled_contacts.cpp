#include "percuss/nonsmooth/scaled_contacts.h"

#include <algorithm>
#include <cmath>

#include "percuss/nonsmooth/cones.h"
#include "percuss/nonsmooth/residual.h"

namespace percuss {

ScaledContacts::ScaledContacts(const OperatorProblem& problem)
    : W_(problem.W), cones_(problem.cones), scale_(std::ssize(problem.u_free)), q_(scale_.size()) {
  int i = 0;
  for (size_t c = 0; c < cones_.size(); ++c) {
    const int rows = cones_[c].rows();
    const double trace = trace_of(rows, W_.diagonal_block(static_cast<int>(c)));
    const double E = trace > 0.0 ? std::sqrt(rows / trace) : 1.0;
    scale_.segment(i, rows).setConstant(E);
    if (cones_[c].kind == ConeKind::interval) cones_[c].bound /= E;
    i += rows;
  }
  q_ = scale_.cwiseProduct(Eigen::Map<const Eigen::VectorXd>(problem.u_free.data(), scale_.size()));
}

void ScaledContacts::velocity(const Eigen::VectorXd& r, Eigen::VectorXd& u) {
  reactions_ = scale_.cwiseProduct(r);
  u.resize(r.size());
  W_.apply(reactions_.data(), u.data());
  u = scale_.cwiseProduct(u) + q_;
}

double ScaledContacts::residual2(const Eigen::VectorXd& r, const Eigen::VectorXd& u) const {
  double sum = 0.0;
  int i = 0;
  for (const Cone& cone : cones_) {
    // With the trace of a scaled block the rho_c is 1, as (NA-3) says.
    sum += cone_residual2(cone, cone.rows(), &r[i], &u[i]) / (scale_[i] * scale_[i]);
    i += cone.rows();
  }
  W_.sum({&sum, 1});
  return sum;
}

double ScaledContacts::residual_scale() const {
  double u_free2 = q_.cwiseQuotient(scale_).squaredNorm();
  W_.sum({&u_free2, 1});
  return std::max(std::sqrt(u_free2), residual_floor);
}

BlockMatrix ScaledContacts::scaled_blocks() const {
  BlockMatrix W = *W_.blocks();
  for (int c = 0; c < W.cones(); ++c)  // all rows of a cone have one scale
    for (int k = W.begin(c); k < W.end(c); ++k) {
      const double factor = scale_[W.first_row(c)] * scale_[W.first_row(W.other(k))];
      const int count = W.rows_of(c) * W.rows_of(W.other(k));
      for (int i = 0; i < count; ++i) W.block(k)[i] *= factor;
    }
  return W;
}

}  // namespace percuss
