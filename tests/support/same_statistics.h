#pragma once

#include <gtest/gtest.h>

#include "percuss/simulation/simulation.h"

namespace percuss::testing {

/// Every counter and extreme of two runs but the factorisations: a workspace begins with one of its own.
inline void expect_same_statistics(const StepStatistics& a, const StepStatistics& b) {
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.impacts, b.impacts);
  EXPECT_EQ(a.max_iterations, b.max_iterations);
  EXPECT_EQ(a.by_level, b.by_level);
  EXPECT_EQ(a.max_by_level, b.max_by_level);
  EXPECT_EQ(a.fallbacks, b.fallbacks);
  EXPECT_EQ(a.accumulations, b.accumulations);
  EXPECT_EQ(a.last_accumulation, b.last_accumulation);
  EXPECT_EQ(a.parts, b.parts);
  EXPECT_EQ(a.impulsive, b.impulsive);
  EXPECT_EQ(a.max_active_contacts, b.max_active_contacts);
  EXPECT_EQ(a.max_residual, b.max_residual);
  EXPECT_EQ(a.max_displacement, b.max_displacement);
  EXPECT_EQ(a.max_force_error, b.max_force_error);
  EXPECT_EQ(a.accepted, b.accepted);
  EXPECT_EQ(a.halved, b.halved);
  EXPECT_EQ(a.max_penetration, b.max_penetration);
  EXPECT_EQ(a.rejected, b.rejected);
  EXPECT_EQ(a.inaccurate, b.inaccurate);
  EXPECT_EQ(a.computed, b.computed);
  EXPECT_EQ(a.max_error, b.max_error);
  EXPECT_EQ(a.smallest_step, b.smallest_step);
  EXPECT_EQ(a.largest_step, b.largest_step);
}

}  // namespace percuss::testing
