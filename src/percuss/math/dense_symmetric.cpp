#include "percuss/math/dense_symmetric.h"

#include <algorithm>

#include "percuss/math/wide.h"

namespace percuss {
namespace {

/// The first panel has one to four columns, so that all others have four, and so have the blocks of rows.
PERCUSS_ALWAYS_INLINE int first_panel(int n) { return n % lanes == 0 ? lanes : n % lanes; }
PERCUSS_ALWAYS_INLINE void read_block(const double* a, Four& a_0, Four& a_1, Four& a_2, Four& a_3) {
  read(a, a_0);
  read(a + lanes, a_1);
  read(a + 2 * lanes, a_2);
  read(a + 3 * lanes, a_3);
}
PERCUSS_ALWAYS_INLINE double sum_of(const Four& x) { return (x[0] + x[1]) + (x[2] + x[3]); }

/// y += factor * A x, or returns x^T A x. The variables are written out: what stands in arrays does not stay
/// in registers with every compiler.
template <bool quadratic>
PERCUSS_ALWAYS_INLINE double walk(const double* a, int n, double factor, const double* x, double* y) {
  double total = 0;
  for (int j = 0, end = first_panel(n); j < n; j = end, end += lanes) {
    double own_x[lanes] = {};
    for (int k = 0; k < end - j; ++k) own_x[k] = x[j + k];
    const double x_0 = own_x[0], x_1 = own_x[1], x_2 = own_x[2], x_3 = own_x[3];
    const double s_0 = factor * x_0, s_1 = factor * x_1, s_2 = factor * x_2, s_3 = factor * x_3;
    Four a_0, a_1, a_2, a_3, x_i, y_i, below_0 = {}, below_1 = {}, below_2 = {}, below_3 = {};
    read_block(a, a_0, a_1, a_2, a_3);
    const Four own = (a_0 * x_0 + a_1 * x_1) + (a_2 * x_2 + a_3 * x_3);
    a += lanes * lanes;
    for (int i = end; i < n; i += lanes, a += lanes * lanes) {
      read_block(a, a_0, a_1, a_2, a_3);
      read(x + i, x_i);
      below_0 += a_0 * x_i;
      below_1 += a_1 * x_i;
      below_2 += a_2 * x_i;
      below_3 += a_3 * x_i;
      if (quadratic) continue;
      read(y + i, y_i);
      y_i += (a_0 * s_0 + a_1 * s_1) + (a_2 * s_2 + a_3 * s_3);
      write(y_i, y + i);
    }
    const double below[lanes] = {sum_of(below_0), sum_of(below_1), sum_of(below_2), sum_of(below_3)};
    for (int k = 0; k < end - j; ++k) {
      if (quadratic)
        total += own_x[k] * (own[k] + 2 * below[k]);
      else
        y[j + k] += factor * (own[k] + below[k]);
    }
  }
  return total;
}

PERCUSS_FOR_WIDE_REGISTERS
void add_product(const double* a, int n, double factor, const double* x, double* y) {
  walk<false>(a, n, factor, x, y);
}
PERCUSS_FOR_WIDE_REGISTERS
double quadratic_form(const double* a, int n, const double* x) { return walk<true>(a, n, 1, x, nullptr); }

}  // namespace

DenseSymmetric::DenseSymmetric(const MatrixX& A) : size_(static_cast<int>(A.rows())) {
  const auto append = [&](int row, int rows, int column, int columns) {
    Line* lines = &*values_.insert(values_.end(), 2, Line{});
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i)
        lines[j / 2].values[lanes * (j % 2) + i] =
            A(std::max(row + i, column + j), std::min(row + i, column + j));
  };
  for (int j = 0, end = first_panel(size_); j < size_; j = end, end += lanes) {
    append(j, end - j, j, end - j);
    for (int i = end; i < size_; i += lanes) append(i, lanes, j, end - j);
  }
}

void DenseSymmetric::add(double factor, const double* x, double* y) const {
  add_product(data(), size_, factor, x, y);
}

double DenseSymmetric::quadratic(const double* x) const { return quadratic_form(data(), size_, x); }

}  // namespace percuss
