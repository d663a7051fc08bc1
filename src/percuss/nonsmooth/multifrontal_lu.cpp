#include "percuss/nonsmooth/multifrontal_lu.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

namespace percuss {
namespace {

using FrontMatrix = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

// Merging a node into the front of its only heir fills some zeros, but saves the overhead of a front.
constexpr int small_front_nodes = 5;
constexpr double zeros_allowed = 0.1;
constexpr int panel_columns = 24;

/// LU of columns `begin` .. `end` - 1 of a front below row `begin`, with the pivots among the first `pivots`
/// rows; exchanges rows of these columns only.
bool factorise_panel(FrontMatrix& front, int begin, int end, int pivots, int* exchange) {
  const int rows = static_cast<int>(front.rows());
  for (int k = begin; k < end; ++k) {
    double* column = &front(0, k);
    int best = k;
    for (int i = k + 1; i < pivots; ++i)
      if (std::abs(column[i]) > std::abs(column[best])) best = i;
    exchange[k] = best;
    if (!(std::abs(column[best]) > 0.0) || !std::isfinite(column[best])) return false;
    if (best != k)
      for (int j = begin; j < end; ++j) std::swap(front(k, j), front(best, j));
    const double inverse = 1.0 / column[k];
    for (int i = k + 1; i < rows; ++i) column[i] *= inverse;
    for (int j = k + 1; j < end; ++j) {
      double* other = &front(0, j);
      const double factor = other[k];
      if (factor == 0.0) continue;
      for (int i = k + 1; i < rows; ++i) other[i] -= column[i] * factor;
    }
  }
  return true;
}

}  // namespace

/// Elimination tree of the pattern, by Liu's algorithm with path compression, and steps in postorder.
void MultifrontalLu::find_tree(const BlockMatrix& matrix, const std::vector<int>& place) {
  const int n = matrix.cones();
  order_.resize(n);
  for (int i = 0; i < n; ++i) order_[i] = i;
  std::sort(order_.begin(), order_.end(), [&](int a, int b) { return place[a] < place[b]; });
  step_.resize(n);
  for (int s = 0; s < n; ++s) step_[order_[s]] = s;
  parent_.assign(n, -1);
  scratch_.assign(n, -1);  // shortcut towards the root
  for (int s = 0; s < n; ++s)
    for (int k = matrix.begin(order_[s]); k < matrix.end(order_[s]); ++k)
      for (int t = step_[matrix.other(k)]; t < s;) {
        const int next = scratch_[t];
        scratch_[t] = s;
        if (next == -1) {
          parent_[t] = s;
          break;
        }
        if (next == s) break;
        t = next;
      }
  // Postorder: children before parents and subtrees without gaps.
  std::vector<int>&head = mark_, &next = local_;
  head.assign(n + 1, -1);
  next.assign(n, -1);
  for (int s = n - 1; s >= 0; --s) {
    const int p = parent_[s] < 0 ? n : parent_[s];
    next[s] = head[p];
    head[p] = s;
  }
  std::vector<int>& post = rows_;  // old step of a new one
  post.clear();
  scratch_.clear();
  for (int root = head[n]; root >= 0; root = next[root]) {
    scratch_.push_back(root);
    while (!scratch_.empty()) {
      const int s = scratch_.back();
      if (head[s] >= 0) {
        scratch_.push_back(head[s]);
        head[s] = next[head[s]];
      } else {
        post.push_back(s);
        scratch_.pop_back();
      }
    }
  }
  scratch_.resize(n);  // new step of an old one
  for (int s = 0; s < n; ++s) scratch_[post[s]] = s;
  local_.resize(n);
  for (int s = 0; s < n; ++s) local_[s] = parent_[post[s]] < 0 ? -1 : scratch_[parent_[post[s]]];
  parent_ = local_;
  for (int s = 0; s < n; ++s) local_[s] = order_[post[s]];
  order_ = local_;
  for (int s = 0; s < n; ++s) step_[order_[s]] = s;
}

void MultifrontalLu::find_patterns(const BlockMatrix& matrix) {
  const int n = matrix.cones();
  // Children in lists by parent.
  std::vector<int>&head = local_, &next = scratch_;
  head.assign(n, -1);
  next.assign(n, -1);
  mark_.assign(n, -1);
  pattern_begin_.assign(1, 0);
  pattern_.clear();
  for (int s = 0; s < n; ++s) {
    mark_[s] = s;
    const auto add = [&](int t) {
      if (t > s && mark_[t] != s) {
        mark_[t] = s;
        pattern_.push_back(t);
      }
    };
    for (int k = matrix.begin(order_[s]); k < matrix.end(order_[s]); ++k) add(step_[matrix.other(k)]);
    for (int child = head[s]; child >= 0; child = next[child])
      for (int k = pattern_begin_[child]; k < pattern_begin_[child + 1]; ++k) add(pattern_[k]);
    pattern_begin_.push_back(static_cast<int>(pattern_.size()));
    if (parent_[s] >= 0) {
      next[s] = head[parent_[s]];
      head[parent_[s]] = s;
    }
  }
  // Blocks by the earlier of their two ends.
  own_begin_.assign(n + 1, 0);
  for (int i = 0; i < n; ++i)
    for (int k = matrix.begin(i); k < matrix.end(i); ++k)
      ++own_begin_[std::min(step_[i], step_[matrix.other(k)]) + 1];
  for (int s = 0; s < n; ++s) own_begin_[s + 1] += own_begin_[s];
  own_entry_.resize(own_begin_[n]);
  own_row_.resize(own_begin_[n]);
  local_.assign(own_begin_.begin(), own_begin_.end() - 1);
  for (int i = 0; i < n; ++i)
    for (int k = matrix.begin(i); k < matrix.end(i); ++k) {
      const int place = local_[std::min(step_[i], step_[matrix.other(k)])]++;
      own_entry_[place] = k;
      own_row_[place] = i;
    }
}

void MultifrontalLu::merge_nodes(const BlockMatrix& matrix) {
  const int n = matrix.cones();
  const auto pattern_size = [&](int s) { return pattern_begin_[s + 1] - pattern_begin_[s]; };
  fronts_.clear();
  rows_.clear();
  long factor = 0;
  int first_pivot = 0;
  scratch_.assign(n, -1);  // front of a step
  for (int s = 0; s < n;) {
    Front front{s, s + 1, 0, 0, static_cast<int>(rows_.size()), first_pivot, factor, 0};
    long zeros = 0;
    while (front.last < n && parent_[front.last - 1] == front.last) {
      const int width = front.last - front.first, size = width + 1 + pattern_size(front.last);
      const long more =
          static_cast<long>(width) * (pattern_size(front.last) + 1 - pattern_size(front.last - 1));
      if (more > 0 && width >= small_front_nodes &&
          static_cast<double>(zeros + more) > zeros_allowed * size * (width + 1))
        break;
      zeros += more;
      ++front.last;
    }
    const auto add_rows = [&](int step) {
      const int node = order_[step];
      for (int i = 0; i < matrix.rows_of(node); ++i) rows_.push_back(matrix.first_row(node) + i);
    };
    for (int t = front.first; t < front.last; ++t) {
      scratch_[t] = static_cast<int>(fronts_.size());
      add_rows(t);
    }
    front.pivots = static_cast<int>(rows_.size()) - front.row_index;
    for (int k = pattern_begin_[front.last - 1]; k < pattern_begin_[front.last]; ++k) add_rows(pattern_[k]);
    front.rows = static_cast<int>(rows_.size()) - front.row_index;
    factor += static_cast<long>(front.pivots) * (2 * front.rows - front.pivots);
    first_pivot += front.pivots;
    s = front.last;
    fronts_.push_back(front);
  }
  for (const Front& front : fronts_)
    if (parent_[front.last - 1] >= 0) ++fronts_[scratch_[parent_[front.last - 1]]].children;
  factors_.resize(factor);
  exchanges_.resize(matrix.rows());
}

void MultifrontalLu::analyse(const BlockMatrix& matrix, const std::vector<int>& place) {
  find_tree(matrix, place);
  find_patterns(matrix);
  merge_nodes(matrix);
}

void MultifrontalLu::assemble(const BlockMatrix& matrix, const Front& front) {
  const int rows = front.rows;
  front_.assign(static_cast<size_t>(rows) * rows, 0.0);
  for (int i = 0; i < rows; ++i) local_[rows_[front.row_index + i]] = i;
  for (int s = front.first; s < front.last; ++s)
    for (int k = own_begin_[s]; k < own_begin_[s + 1]; ++k) {
      const int i = own_row_[k], j = matrix.other(own_entry_[k]);
      const int row = local_[matrix.first_row(i)], column = local_[matrix.first_row(j)];
      const int height = matrix.rows_of(i), width = matrix.rows_of(j);
      const double* block = matrix.block(own_entry_[k]);
      for (int b = 0; b < width; ++b)
        for (int a = 0; a < height; ++a)
          front_[static_cast<size_t>(column + b) * rows + row + a] = block[width * a + b];
    }
}

/// What the children left over, from the top of the stack.
void MultifrontalLu::add_children(const Front& front) {
  for (int c = 0; c < front.children; ++c) {
    const Front& child = fronts_[stack_front_.back()];
    stack_front_.pop_back();
    const int rest = child.rows - child.pivots;
    const double* remainder = stack_.data() + stack_.size() - static_cast<size_t>(rest) * rest;
    scratch_.resize(rest);
    for (int i = 0; i < rest; ++i) scratch_[i] = local_[rows_[child.row_index + child.pivots + i]];
    for (int j = 0; j < rest; ++j) {
      double* column = &front_[static_cast<size_t>(scratch_[j]) * front.rows];
      for (int i = 0; i < rest; ++i) column[scratch_[i]] += remainder[static_cast<size_t>(j) * rest + i];
    }
    stack_.resize(stack_.size() - static_cast<size_t>(rest) * rest);
  }
}

/// Eliminates the pivots of the assembled front, panel by panel, and puts the remainder on the stack.
bool MultifrontalLu::eliminate(const Front& front) {
  const int pivots = front.pivots, rows = front.rows, rest = rows - pivots;
  FrontMatrix all(front_.data(), rows, rows, Eigen::OuterStride<>(rows));
  int* exchange = &exchanges_[front.first_pivot];
  for (int begin = 0; begin < pivots; begin += panel_columns) {
    const int end = std::min(begin + panel_columns, pivots), right = rows - end;
    if (!factorise_panel(all, begin, end, pivots, exchange)) return false;
    for (int k = begin; k < end; ++k)
      if (exchange[k] != k) {
        for (int j = 0; j < begin; ++j) std::swap(all(k, j), all(exchange[k], j));
        for (int j = end; j < rows; ++j) std::swap(all(k, j), all(exchange[k], j));
      }
    if (right == 0) continue;
    auto top = all.block(begin, end, end - begin, right);
    all.block(begin, begin, end - begin, end - begin).triangularView<Eigen::UnitLower>().solveInPlace(top);
    all.block(end, end, right, right).noalias() -= all.block(end, begin, right, end - begin) * top;
  }
  double* factor = &factors_[front.factor];
  std::copy_n(front_.data(), static_cast<size_t>(rows) * pivots, factor);
  factor += static_cast<size_t>(rows) * pivots;
  for (int j = pivots; j < rows; ++j, factor += pivots) std::copy_n(&all(0, j), pivots, factor);
  const size_t top = stack_.size();
  stack_.resize(top + static_cast<size_t>(rest) * rest);
  for (int j = 0; j < rest; ++j)
    std::copy_n(&all(pivots, pivots + j), rest, &stack_[top] + static_cast<size_t>(j) * rest);
  return true;
}

bool MultifrontalLu::factorise(const BlockMatrix& matrix) {
  stack_.clear();
  stack_front_.clear();
  local_.assign(matrix.rows(), 0);
  for (size_t f = 0; f < fronts_.size(); ++f) {
    assemble(matrix, fronts_[f]);
    add_children(fronts_[f]);
    if (!eliminate(fronts_[f])) return false;
    if (parent_[fronts_[f].last - 1] >= 0) stack_front_.push_back(static_cast<int>(f));
  }
  return true;
}

void MultifrontalLu::solve(std::vector<double>& x) const {
  for (const Front& front : fronts_) {
    const int* row = &rows_[front.row_index];
    const double* column = &factors_[front.factor];
    const int* exchange = &exchanges_[front.first_pivot];
    for (int k = 0; k < front.pivots; ++k)
      if (exchange[k] != k) std::swap(x[row[k]], x[row[exchange[k]]]);
    for (int k = 0; k < front.pivots; ++k, column += front.rows) {
      const double known = x[row[k]];
      for (int i = k + 1; i < front.rows; ++i) x[row[i]] -= column[i] * known;
    }
  }
  for (auto front = fronts_.rbegin(); front != fronts_.rend(); ++front) {
    const int* row = &rows_[front->row_index];
    const int pivots = front->pivots, rows = front->rows;
    const double *left = &factors_[front->factor], *right = left + static_cast<size_t>(rows) * pivots;
    for (int j = pivots; j < rows; ++j, right += pivots)
      for (int i = 0; i < pivots; ++i) x[row[i]] -= right[i] * x[row[j]];
    for (int k = pivots - 1; k >= 0; --k) {
      const double* column = left + static_cast<size_t>(k) * rows;
      const double known = x[row[k]] /= column[k];
      for (int i = 0; i < k; ++i) x[row[i]] -= column[i] * known;
    }
  }
}

}  // namespace percuss
