#pragma once

#include <cstring>

/// Arithmetic with four numbers at a time, whose results are the same on every processor.
namespace percuss {

inline constexpr int lanes = 4;
/// Four numbers side by side: in one register or in two, as the processor has them.
using Four = double __attribute__((vector_size(lanes * sizeof(double))));

// A function with this mark is compiled for two kinds of processors; the program sees when it starts which
// one it runs on. Without fused operations, so that the sums are the same. The choice is made before the
// thread sanitizer is ready, which would crash in it.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PERCUSS_ONE_KIND_OF_REGISTERS
#endif
#endif
#if defined(__x86_64__) && !defined(PERCUSS_ONE_KIND_OF_REGISTERS)
#define PERCUSS_FOR_WIDE_REGISTERS __attribute__((target_clones("avx2", "default")))
#else
#define PERCUSS_FOR_WIDE_REGISTERS
#endif
/// What such a function calls has to become a part of it.
#define PERCUSS_ALWAYS_INLINE inline __attribute__((always_inline))

PERCUSS_ALWAYS_INLINE void read(const double* from, Four& to) { std::memcpy(&to, from, sizeof(Four)); }
PERCUSS_ALWAYS_INLINE void write(const Four& from, double* to) { std::memcpy(to, &from, sizeof(Four)); }

}  // namespace percuss
