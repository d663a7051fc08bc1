#pragma once

#include <limits>

namespace percuss {

/// When a solve that is repeated, by Newton's method or to make good what a regularisation has left, has
/// nothing more to gain. The residual of the equations is measured relative to the terms that cancel in it
/// (see joint_residual), so that rounding is about 1e-16 times their number: it is enough when it is that
/// small, or close to it and no longer falling.
class Refinement {
 public:
  static constexpr double rounding = 1e-15;
  static constexpr double close_to_rounding = 1e-10;
  static constexpr double slowest_fall = 0.25;  ///< from one solve to the next, while it is no rounding

  /// `enough`: what is small enough at once, where a stage of a step needs less than rounding.
  explicit Refinement(double enough = rounding) : enough_(enough) {}

  /// Whether what is lacking now is small enough.
  bool is_done(double constraint_residual) const {
    return constraint_residual < enough_ ||
           (constraint_residual < close_to_rounding && constraint_residual > slowest_fall * last_);
  }
  /// Another solve follows, whose residual is compared with this one.
  void go_on_from(double constraint_residual) { last_ = constraint_residual; }
  double last() const { return last_; }
  /// The next residual is not to be compared, because other equations are solved.
  void forget() { last_ = std::numeric_limits<double>::infinity(); }

 private:
  double enough_;
  double last_ = std::numeric_limits<double>::infinity();
};

}  // namespace percuss
