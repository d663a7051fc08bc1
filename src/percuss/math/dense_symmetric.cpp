#include "percuss/math/dense_symmetric.h"

#include <cstring>

namespace percuss {
namespace {

constexpr int width = 4;
/// Four numbers side by side: in one register or in two, as the processor has them.
using Four = double __attribute__((vector_size(width * sizeof(double))));

// Compiled for two kinds of processors; the program sees when it starts which one it runs on. Without fused
// operations, so that the sums are the same.
#ifdef __x86_64__
#define PERCUSS_FOR_WIDE_REGISTERS __attribute__((target_clones("avx2", "default")))
#else
#define PERCUSS_FOR_WIDE_REGISTERS
#endif
#define PERCUSS_ALWAYS_INLINE inline __attribute__((always_inline))

PERCUSS_ALWAYS_INLINE void read(const double* a, Four& a_0, Four& a_1, Four& a_2, Four& a_3) {
  std::memcpy(&a_0, a, sizeof(Four));
  std::memcpy(&a_1, a + width, sizeof(Four));
  std::memcpy(&a_2, a + 2 * width, sizeof(Four));
  std::memcpy(&a_3, a + 3 * width, sizeof(Four));
}
PERCUSS_ALWAYS_INLINE double sum_of(const Four& x) { return (x[0] + x[1]) + (x[2] + x[3]); }

/// y += factor * A x, or returns x^T A x.
template <bool quadratic>
PERCUSS_ALWAYS_INLINE double walk(const double* a, int n, double factor, const double* x, double* y) {
  double total = 0;
  const auto finish = [&](int j, double own, double below) {
    if (quadratic)
      total += x[j] * (own + 2 * below);
    else
      y[j] += factor * (own + below);
  };
  const int single = n % width;
  for (int j = 0; j < single; ++j) {
    const double own = *a++ * x[j], scaled = factor * x[j];
    double below = 0;
    for (int i = j + 1; i < n; ++i, ++a) {
      below += *a * x[i];
      if (!quadratic) y[i] += *a * scaled;
    }
    finish(j, own, below);
  }
  for (int j = single; j < n; j += width) {
    // Written out: what stands in arrays does not stay in registers with every compiler.
    Four a_0, a_1, a_2, a_3, x_i, y_i, below_0 = {}, below_1 = {}, below_2 = {}, below_3 = {};
    read(a, a_0, a_1, a_2, a_3);
    const double x_0 = x[j], x_1 = x[j + 1], x_2 = x[j + 2], x_3 = x[j + 3];
    const Four own = (a_0 * x_0 + a_1 * x_1) + (a_2 * x_2 + a_3 * x_3);
    const double s_0 = factor * x_0, s_1 = factor * x_1, s_2 = factor * x_2, s_3 = factor * x_3;
    for (int i = j + width; i < n; i += width) {
      a += width * width;
      read(a, a_0, a_1, a_2, a_3);
      std::memcpy(&x_i, x + i, sizeof(Four));
      below_0 += a_0 * x_i;
      below_1 += a_1 * x_i;
      below_2 += a_2 * x_i;
      below_3 += a_3 * x_i;
      if (quadratic) continue;
      std::memcpy(&y_i, y + i, sizeof(Four));
      y_i += (a_0 * s_0 + a_1 * s_1) + (a_2 * s_2 + a_3 * s_3);
      std::memcpy(y + i, &y_i, sizeof(Four));
    }
    a += width * width;
    finish(j, own[0], sum_of(below_0));
    finish(j + 1, own[1], sum_of(below_1));
    finish(j + 2, own[2], sum_of(below_2));
    finish(j + 3, own[3], sum_of(below_3));
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
  const int single = size_ % width;
  for (int j = 0; j < single; ++j)
    for (int i = j; i < size_; ++i) values_.push_back(A(i, j));
  for (int first = single; first < size_; first += width)
    for (int row = first; row < size_; row += width)
      for (int j = first; j < first + width; ++j)
        for (int i = row; i < row + width; ++i) values_.push_back(i < j ? A(j, i) : A(i, j));
}

void DenseSymmetric::add(double factor, const double* x, double* y) const {
  add_product(values_.data(), size_, factor, x, y);
}

double DenseSymmetric::quadratic(const double* x) const { return quadratic_form(values_.data(), size_, x); }

}  // namespace percuss
