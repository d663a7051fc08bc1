#include "percuss/math/sparse_ldlt.h"

#include <random>

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace percuss {
namespace {

/// Random sparse symmetric positive definite matrix; returns its lower triangle.
SparseMatrix random_matrix(int n, double density, std::mt19937& random) {
  std::uniform_real_distribution<double> value(-1, 1), chance(0, 1);
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<double> diagonal(n, 1.0);
  for (int j = 0; j < n; ++j)
    for (int i = j + 1; i < n; ++i)
      if (chance(random) < density) {
        const double x = value(random);
        entries.emplace_back(i, j, x);
        diagonal[i] += std::abs(x);
        diagonal[j] += std::abs(x);
      }
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, diagonal[i]);
  SparseMatrix A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  A.makeCompressed();
  return A;
}

Eigen::MatrixXd full(const SparseMatrix& lower) {
  return Eigen::MatrixXd(lower).selfadjointView<Eigen::Lower>();
}

TEST(SparseLdlt, SolvesRandomSystems) {
  std::mt19937 random(1);
  for (const int n : {1, 2, 5, 40, 120})
    for (const double density : {0.0, 0.02, 0.1, 0.5}) {
      const SparseMatrix A = random_matrix(n, density, random);
      SparseLdlt factor;
      factor.analyse(A);
      ASSERT_TRUE(factor.factorise(A));
      const VectorX b = VectorX::Random(n);
      VectorX z(n), x(n);
      factor.forward(b, z);
      factor.backward(z, x);
      EXPECT_LT((full(A) * x - b).norm(), 1e-12 * b.norm()) << n << " " << density;
    }
}

TEST(SparseLdlt, RefactorisesWithNewValues) {
  std::mt19937 random(2);
  SparseMatrix A = random_matrix(30, 0.2, random);
  SparseLdlt factor;
  factor.analyse(A);
  ASSERT_TRUE(factor.factorise(A));
  A.coeffs() *= 3.0;
  ASSERT_TRUE(factor.factorise(A));
  const VectorX b = VectorX::Random(30);
  VectorX z(30), x(30);
  factor.forward(b, z);
  factor.backward(z, x);
  EXPECT_LT((full(A) * x - b).norm(), 1e-12 * b.norm());
}

TEST(SparseLdlt, HalfSolvesGiveTheDelassusOperator) {
  std::mt19937 random(3);
  const int n = 60;
  const SparseMatrix A = random_matrix(n, 0.05, random);
  SparseLdlt factor;
  factor.analyse(A);
  ASSERT_TRUE(factor.factorise(A));
  auto work = factor.make_forward_work();
  const Eigen::MatrixXd inverse = full(A).inverse();
  for (int trial = 0; trial < 50; ++trial) {
    int rows[2] = {static_cast<int>(random() % n), static_cast<int>(random() % n)};
    const double values[2] = {1.5, -0.5};
    SparseVector y;
    factor.forward_sparse(rows, values, 2, y, work);
    double w = 0;
    for (size_t k = 0; k < y.index.size(); ++k) w += y.value[k] * y.value[k] / factor.pivot(y.index[k]);
    VectorX h = VectorX::Zero(n);
    h[rows[0]] += values[0];
    h[rows[1]] += values[1];
    EXPECT_NEAR(w, h.dot(inverse * h), 1e-12);
  }
}

TEST(SparseLdlt, UncoupledRowsAreInDifferentTrees) {
  SparseMatrix A(4, 4);
  A.insert(0, 0) = 2;
  A.insert(1, 0) = 1;
  A.insert(1, 1) = 2;
  A.insert(2, 2) = 1;
  A.insert(3, 3) = 1;
  A.makeCompressed();
  SparseLdlt factor;
  factor.analyse(A);
  EXPECT_EQ(factor.component(0), factor.component(1));
  EXPECT_NE(factor.component(0), factor.component(2));
  EXPECT_NE(factor.component(2), factor.component(3));
  EXPECT_EQ(factor.path_length(2), 1);
}

TEST(SparseLdlt, KeepsABandWithoutFillInItsOrder) {
  const int n = 100;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 3.0);
  for (int i = 1; i < n; ++i) entries.emplace_back(i, i - 1, -1.0);
  SparseMatrix A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  SparseLdlt factor;
  factor.analyse(A);
  EXPECT_EQ(factor.fill(), n - 1);
}

TEST(SparseLdlt, RefusesAnIndefiniteMatrix) {
  SparseMatrix A(2, 2);
  A.insert(0, 0) = 1;
  A.insert(1, 0) = 2;
  A.insert(1, 1) = 1;
  A.makeCompressed();
  SparseLdlt factor;
  factor.analyse(A);
  EXPECT_FALSE(factor.factorise(A));
  A.coeffRef(1, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(factor.factorise(A));
  A.coeffRef(1, 0) = 0.5;
  EXPECT_TRUE(factor.factorise(A)) << "a failed attempt must leave nothing behind";
}

/// A grid of n^3 points, each coupled to its neighbours: its factors are large enough for blocks.
SparseMatrix grid_matrix(int n, double shift) {
  std::vector<Eigen::Triplet<double>> entries;
  const auto number = [n](int i, int j, int k) { return i + n * (j + n * k); };
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const int p = number(i, j, k);
        entries.emplace_back(p, p, 6 + shift);
        if (i > 0) entries.emplace_back(p, number(i - 1, j, k), -1);
        if (j > 0) entries.emplace_back(p, number(i, j - 1, k), -1);
        if (k > 0) entries.emplace_back(p, number(i, j, k - 1), -1);
      }
  SparseMatrix A(n * n * n, n * n * n);
  A.setFromTriplets(entries.begin(), entries.end());
  A.makeCompressed();
  return A;
}

/// |A x - b| of a solve by both halves, and of a sparse right-hand side.
void expect_solution(const SparseLdlt& factor, const SparseMatrix& A) {
  const auto n = A.rows();
  const VectorX b = VectorX::Random(n);
  VectorX z(n), x(n);
  factor.forward(b, z);
  factor.backward(z, x);
  EXPECT_LT((A.selfadjointView<Eigen::Lower>() * x - b).norm(), 1e-11 * b.norm());
  const int rows[2] = {5, static_cast<int>(n) - 7};
  const double values[2] = {1.5, -2};
  SparseVector y;
  auto work = factor.make_forward_work();
  factor.forward_sparse(rows, values, 2, y, work);
  VectorX sparse = VectorX::Zero(n), dense(n);
  for (size_t k = 0; k < y.index.size(); ++k) sparse[y.index[k]] = y.value[k];
  VectorX right = VectorX::Zero(n);
  right[rows[0]] = values[0];
  right[rows[1]] = values[1];
  factor.forward(right, dense);
  EXPECT_LT((sparse - dense).norm(), 1e-12 * dense.norm());
}

/// Dense diagonal blocks of the same size; the lower triangle.
SparseMatrix diagonal_blocks(int count, int width) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int b = 0; b < count; ++b)
    for (int j = 0; j < width; ++j)
      for (int i = j; i < width; ++i)
        entries.emplace_back(b * width + i, b * width + j, i == j ? width : 0.5);
  SparseMatrix A(count * width, count * width);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

TEST(SparseLdlt, OnlyLongColumnsAreEliminatedByBlocks) {
  // The same number of entries of L: many bodies that nothing connects, and a few large ones.
  SparseLdlt bodies, solids;
  bodies.analyse(diagonal_blocks(4000, 6));
  solids.analyse(diagonal_blocks(12, 100));
  EXPECT_NEAR(static_cast<double>(bodies.fill()), static_cast<double>(solids.fill()), 1000);
  EXPECT_EQ(bodies.blocks(), nullptr);
  EXPECT_EQ(solids.blocks() != nullptr, SupernodalCholesky::is_available());
}

TEST(SparseLdlt, LargeFactorsSolveDefiniteAndIndefiniteSystemsInTurn) {
  const SparseMatrix definite = grid_matrix(12, 0.1), indefinite = grid_matrix(12, -1.3);
  SparseLdlt factor;
  factor.analyse(definite);
  EXPECT_GT(factor.fill(), 20'000);
  for (int turn = 0; turn < 2; ++turn) {
    ASSERT_TRUE(factor.factorise(definite));
    expect_solution(factor, definite);
    EXPECT_FALSE(factor.factorise(indefinite));
    ASSERT_TRUE(factor.factorise_indefinite(indefinite));
    expect_solution(factor, indefinite);
  }
}

}  // namespace
}  // namespace percuss
