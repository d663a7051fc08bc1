#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "percuss/nonsmooth/deadline.h"
#include "percuss/nonsmooth/solver.h"

namespace percuss {

struct LemkeOptions {
  double tolerance = 1e-10;     ///< on the relative residual; above it the status is `stalled`
  int max_pivots_per_row = 50;  ///< pivots allowed per row of a connected component
  Deadline deadline = {};       ///< looked at between pivots

  void validate() const;  ///< throws std::invalid_argument naming the field
};

/// Lemke's complementary pivoting with the lexicographic ratio test, on a dense tableau per connected
/// component of W; then the reactions of the active rows are solved again from the data, so the result is
/// exact to rounding.  docs/theory/nonsmooth.md (N-9) to (N-16)
///
/// Finite for every positive semidefinite W, also a rank-deficient one, and decides feasibility. Equalities
/// are eliminated first (N-16a). A W that is clearly unsymmetric is taken as the matrix of a general
/// complementarity problem: the path may then end on a ray although there is a solution, and the status is
/// `stalled`. Made for components up to a few hundred rows: a component of m rows takes m² memory and about
/// m³ operations. The guess is not used, so equal problems give equal bits. A solve within capacity allocates
/// nothing; the tableau is reserved for components up to `max_reserved_component` rows and grows once beyond
/// that.
class LemkeSolver final : public Solver {
 public:
  static constexpr int max_reserved_component = 1024;

  LemkeSolver() = default;
  explicit LemkeSolver(const LemkeOptions& options);

  void solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) override;
  void reserve(int rows) override;
  void set_tolerance(double tolerance) { options_.tolerance = tolerance; }

 private:
  SolveStatus solve_components(const LocalProblem& problem, Solution& out);
  SolveStatus solve_component(const LocalProblem& problem, Solution& out);
  SolveStatus attempt_pivoting(const LocalProblem& problem, Solution& out);
  double cancelled_velocity2(const BlockMatrix& W) const;
  void collect_component(const BlockMatrix& W, int seed);

  bool choose_scaling(const LocalProblem& problem);
  void fill_tableau(const LocalProblem& problem);
  void fill_scaled(const LocalProblem& problem);
  bool is_tableau_unsymmetric() const;
  bool eliminate_equalities(int& pivots);
  SolveStatus pivot_to_solution(int& pivots);
  int first_leaving_row() const;
  int leaving_row(int entering);
  double lexicographic_entry(int row, int k) const;
  template <class Entry>
  void keep_smallest_ratio(int entering, const Entry& entry);
  void exchange(int row, int column);

  void read_reactions(std::vector<double>& r);
  double polish(const LocalProblem& problem, std::vector<double>& r);
  bool factorise_active(const BlockMatrix& W);
  bool factorise_cholesky(int count);
  bool factorise_lu(int count);
  void solve_factorised(std::vector<double>& x);
  void solve_cholesky(std::vector<double>& x) const;
  void solve_lu(std::vector<double>& x);
  double component_residual2(const LocalProblem& problem, const std::vector<double>& r) const;
  double admissible(int a, double r) const { return is_equality_[a] ? r : std::max(0.0, r); }
  bool in_component(int row) const { return position_[row] >= begin_ && position_[row] < begin_ + m_; }

  double& entry_at(int row, int column) { return tableau_[static_cast<std::size_t>(row) * stride_ + column]; }
  double entry_at(int row, int column) const {
    return tableau_[static_cast<std::size_t>(row) * stride_ + column];
  }

  LemkeOptions options_;
  int capacity_ = 0;

  // The rows of all components found so far, one component after the other; the current one is the last.
  std::vector<int> members_;
  std::vector<int> position_;  // of a row in members_, -1 before it is reached
  int begin_ = 0;              // the current component is members_[begin_ .. begin_ + m_)
  int m_ = 0;
  std::vector<char> is_equality_;  // of a row of the component
  bool is_unsymmetric_ = false;    // the component is no Delassus operator

  // The dictionary (N-10) of the current component: m_ rows, columns = m_ + 1 nonbasic variables and the
  // constant. Variables are numbered u_i: i, r_i: m_ + i, the covering variable z: 2 m_.
  std::vector<double> tableau_;
  int stride_ = 0;
  std::vector<double> scale_;  // s_i of (N-9)
  double pivot_tolerance_ = 0.0;
  double unit_ = 1.0;            // of the scaled free velocities
  std::vector<int> basic_;       // variable of a row
  std::vector<int> nonbasic_;    // variable of a column
  std::vector<int> where_;       // of a variable: its column, or -1 - row
  std::vector<int> candidates_;  // rows still tied in the ratio test

  std::vector<int> active_;  // positions in the component whose reaction is basic at the end
  std::vector<int> lu_order_;
  std::vector<double> x_, dx_, polished_, best_, permuted_;
};

}  // namespace percuss
