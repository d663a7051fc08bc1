// How much of a long test runs.
#pragma once

namespace percuss::testing {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PERCUSS_SANITIZED
#endif
#endif

/// All of them in a release build; a tenth under the sanitizers, where they take ten times as long.
constexpr int repetitions(int all) {
#ifdef PERCUSS_SANITIZED
  return all / 10;
#else
  return all;
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
