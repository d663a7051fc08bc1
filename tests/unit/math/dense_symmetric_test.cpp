#include "percuss/math/dense_symmetric.h"

#include <gtest/gtest.h>

namespace percuss {
namespace {

MatrixX random_matrix(int n) {
  std::srand(static_cast<unsigned>(n));
  return MatrixX::Random(n, n);
}

/// Sizes that four divides and others; what stands before and after the vectors is not touched.
TEST(DenseSymmetric, MultipliesAsEigenDoes) {
  for (int n = 0; n < 40; ++n) {
    const MatrixX lower = random_matrix(n);
    const MatrixX A = lower.selfadjointView<Eigen::Lower>();
    const DenseSymmetric product(lower);
    EXPECT_EQ(product.size(), n);
    constexpr int margin = 5;
    const VectorX x = VectorX::Random(n + 2 * margin), before = VectorX::Random(n + 2 * margin);
    VectorX y = before, expected = before;
    product.add(-1.5, x.data() + margin, y.data() + margin);
    expected.segment(margin, n) -= 1.5 * A * x.segment(margin, n);
    EXPECT_LT((y - expected).lpNorm<Eigen::Infinity>(), 1e-14 * (n + 1)) << n;
    EXPECT_EQ(y.head(margin), before.head(margin)) << n;
    EXPECT_EQ(y.tail(margin), before.tail(margin)) << n;
    const auto own = x.segment(margin, n);
    EXPECT_NEAR(product.quadratic(x.data() + margin), own.dot(A * own), 1e-14 * (n * n + 1)) << n;
  }
}

/// Results must not depend on the processor: sums in the order that the comments promise, four at a time.
TEST(DenseSymmetric, AddsInTheSameOrderEverywhere) {
  constexpr int n = 12;
  const MatrixX lower = random_matrix(n);
  const VectorX x = VectorX::Random(n);
  VectorX y = VectorX::Zero(n);
  DenseSymmetric(lower).add(1, x.data(), y.data());
  double own = (lower(0, 0) * x[0] + lower(1, 0) * x[1]) + (lower(2, 0) * x[2] + lower(3, 0) * x[3]);
  double lanes[4] = {};
  for (int i = 4; i < n; ++i) lanes[i % 4] += lower(i, 0) * x[i];
  EXPECT_EQ(y[0], own + ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])));
}

}  // namespace
}  // namespace percuss
