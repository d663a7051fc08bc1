#pragma once

#include <Eigen/SparseCore>
#include <cholmod.h>

/// What one factorisation and one solve cost if CHOLMOD is called directly, with its memory kept from call to
/// call and one thread.
class CholmodReference {
 public:
  /// The lower triangle of a positive definite matrix.
  CholmodReference(const Eigen::SparseMatrix<double>& A, bool supernodal);
  ~CholmodReference();
  CholmodReference(const CholmodReference&) = delete;
  CholmodReference& operator=(const CholmodReference&) = delete;

  double factorise();  ///< seconds
  double solve();      ///< seconds, of a right-hand side of ones
  double factor_nonzeros() const;

 private:
  cholmod_common common_{};
  cholmod_sparse view_{};
  cholmod_factor* factor_ = nullptr;
  cholmod_dense* b_ = nullptr;
  cholmod_dense *x_ = nullptr, *y_ = nullptr, *e_ = nullptr;
};

/// Processor time of this thread: the machine may be busy with other things.
double thread_seconds();

/// The shortest of several calls.
template <class Measure>
double shortest(int calls, Measure&& measure) {
  double best = measure();
  for (int i = 1; i < calls; ++i) {
    const double seconds = measure();
    if (seconds < best) best = seconds;
  }
  return best;
}
