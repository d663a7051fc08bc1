#include "percuss/math/supernodal_cholesky.h"

#include <stdexcept>

#include <cholmod.h>

// Blocks of a factor are small: threads inside BLAS and CHOLMOD gain nothing, wait for each other actively,
// and the sums of BLAS would depend on their number. Both libraries may be built without threads.
extern "C" {
__attribute__((weak)) void openblas_set_num_threads(int);
__attribute__((weak)) int omp_get_max_active_levels();
__attribute__((weak)) void omp_set_max_active_levels(int);
}

namespace percuss {

struct SupernodalCholesky::Library {
  cholmod_common common{};
  cholmod_factor* factor = nullptr;

  Library() {
    cholmod_start(&common);
    common.supernodal = CHOLMOD_SUPERNODAL;
    common.print = 0;
    if (openblas_set_num_threads) openblas_set_num_threads(1);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    cholmod_free_factor(&factor, &common);
    cholmod_finish(&common);
  }
};

namespace {

/// No parallel regions of OpenMP as long as it lives.
class OneThread {
 public:
  OneThread() {
    if (!omp_get_max_active_levels || !omp_set_max_active_levels) return;
    before_ = omp_get_max_active_levels();
    omp_set_max_active_levels(0);
  }
  ~OneThread() {
    if (before_ >= 0) omp_set_max_active_levels(before_);
  }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_ = -1;
};

/// A view of a compressed lower triangle; CHOLMOD does not change it.
cholmod_sparse view_of(const Eigen::SparseMatrix<double>& A) {
  cholmod_sparse view{};
  view.nrow = view.ncol = static_cast<size_t>(A.rows());
  view.nzmax = static_cast<size_t>(A.nonZeros());
  view.p = const_cast<int*>(A.outerIndexPtr());
  view.i = const_cast<int*>(A.innerIndexPtr());
  view.x = const_cast<double*>(A.valuePtr());
  view.stype = -1;
  view.itype = CHOLMOD_INT;
  view.xtype = CHOLMOD_REAL;
  view.dtype = CHOLMOD_DOUBLE;
  view.sorted = view.packed = 1;
  return view;
}

/// Calls visit(column, rows below the diagonal, their number, place of the diagonal entry in L->x).
template <class Visit>
void for_each_column(const cholmod_factor& L, Visit&& visit) {
  const auto* super = static_cast<const int*>(L.super);
  const auto* first_row = static_cast<const int*>(L.pi);
  const auto* first_value = static_cast<const int*>(L.px);
  const auto* rows = static_cast<const int*>(L.s);
  for (size_t s = 0; s < L.nsuper; ++s) {
    const int height = first_row[s + 1] - first_row[s];
    for (int j = 0; j < super[s + 1] - super[s]; ++j)
      visit(super[s] + j, rows + first_row[s] + j + 1, height - j - 1,
            static_cast<size_t>(first_value[s]) + static_cast<size_t>(j) * static_cast<size_t>(height + 1));
  }
}

}  // namespace

SupernodalCholesky::SupernodalCholesky() = default;
SupernodalCholesky::~SupernodalCholesky() = default;
SupernodalCholesky::SupernodalCholesky(SupernodalCholesky&&) noexcept = default;
SupernodalCholesky& SupernodalCholesky::operator=(SupernodalCholesky&&) noexcept = default;

bool SupernodalCholesky::is_available() { return true; }

SupernodalCholesky::Pattern SupernodalCholesky::analyse(const Eigen::SparseMatrix<double>& A) {
  library_ = std::make_unique<Library>();
  cholmod_sparse view = view_of(A);
  library_->factor = cholmod_analyze(&view, &library_->common);
  if (!library_->factor || !library_->factor->is_super)
    throw std::runtime_error("CHOLMOD could not analyse a matrix; is there enough memory?");
  const cholmod_factor& L = *library_->factor;
  Pattern pattern;
  const auto* order = static_cast<const int*>(L.Perm);
  pattern.place.resize(L.n);
  for (size_t k = 0; k < L.n; ++k) pattern.place[static_cast<size_t>(order[k])] = static_cast<int>(k);
  pattern.column_begin.assign(1, 0);
  for_each_column(L, [&](int, const int* rows, int count, size_t) {
    pattern.row.insert(pattern.row.end(), rows, rows + count);
    pattern.column_begin.push_back(static_cast<int>(pattern.row.size()));
  });
  return pattern;
}

bool SupernodalCholesky::factorise(const Eigen::SparseMatrix<double>& A, std::vector<double>& value,
                                   std::vector<double>& pivots) {
  cholmod_sparse view = view_of(A);
  cholmod_factor& L = *library_->factor;
  const OneThread one_thread;
  if (!cholmod_factorize(&view, &L, &library_->common) || L.minor < L.n) return false;
  const auto* x = static_cast<const double*>(L.x);
  size_t next = 0;
  for_each_column(L, [&](int column, const int*, int count, size_t diagonal) {
    const double root = x[diagonal];
    pivots[static_cast<size_t>(column)] = root * root;
    for (int i = 1; i <= count; ++i) value[next++] = x[diagonal + static_cast<size_t>(i)] / root;
  });
  return true;
}

}  // namespace percuss
