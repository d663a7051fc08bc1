#pragma once

namespace percuss {

/// Exact solution of one frictional contact (N-22): given a symmetric positive semidefinite block W, find r
/// and u = W r + q with Coulomb's law. Everything that depends on W alone is prepared once, because sweeps
/// meet the same block with many q.
///
/// With the normal eliminated and the tangents turned to the eigenvectors of the rest,
///   t_i (s) = b_i / (a_i + s),   r_N(s) = c - w t(s),
/// s = 0 sticks, and sliding is the s > 0 with |t(s)| = mu r_N(s): one equation with one unknown, whose
/// bracket is known, so the method cannot fail.
class OneContact {
 public:
  /// `block`: by rows, N T1 T2, or N T1 of a planar contact; its symmetric part counts.
  void prepare(const double* block, int rows);

  /// The same for the velocity u that there is with a reaction r, which is replaced.
  void update(const double* u, double mu, double* r) const;

  /// Writes r. If no reaction can help, which takes a singular W, r becomes zero and the answer is false.
  bool solve(const double* q, double mu, double* r) const;

 private:
  double slide(double mu, double c, double b1, double b2) const;

  int rows_ = 3;
  double W_[9] = {};  ///< symmetric, with zeros in T2 of a planar contact
  double w_nn_ = 0.0;
  double w_tn_[2] = {0.0, 0.0};      ///< W_TN / W_NN, in the axes of the contact
  double a_[2] = {0.0, 0.0};         ///< eigenvalues of W_TT - W_TN W_NT / W_NN, >= 0
  double axis_[2] = {1.0, 0.0};      ///< first eigenvector
  double coupling_[2] = {0.0, 0.0};  ///< w_tn_ in the axes of the eigenvectors
  double smallest_pivot_ = 0.0;      ///< eigenvalues below are zero
};

}  // namespace percuss
