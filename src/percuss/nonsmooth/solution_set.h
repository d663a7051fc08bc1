#pragma once

#include "percuss/nonsmooth/least_norm.h"
#include "percuss/nonsmooth/reaction_faces.h"

namespace percuss {

/// All reactions with the velocities of a converged solution (N-27).
class SolutionSet {
 public:
  SolutionSet(const LocalProblem& problem, const Solution& solution, double tolerance);

  /// Which right side the equations have: velocities that count as zero are zero, or all are as found (N-28).
  enum class Velocities { cleaned, as_found };
  /// The point of the set that is nearest to a given one; as exact as the velocities are.
  Eigen::VectorXd nearest_to(const Eigen::VectorXd& r, Velocities velocities);

  const ReactionFaces& faces() const { return faces_; }
  double size() const { return size_; }  ///< the largest reaction of the solution [N s]; 1 if there is none

 private:
  Eigen::SparseMatrix<double> equations(const LocalProblem& problem);

  ReactionFaces faces_;
  double size_;
  Eigen::VectorXd scale_;  ///< of the equations
  Eigen::SparseMatrix<double> C_;
  Eigen::VectorXd cleaned_, as_found_;  ///< right sides c
  LeastNorm least_norm_;
};

}  // namespace percuss
