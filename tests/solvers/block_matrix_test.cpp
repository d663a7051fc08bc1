#include "percuss/nonsmooth/block_matrix.h"

#include <random>

#include <gtest/gtest.h>

#include "support/contact_problems.h"
#include "support/count_allocations.h"

namespace percuss {
namespace {

/// Cones of these rows, of which one in three is coupled to another, with random entries.
BlockMatrix random_blocks(const std::vector<int>& rows, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const int count = static_cast<int>(rows.size());
  BlockMatrix made;
  for (const int n : rows) made.add_cone(n);
  for (int c = 0; c < count; ++c) {
    for (int d = 0; d < count; ++d) {
      if (c != d && (c + d) % 3 != 0) continue;
      double* value = made.append(d);
      for (int i = 0; i < rows[c] * rows[d]; ++i) value[i] = normal(random);
    }
    made.end_cone();
  }
  return made;
}

std::vector<std::vector<int>> layouts() {
  return {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
          {3, 3, 3, 3, 3, 3, 3},
          {2, 2, 2, 2},
          {6, 6, 6},
          {1, 3, 2, 6, 4, 5, 1, 3}};
}

TEST(BlockMatrix, MultipliesAsItsEntriesSay) {
  for (const std::vector<int>& rows : layouts()) {
    const BlockMatrix A = random_blocks(rows, 1);
    const Eigen::MatrixXd dense = to_sparse(A);
    const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(A.rows(), -1, 2);
    Eigen::VectorXd y = Eigen::VectorXd::Ones(A.rows());
    A.multiply_add(x.data(), y.data());
    EXPECT_LE((y - Eigen::VectorXd::Ones(A.rows()) - dense * x).norm(), 1e-13);
    for (int i = 0; i < A.rows(); ++i) {
      EXPECT_EQ(A.diagonal(i), dense(i, i));
      for (int j = 0; j < A.rows(); ++j) EXPECT_EQ(A.entry(i, j), dense(i, j));
    }
    for (int c = 0; c < A.cones(); ++c)
      EXPECT_NEAR(A.trace(c), dense.diagonal().segment(A.first_row(c), A.rows_of(c)).sum(), 1e-14);
  }
}

TEST(BlockMatrix, KeepsItsMemoryWhenRefilled) {
  BlockMatrix A = random_blocks({3, 3, 1}, 2);
  const long before = allocation_count();
  A.clear();
  EXPECT_EQ(A.rows(), 0);
  for (const int n : {1, 3, 3}) A.add_cone(n);
  for (int c = 0; c < 3; ++c) {
    A.append(c);
    A.end_cone();
  }
  EXPECT_EQ(allocation_count(), before);
  EXPECT_EQ(A.rows(), 7);
  for (int i = 0; i < 7; ++i) EXPECT_EQ(A.diagonal(i), 0.0);
}

TEST(BlockMatrix, OfAMatrixHasEveryEntryAndASymmetricPattern) {
  const std::vector<Cone> cones = {{ConeKind::coulomb, 0.5}, {}, {ConeKind::planar_coulomb, 0.1}};
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(6, 6);
  A(0, 3) = 2;
  A(5, 4) = -1;
  const BlockMatrix blocks = to_blocks(A.sparseView(), cones);
  EXPECT_EQ(Eigen::MatrixXd(to_sparse(blocks)), A);
  EXPECT_EQ(blocks.blocks(), 5);  // three on the diagonal, and (0, 1) with (1, 0)
  EXPECT_GE(blocks.find(1, 0), 0);
  EXPECT_EQ(blocks.find(1, 2), -1);
}

}  // namespace
}  // namespace percuss
