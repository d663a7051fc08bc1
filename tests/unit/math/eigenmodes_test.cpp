#include "percuss/math/eigenmodes.h"

#include <numbers>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace percuss {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

SparseMatrix sparse(int n, const Triplets& entries) {
  SparseMatrix A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

/// A chain of equal masses and springs, held at both ends or free: lambda_k is known in closed form.
StiffnessAndMass chain(int n, bool is_held) {
  Triplets K, M;
  for (int i = 0; i < n; ++i) {
    const bool is_end = i == 0 || i == n - 1;
    K.emplace_back(i, i, is_end && !is_held ? 1.0 : 2.0);
    M.emplace_back(i, i, 1.0);
    if (i > 0) K.emplace_back(i, i - 1, -1.0);
  }
  return {sparse(n, K), sparse(n, M)};
}
double chain_value(int n, int k, bool is_held) {
  using std::numbers::pi;
  const double s = std::sin(is_held ? pi * (k + 1) / (2.0 * (n + 1)) : pi * k / (2.0 * n));
  return 4 * s * s;
}

/// A square membrane of n x n equal masses: all eigenvalues of different numbers of waves are double.
StiffnessAndMass membrane(int n) {
  Triplets K, M;
  const auto at = [n](int i, int j) { return i * n + j; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      K.emplace_back(at(i, j), at(i, j), 4.0);
      M.emplace_back(at(i, j), at(i, j), 0.5);
      if (i > 0) K.emplace_back(at(i, j), at(i - 1, j), -1.0);
      if (j > 0) K.emplace_back(at(i, j), at(i, j - 1), -1.0);
    }
  return {sparse(n * n, K), sparse(n * n, M)};
}

void expect_eigenpairs(const StiffnessAndMass& matrices, const Eigenmodes& modes) {
  const auto K = matrices.K.selfadjointView<Eigen::Lower>();
  const auto M = matrices.M.selfadjointView<Eigen::Lower>();
  const MatrixX& X = modes.shapes;
  EXPECT_LT((X.transpose() * (M * X) - MatrixX::Identity(X.cols(), X.cols())).cwiseAbs().maxCoeff(), 1e-12);
  for (int k = 0; k < modes.count(); ++k) {
    const VectorX x = X.col(k), Kx = K * x, Mx = M * x;
    EXPECT_LT((Kx - modes.values[k] * Mx).norm(), 1e-8 * matrices.largest_ratio() * Mx.norm()) << k;
    EXPECT_GE(modes.values[k], modes.values[std::max(k - 1, 0)]);
    const double largest = x.cwiseAbs().maxCoeff();
    const auto first = std::ranges::find_if(x, [&](double e) { return std::abs(e) > (1 - 1e-6) * largest; });
    EXPECT_GT(*first, 0) << k;
  }
}

TEST(Eigenmodes, OfChainsAreExact) {
  for (const int n : {40, 700})  // dense, and by Lanczos
    for (const bool is_held : {true, false}) {
      const auto matrices = chain(n, is_held);
      const Eigenmodes modes = lowest_eigenmodes(matrices, 12);
      ASSERT_TRUE(modes.converged);
      ASSERT_EQ(modes.count(), 12);
      for (int k = 0; k < 12; ++k)
        EXPECT_NEAR(modes.values[k], chain_value(n, k, is_held), 1e-9 * modes.values[11]) << n << " " << k;
      expect_eigenpairs(matrices, modes);
    }
}

TEST(Eigenmodes, AllOfASmallProblem) {
  const auto matrices = chain(30, false);
  const Eigenmodes modes = lowest_eigenmodes(matrices, 30);
  ASSERT_TRUE(modes.converged);
  for (int k = 0; k < 30; ++k) EXPECT_NEAR(modes.values[k], chain_value(30, k, false), 1e-13);
}

TEST(Eigenmodes, NoCopyOfAMultipleOneIsMissed) {
  constexpr int n = 24;
  const auto matrices = membrane(n);
  std::vector<double> expected;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) expected.push_back(2 * (chain_value(n, i, true) + chain_value(n, j, true)));
  std::ranges::sort(expected);
  for (const int count : {1, 2, 5, 13, 30}) {
    const Eigenmodes modes = lowest_eigenmodes(matrices, count);
    ASSERT_TRUE(modes.converged);
    for (int k = 0; k < count; ++k)
      EXPECT_NEAR(modes.values[k], expected[static_cast<size_t>(k)], 1e-9) << count << " " << k;
    expect_eigenpairs(matrices, modes);
  }
}

/// Two copies of one chain that know nothing of each other: everything is double, zero too.
TEST(Eigenmodes, OfTwoFreeParts) {
  constexpr int n = 300;
  const auto one = chain(n, false);
  Triplets K, M;
  for (int part = 0; part < 2; ++part)
    for (int j = 0; j < n; ++j) {
      M.emplace_back(part * n + j, part * n + j, 1.0);
      for (SparseMatrix::InnerIterator it(one.K, j); it; ++it)
        K.emplace_back(part * n + static_cast<int>(it.row()), part * n + j, it.value());
    }
  const Eigenmodes modes = lowest_eigenmodes({sparse(2 * n, K), sparse(2 * n, M)}, 8);
  ASSERT_TRUE(modes.converged);
  for (int k = 0; k < 8; ++k) EXPECT_NEAR(modes.values[k], chain_value(n, k / 2, false), 1e-11) << k;
}

TEST(Eigenmodes, UpToAValue) {
  for (const int n : {40, 700}) {
    const auto matrices = chain(n, true);
    for (const int count : {0, 1, 9, 23}) {
      const double above = count == 0 ? 0 : chain_value(n, count - 1, true);
      const double value = 0.5 * (above + chain_value(n, count, true));
      const Eigenmodes modes = eigenmodes_up_to(matrices, value, n);
      ASSERT_TRUE(modes.converged);
      EXPECT_EQ(modes.count(), count) << n;
    }
    EXPECT_FALSE(eigenmodes_up_to(matrices, chain_value(n, 10, true), 5).converged);
  }
  EXPECT_EQ(eigenmodes_up_to(chain(40, true), 5, 40).count(), 40);  // all lie below 4
}

TEST(Eigenmodes, AreTheSameEachTime) {
  const auto matrices = membrane(20);
  const Eigenmodes first = lowest_eigenmodes(matrices, 10), second = lowest_eigenmodes(matrices, 10);
  EXPECT_EQ(first.values, second.values);
  EXPECT_EQ(first.shapes, second.shapes);
}

TEST(Eigenmodes, TooManyAreRefused) {
  EXPECT_FALSE(lowest_eigenmodes(chain(40, true), 41).converged);
  EXPECT_EQ(most_eigenmodes(40), 40);
  EXPECT_LT(most_eigenmodes(10000), 10000);
  EXPECT_EQ(lowest_eigenmodes(chain(40, true), 0).count(), 0);
}

}  // namespace
}  // namespace percuss
