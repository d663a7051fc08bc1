#pragma once

#include <limits>
#include <vector>

#include "percuss/nonsmooth/interior_point.h"
#include "percuss/nonsmooth/interior_system.h"

namespace percuss {

/// What both forms of the problem have in common.
struct InteriorData {
  const std::vector<Cone>& cones;
  const std::vector<double>& u_free;
  std::vector<double> diagonal;  ///< of W

  Residual residual_of(const std::vector<double>& r,
                       const std::vector<double>& u) const;  ///< the residual (N-6)
};

/// One solve: the interior-point iteration, Newton on the natural map where it promises to finish, and the
/// best of all iterates by their residual, which goes to out.r. Starts with what is in out.r.
class InteriorRun {
 public:
  InteriorRun(const InteriorData& data, InteriorRows& rows, InteriorSystem& system,
              const InteriorPointOptions& options, Solution& out);

  SolveStatus run();

 private:
  bool may_go_on() const;
  bool iterate(double shift_share);
  double look(const VectorX& x, const VectorX& u);
  bool polish(const VectorX& from, double residual);

  const InteriorData& data_;
  const InteriorRows& rows_;
  InteriorSystem& system_;
  const InteriorPointOptions& options_;
  Solution& out_;
  double unit_ = 1.0;  ///< velocity of (NI-3)
  int limit_ = 0;
  bool crawls_ = false;  ///< an iteration ended because its residual fell too slowly
  VectorX q_, start_, best_x_;
  std::vector<double> r_, u_;
  double best_ = std::numeric_limits<double>::infinity();
};

}  // namespace percuss
