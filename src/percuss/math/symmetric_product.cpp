#include "percuss/math/symmetric_product.h"

#include <algorithm>
#include <span>

namespace percuss {
namespace {

constexpr size_t most_bands = 4;
constexpr int most_columns = 4;
constexpr int copies = 3;
constexpr int smallest_block = 16;

/// Rows of a column from `from` on.
std::span<const int> rows_of(const SparseMatrix& lower, int column, int from) {
  const int* begin = lower.innerIndexPtr() + lower.outerIndexPtr()[column];
  const int* end = lower.innerIndexPtr() + lower.outerIndexPtr()[column + 1];
  return {std::lower_bound(begin, end, from), end};
}
const double* value_at(const SparseMatrix& lower, const int* row) {
  return lower.valuePtr() + (row - lower.innerIndexPtr());
}

/// The number of columns from `first` on whose entries fill a dense block, nearly; 0 if there is none.
int dense_size(const SparseMatrix& lower, int first) {
  constexpr double least_fill = 0.8;
  const auto rows = rows_of(lower, first, first);
  const int size = rows.empty() ? 0 : rows.back() + 1 - first;
  const double needed = least_fill * 0.5 * size * (size + 1);
  double entries = 0;
  for (int j = 0; j < size; ++j) {
    const auto own = rows_of(lower, first + j, first + j);
    if (!own.empty() && own.back() >= first + size) return 0;
    entries += static_cast<double>(own.size());
    const double left = 0.5 * (size - j) * (size - j - 1);
    if (entries + left < needed) return 0;
  }
  return size;
}

bool are_copies(const SparseMatrix& lower, int first) {
  const auto rows = rows_of(lower, first, first);
  for (int k = 1; k < copies; ++k) {
    const auto others = rows_of(lower, first + k, first + k);
    if (others.size() != rows.size()) return false;
    for (size_t p = 0; p < rows.size(); ++p)
      if (others[p] != rows[p] + k || *value_at(lower, &others[p]) != *value_at(lower, &rows[p]))
        return false;
  }
  // Within the columns there is the diagonal alone.
  return std::ranges::none_of(rows, [&](int row) { return row > first && row < first + copies; });
}

template <int width>
const double* multiply_own(const double* a, const double* x, double* own) {
  for (int k = 0; k < width; ++k) {
    own[k] += *a++ * x[k];
    for (int l = k + 1; l < width; ++l, ++a) {
      own[k] += *a * x[l];
      own[l] += *a * x[k];
    }
  }
  return a;
}

struct PanelRows {
  const int* row;
  int count;
};

template <int width>
void multiply_shared(const double* a, PanelRows rows, int first, double factor, const double* x, double* y,
                     double* own, double* below) {
  a = multiply_own<width>(a, x + first, own);
  double scaled[width], sum[width] = {};
  for (int k = 0; k < width; ++k) scaled[k] = factor * x[first + k];
  for (int p = 0; p < rows.count; ++p, a += width) {
    const int i = rows.row[p];
    const double x_i = x[i];
    double change = 0;
    for (int k = 0; k < width; ++k) {
      sum[k] += a[k] * x_i;
      change += a[k] * scaled[k];
    }
    if (y) y[i] += change;
  }
  std::copy_n(sum, width, below);
}

void multiply_copies(const double* a, PanelRows rows, int first, double factor, const double* x, double* y,
                     double* own, double* below) {
  double scaled[copies], sum[copies] = {};
  for (int k = 0; k < copies; ++k) {
    own[k] = *a * x[first + k];
    scaled[k] = factor * x[first + k];
  }
  ++a;
  for (int p = 0; p < rows.count; ++p) {
    const int i = rows.row[p];
    for (int k = 0; k < copies; ++k) {
      sum[k] += a[p] * x[i + k];
      if (y) y[i + k] += a[p] * scaled[k];
    }
  }
  std::copy_n(sum, copies, below);
}

}  // namespace

SymmetricProduct::SymmetricProduct(const SparseMatrix& lower) {
  if (lower.nonZeros() > 0 && !find_bands(lower)) find_blocks_and_panels(lower);
}

bool SymmetricProduct::find_bands(const SparseMatrix& lower) {
  const int n = static_cast<int>(lower.rows());
  std::vector<int> offsets;
  for (int j = 0; j < n; ++j)
    for (const int i : rows_of(lower, j, j))
      if (std::ranges::count(offsets, i - j) == 0) {
        if (offsets.size() == most_bands) return false;
        offsets.push_back(i - j);
      }
  for (const int offset : offsets) {
    Band& band = bands_.emplace_back();
    band.offset = offset;
    band.values.resize(n - offset);
    for (int j = 0; j < n - offset; ++j) band.values[j] = lower.coeff(j + offset, j);
  }
  return true;
}

void SymmetricProduct::find_blocks_and_panels(const SparseMatrix& lower) {
  const int n = static_cast<int>(lower.cols());
  for (int j = 0; j < n;) {
    const int width = shared_width(lower, j), size = dense_size(lower, j);
    if (size >= smallest_block) {
      add_dense(lower, j, size);
      j += size;
    } else if (width < copies && j + copies <= n && are_copies(lower, j)) {
      add_copies(lower, j);
      j += copies;
    } else {
      add_shared(lower, j, width);
      j += width;
    }
  }
}

/// The number of columns from `first` on that have the same rows below themselves.
int SymmetricProduct::shared_width(const SparseMatrix& lower, int first) const {
  int width = 1;
  while (width < most_columns && first + width < lower.cols() &&
         std::ranges::equal(rows_of(lower, first + width - 1, first + width + 1),
                            rows_of(lower, first + width, first + width + 1)))
    ++width;
  return width;
}

void SymmetricProduct::add_dense(const SparseMatrix& lower, int first, int size) {
  MatrixX values = MatrixX::Zero(size, size);
  for (int j = 0; j < size; ++j)
    for (SparseMatrix::InnerIterator it(lower, first + j); it; ++it) values(it.row() - first, j) = it.value();
  blocks_.push_back({first, DenseSymmetric(values)});
}

void SymmetricProduct::add_shared(const SparseMatrix& lower, int first, int width) {
  Panel& panel = panels_.emplace_back();
  panel = {
      Kind::shared_rows, first, width, static_cast<int>(rows_.size()), 0, static_cast<int>(values_.size())};
  for (int k = 0; k < width; ++k)
    for (int l = k; l < width; ++l) values_.push_back(lower.coeff(first + l, first + k));
  for (const int i : rows_of(lower, first + width - 1, first + width)) {
    rows_.push_back(i);
    for (int k = 0; k < width; ++k) values_.push_back(lower.coeff(i, first + k));
  }
  panel.row_end = static_cast<int>(rows_.size());
}

void SymmetricProduct::add_copies(const SparseMatrix& lower, int first) {
  Panel& panel = panels_.emplace_back();
  panel = {Kind::copies, first, copies, static_cast<int>(rows_.size()), 0, static_cast<int>(values_.size())};
  values_.push_back(lower.coeff(first, first));
  for (const int i : rows_of(lower, first, first + 1)) {
    rows_.push_back(i);
    values_.push_back(lower.coeff(i, first));
  }
  panel.row_end = static_cast<int>(rows_.size());
}

template <class Visit>
void SymmetricProduct::walk(double factor, const double* x, double* y, Visit&& visit) const {
  for (const Panel& panel : panels_) {
    double own[most_columns] = {}, below[most_columns];
    const double* a = values_.data() + panel.values;
    const PanelRows rows = {rows_.data() + panel.row_begin, panel.row_end - panel.row_begin};
    if (panel.kind == Kind::copies)
      multiply_copies(a, rows, panel.first, factor, x, y, own, below);
    else if (panel.width == 4)
      multiply_shared<4>(a, rows, panel.first, factor, x, y, own, below);
    else if (panel.width == 3)
      multiply_shared<3>(a, rows, panel.first, factor, x, y, own, below);
    else if (panel.width == 2)
      multiply_shared<2>(a, rows, panel.first, factor, x, y, own, below);
    else
      multiply_shared<1>(a, rows, panel.first, factor, x, y, own, below);
    visit(panel.first, panel.width, own, below);
  }
}

void SymmetricProduct::add(double factor, const VectorX& x, VectorX& y) const {
  for (const Band& band : bands_) {
    const Eigen::Index n = band.values.size();
    y.segment(band.offset, n) += factor * band.values.cwiseProduct(x.head(n));
    if (band.offset > 0) y.head(n) += factor * band.values.cwiseProduct(x.segment(band.offset, n));
  }
  for (const Block& block : blocks_) block.values.add(factor, x.data() + block.first, y.data() + block.first);
  walk(factor, x.data(), y.data(), [&](int first, int width, const double* own, const double* below) {
    for (int k = 0; k < width; ++k) y[first + k] += factor * (own[k] + below[k]);
  });
}

double SymmetricProduct::quadratic(const VectorX& x) const {
  double sum = 0;
  for (const Band& band : bands_) {
    const Eigen::Index n = band.values.size();
    sum += (band.offset == 0 ? 1 : 2) *
           band.values.cwiseProduct(x.head(n)).cwiseProduct(x.segment(band.offset, n)).sum();
  }
  for (const Block& block : blocks_) sum += block.values.quadratic(x.data() + block.first);
  walk(1, x.data(), nullptr, [&](int first, int width, const double* own, const double* below) {
    for (int k = 0; k < width; ++k) sum += x[first + k] * (own[k] + 2 * below[k]);
  });
  return sum;
}

}  // namespace percuss
