// How much of a long test runs.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace percuss::testing {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PERCUSS_SANITIZED
#endif
#endif

/// All of them in a release build, and PERCUSS_TEST_EFFORT times as many for a long search; a tenth under the
/// sanitizers, where they take ten times as long.
inline int repetitions(int all) {
#ifdef PERCUSS_SANITIZED
  return all / 10;
#else
  static const char* const effort = std::getenv("PERCUSS_TEST_EFFORT");
  return effort ? all * std::max(1, std::atoi(effort)) : all;
#endif
}

/// Step through a long list: every case in a release build, one in so many under the sanitizers.
constexpr int stride([[maybe_unused]] int sanitized) {
#ifdef PERCUSS_SANITIZED
  return sanitized;
#else
  return 1;
#endif
}

}  // namespace percuss::testing
