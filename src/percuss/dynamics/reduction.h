#pragma once

#include <optional>
#include <string>
#include <vector>

#include "percuss/math/eigenmodes.h"
#include "percuss/math/vector.h"

/// Bodies described by some of their nodes and by modes.  docs/theory/reduction.md
namespace percuss {

/// The coordinates of all nodes follow from those of the kept ones and of the modes (MR-2):
///   w = T (w_kept, eta_dot).
struct Reduction {
  int dimension = 3;                                        ///< coordinates of a node
  int first = 0;                                            ///< place of its coordinates in v
  std::vector<int> kept;                                    ///< nodes, ascending
  MatrixX basis;                                            ///< T
  MatrixX mass, stiffness;                                  ///< T^T M T and T^T K T
  VectorX reference;                                        ///< its part of q without stress
  VectorX values;                                           ///< of its modes, ascending [1/s^2]
  Eigen::Matrix<double, Eigen::Dynamic, 9> linear_momenta;  ///< see FloatingFrame

  int size() const { return static_cast<int>(basis.cols()); }
  int nodal() const { return dimension * static_cast<int>(kept.size()); }
  bool keeps(int node) const;
  /// Displacement or velocity of a node along the axes of the frame, from all of q or v.
  Vector3 at_node(int node, const VectorX& x) const {
    Vector3 result = Vector3::Zero();
    result.head(dimension).noalias() =
        basis.middleRows(dimension * node, dimension) * x.segment(first, size());
    return result;
  }
  /// The same of all nodes, one after the other.
  VectorX of_all_nodes(const VectorX& x) const { return basis * x.segment(first, size()); }
};

/// What a reduction starts from: the matrices of all nodes, and their rigid motions as columns.
struct FullBody {
  StiffnessAndMass matrices;
  MatrixX rigid;
  int dimension = 3;
};
/// By number or by frequency [Hz].
struct ModeChoice {
  std::optional<int> count;
  std::optional<double> frequency;
};
/// The result, or what stands against it.
struct ReductionOutcome {
  std::optional<Reduction> reduction;
  std::string fault;
};
/// Craig and Bampton: static modes of the kept nodes, and modes with these nodes held (MR-4).
ReductionOutcome reduce_with_fixed_interface(const FullBody& body, const std::vector<int>& kept,
                                             const ModeChoice& choice);
/// Rubin: modes of the free body, its rigid motions, and the residual flexibility of the kept nodes (MR-7).
ReductionOutcome reduce_with_free_interface(const FullBody& body, const std::vector<int>& kept,
                                            const ModeChoice& choice);

}  // namespace percuss
