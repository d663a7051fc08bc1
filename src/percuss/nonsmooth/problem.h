#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "percuss/nonsmooth/block_matrix.h"
#include "percuss/nonsmooth/solve_status.h"
#include "percuss/nonsmooth/solver_names.h"

/// The one-step complementarity problem as plain data: no bodies, no time.  docs/theory/nonsmooth.md
namespace percuss {

/// Find r and u = W r + u_free such that every cone's law holds.  (N-1), (N-17)
struct LocalProblem {
  BlockMatrix W;
  std::vector<double> u_free;  ///< [m/s], with the restitution shifts already in it.  (N-4)
  std::vector<Cone> cones;     ///< in the order of the rows
  double scale = 0.0;          ///< what the relative residual refers to at least [m/s].  (N-6c)
  double resolution = 0.0;     ///< absolute residual that the caller cannot tell from none [m/s].  (N-6d)

  int size() const { return W.rows(); }
  bool has_only(ConeKind kind) const;
  bool has_friction() const;

  /// Throws std::invalid_argument naming the field if sizes, order of blocks or symmetry of the pattern are
  /// wrong. Values that are not finite are no error here: a solver answers them with a status.
  void validate() const;
};

/// Cones with moments: not every method can treat them.
bool has_rolling(const std::vector<Cone>& cones);

/// The residual of reactions (N-6).
struct Residual {
  double absolute = std::numeric_limits<double>::quiet_NaN();  ///< [m/s]
  double relative = std::numeric_limits<double>::quiet_NaN();  ///< to max(|u_free|, scale, residual_floor)
  double rounding = 0.0;  ///< of `relative`: not even the solution, in doubles, is sure to be below (N-6a)

  /// The test of convergence.
  bool is_within(double tolerance) const { return relative <= tolerance || relative <= rounding; }
};

/// How many independent directions the reactions may move in without a change of any velocity (N-30): between
/// these bounds, which are equal unless contacts touch without pressing.
struct Uniqueness {
  int at_least = 0;
  int at_most = 0;

  bool is_unique() const { return at_most == 0; }
  bool is_ambiguous() const { return at_least > 0; }
};

struct Solution {
  SolveStatus status = SolveStatus::not_finite;
  std::vector<double> r;  ///< [N s]
  std::vector<double> u;  ///< [m/s]
  Residual residual;
  int iterations = 0;
  std::vector<double> history;           ///< the relative residual each time the method looked at it
  const char* method = "";               ///< that gave r
  Selection selection = Selection::any;  ///< that was reached
  std::optional<Uniqueness> uniqueness;  ///< of r; only check_uniqueness() finds it, since it costs

  void reserve(int rows);
};

}  // namespace percuss
