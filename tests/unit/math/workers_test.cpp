#include "percuss/math/workers.h"

#include <gtest/gtest.h>

#include "support/count_allocations.h"

namespace percuss {
namespace {

TEST(Workers, EachThreadIsCalledOnceInEveryRun) {
  for (const int threads : {1, 2, 5}) {
    Workers workers(threads);
    ASSERT_EQ(workers.count(), threads);
    std::vector<int> calls(static_cast<size_t>(threads), 0);
    const long before = allocation_count();
    for (int run = 1; run <= 1000; ++run) {
      workers.run([&](int thread) { ++calls[static_cast<size_t>(thread)]; });
      for (const int count : calls) ASSERT_EQ(count, run);
    }
    EXPECT_EQ(allocation_count(), before);
  }
}

}  // namespace
}  // namespace percuss
