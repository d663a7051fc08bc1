#pragma once

#include <mutex>

/// The dense kernels for several columns of the library that CHOLMOD uses, on matrices by columns. Only to be
/// called if SupernodalCholesky::is_available(), which loads them.
namespace percuss::blas {

struct Functions {
  void (*dtrsm)(const char*, const char*, const char*, const char*, const int*, const int*, const double*,
                const double*, const int*, double*, const int*) = nullptr;
  void (*dgemm)(const char*, const char*, const int*, const int*, const int*, const double*, const double*,
                const int*, const double*, const int*, const double*, double*, const int*) = nullptr;
  void (*dsyrk)(const char*, const char*, const int*, const int*, const double*, const double*, const int*,
                const double*, double*, const int*) = nullptr;
  int (*openblas_get_parallel)() = nullptr;  ///< null with any other BLAS
  char* (*openblas_get_corename)() = nullptr;
};
const Functions& functions();

/// Held while BLAS is used: OpenBLAS without threads of its own must not be called by several at once, as the
/// runs of a study would. It does nothing with any other BLAS.
class Turn {
 public:
  Turn() : lock_(mutex(), std::defer_lock) {
    static const bool is_needed =
        functions().openblas_get_parallel && functions().openblas_get_parallel() == 0;
    if (is_needed) lock_.lock();
  }

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  std::unique_lock<std::mutex> lock_;
};

inline constexpr double plus = 1, nothing = 0;

/// X <- L^-1 X with the lower triangle of n columns that are `stride` apart.
inline void solve_lower(int n, int columns, const double* L, int stride, double* X, int stride_X) {
  functions().dtrsm("L", "L", "N", "N", &n, &columns, &plus, L, &stride, X, &stride_X);
}
/// C = A B, C without gaps between its columns.
inline void multiply(int rows, int inner, int columns, const double* A, int stride_A, const double* B,
                     int stride_B, double* C) {
  functions().dgemm("N", "N", &rows, &columns, &inner, &plus, A, &stride_A, B, &stride_B, &nothing, C, &rows);
}
/// Lower triangle of C = X^T X, X and C without gaps between their columns.
inline void gram(int rows, int columns, const double* X, double* C) {
  functions().dsyrk("L", "T", &columns, &rows, &plus, X, &rows, &nothing, C, &columns);
}

}  // namespace percuss::blas
