#pragma once

#include <vector>

#include "percuss/nonsmooth/anderson.h"
#include "percuss/nonsmooth/problem.h"

namespace percuss {

/// Anderson's acceleration of sweeps r <- G(r), with a way back.  docs/theory/nonsmooth.md (N-23b)
class SweepAcceleration {
 public:
  void begin(const std::vector<double>& r, int memory);
  /// `r` is what a sweep made of the last point, `residual2` the square of the residual that it met. r
  /// becomes the next point to sweep from: a proposal, or, if the last proposal was bad, the sweep before it.
  void step(const std::vector<Cone>& cones, double residual2, std::vector<double>& r);
  /// The outcome of the last sweep that was not taken back.
  void last_sweep(std::vector<double>& r) const;

 private:
  Anderson anderson_;
  Eigen::VectorXd point_, swept_, change_, next_;
  double good2_ = 0.0;  ///< residual2 of the last point that was not taken back
  bool is_proposal_ = false;
};

}  // namespace percuss
