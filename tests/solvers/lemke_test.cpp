#include "percuss/nonsmooth/lemke.h"

#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

#include "percuss/nonsmooth/residual.h"
#include "solvers/enumeration.h"
#include "support/contact_problems.h"
#include "support/count_allocations.h"
#include "support/effort.h"

namespace percuss {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Random = std::mt19937_64;

// Written out because the standard distributions differ between libraries.
double uniform(Random& random, double low, double high) {
  return low + (high - low) * (static_cast<double>(random() >> 11) * 0x1p-53);
}
int pick(Random& random, int low, int high) {
  return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
}
Matrix random_matrix(Random& random, int rows, int columns) {
  return Matrix::NullaryExpr(rows, columns, [&] { return uniform(random, -1.0, 1.0); });
}
Vector random_vector(Random& random, int size) { return random_matrix(random, size, 1).col(0); }
/// A power of ten between 10^low and 10^high.
double magnitude(Random& random, double low, double high) {
  return std::pow(10.0, uniform(random, low, high));
}

LocalProblem to_problem(const Matrix& W, const Vector& u_free) {
  LocalProblem problem;
  problem.u_free.assign(u_free.begin(), u_free.end());
  problem.cones.assign(problem.u_free.size(), {ConeKind::nonnegative});
  testing::set_matrix(problem, W);
  problem.validate();
  return problem;
}

Solution solve(const LocalProblem& problem) {
  LemkeSolver solver;
  Solution out;
  solver.solve(problem, {}, out);
  return out;
}

Vector as_vector(const std::vector<double>& x) {
  return Eigen::Map<const Vector>(x.data(), static_cast<Eigen::Index>(x.size()));
}

struct Case {
  Matrix W;
  Vector u_free;
};

Case full_rank(Random& random, int n) {
  const Matrix B = random_matrix(random, n, n);
  return {B * B.transpose() + 1e-3 * Matrix::Identity(n, n), random_vector(random, n)};
}

/// W = H^T M^-1 H and u_free = H^T v_free: v = 0 is admissible, so a solution exists.
Case from_jacobian(const Matrix& H, const Vector& mass, const Vector& v_free) {
  const Matrix scaled = mass.cwiseSqrt().cwiseInverse().asDiagonal() * H;
  return {scaled.transpose() * scaled, H.transpose() * v_free};
}

Case rank_deficient(Random& random, int n) {
  const int dofs = pick(random, 1, std::max(1, n - 1));
  Matrix H = random_matrix(random, dofs, n);
  for (int i = 1; i < n; ++i) {
    const int other = pick(random, 0, i - 1);
    const int kind = pick(random, 0, 3);
    if (kind == 0) H.col(i) = H.col(other);
    if (kind == 1) H.col(i) = -H.col(other);
  }
  const Vector mass = Vector::NullaryExpr(dofs, [&] { return uniform(random, 0.1, 10.0); });
  return from_jacobian(H, mass, random_vector(random, dofs));
}

/// Small integers: exact ties, exact zeros, exact rank deficiency.
Case integers(Random& random, int n) {
  const int dofs = pick(random, 1, n);
  const auto small = [&] { return static_cast<double>(pick(random, -1, 1)); };
  Matrix H = Matrix::NullaryExpr(dofs, n, small);
  return from_jacobian(H, Vector::Ones(dofs), Vector::NullaryExpr(dofs, small));
}

void expect_same_as_enumeration(const Case& data, int seed) {
  const LocalProblem problem = to_problem(data.W, data.u_free);
  const Solution out = solve(problem);
  const test::Enumerated exact = test::enumerate_active_sets(data.W, data.u_free);
  const double scale = std::max(data.u_free.norm(), residual_floor);
  ASSERT_LE(exact.residual, 1e-10 * scale) << seed;
  ASSERT_EQ(out.status, SolveStatus::converged) << seed << " residual " << out.residual.relative;
  ASSERT_LE((as_vector(out.u) - exact.u).norm(), 1e-9 * scale) << seed;
  ASSERT_GE(as_vector(out.r).minCoeff(), 0.0) << seed;
}

TEST(Lemke, AgreesWithEnumerationOnFullRank) {
  Random random(1);
  for (int seed = 0; seed < testing::repetitions(4000); ++seed)
    ASSERT_NO_FATAL_FAILURE(expect_same_as_enumeration(full_rank(random, pick(random, 1, 6)), seed));
}

TEST(Lemke, AgreesWithEnumerationOnRankDeficient) {
  Random random(2);
  for (int seed = 0; seed < testing::repetitions(4000); ++seed)
    ASSERT_NO_FATAL_FAILURE(expect_same_as_enumeration(rank_deficient(random, pick(random, 2, 6)), seed));
}

TEST(Lemke, AgreesWithEnumerationOnExactTies) {
  Random random(3);
  for (int seed = 0; seed < testing::repetitions(4000); ++seed)
    ASSERT_NO_FATAL_FAILURE(expect_same_as_enumeration(integers(random, pick(random, 2, 6)), seed));
}

/// Every contact in its own unit, W -> S W S: row by row the answer must be the same as well.
TEST(Lemke, UnitsOfTheRowsDoNotMatter) {
  Random random(4);
  for (int seed = 0; seed < testing::repetitions(1000); ++seed) {
    const int n = pick(random, 2, 6);
    const Case data = seed % 2 == 0 ? full_rank(random, n) : rank_deficient(random, n);
    const Vector S = Vector::NullaryExpr(n, [&] { return std::exp2(pick(random, -10, 10)); });
    const Solution plain = solve(to_problem(data.W, data.u_free));
    const Solution scaled =
        solve(to_problem(S.asDiagonal() * data.W * S.asDiagonal(), S.asDiagonal() * data.u_free));
    ASSERT_EQ(scaled.status, SolveStatus::converged);
    for (int i = 0; i < n; ++i)
      ASSERT_NEAR(scaled.u[i] / S[i], plain.u[i], 1e-12 * data.u_free.norm()) << seed;
  }
}

/// A chain of masses from 1e-6 kg to 1e6 kg. Rounding of W alone moves u by eps W_ii r_i, and no method can
/// do better, so that is the yardstick.
TEST(Lemke, BadlyScaledMasses) {
  Random random(5);
  for (int seed = 0; seed < testing::repetitions(1000); ++seed) {
    const int n = pick(random, 2, 6);
    Matrix H = Matrix::Zero(n, n);
    for (int i = 0; i < n; ++i) {
      H(i, i) = 1.0;
      if (i > 0) H(i - 1, i) = -1.0;
    }
    const Vector mass = Vector::NullaryExpr(n, [&] { return magnitude(random, -6.0, 6.0); });
    const Case data = from_jacobian(H, mass, random_vector(random, n));
    const Solution out = solve(to_problem(data.W, data.u_free));
    const double attainable = (data.W.diagonal().cwiseProduct(as_vector(out.r))).norm() + data.u_free.norm();
    ASSERT_LE(out.residual.absolute, 1e-14 * attainable) << seed;
    if (attainable < 1e3) {
      ASSERT_EQ(out.status, SolveStatus::converged) << seed;
    }
  }
}

/// Many small groups of contacts, rows shuffled.
TEST(Lemke, SparseProblemsOfManyComponents) {
  Random random(6);
  for (int seed = 0; seed < 60; ++seed) {
    const int n = pick(random, 50, 300);
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    for (int i = n - 1; i > 0; --i) std::swap(order[i], order[pick(random, 0, i)]);
    Matrix W = Matrix::Zero(n, n);
    Vector u_free(n);
    for (int begin = 0; begin < n;) {
      const int m = std::min(pick(random, 1, 12), n - begin);
      const Case part = pick(random, 0, 1) == 0 || m == 1 ? full_rank(random, m) : rank_deficient(random, m);
      const std::vector<int> rows(order.begin() + begin, order.begin() + begin + m);
      W(rows, rows) = part.W;
      u_free(rows) = part.u_free;
      begin += m;
    }
    const Solution out = solve(to_problem(W, u_free));
    ASSERT_EQ(out.status, SolveStatus::converged) << seed;
    ASSERT_LE(out.residual.relative, 1e-12) << seed;
  }
}

TEST(Lemke, DenseProblemsOf150Rows) {
  Random random(7);
  for (int dofs : {300, 150, 100, 40}) {
    const Case data =
        from_jacobian(random_matrix(random, dofs, 150), Vector::Ones(dofs), random_vector(random, dofs));
    const Solution out = solve(to_problem(data.W, data.u_free));
    EXPECT_EQ(out.status, SolveStatus::converged) << dofs;
    EXPECT_LE(out.residual.relative, 1e-12) << dofs;
  }
}

TEST(Lemke, IdenticalRowsShareOneVelocity) {
  const int n = 40;
  const Solution out = solve(to_problem(Matrix::Constant(n, n, 0.5), Vector::Constant(n, -3.0)));
  EXPECT_EQ(out.status, SolveStatus::converged);
  EXPECT_LE(out.residual.relative, 1e-15);
  EXPECT_NEAR(as_vector(out.r).sum(), 6.0, 1e-14);
}

TEST(Lemke, RestingStackStaysAtRest) {
  const Solution out = solve(to_problem(Matrix::Constant(3, 3, 1.0), Vector::Zero(3)));
  EXPECT_EQ(out.status, SolveStatus::converged);
  EXPECT_EQ(out.residual.absolute, 0.0);
  EXPECT_EQ(as_vector(out.r).norm(), 0.0);
}

TEST(Lemke, OneZeroAmongApproachingRows) {
  Matrix W = Matrix::Constant(3, 3, 1.0) + Matrix::Identity(3, 3);
  const Solution out = solve(to_problem(W, Vector{{-1.0, 0.0, -1.0}}));
  EXPECT_EQ(out.status, SolveStatus::converged);
  EXPECT_NEAR(out.r[0], 1.0 / 3.0, 1e-15);
  EXPECT_EQ(out.r[1], 0.0);
}

/// One body between two walls without clearance (N-15): feasible or not by the two restitutions.
TEST(Lemke, OpposedContactsWithTwoRestitutions) {
  const double mass = 2.0;
  const double v = 1.5;  // towards the second wall, before and free
  Matrix W(2, 2);
  W << 1.0, -1.0, -1.0, 1.0;
  W /= mass;
  const auto with_restitution = [&](double e1, double e2) {
    return solve(to_problem(W, Vector{{v + e1 * v, -v - e2 * v}}));
  };
  EXPECT_EQ(with_restitution(0.2, 0.7).status, SolveStatus::infeasible);
  EXPECT_GT(with_restitution(0.2, 0.7).residual.relative, 1e-3);
  EXPECT_EQ(with_restitution(0.7, 0.2).status, SolveStatus::converged);
  EXPECT_EQ(with_restitution(0.3, 0.3).status, SolveStatus::converged);
  for (const double r : with_restitution(0.2, 0.7).r) EXPECT_TRUE(std::isfinite(r) && r >= 0.0);
}

/// y >= 0 with W y = 0 and u_free . y < 0 proves that there is no solution (N-14).
TEST(Lemke, FindsInfeasibilityAmongRandomContacts) {
  Random random(8);
  for (int seed = 0; seed < testing::repetitions(1000); ++seed) {
    const int n = pick(random, 2, 8);
    const int dofs = pick(random, 1, n);
    Matrix H = random_matrix(random, dofs, n);
    Vector y = Vector::NullaryExpr(n, [&] { return uniform(random, 0.2, 1.0); });
    H.col(n - 1) = -H.leftCols(n - 1) * y.head(n - 1);
    y[n - 1] = 1.0;
    Case data = from_jacobian(H, Vector::Ones(dofs), random_vector(random, dofs));
    data.u_free -= Vector::Constant(n, uniform(random, 0.01, 1.0));
    ASSERT_EQ(solve(to_problem(data.W, data.u_free)).status, SolveStatus::infeasible) << seed;
  }
}

/// Wedges of a millionth of a radian need reactions a million times larger than the approach, and rounding of
/// W hides whether they suffice: any status may come, but never a reaction that is worse than none.
TEST(Lemke, NearlyOpposedContactsStayBounded) {
  Random random(13);
  for (int seed = 0; seed < testing::repetitions(2000); ++seed) {
    const int n = pick(random, 2, 12);
    const int dofs = pick(random, 1, n);
    Matrix H = random_matrix(random, dofs, n);
    for (int i = 1; i < n; ++i)
      if (pick(random, 0, 1) == 0)
        H.col(i) = -H.col(pick(random, 0, i - 1)) + 1e-6 * random_vector(random, dofs);
    const Case data = from_jacobian(H, Vector::Ones(dofs), random_vector(random, dofs));
    const Solution out = solve(to_problem(data.W, data.u_free));
    ASSERT_TRUE(as_vector(out.r).allFinite()) << seed;
    ASSERT_GE(as_vector(out.r).minCoeff(), 0.0) << seed;
    ASSERT_LE(out.residual.relative, 1.0) << seed;
    ASSERT_EQ(out.status == SolveStatus::converged, out.residual.is_within(1e-10)) << seed;
    // What rounding leaves of reactions that are a million times the approach.
    ASSERT_TRUE(out.status != SolveStatus::converged || out.residual.relative <= 1e-8) << seed;
  }
}

/// Some rows become equalities: reactions of joints, of either sign.
void expect_mixed_same_as_enumeration(Random& random, const Case& data, int seed) {
  LocalProblem problem = to_problem(data.W, data.u_free);
  test::RowFlags is_equality(problem.cones.size());
  for (size_t i = 0; i < is_equality.size(); ++i) {
    is_equality[i] = pick(random, 0, 2) == 0;
    if (is_equality[i]) problem.cones[i].kind = ConeKind::equality;
  }
  const Solution out = solve(problem);
  const test::Enumerated exact = test::enumerate_active_sets(data.W, data.u_free, is_equality);
  const double scale = std::max(data.u_free.norm(), residual_floor);
  ASSERT_LE(exact.residual, 1e-10 * scale) << seed;
  ASSERT_EQ(out.status, SolveStatus::converged) << seed << " residual " << out.residual.relative;
  ASSERT_LE((as_vector(out.u) - exact.u).norm(), 1e-9 * scale) << seed;
  for (size_t i = 0; i < is_equality.size(); ++i) ASSERT_TRUE(is_equality[i] || out.r[i] >= 0.0) << seed;
}

TEST(Lemke, EqualitiesAgreeWithEnumeration) {
  Random random(21);
  for (int seed = 0; seed < testing::repetitions(3000); ++seed) {
    const int n = pick(random, 1, 6);
    const Case data = seed % 3 == 0   ? full_rank(random, n)
                      : seed % 3 == 1 ? rank_deficient(random, n)
                                      : integers(random, n);
    ASSERT_NO_FATAL_FAILURE(expect_mixed_same_as_enumeration(random, data, seed));
  }
}

TEST(Lemke, OnlyEqualitiesAreALinearSystem) {
  Random random(22);
  const Case data = full_rank(random, 20);
  LocalProblem problem = to_problem(data.W, data.u_free);
  for (Cone& cone : problem.cones) cone.kind = ConeKind::equality;
  const Solution out = solve(problem);
  EXPECT_EQ(out.status, SolveStatus::converged);
  EXPECT_LE((as_vector(out.r) + data.W.lu().solve(data.u_free)).norm(), 1e-9 * as_vector(out.r).norm());
}

/// The same joint twice: allowed if both want the same velocity.
TEST(Lemke, DependentEqualitiesMustAgree) {
  for (const double second : {-1.0, -2.0}) {
    LocalProblem problem = to_problem(Matrix::Constant(3, 3, 1.0), Vector{{-1.0, second, 1.0}});
    problem.cones[0].kind = problem.cones[1].kind = ConeKind::equality;
    EXPECT_EQ(solve(problem).status, second == -1.0 ? SolveStatus::converged : SolveStatus::infeasible);
  }
}

TEST(Lemke, FrictionIsUnsupported) {
  LocalProblem problem = to_problem(Matrix::Identity(3, 3), Vector::Constant(3, -1.0));
  problem.cones = {{ConeKind::coulomb, 0.5}};
  testing::set_matrix(problem, Matrix::Identity(3, 3));
  EXPECT_EQ(solve(problem).status, SolveStatus::unsupported);
}

/// A matrix with positive definite symmetric part has exactly one solution, whatever its skew part.
TEST(Lemke, UnsymmetricMatricesAgreeWithEnumeration) {
  Random random(23);
  for (int seed = 0; seed < testing::repetitions(2000); ++seed) {
    const int n = pick(random, 2, 6);
    Case data = full_rank(random, n);
    const Matrix B = random_matrix(random, n, n);
    data.W += 3.0 * (B - B.transpose());
    ASSERT_NO_FATAL_FAILURE(expect_same_as_enumeration(data, seed));
  }
}

/// Rows that see others without being seen belong together as well.
TEST(Lemke, TriangularMatrices) {
  const int n = 8;
  Matrix lower = Matrix::Identity(n, n);
  lower.triangularView<Eigen::StrictlyLower>().setConstant(2.0);
  for (const Matrix& M : {lower, Matrix(lower.transpose())}) {
    const Solution out = solve(to_problem(M, Vector::Constant(n, -1.0)));
    EXPECT_EQ(out.status, SolveStatus::converged);
    EXPECT_EQ(as_vector(out.r).sum(), 1.0);  // the first, or the last, alone
  }
}

/// Cottle, Pang, Stone: The linear complementarity problem, example 4.4.7. There is no diagonal to scale
/// with.
TEST(Lemke, GeneralMatricesNeedNoDiagonal) {
  const Matrix M{{0.0, -1.0, 2.0}, {2.0, 0.0, -2.0}, {-1.0, 1.0, 0.0}};
  const Solution out = solve(to_problem(M, Vector{{-3.0, 6.0, -1.0}}));
  EXPECT_EQ(out.status, SolveStatus::converged);
}

/// The path may end on a ray although there is a solution; it must not call that a proof.
TEST(Lemke, ARayOfAGeneralMatrixProvesNothing) {
  Random random(24);
  int rays = 0;
  for (int seed = 0; seed < 500; ++seed) {
    const int n = pick(random, 2, 5);
    const Matrix M = random_matrix(random, n, n);
    const Vector q = random_vector(random, n);
    if ((M - M.transpose()).cwiseAbs().maxCoeff() < 0.5 || M.diagonal().minCoeff() < 0.1) continue;
    const Solution out = solve(to_problem(M, q));
    ASSERT_NE(out.status, SolveStatus::infeasible) << seed;
    ASSERT_EQ(out.status == SolveStatus::converged, out.residual.relative <= 1e-10) << seed;
    rays += out.status == SolveStatus::stalled;
  }
  EXPECT_GT(rays, 0);
}

/// Two players with small integer stakes: many ratios are tied. The matrix is strictly copositive, so there
/// are no rays.
TEST(Lemke, DegenerateGames) {
  Random random(25);
  for (int seed = 0; seed < 200; ++seed) {
    const int k = 4;
    Matrix M = Matrix::Zero(2 * k, 2 * k);
    M.topRightCorner(k, k) = Matrix::NullaryExpr(k, k, [&] { return pick(random, 1, 3); });
    M.bottomLeftCorner(k, k) = Matrix::NullaryExpr(k, k, [&] { return pick(random, 1, 3); });
    M += 1e-3 * Matrix::Identity(2 * k, 2 * k);
    const Vector q = Vector::Constant(2 * k, -1.0);
    ASSERT_EQ(solve(to_problem(M, q)).status, SolveStatus::converged) << seed;
  }
}

TEST(Lemke, RefusesDataThatIsNotFinite) {
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    for (const int n : {1, 3}) {
      LocalProblem problem = to_problem(Matrix::Identity(n, n), Vector::Constant(n, -1.0));
      problem.u_free[n - 1] = bad;
      EXPECT_EQ(solve(problem).status, SolveStatus::not_finite);
      problem.u_free[n - 1] = -1.0;
      problem.W.values().back() = bad;
      const Solution out = solve(problem);
      EXPECT_EQ(out.status, SolveStatus::not_finite);
      EXPECT_EQ(out.residual.relative, HUGE_VAL);
      EXPECT_TRUE(std::isnan(out.r[0]) && std::isnan(out.u[0]));
    }
  }
}

TEST(Lemke, ReportsOverflowAsNotFinite) {
  EXPECT_EQ(solve(to_problem(Matrix::Constant(1, 1, 1e-300), Vector{{-1e100}})).status,
            SolveStatus::not_finite);
}

TEST(Lemke, ZeroDiagonal) {
  for (const int n : {1, 2}) {
    Matrix W = Matrix::Identity(n, n);
    W(n - 1, n - 1) = 0.0;
    Vector u_free = Vector::Constant(n, -1.0);
    EXPECT_EQ(solve(to_problem(W, u_free)).status, SolveStatus::infeasible);
    u_free[n - 1] = 0.5;
    const Solution out = solve(to_problem(W, u_free));
    EXPECT_EQ(out.status, SolveStatus::converged);
    EXPECT_EQ(out.r[n - 1], 0.0);
  }
}

TEST(Lemke, IndefiniteDiagonalIsSingular) {
  EXPECT_EQ(solve(to_problem(Matrix::Constant(1, 1, -1.0), Vector{{1.0}})).status, SolveStatus::singular);
  EXPECT_EQ(solve(to_problem(Matrix{{0.0, 1.0}, {1.0, 1.0}}, Vector{{-1.0, -1.0}})).status,
            SolveStatus::singular);
}

TEST(Lemke, EmptyProblem) {
  const Solution out = solve(LocalProblem{});
  EXPECT_EQ(out.status, SolveStatus::converged);
  EXPECT_EQ(out.residual.absolute, 0.0);
  EXPECT_TRUE(out.r.empty() && out.u.empty());
}

TEST(Lemke, SingleRow) {
  const Solution out = solve(to_problem(Matrix::Constant(1, 1, 0.25), Vector{{-3.0}}));
  EXPECT_EQ(out.status, SolveStatus::converged);
  EXPECT_EQ(out.r[0], 12.0);
  EXPECT_EQ(out.u[0], 0.0);
  EXPECT_EQ(solve(to_problem(Matrix::Constant(1, 1, 0.25), Vector{{3.0}})).r[0], 0.0);
}

TEST(Lemke, PivotLimitIsReported) {
  Random random(9);
  const Case data = full_rank(random, 30);
  LemkeSolver solver({.max_pivots_per_row = 1});
  LemkeSolver patient;
  Solution out;
  patient.solve(to_problem(data.W, data.u_free), {}, out);
  EXPECT_GT(out.iterations, 1);
  const bool needs_more = out.iterations > 30;
  solver.solve(to_problem(data.W, data.u_free), {}, out);
  EXPECT_EQ(out.status, needs_more ? SolveStatus::iteration_limit : SolveStatus::converged);
}

TEST(Lemke, VelocitiesDoNotDependOnTheOrderOfRows) {
  Random random(10);
  for (int seed = 0; seed < 500; ++seed) {
    const int n = pick(random, 2, 20);
    const Case data = seed % 2 == 0 ? full_rank(random, n) : rank_deficient(random, n);
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    for (int i = n - 1; i > 0; --i) std::swap(order[i], order[pick(random, 0, i)]);
    const Solution plain = solve(to_problem(data.W, data.u_free));
    const Solution permuted = solve(to_problem(data.W(order, order), data.u_free(order)));
    ASSERT_EQ(permuted.status, SolveStatus::converged);
    for (int i = 0; i < n; ++i)
      ASSERT_NEAR(permuted.u[i], plain.u[order[i]], 1e-10 * data.u_free.norm()) << seed;
  }
}

TEST(Lemke, EqualProblemsGiveEqualBits) {
  Random random(11);
  const Case first = rank_deficient(random, 30);
  const Case other = full_rank(random, 60);
  const LocalProblem problem = to_problem(first.W, first.u_free);
  const Solution fresh = solve(problem);
  LemkeSolver used;
  Solution out;
  used.solve(to_problem(other.W, other.u_free), {}, out);
  ASSERT_EQ(out.status, SolveStatus::converged);
  used.solve(problem, fresh.r, out);
  ASSERT_EQ(fresh.status, SolveStatus::converged);
  ASSERT_EQ(out.status, SolveStatus::converged);
  ASSERT_EQ(out.r.size(), fresh.r.size());
  EXPECT_EQ(std::memcmp(out.r.data(), fresh.r.data(), out.r.size() * sizeof(double)), 0);
  EXPECT_EQ(std::memcmp(out.u.data(), fresh.u.data(), out.u.size() * sizeof(double)), 0);
  EXPECT_EQ(out.iterations, fresh.iterations);
}

TEST(Lemke, AllocatesNothingWithinCapacity) {
  Random random(12);
  const Case large = rank_deficient(random, 60);
  const Case small = full_rank(random, 7);
  const LocalProblem problems[] = {to_problem(large.W, large.u_free), to_problem(small.W, small.u_free),
                                   to_problem(Matrix::Identity(1, 1), Vector{{-1.0}})};
  LemkeSolver solver;
  solver.reserve(60);
  Solution out;
  out.reserve(60);
  const std::vector<double> guess;
  const long before = allocation_count();
  for (const LocalProblem& problem : problems) solver.solve(problem, guess, out);
  EXPECT_EQ(allocation_count() - before, 0);
  EXPECT_EQ(out.status, SolveStatus::converged);
}

TEST(LemkeOptions, ValidationNamesTheField) {
  EXPECT_THROW(LemkeSolver({.tolerance = 0.0}), std::invalid_argument);
  EXPECT_THROW(LemkeSolver({.max_pivots_per_row = 0}), std::invalid_argument);
}

}  // namespace
}  // namespace percuss
