#include "percuss/math/symmetric_product.h"

#include <functional>
#include <random>

#include <gtest/gtest.h>

namespace percuss {
namespace {

using Entry = std::function<double(int, int)>;  ///< of the lower triangle; 0 where there is none

SparseMatrix lower_triangle(int n, const Entry& entry) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i)
      if (const double value = entry(i, j); value != 0) entries.emplace_back(i, j, value);
  SparseMatrix lower(n, n);
  lower.setFromTriplets(entries.begin(), entries.end());
  return lower;
}

double number(int i, int j) { return 1.0 / (1 + i) + std::sin(1.0 + j); }

/// Against Eigen's product with both triangles.
void expect_products(const SparseMatrix& lower) {
  const int n = static_cast<int>(lower.rows());
  const SymmetricProduct product(lower);
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  VectorX x(n), y(n);
  for (VectorX* vector : {&x, &y})
    for (double& value : *vector) value = normal(random);
  const VectorX Ax = lower.selfadjointView<Eigen::Lower>() * x;
  const VectorX expected = y - 1.5 * Ax;
  product.add(-1.5, x, y);
  EXPECT_LT((y - expected).lpNorm<Eigen::Infinity>(), 1e-13 * (1 + expected.lpNorm<Eigen::Infinity>()));
  EXPECT_NEAR(product.quadratic(x), x.dot(Ax), 1e-13 * (1 + x.norm() * Ax.norm()));
}

TEST(SymmetricProduct, OfBands) {
  for (const int n : {1, 2, 9})
    expect_products(lower_triangle(n, [](int i, int j) { return i - j < 3 ? number(i, j) : 0; }));
}

/// Nodes of three coordinates, each coupled with some others by full blocks; and full matrices, with widths
/// that fours do not divide.
TEST(SymmetricProduct, OfColumnsThatShareRows) {
  const auto is_coupled = [](int a, int b) { return a == b || (a + 2 * b) % 3 == 0; };
  for (const int n : {12, 30, 31, 32})
    expect_products(
        lower_triangle(n, [&](int i, int j) { return is_coupled(i / 3, j / 3) ? number(i, j) : 0; }));
  for (const int n : {5, 6, 7, 8, 23}) expect_products(lower_triangle(n, number));
}

/// Reduced bodies beside each other and beside coordinates of their own: whole blocks, and blocks without the
/// entries between modes.
TEST(SymmetricProduct, OfDenseBlocks) {
  for (const int size : {16, 17, 30, 43})
    for (const int modes : {0, 3})
      expect_products(lower_triangle(2 * size + 5, [&](int i, int j) {
        const int block = i / size, row = i % size, column = j % size;
        if (block > 1 || block != j / size) return i == j ? number(i, j) : 0;
        return column < size - modes ? number(row, column) : 0;
      }));
}

/// The same value for the three coordinates of a node, with and without diagonal.
TEST(SymmetricProduct, OfCopies) {
  for (const bool with_diagonal : {true, false})
    for (const int nodes : {4, 5, 11})
      expect_products(lower_triangle(3 * nodes, [&](int i, int j) {
        const bool is_there = i % 3 == j % 3 && (i / 3 + j / 3) % 2 == 0 && (with_diagonal || i != j);
        return is_there ? number(i / 3, j / 3) : 0;
      }));
}

/// Values that differ by their last digit are no copies.
TEST(SymmetricProduct, OfWhatLooksLikeCopies) {
  expect_products(lower_triangle(15, [](int i, int j) {
    return i % 3 == j % 3 ? number(i / 3, j / 3) * (1 + (i % 3 == 2 ? 1e-15 : 0)) : 0;
  }));
}

TEST(SymmetricProduct, OfAnything) {
  std::mt19937 random(3);
  std::bernoulli_distribution is_there(0.2);
  for (int n = 1; n < 40; ++n)
    expect_products(lower_triangle(n, [&](int i, int j) { return is_there(random) ? number(i, j) : 0; }));
  expect_products(SparseMatrix(6, 6));
}

}  // namespace
}  // namespace percuss
