#include "percuss/math/supernodal_cholesky.h"

#include <algorithm>
#include <stdexcept>

#include "percuss/math/blas.h"
#include "percuss/math/cholmod_library.h"

// Blocks of a factor are small: threads inside BLAS and CHOLMOD gain nothing, wait for each other actively,
// and the sums of BLAS would depend on their number. Both libraries may be built without threads.

namespace percuss {

struct SupernodalCholesky::Library {
  const CholmodLibrary& cholmod = *CholmodLibrary::get();
  cholmod_common common{};
  cholmod_factor* factor = nullptr;

  Library() {
    cholmod.start(&common);
    common.supernodal = CHOLMOD_SUPERNODAL;
    common.print = 0;
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    cholmod.free_factor(&factor, &common);
    cholmod.finish(&common);
  }
};

namespace {

/// No parallel regions of OpenMP as long as it lives.
class OneThread {
 public:
  explicit OneThread(const CholmodLibrary& library) : library_(library) {
    if (!library.omp_get_max_active_levels || !library.omp_set_max_active_levels) return;
    before_ = library.omp_get_max_active_levels();
    library.omp_set_max_active_levels(0);
  }
  ~OneThread() {
    if (before_ >= 0) library_.omp_set_max_active_levels(before_);
  }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  const CholmodLibrary& library_;
  int before_ = -1;
};

constexpr int rows_at_a_time = 256;  ///< of a product that is gathered or scattered

/// Some rows of a block.
auto part(const SupernodalCholesky::Block& block, int row, int count) {
  return Eigen::Map<const MatrixX, 0, Eigen::OuterStride<>>(block.L + row, count, block.width,
                                                            Eigen::OuterStride<>(block.height));
}

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

}  // namespace

SupernodalCholesky::SupernodalCholesky() = default;
SupernodalCholesky::~SupernodalCholesky() = default;
SupernodalCholesky::SupernodalCholesky(SupernodalCholesky&&) noexcept = default;
SupernodalCholesky& SupernodalCholesky::operator=(SupernodalCholesky&&) noexcept = default;

bool SupernodalCholesky::is_available() { return CholmodLibrary::get() != nullptr; }

void SupernodalCholesky::analyse(const Eigen::SparseMatrix<double>& A) {
  library_ = std::make_unique<Library>();
  cholmod_sparse view = view_of(A);
  library_->factor = library_->cholmod.analyze(&view, &library_->common);
  if (!library_->factor || !library_->factor->is_super)
    throw std::runtime_error("CHOLMOD could not analyse a matrix; is there enough memory?");
  const cholmod_factor& L = *library_->factor;
  const auto* order = static_cast<const int*>(L.Perm);
  place_.resize(L.n);
  for (size_t k = 0; k < L.n; ++k) place_[static_cast<size_t>(order[k])] = static_cast<int>(k);
  block_of_.resize(L.n);
  parent_.resize(L.nsuper);
  fill_ = 0;
  for (int s = 0; s < block_count(); ++s) {
    const Block b = block(s);
    std::fill_n(block_of_.begin() + b.first, b.width, s);
    fill_ += static_cast<long>(b.width) * b.height - static_cast<long>(b.width) * (b.width + 1) / 2;
  }
  for (int s = 0; s < block_count(); ++s)
    parent_[static_cast<size_t>(s)] = block(s).below() > 0 ? block_of(block(s).rows[0]) : -1;
}

SupernodalCholesky::Block SupernodalCholesky::block(int number) const {
  const cholmod_factor& L = *library_->factor;
  const auto* first = static_cast<const int*>(L.super) + number;
  const auto* rows_begin = static_cast<const int*>(L.pi) + number;
  const int width = first[1] - first[0], height = rows_begin[1] - rows_begin[0];
  const auto* values = static_cast<const double*>(L.x);
  return {first[0], width, height, static_cast<const int*>(L.s) + rows_begin[0] + width,
          values ? values + static_cast<const int*>(L.px)[number] : nullptr};
}

bool SupernodalCholesky::factorise(const Eigen::SparseMatrix<double>& A) {
  cholmod_sparse view = view_of(A);
  cholmod_factor& L = *library_->factor;
  const OneThread one_thread(library_->cholmod);
  const blas::Turn turn;
  return library_->cholmod.factorize(&view, &L, &library_->common) && L.minor == L.n;
}

void SupernodalCholesky::forward(VectorX& z) const {
  for (int s = 0; s < block_count(); ++s) forward(s, z.data());
}

// Eigen's products with one vector are twice as fast as those of the reference BLAS, which Debian installs.

void SupernodalCholesky::forward(int number, double* z) const {
  const Block b = block(number);
  Eigen::Map<VectorX> x(z + b.first, b.width);
  part(b, 0, b.width).triangularView<Eigen::Lower>().solveInPlace(x);
  double product[rows_at_a_time];
  for (int row = 0; row < b.below(); row += rows_at_a_time) {
    const int count = std::min(rows_at_a_time, b.below() - row);
    Eigen::Map<VectorX>(product, count).noalias() = part(b, b.width + row, count) * x;
    for (int i = 0; i < count; ++i) z[b.rows[row + i]] -= product[i];
  }
}

void SupernodalCholesky::backward(VectorX& z) const {
  for (int s = block_count(); s-- > 0;) {
    const Block b = block(s);
    Eigen::Map<VectorX> x(z.data() + b.first, b.width);
    double above[rows_at_a_time];
    for (int row = 0; row < b.below(); row += rows_at_a_time) {
      const int count = std::min(rows_at_a_time, b.below() - row);
      for (int i = 0; i < count; ++i) above[i] = z[b.rows[row + i]];
      x.noalias() -= part(b, b.width + row, count).transpose() * Eigen::Map<const VectorX>(above, count);
    }
    part(b, 0, b.width).transpose().triangularView<Eigen::Upper>().solveInPlace(x);
  }
}

}  // namespace percuss
