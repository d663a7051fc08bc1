#include "percuss/integrators/one_step/refinement.h"

#include <cmath>

#include <gtest/gtest.h>

namespace percuss {
namespace {

/// Solves that a sequence of lacks asks for before it is done, or -1 if it never is.
int solves(const std::vector<double>& constraint_residuals, Refinement refinement = Refinement()) {
  for (size_t i = 0; i < constraint_residuals.size(); ++i) {
    if (refinement.is_done(constraint_residuals[i])) return static_cast<int>(i);
    refinement.go_on_from(constraint_residuals[i]);
  }
  return -1;
}

TEST(Refinement, EndsAtRounding) {
  EXPECT_EQ(solves({1e-2, 1e-5, 1e-11, 5e-16}), 3);
  EXPECT_EQ(solves({0}), 0) << "nothing is lacking";
}

TEST(Refinement, EndsWhereALackNearRoundingNoLongerFalls) {
  EXPECT_EQ(solves({1e-2, 1e-8, 3e-13, 2e-13, 5e-16}), 3);
  EXPECT_EQ(solves({1e-2, 1e-8, 3e-13, 5e-14, 4e-14}), 4) << "by a factor of six it still falls";
  EXPECT_EQ(solves({2e-13, 5e-16}), 1) << "with nothing to compare, only rounding is enough";
}

TEST(Refinement, DoesNotEndFarFromRounding) {
  EXPECT_EQ(solves(std::vector<double>(100, 1e-9)), -1) << "a solve that stagnates there has failed";
  EXPECT_EQ(solves({1e-2, 1e-3, 1e-2, NAN, INFINITY}), -1);
}

TEST(Refinement, AStageMayNeedLess) { EXPECT_EQ(solves({1e-2, 1e-5, 1e-13, 1e-15}, Refinement(1e-12)), 2); }

TEST(Refinement, ForgetsWhatWasLackingOfOtherEquations) {
  Refinement refinement;
  refinement.go_on_from(1e-12);
  EXPECT_TRUE(refinement.is_done(1e-12));
  refinement.forget();
  EXPECT_FALSE(refinement.is_done(1e-12));
}

}  // namespace
}  // namespace percuss
