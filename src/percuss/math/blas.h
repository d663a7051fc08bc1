#pragma once

/// The dense kernels of the library that CHOLMOD uses, on matrices by columns.
namespace percuss::blas {

extern "C" {
void dtrsv_(const char*, const char*, const char*, const int*, const double*, const int*, double*,
            const int*);
void dgemv_(const char*, const int*, const int*, const double*, const double*, const int*, const double*,
            const int*, const double*, double*, const int*);
void dtrsm_(const char*, const char*, const char*, const char*, const int*, const int*, const double*,
            const double*, const int*, double*, const int*);
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*,
            const int*, const double*, const int*, const double*, double*, const int*);
void dsyrk_(const char*, const char*, const int*, const int*, const double*, const double*, const int*,
            const double*, double*, const int*);
}

inline constexpr int one_apart = 1;
inline constexpr double plus = 1, minus = -1, nothing = 0;

/// x <- L^-1 x with the lower triangle of n columns that are `stride` apart.
inline void solve_lower(int n, const double* L, int stride, double* x) {
  dtrsv_("L", "N", "N", &n, L, &stride, x, &one_apart);
}
/// x <- L^-T x.
inline void solve_lower_transposed(int n, const double* L, int stride, double* x) {
  dtrsv_("L", "T", "N", &n, L, &stride, x, &one_apart);
}
/// X <- L^-1 X for several columns.
inline void solve_lower(int n, int columns, const double* L, int stride, double* X, int stride_X) {
  dtrsm_("L", "L", "N", "N", &n, &columns, &plus, L, &stride, X, &stride_X);
}
/// y = A x.
inline void multiply(int rows, int columns, const double* A, int stride, const double* x, double* y) {
  dgemv_("N", &rows, &columns, &plus, A, &stride, x, &one_apart, &nothing, y, &one_apart);
}
/// y -= A^T x.
inline void subtract_transposed_product(int rows, int columns, const double* A, int stride, const double* x,
                                        double* y) {
  dgemv_("T", &rows, &columns, &minus, A, &stride, x, &one_apart, &plus, y, &one_apart);
}
/// C = A B, C without gaps between its columns.
inline void multiply(int rows, int inner, int columns, const double* A, int stride_A, const double* B,
                     int stride_B, double* C) {
  dgemm_("N", "N", &rows, &columns, &inner, &plus, A, &stride_A, B, &stride_B, &nothing, C, &rows);
}
/// Lower triangle of C = X^T X, X and C without gaps between their columns.
inline void gram(int rows, int columns, const double* X, double* C) {
  dsyrk_("L", "T", &columns, &rows, &plus, X, &rows, &nothing, C, &columns);
}

}  // namespace percuss::blas
