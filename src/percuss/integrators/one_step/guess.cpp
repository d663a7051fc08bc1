#include "percuss/integrators/one_step/guess.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/LU>

namespace percuss {
namespace {

/// A contact within this part of its cone's edge slides.
constexpr double edge_tolerance = 1e-6;

using GuessMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, max_guess_rows, max_guess_rows>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, max_guess_rows, 1>;

/// An unknown x of the linear system: reactions x * direction on the rows of a contact that begin at `first`,
/// and the equation u = 0 of one row.
struct Unknown {
  int equation, first, rows;
  std::array<double, 3> direction;
};

/// The unknowns of a problem, by what its contacts do according to the guess.
class Modes {
 public:
  /// False if there are too many, none, or if a contact has a law without such modes.
  bool read(const LocalProblem& problem, const std::vector<double>& guess) {
    int first = 0;
    for (const Cone& cone : problem.cones) {
      if (!cone.is_coulomb() && cone.kind != ConeKind::nonnegative) return false;
      if (guess[first] > 0 && !add(cone, first, &guess[first])) return false;
      first += cone.rows();
    }
    return count_ > 0;
  }
  int count() const { return count_; }
  const Unknown& operator[](int i) const { return unknowns_[i]; }

 private:
  bool add(const Cone& cone, int first, const double* r) {
    const int rows = cone.rows();
    const double r_T = rows == 1 ? 0.0 : rows == 2 ? std::abs(r[1]) : std::hypot(r[1], r[2]);
    const bool slides = rows > 1 && r_T >= (1 - edge_tolerance) * cone.bound * r[0];
    const int more = slides ? 1 : rows;
    if (count_ + more > max_guess_rows) return false;
    for (int i = 0; i < more; ++i) {
      Unknown& x = unknowns_[count_++] = {first + i, first, rows, {}};
      x.direction[i] = 1;
    }
    if (slides && r_T > 0)
      for (int i = 1; i < rows; ++i) unknowns_[count_ - 1].direction[i] = cone.bound * r[i] / r_T;
    return true;
  }

  std::array<Unknown, max_guess_rows> unknowns_;
  int count_ = 0;
};

}  // namespace

void sharpen_guess(const LocalProblem& problem, std::vector<double>& guess) {
  Modes modes;
  if (!problem.has_friction() || !modes.read(problem, guess)) return;
  const int n = modes.count();
  GuessMatrix A(n, n);
  SmallVector b(n);
  for (int i = 0; i < n; ++i) {
    const int row = modes[i].equation;
    b[i] = -problem.u_free[row];
    for (int j = 0; j < n; ++j) {
      const Unknown& x = modes[j];
      double sum = 0;
      for (int k = 0; k < x.rows; ++k) sum += problem.W.entry(row, x.first + k) * x.direction[k];
      A(i, j) = sum;
    }
  }
  const Eigen::FullPivLU<GuessMatrix> lu(A);
  if (!lu.isInvertible()) return;
  const SmallVector x = lu.solve(b);
  for (int j = 0; j < n; ++j)
    if (modes[j].direction[0] > 0 && !(x[j] > 0)) return;
  std::fill(guess.begin(), guess.end(), 0.0);
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < modes[j].rows; ++k) guess[modes[j].first + k] += x[j] * modes[j].direction[k];
}

}  // namespace percuss
