#pragma once

#include <vector>

#include "percuss/nonsmooth/problem.h"

namespace percuss {

/// W by cones, for sweeps: D x D blocks one after the other, D = 1 for problems without friction, else 3.
/// Cones with fewer rows are filled up with zeros. Packing within capacity allocates nothing.
template <int D>
struct PackedBlocks {
  struct Block {
    int cone;             ///< of the columns
    double value[D * D];  ///< by rows
  };
  std::vector<int> begin;  ///< off-diagonal blocks of cone c: blocks[begin[c]] .. blocks[begin[c + 1] - 1]
  std::vector<Block> blocks;
  std::vector<double> diagonal;  ///< D x D per cone
  std::vector<int> first_row;    ///< of a cone in the problem

  void reserve(int cone_capacity, int block_capacity);
  int cones() const { return static_cast<int>(first_row.size()); }
  void pack(const LocalProblem& problem);
  /// sum += the product of blocks[first] .. blocks[last - 1] with x, which has D numbers for each cone.
  void add_products(int first, int last, const double* x, double* sum) const;

 private:
  bool pack_whole_blocks(const LocalProblem& problem, int cone);
  void pack_entries(const LocalProblem& problem, int cone);

  std::vector<int> cone_of_row_, slot_;
};

extern template struct PackedBlocks<1>;
extern template struct PackedBlocks<3>;

}  // namespace percuss
