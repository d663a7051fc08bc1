#include "percuss/math/block_columns.h"

#include <random>

#include <gtest/gtest.h>

#include "percuss/math/sparse_ldlt.h"

namespace percuss {
namespace {

/// Two grids of n^3 points that know nothing of each other, each point coupled to its neighbours.
SparseMatrix two_grids(int n) {
  std::vector<Eigen::Triplet<double>> entries;
  const int size = n * n * n;
  for (int grid = 0; grid < 2; ++grid)
    for (int p = 0; p < size; ++p) {
      const int i = p % n, j = p / n % n, k = p / (n * n), row = grid * size + p;
      entries.emplace_back(row, row, 6.5 + 0.1 * grid);
      if (i > 0) entries.emplace_back(row, row - 1, -1);
      if (j > 0) entries.emplace_back(row, row - n, -1);
      if (k > 0) entries.emplace_back(row, row - n * n, -1);
    }
  SparseMatrix A(2 * size, 2 * size);
  A.setFromTriplets(entries.begin(), entries.end());
  A.makeCompressed();
  return A;
}

/// Columns with one to three entries, some of them in both grids.
TEST(BlockColumns, GiveTheDelassusOperator) {
  if (!SupernodalCholesky::is_available()) GTEST_SKIP() << "this build has no CHOLMOD";
  const SparseMatrix A = two_grids(11);
  const auto n = static_cast<int>(A.rows());
  SparseLdlt factor;
  factor.analyse(A);
  ASSERT_TRUE(factor.factorise(A));
  ASSERT_NE(factor.blocks(), nullptr);

  std::mt19937 random(1);
  constexpr int count = 40;
  MatrixX H = MatrixX::Zero(n, count);
  BlockColumns columns;
  for (int turn = 0; turn < 2; ++turn) {  // the second time with the memory of the first
    columns.clear();
    H.setZero();
    for (int c = 0; c < count; ++c) {
      std::vector<int> rows;
      std::vector<double> values;
      for (int i = 0; i <= c % 3; ++i) {
        rows.push_back(static_cast<int>(random() % static_cast<unsigned>(n)));
        values.push_back(1.0 + i);
        H(rows.back(), c) += values.back();
      }
      columns.add(rows.data(), values.data(), static_cast<int>(rows.size()));
    }
    columns.eliminate(*factor.blocks());

    MatrixX W = MatrixX::Zero(count, count), expected(count, count);
    columns.for_each_gram([&](const int* index, int k, const double* gram) {
      for (int b = 0; b < k; ++b)
        for (int a = b; a < k; ++a) {
          W(index[a], index[b]) += gram[b * k + a];
          if (a != b) W(index[b], index[a]) += gram[b * k + a];
        }
    });
    VectorX z(n), x(n);
    for (int c = 0; c < count; ++c) {
      factor.forward(H.col(c), z);
      factor.backward(z, x);
      expected.col(c) = H.transpose() * x;
    }
    EXPECT_LT((W - expected).norm(), 1e-12 * expected.norm());

    const VectorX b = VectorX::Random(n), r = VectorX::Random(count);
    factor.forward(b, z);
    std::vector<double> u;
    columns.multiply_transposed(z, u);
    VectorX z_copy = z;
    factor.backward(z_copy, x);
    EXPECT_LT((Eigen::Map<VectorX>(u.data(), count) - H.transpose() * x).norm(), 1e-12 * b.norm());
    columns.add_product({r.data(), r.data() + count}, z);
    const VectorX pushed = b + H * r;
    VectorX z_pushed(n);
    factor.forward(pushed, z_pushed);
    EXPECT_LT((z - z_pushed).norm(), 1e-12 * z.norm());
  }
}

}  // namespace
}  // namespace percuss
