#include "percuss/math/sparse_lu.h"

#include <random>

#include <gtest/gtest.h>

namespace percuss {
namespace {

/// Diagonally dominant, symmetric in its pattern and not in its values.
SparseMatrix random_unsymmetric(int n, std::mt19937_64& random) {
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  std::uniform_int_distribution<int> index(0, n - 1);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 10.0 + value(random));
  for (int k = 0; k < 2 * n; ++k) {
    const int i = index(random), j = index(random);
    entries.emplace_back(i, j, value(random));
    entries.emplace_back(j, i, value(random));
  }
  SparseMatrix A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

TEST(SparseLu, SolvesUnsymmetricSystemsOfSymmetricPattern) {
  std::mt19937_64 random(1);
  for (const int n : {1, 2, 5, 30, 200}) {
    SparseMatrix A = random_unsymmetric(n, random);
    SparseLu lu;
    lu.analyse(A);
    for (int k = 0; k < 2; ++k) {  // the second time with other values
      ASSERT_TRUE(lu.factorise(A));
      const VectorX exact = VectorX::LinSpaced(n, -1.0, 2.0);
      VectorX x = A * exact;
      lu.solve(x, x);
      EXPECT_LT((x - exact).norm(), 1e-12 * std::sqrt(n)) << n;
      A.diagonal() *= 2.0;
    }
  }
}

TEST(SparseLu, ReportsZeroPivots) {
  SparseMatrix A(2, 2);
  A.insert(0, 0) = A.insert(0, 1) = A.insert(1, 0) = A.insert(1, 1) = 1.0;
  A.makeCompressed();
  SparseLu lu;
  lu.analyse(A);
  EXPECT_FALSE(lu.factorise(A));
  A.coeffRef(0, 0) = 2.0;
  EXPECT_TRUE(lu.factorise(A));
}

}  // namespace
}  // namespace percuss
