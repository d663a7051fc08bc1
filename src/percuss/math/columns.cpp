#include "percuss/math/columns.h"

#include <algorithm>

#include "percuss/math/wide.h"

namespace percuss {
namespace {

/// Some columns at a time; the last ones may be fewer.
template <int count>
struct SomeColumns {
  const double* begin[count];
  double factor[count] = {};
};

constexpr int at_once = 8;  ///< that are added

/// y += the sum of eight columns with their factors. The variables are written out: what stands in arrays
/// does not stay in registers with every compiler.
PERCUSS_FOR_WIDE_REGISTERS
void add_eight(const SomeColumns<at_once>& columns, int rows, double* y) {
  const double *a_0 = columns.begin[0], *a_1 = columns.begin[1], *a_2 = columns.begin[2],
               *a_3 = columns.begin[3], *a_4 = columns.begin[4], *a_5 = columns.begin[5],
               *a_6 = columns.begin[6], *a_7 = columns.begin[7];
  const double x_0 = columns.factor[0], x_1 = columns.factor[1], x_2 = columns.factor[2],
               x_3 = columns.factor[3], x_4 = columns.factor[4], x_5 = columns.factor[5],
               x_6 = columns.factor[6], x_7 = columns.factor[7];
  int i = 0;
  for (; i + lanes <= rows; i += lanes) {
    Four b_0, b_1, b_2, b_3, b_4, b_5, b_6, b_7, sum;
    read(a_0 + i, b_0);
    read(a_1 + i, b_1);
    read(a_2 + i, b_2);
    read(a_3 + i, b_3);
    read(a_4 + i, b_4);
    read(a_5 + i, b_5);
    read(a_6 + i, b_6);
    read(a_7 + i, b_7);
    read(y + i, sum);
    sum += ((b_0 * x_0 + b_1 * x_1) + (b_2 * x_2 + b_3 * x_3)) +
           ((b_4 * x_4 + b_5 * x_5) + (b_6 * x_6 + b_7 * x_7));
    write(sum, y + i);
  }
  for (; i < rows; ++i)
    y[i] += ((a_0[i] * x_0 + a_1[i] * x_1) + (a_2[i] * x_2 + a_3[i] * x_3)) +
            ((a_4[i] * x_4 + a_5[i] * x_5) + (a_6[i] * x_6 + a_7[i] * x_7));
}

/// The products of four columns with x.
PERCUSS_FOR_WIDE_REGISTERS
void dot_four(const SomeColumns<lanes>& columns, int rows, const double* x, double* sums) {
  const double *a_0 = columns.begin[0], *a_1 = columns.begin[1], *a_2 = columns.begin[2],
               *a_3 = columns.begin[3];
  Four sum_0 = {}, sum_1 = {}, sum_2 = {}, sum_3 = {};
  int i = 0;
  for (; i + lanes <= rows; i += lanes) {
    Four b_0, b_1, b_2, b_3, x_i;
    read(a_0 + i, b_0);
    read(a_1 + i, b_1);
    read(a_2 + i, b_2);
    read(a_3 + i, b_3);
    read(x + i, x_i);
    sum_0 += b_0 * x_i;
    sum_1 += b_1 * x_i;
    sum_2 += b_2 * x_i;
    sum_3 += b_3 * x_i;
  }
  for (; i < rows; ++i) {
    sum_0[0] += a_0[i] * x[i];
    sum_1[0] += a_1[i] * x[i];
    sum_2[0] += a_2[i] * x[i];
    sum_3[0] += a_3[i] * x[i];
  }
  sums[0] = (sum_0[0] + sum_0[1]) + (sum_0[2] + sum_0[3]);
  sums[1] = (sum_1[0] + sum_1[1]) + (sum_1[2] + sum_1[3]);
  sums[2] = (sum_2[0] + sum_2[1]) + (sum_2[2] + sum_2[3]);
  sums[3] = (sum_3[0] + sum_3[1]) + (sum_3[2] + sum_3[3]);
}

/// Columns k, k + 1, ... as place(k) says; what is missing is the first of them, with the factor 0.
template <int count, class Place>
SomeColumns<count> columns_from(const ColumnsRef& A, int k, int there, const Place& place) {
  SomeColumns<count> some;
  for (int j = 0; j < count; ++j) some.begin[j] = A.data() + A.outerStride() * place(k + (j < there ? j : 0));
  return some;
}

template <class Place>
void add_some(const ColumnsRef& A, int columns, const Place& place, const double* x, double* y) {
  const int rows = static_cast<int>(A.rows());
  for (int k = 0; k < columns; k += at_once) {
    const int there = std::min(at_once, columns - k);
    auto some = columns_from<at_once>(A, k, there, place);
    std::copy_n(x + k, there, some.factor);
    add_eight(some, rows, y);
  }
}

}  // namespace

void add_columns(const ColumnsRef& A, const double* x, double* y) {
  add_some(
      A, static_cast<int>(A.cols()), [](int k) { return k; }, x, y);
}

void add_columns(const ColumnsRef& A, std::span<const int> which, const double* x, double* y) {
  add_some(
      A, static_cast<int>(which.size()), [&](int k) { return which[static_cast<size_t>(k)]; }, x, y);
}

void dot_columns(const ColumnsRef& A, const double* x, double* y) {
  const int columns = static_cast<int>(A.cols());
  for (int k = 0; k < columns; k += lanes) {
    const int there = std::min(lanes, columns - k);
    double sums[lanes];
    dot_four(columns_from<lanes>(A, k, there, [](int j) { return j; }), static_cast<int>(A.rows()), x, sums);
    std::copy_n(sums, there, y + k);
  }
}

}  // namespace percuss
