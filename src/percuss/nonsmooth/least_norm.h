#pragma once

#include <vector>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include "percuss/nonsmooth/reaction_faces.h"

namespace percuss {

/// min ½ |z - p|² subject to C z = c and z in the product of faces (N-28), by semismooth Newton iterations on
/// its dual: z(y) = P(x), x = p + C^T y, and y maximises the concave g(y) = c·y - z·x + ½ |z|², whose
/// gradient is c - C z (N-29).
class LeastNorm {
 public:
  LeastNorm(Eigen::SparseMatrix<double> C, std::vector<ReactionFace> faces);

  /// The z with the smallest |c - C z| met on the way; it lies in the faces.
  Eigen::VectorXd solve(const Eigen::VectorXd& c, const Eigen::VectorXd& p);

 private:
  struct Point {
    Eigen::VectorXd y, z, gradient;
    double value = 0;  ///< g
    double residual() const { return gradient.size() > 0 ? gradient.lpNorm<Eigen::Infinity>() : 0.0; }
  };
  void evaluate(Point& point, bool with_derivative);
  bool improve(Point& point);

  Eigen::SparseMatrix<double> C_, Ct_, J_;
  Eigen::VectorXd c_, p_;
  std::vector<ReactionFace> faces_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor_;
};

}  // namespace percuss
