#include <algorithm>
#include <cmath>

#include "percuss/dynamics/forces.h"
#include "percuss/integrators/hht/hht_step.h"

namespace percuss {

void HhtStep::solve(const SaddlePoint& saddle, const VectorX& b, VectorX& z, VectorX& x) {
  saddle.factor().forward(b, z);
  saddle.factor().backward(z, x);
}

/// out = (cw C + dw K) y: what a jump does to the forces.
void HhtStep::couple(const VectorX& y, VectorX& out) {
  w_.momentum = y.head(n_);
  multiply_mass(system_, w_.q, w_.momentum, w_.end().kinematics, out);
  out = w_.coupling.selfadjointView<Eigen::Lower>() * w_.momentum - out;
}

SolveStatus HhtStep::solve_contacts(int rows) {
  if (rows > w_.most_rows) grow(rows);
  respond_to_reactions();
  w_.clock.mark(report_.seconds.contacts);
  const SolveStatus status =
      w_.contacts.solve_dense(w_.list(), w_.active, h_, state_, w_.W, w_.u_free, w_, report_);
  if (status != SolveStatus::converged) return status;
  const Eigen::Map<const VectorX> r(w_.contacts.solution().r.data(), rows);
  w_.w.noalias() = w_.Y.topLeftCorner(n_, rows) * r;
  if (m_ > 0) w_.Lambda.noalias() = -w_.Y.bottomLeftCorner(m_, rows) * r;
  w_.da.noalias() += w_.Z.leftCols(rows) * r;
  return SolveStatus::converged;
}

void HhtStep::grow(int rows) {
  w_.most_rows = rows;
  w_.version = -1;
  w_.Y.resize(n_ + m_, rows);
  w_.Z.resize(n_ + m_, rows);
  w_.W.resize(rows, rows);
  w_.u_free.resize(rows);
}

/// Whether Y and Z were made with the present factors and directions, which are remembered.
bool HhtStep::columns_are_known() {
  size_t next = 0;
  bool same = w_.version == w_.motion.factor().version();
  w_.version = w_.motion.factor().version();
  for_each_row([&](const Contact& contact, int, const double* H) {
    const int* dof = w_.end().contacts.dof.data() + contact.begin;
    const auto count = static_cast<size_t>(contact.count);
    if (w_.directions.size() < next + count) {
      w_.directions.resize(next + count);
      w_.coordinates.resize(next + count);
      same = false;
    }
    same = same && std::equal(H, H + count, &w_.directions[next]) &&
           std::equal(dof, dof + count, &w_.coordinates[next]);
    std::copy_n(H, count, &w_.directions[next]);
    std::copy_n(dof, count, &w_.coordinates[next]);
    next += count;
  });
  same = same && next == w_.directions.size();
  w_.directions.resize(next);
  w_.coordinates.resize(next);
  return same;
}

/// Columns Y, Z, then W and the free velocities or gaps (H-6).
void HhtStep::respond_to_reactions() {
  const bool gaps = form_.level == ContactLevel::position;
  const double from_w = gaps ? dw_ : cw_, from_a = gaps ? h_ * h_ * d2_ : h_ * c2_;
  const bool known = columns_are_known();
  int i = 0;
  for_each_row([&](const Contact& contact, int, const double* H) {
    if (known) {
      ++i;
      return;
    }
    w_.b.setZero();
    for (int k = 0; k < contact.count; ++k) w_.b[w_.end().contacts.dof[contact.begin + k]] += H[k];
    solve(w_.jump, w_.b, w_.z, w_.dx);
    w_.Y.col(i) = w_.dx;
    couple(w_.dx, w_.increment);
    w_.b.setZero();
    w_.b.head(n_) = -w_.increment;
    solve(w_.motion, w_.b, w_.z, w_.dx);
    w_.Z.col(i++) = w_.dx;
  });
  const int rows = i;
  i = 0;
  for_each_row([&](const Contact& contact, int c, const double* H) {
    const int* dof = w_.end().contacts.dof.data() + contact.begin;
    const int row = static_cast<int>((H - w_.end().contacts.jacobian.data() - contact.entry) / contact.count);
    double free = gaps ? w_.end().contacts.gap[c] : w_.end().contacts.motion[contact.row + row];
    for (int k = 0; k < contact.count; ++k)
      free += H[k] * (gaps ? from_a * w_.da[dof[k]] - dw_ * w_.w[dof[k]]
                           : w_.v_p[dof[k]] + from_a * (w_.a[dof[k]] + w_.da[dof[k]]));
    w_.u_free[i] = free;
    for (int j = 0; j < rows; ++j) {
      double sum = 0;
      for (int k = 0; k < contact.count; ++k)
        sum += H[k] * (from_w * w_.Y(dof[k], j) + from_a * w_.Z(dof[k], j));
      w_.W(i, j) = sum;
    }
    ++i;
  });
}

}  // namespace percuss
