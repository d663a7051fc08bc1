#pragma once

#include <cholmod.h>

namespace percuss {

/// The functions of CHOLMOD that are used. The library is loaded when the first of them is: with BLAS, which
/// would start its threads, LAPACK, OpenMP and others behind it, it takes longer than most commands of a
/// program that factorises nothing large.
struct CholmodLibrary {
  decltype(&cholmod_start) start = nullptr;
  decltype(&cholmod_finish) finish = nullptr;
  decltype(&cholmod_analyze) analyze = nullptr;
  decltype(&cholmod_factorize) factorize = nullptr;
  decltype(&cholmod_free_factor) free_factor = nullptr;
  // Of OpenMP, with which CHOLMOD may be built.
  int (*omp_get_max_active_levels)() = nullptr;
  void (*omp_set_max_active_levels)(int) = nullptr;

  /// Null if this machine has no CHOLMOD.
  static const CholmodLibrary* get();
};

}  // namespace percuss
