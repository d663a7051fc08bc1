#include "percuss/nonsmooth/islands.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "percuss/math/workers.h"
#include "percuss/nonsmooth/nlgs.h"
#include "percuss/nonsmooth/residual.h"
#include "percuss/nonsmooth/solvers.h"
#include "support/contact_problems.h"
#include "support/effort.h"

namespace percuss {
namespace {

using testing::random_problem;

LocalProblem random_island(int contacts, std::mt19937_64& random, ConeKind kind = ConeKind::coulomb) {
  return condense(random_problem(
      {.bodies = contacts, .contacts = contacts, .kind = kind, .mu_max = 0.5, .mass_ratio = 10}, random));
}

/// Problems that do not know of each other as one, their cones mixed.
struct Archipelago {
  LocalProblem problem;
  std::vector<std::vector<int>> cones;  ///< of each island
};
Archipelago archipelago(const std::vector<LocalProblem>& islands, std::mt19937_64& random) {
  Archipelago made;
  std::vector<std::pair<int, int>> all;  // island, cone
  for (size_t k = 0; k < islands.size(); ++k)
    for (int c = 0; c < islands[k].W.cones(); ++c) all.emplace_back(static_cast<int>(k), c);
  std::ranges::shuffle(all, random);
  // Within an island the order stays.
  std::vector<int> next(islands.size(), 0);
  for (auto& [island, cone] : all) cone = next[island]++;
  made.cones.resize(islands.size());
  for (size_t k = 0; k < all.size(); ++k) made.cones[all[k].first].push_back(static_cast<int>(k));
  for (const auto& [island, cone] : all) {
    const LocalProblem& one = islands[island];
    made.problem.cones.push_back(one.cones[cone]);
    for (int i = 0; i < one.cones[cone].rows(); ++i)
      made.problem.u_free.push_back(one.u_free[one.W.first_row(cone) + i]);
  }
  BlockMatrix& W = made.problem.W;
  W.add_cones(made.problem.cones);
  for (const auto& [island, cone] : all) {
    const BlockMatrix& from = islands[island].W;
    for (int k = from.begin(cone); k < from.end(cone); ++k)
      std::copy_n(from.block(k), from.rows_of(cone) * from.rows_of(from.other(k)),
                  W.append(made.cones[island][from.other(k)]));
    W.end_cone();
  }
  made.problem.validate();
  return made;
}

Archipelago random_archipelago(std::mt19937_64& random) {
  std::vector<LocalProblem> islands;
  for (const int contacts : {1, 40, 1, 7, 90, 3, 1, 25}) islands.push_back(random_island(contacts, random));
  return archipelago(islands, random);
}

TEST(ConeOrder, ColoursAndIslands) {
  std::mt19937_64 random(3);
  for (int repetition = 0; repetition < 20; ++repetition) {
    const auto [problem, known] = random_archipelago(random);
    ConeGroups colours, islands;
    find_colours(problem.W, colours);
    for (int g = 0; g < colours.count(); ++g)
      for (const int c : colours.cones(g))
        for (const int d : colours.cones(g))
          if (c != d) {
            EXPECT_EQ(problem.W.find(c, d), -1);
          }
    find_islands(problem.W, islands);
    for (int c = 0; c < problem.W.cones(); ++c)
      for (int k = problem.W.begin(c); k < problem.W.end(c); ++k)
        EXPECT_EQ(islands.group[c], islands.group[problem.W.other(k)]);
    // The problems they were made of may themselves have several.
    EXPECT_GE(islands.count(), static_cast<int>(known.size()));
    std::vector<int> first;
    for (int g = 0; g < islands.count(); ++g) {
      EXPECT_TRUE(std::ranges::is_sorted(islands.cones(g)));
      first.push_back(islands.cones(g).front());
    }
    EXPECT_TRUE(std::ranges::is_sorted(first));
  }
}

TEST(ConeOrder, PartsAreTheSameProblem) {
  std::mt19937_64 random(4);
  const LocalProblem problem = random_archipelago(random).problem;
  ConeGroups colours;
  find_colours(problem.W, colours);
  ProblemPart part;
  part.take(problem, colours.order);
  part.problem().validate();
  std::vector<double> x(problem.u_free.size()), back(x.size()), x_part;
  for (size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<double>(i));
  gather(problem.W, x, colours.order, x_part);
  std::vector<double> y = problem.u_free, y_part = part.problem().u_free;
  problem.W.multiply_add(x.data(), y.data());
  part.problem().W.multiply_add(x_part.data(), y_part.data());
  scatter(problem.W, y_part, colours.order, back);
  for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(back[i], y[i], 1e-12);
}

/// Islands that are alike have the same part in the whole, and so the tolerance of one alone.
TEST(Islands, GetWhatTheyWouldGetAlone) {
  for (const ConeKind kind : {ConeKind::nonnegative, ConeKind::planar_coulomb, ConeKind::coulomb})
    for (const int contacts : {1, 4, 30, 60}) {
      std::mt19937_64 random(7);
      const LocalProblem island = random_island(contacts, random, kind);
      const auto [problem, cones] = archipelago({island, island, island}, random);
      Solution whole, alone;
      std::vector<double> r;
      make_solver(SolverName::automatic, {.tolerance = 1e-9})->solve(island, {}, alone);
      make_solver(SolverName::automatic, {.tolerance = 1e-9})->solve(problem, {}, whole);
      EXPECT_EQ(whole.status, alone.status);
      for (const std::vector<int>& of_island : cones) {
        gather(problem.W, whole.r, of_island, r);
        for (size_t i = 0; i < r.size(); ++i) EXPECT_NEAR(r[i], alone.r[i], 1e-12) << contacts;
      }
    }
}

/// However different islands are in size and speed: it is the whole that is solved to the tolerance.
TEST(Islands, TogetherLeaveTheResidualOfTheWhole) {
  std::mt19937_64 random(9);
  for (int repetition = 0; repetition < 20; ++repetition) {
    std::vector<LocalProblem> islands;
    for (const double speed : {1.0, 1e-3, 1e3, 1e-9, 0.0, 1e-15}) {
      islands.push_back(random_island(1 + static_cast<int>(random() % 40), random));
      for (double& u : islands.back().u_free) u *= speed;
    }
    const LocalProblem problem = archipelago(islands, random).problem;
    Solution solution;
    make_solver(SolverName::automatic, {.tolerance = 1e-9})->solve(problem, {}, solution);
    EXPECT_EQ(solution.status, SolveStatus::converged);
    EXPECT_EQ(solution.residual.relative, residual_of(problem, solution.r).relative);
    EXPECT_LE(solution.residual.relative, 1e-9);
  }
}

TEST(Islands, ThreadsDoNotChangeABit) {
  std::mt19937_64 random(5);
  std::vector<LocalProblem> islands;
  for (const int contacts : {1, 40, 1, 7, 90, 3, 1, 25}) islands.push_back(random_island(contacts, random));
  const int large = testing::repetitions(NlgsSolver::coloured_from + 100);
  islands.push_back(random_island(large, random));
  const LocalProblem problem = archipelago(islands, random).problem;
  SolverOptions options{.tolerance = 1e-9};
  Solution one, several;
  make_solver(SolverName::automatic, options)->solve(problem, {}, one);
  for (const int threads : {2, 8}) {
    options.workers = std::make_shared<Workers>(threads);
    const auto solver = make_solver(SolverName::automatic, options);
    for (int repetition = 0; repetition < 2; ++repetition) {
      solver->solve(problem, {}, several);
      EXPECT_EQ(several.r, one.r) << threads;
      EXPECT_EQ(several.iterations, one.iterations);
      EXPECT_STREQ(several.method, one.method);
    }
  }
}

/// An island without solution spoils neither the others nor the verdict on the whole.
TEST(Islands, TheWholeIsToldWhatOneOfThemEndsWith) {
  std::mt19937_64 random(8);
  LocalProblem stuck;
  stuck.cones = {{ConeKind::coulomb, 0.5}};
  testing::set_matrix(stuck, Eigen::Matrix3d::Zero());
  stuck.u_free = {-1, 0, 0};
  const LocalProblem healthy = random_island(10, random);
  const LocalProblem problem = archipelago({healthy, stuck}, random).problem;
  Solution solution;
  make_solver(SolverName::automatic, {})->solve(problem, {}, solution);
  EXPECT_NE(solution.status, SolveStatus::converged);
  EXPECT_EQ(solution.residual.relative, residual_of(problem, solution.r).relative);
  // All that is left is the velocity that nothing can change.
  EXPECT_NEAR(solution.residual.absolute, 1.0, 0.2);
}

}  // namespace
}  // namespace percuss
