#include "cholmod_reference.h"

#include <ctime>
#include <stdexcept>

extern "C" __attribute__((weak)) void openblas_set_num_threads(int);

namespace {

template <class Work>
double seconds_of(Work&& work) {
  const double start = thread_seconds();
  work();
  return thread_seconds() - start;
}

}  // namespace

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

CholmodReference::CholmodReference(const Eigen::SparseMatrix<double>& A, bool supernodal) {
  cholmod_start(&common_);
  common_.supernodal = supernodal ? CHOLMOD_SUPERNODAL : CHOLMOD_SIMPLICIAL;
  if (openblas_set_num_threads) openblas_set_num_threads(1);
  view_.nrow = view_.ncol = static_cast<size_t>(A.rows());
  view_.nzmax = static_cast<size_t>(A.nonZeros());
  view_.p = const_cast<int*>(A.outerIndexPtr());
  view_.i = const_cast<int*>(A.innerIndexPtr());
  view_.x = const_cast<double*>(A.valuePtr());
  view_.stype = -1;
  view_.itype = CHOLMOD_INT;
  view_.xtype = CHOLMOD_REAL;
  view_.dtype = CHOLMOD_DOUBLE;
  view_.sorted = view_.packed = 1;
  factor_ = cholmod_analyze(&view_, &common_);
  b_ = cholmod_ones(view_.nrow, 1, CHOLMOD_REAL, &common_);
  if (!factor_ || !b_) throw std::runtime_error("CHOLMOD: not enough memory");
}

CholmodReference::~CholmodReference() {
  cholmod_free_dense(&b_, &common_);
  cholmod_free_dense(&x_, &common_);
  cholmod_free_dense(&y_, &common_);
  cholmod_free_dense(&e_, &common_);
  cholmod_free_factor(&factor_, &common_);
  cholmod_finish(&common_);
}

double CholmodReference::factorise() {
  return seconds_of([&] {
    if (!cholmod_factorize(&view_, factor_, &common_) || factor_->minor < factor_->n)
      throw std::runtime_error("CHOLMOD: the matrix is not positive definite");
  });
}

double CholmodReference::solve() {
  return seconds_of(
      [&] { cholmod_solve2(CHOLMOD_A, factor_, b_, nullptr, &x_, nullptr, &y_, &e_, &common_); });
}

double CholmodReference::factor_nonzeros() const {
  return factor_->is_super ? static_cast<double>(factor_->xsize) : static_cast<double>(factor_->nzmax);
}
