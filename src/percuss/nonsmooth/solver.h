#pragma once

#include <memory>
#include <span>
#include <vector>

#include "percuss/nonsmooth/deadline.h"
#include "percuss/nonsmooth/problem.h"

namespace percuss {

struct GlobalProblem;
struct OperatorProblem;
class MatrixFreeProblem;
class Workers;

/// What every method is told. Each has further options of its own.
struct SolverOptions {
  double tolerance = 1e-10;  ///< on the relative residual
  /// What is taken where no method reaches the tolerance: `auto` then spares most of its last resort (N-25).
  double acceptable = 0.0;
  int max_iterations = 0;  ///< 0: the method's own limit
  Deadline deadline = {};  ///< looked at between iterations; status `time_limit` if it ends them
  /// Threads that share the work of methods that can; no result depends on their number. None: one thread.
  std::shared_ptr<Workers> workers = {};

  void validate() const;  ///< throws std::invalid_argument naming the field
};

/// What every solver of the one-step problem promises. The problem has passed validate() in the sense that it
/// would; solvers do not check it again, but data that are not finite are answered by a status before the
/// first iteration. The outcome is a status, never an exception. `out.residual` is that of
/// residual_of().
class Solver {
 public:
  virtual ~Solver() = default;

  /// Solves from `guess` (empty, or one reaction per row; a direct method may ignore it). `out` is passed in
  /// so that nothing is allocated once its capacity is there.
  virtual void solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) = 0;

  /// The same for a problem with the W and the cones of the last solve, and velocities that differ a little:
  /// a method may go on with what it has computed from W.
  virtual void solve_again(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) {
    solve(problem, guess, out);
  }

  /// The same for the global form; `out` is what the condensed problem would give. A method that needs W
  /// condenses. The problem has passed validate(). Status `singular`, with r = 0, if M is not positive
  /// definite.
  virtual void solve_global(const GlobalProblem& problem, const std::vector<double>& guess, Solution& out);

  /// Makes the scratch memory large enough for problems of this many rows.
  virtual void reserve(int rows) = 0;
};

bool all_finite(std::span<const double> x);

bool all_finite(const GlobalProblem& problem);

/// The end of a solve that could not begin: every reaction is `value`, every velocity unknown.
void end_without_result(int rows, SolveStatus status, double value, Solution& out);

/// The local form. False, with everything in `out` set, if data are not finite or M is not positive definite.
bool begin_condensed(const GlobalProblem& problem, LocalProblem& local, Solution& out);

/// The end of a solve whose method cannot treat the cones: r = 0.
void end_unsupported(const LocalProblem& problem, Solution& out);

/// Common begin of a solve: r from the guess, projected onto K, or zero. False, with everything in `out` set,
/// if the data are not finite or there is nothing to solve.
bool begin_solve(const LocalProblem& problem, const std::vector<double>& guess, const char* method,
                 Solution& out);
/// The same without forming W; empty, with everything in `out` set, if there is nothing to solve or M is not
/// positive definite.
std::unique_ptr<MatrixFreeProblem> begin_matrix_free(const GlobalProblem& problem,
                                                     const std::vector<double>& guess, const char* method,
                                                     Solution& out);
/// u and the residual of out.r.
void set_residual(const OperatorProblem& problem, Solution& out);
void set_residual(const LocalProblem& problem, Solution& out);
/// Common end: u and the residual of out.r. The status is converged if the residual is within the
/// tolerance, `otherwise` if not, and not_finite if nothing else can be said.
void end_solve(const LocalProblem& problem, double tolerance, SolveStatus otherwise, Solution& out);
void end_solve(const OperatorProblem& problem, double tolerance, SolveStatus otherwise, Solution& out);

}  // namespace percuss
