#pragma once

#include <vector>

#include "percuss/nonsmooth/block_matrix.h"

namespace percuss {

/// LU factorisation of a BlockMatrix by fronts (NN-14): nodes with the same neighbours are eliminated
/// together as a dense matrix, with row exchanges within it. Buffers grow and are kept.
class MultifrontalLu {
 public:
  /// `place[i]`: wish for the place of node i in the elimination (any increasing numbers).
  void analyse(const BlockMatrix& matrix, const std::vector<int>& place);
  /// False if a pivot is zero or not finite. The pattern must be that of analyse().
  bool factorise(const BlockMatrix& matrix);
  /// In place; rows are those of the nodes, in their order.
  void solve(std::vector<double>& x) const;

 private:
  struct Front {
    int first, last;   ///< eliminated here: nodes order_[first] .. order_[last - 1]
    int pivots, rows;  ///< scalar rows eliminated here, and all rows of the front
    int row_index;     ///< of the rows of the front in rows_
    int first_pivot;   ///< of exchanges_
    long factor;       ///< pivots columns of `rows` entries, then the pivots x (rows - pivots) rest of U
    int children;
  };
  void find_tree(const BlockMatrix& matrix, const std::vector<int>& place);
  void find_patterns(const BlockMatrix& matrix);
  void merge_nodes(const BlockMatrix& matrix);
  void assemble(const BlockMatrix& matrix, const Front& front);
  void add_children(const Front& front);
  bool eliminate(const Front& front);

  std::vector<int> order_, step_;                     ///< node eliminated in a step, and the reverse
  std::vector<int> parent_;                           ///< by steps; -1 for a root
  std::vector<int> pattern_begin_, pattern_;          ///< later steps that a step couples to
  std::vector<int> own_begin_, own_entry_, own_row_;  ///< blocks whose earlier end is a step
  std::vector<Front> fronts_;
  std::vector<int> rows_;  ///< row numbers of all fronts
  std::vector<double> factors_, front_, stack_;
  std::vector<int> exchanges_;    ///< of rows, as places within the front
  std::vector<int> stack_front_;  ///< whose remainders lie on the stack
  std::vector<int> local_, scratch_, mark_;
};

}  // namespace percuss
