#include "percuss/math/block_columns.h"

#include <algorithm>

#include "percuss/math/blas.h"

namespace percuss {

void BlockColumns::clear() {
  begin_.assign(1, 0);
  row_.clear();
  entry_.clear();
}

void BlockColumns::add(const int* rows, const double* values, int count) {
  row_.insert(row_.end(), rows, rows + count);
  entry_.insert(entry_.end(), values, values + count);
  begin_.push_back(static_cast<int>(row_.size()));
}

/// Which columns reach which blocks.
void BlockColumns::list_parts(const SupernodalCholesky& factor) {
  const auto blocks = static_cast<size_t>(factor.block_count());
  const auto for_each_reached = [&](auto&& visit) {
    reached_by_.assign(blocks, -1);
    for (int column = 0; column < count(); ++column)
      for (int p = begin_[static_cast<size_t>(column)]; p < begin_[static_cast<size_t>(column) + 1]; ++p) {
        const int place = factor.places()[static_cast<size_t>(row_[static_cast<size_t>(p)])];
        for (int s = factor.block_of(place); s >= 0 && reached_by_[static_cast<size_t>(s)] != column;
             s = factor.parent(s)) {
          reached_by_[static_cast<size_t>(s)] = column;
          visit(static_cast<size_t>(s), column);
        }
      }
  };
  reaches_.assign(blocks, 0);
  for_each_reached([&](size_t s, int) { ++reaches_[s]; });
  parts_.clear();
  part_of_block_.assign(blocks, -1);
  int columns = 0;
  size_t values = 0;
  for (size_t s = 0; s < blocks; ++s) {
    if (reaches_[s] == 0) continue;
    const SupernodalCholesky::Block b = factor.block(static_cast<int>(s));
    part_of_block_[s] = static_cast<int>(parts_.size());
    parts_.push_back({static_cast<int>(s), b.first, b.width, columns, 0, values});
    columns += reaches_[s];
    values += static_cast<size_t>(b.width) * static_cast<size_t>(reaches_[s]);
  }
  columns_.resize(static_cast<size_t>(columns));
  values_.assign(values, 0.0);
  for_each_reached([&](size_t s, int column) {
    Part& part = parts_[static_cast<size_t>(part_of_block_[s])];
    columns_[static_cast<size_t>(part.columns + part.count++)] = column;
  });
}

/// P H.
void BlockColumns::place_entries(const SupernodalCholesky& factor) {
  for (int column = 0; column < count(); ++column)
    for (int p = begin_[static_cast<size_t>(column)]; p < begin_[static_cast<size_t>(column) + 1]; ++p) {
      const int place = factor.places()[static_cast<size_t>(row_[static_cast<size_t>(p)])];
      const Part& part =
          parts_[static_cast<size_t>(part_of_block_[static_cast<size_t>(factor.block_of(place))])];
      const auto position =
          std::lower_bound(columns(part), columns(part) + part.count, column) - columns(part);
      column_of(part, static_cast<int>(position))[place - part.first] += entry_[static_cast<size_t>(p)];
    }
}

/// X -= L_below Y for the blocks above: every column that reaches a block reaches its ancestors.
void BlockColumns::subtract_from_ancestors(const SupernodalCholesky& factor, const Part& part) {
  const SupernodalCholesky::Block b = factor.block(part.block);
  const auto below = static_cast<size_t>(b.below());
  product_.resize(std::max(product_.size(), below * static_cast<size_t>(part.count)));
  blas::multiply(b.below(), b.width, part.count, b.L + b.width, b.height, column_of(part, 0), part.width,
                 product_.data());
  position_.resize(std::max(position_.size(), static_cast<size_t>(part.count)));
  for (int row = 0; row < b.below();) {
    const Part& target =
        parts_[static_cast<size_t>(part_of_block_[static_cast<size_t>(factor.block_of(b.rows[row]))])];
    int end = row;
    while (end < b.below() && b.rows[end] < target.first + target.width) ++end;
    int at = 0;
    for (int c = 0; c < part.count; ++c) {
      while (columns(target)[at] != columns(part)[c]) ++at;
      double* y = column_of(target, at) - target.first;
      const double* x = product_.data() + static_cast<size_t>(c) * below;
      for (int i = row; i < end; ++i) y[b.rows[i]] -= x[i];
    }
    row = end;
  }
}

void BlockColumns::eliminate(const SupernodalCholesky& factor) {
  list_parts(factor);
  place_entries(factor);
  const blas::Turn turn;
  for (const Part& part : parts_) {
    const SupernodalCholesky::Block b = factor.block(part.block);
    blas::solve_lower(b.width, part.count, b.L, b.height, column_of(part, 0), part.width);
    if (b.below() > 0) subtract_from_ancestors(factor, part);
  }
}

void BlockColumns::gram(const Part& part) {
  const auto k = static_cast<size_t>(part.count);
  product_.resize(std::max(product_.size(), k * k));
  const blas::Turn turn;
  blas::gram(part.width, part.count, column_of(part, 0), product_.data());
}

void BlockColumns::multiply_transposed(const VectorX& z, std::vector<double>& y) const {
  y.assign(static_cast<size_t>(count()), 0.0);
  for (const Part& part : parts_) {
    const double* value = values_.data() + part.values;
    const auto z_part = z.segment(part.first, part.width);
    for (int c = 0; c < part.count; ++c, value += part.width)
      y[static_cast<size_t>(columns(part)[c])] += Eigen::Map<const VectorX>(value, part.width).dot(z_part);
  }
}

void BlockColumns::add_product(const std::vector<double>& r, VectorX& z) const {
  for (const Part& part : parts_) {
    const double* value = values_.data() + part.values;
    auto z_part = z.segment(part.first, part.width);
    for (int c = 0; c < part.count; ++c, value += part.width)
      if (const auto column = static_cast<size_t>(columns(part)[c]); column < r.size())
        z_part += r[column] * Eigen::Map<const VectorX>(value, part.width);
  }
}

}  // namespace percuss
