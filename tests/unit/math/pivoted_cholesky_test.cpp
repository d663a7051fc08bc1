#include "percuss/math/pivoted_cholesky.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "support/count_allocations.h"

namespace percuss {
namespace {

VectorX solve(PivotedCholesky& cholesky, const MatrixX& W, const VectorX& b) {
  const int n = static_cast<int>(W.rows());
  cholesky.resize(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) cholesky.entry(i, j) = W(i, j);
  EXPECT_TRUE(cholesky.factorise(1e-12));
  VectorX x(n);
  cholesky.solve(b.data(), x.data());
  return x;
}

TEST(PivotedCholesky, FindsTheSolutionOfLeastNormForEveryRank) {
  PivotedCholesky cholesky;
  for (int n = 1; n <= 12; ++n)
    for (int rank = 1; rank <= n; ++rank)
      for (int trial = 0; trial < 20; ++trial) {
        const MatrixX B = MatrixX::Random(n, rank);
        const MatrixX W = B * B.transpose();
        const Eigen::CompleteOrthogonalDecomposition<MatrixX> reference(W);
        if (reference.maxPivot() > 1e6 * std::abs(reference.matrixT()(rank - 1, rank - 1))) continue;
        const VectorX consistent = W * VectorX::Random(n);
        const VectorX x = solve(cholesky, W, consistent);
        EXPECT_EQ(cholesky.rank(), rank);
        EXPECT_LT((x - reference.solve(consistent)).norm(), 1e-6 * (1 + x.norm())) << n << " " << rank;
        EXPECT_LT((W * x - consistent).norm(), 1e-9 * (1 + consistent.norm()));
      }
}

TEST(PivotedCholesky, TreatsEqualRowsAlike) {
  PivotedCholesky cholesky;
  const VectorX x = solve(cholesky, MatrixX::Ones(3, 3), VectorX::Constant(3, 6));
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(x[i], 2, 1e-14);
}

TEST(PivotedCholesky, OfNothingAndOfZero) {
  PivotedCholesky cholesky;
  EXPECT_EQ(solve(cholesky, MatrixX(0, 0), VectorX(0)).size(), 0);
  EXPECT_EQ(solve(cholesky, MatrixX::Zero(2, 2), VectorX::Ones(2)), VectorX::Zero(2));
  EXPECT_EQ(cholesky.rank(), 0);
}

TEST(PivotedCholesky, RefusesWhatIsNotSemidefinite) {
  PivotedCholesky cholesky;
  cholesky.resize(2);
  cholesky.entry(0, 0) = 1;
  cholesky.entry(1, 1) = -1;
  EXPECT_FALSE(cholesky.factorise(1e-12));
}

TEST(PivotedCholesky, AllocatesNothingWithinItsReserve) {
  PivotedCholesky cholesky;
  cholesky.reserve(6);
  const MatrixX B = MatrixX::Random(6, 3), W = B * B.transpose();
  const VectorX b = VectorX::Ones(6);
  VectorX x(6);
  const long before = allocation_count();
  cholesky.resize(6);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) cholesky.entry(i, j) = W(i, j);
  cholesky.factorise(1e-12);
  cholesky.solve(b.data(), x.data());
  EXPECT_EQ(allocation_count() - before, 0);
}

}  // namespace
}  // namespace percuss
