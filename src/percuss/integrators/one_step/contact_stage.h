#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/integrators/integrator.h"
#include "percuss/integrators/one_step/delassus.h"
#include "percuss/integrators/one_step/solver_choice.h"
#include "percuss/math/pivoted_cholesky.h"
#include "percuss/nonsmooth/solver.h"

namespace percuss {

/// From this residual of the contact velocities on an iteration keeps reactions that still obey the laws:
/// solved anew, they would scatter within the tolerance of the solver and turn the frames for ever.
inline constexpr double settled_frames = 1e-3;

/// The contact impulses of a step, between the two halves of its linear solve.  docs/theory/moreau.md (M-7)
///
/// The step solves A dv = b + H r with the contact law between u + e u_n and r, u = H^T (v + dv), for the
/// active contacts; e is that of the normal or of the tangents. With z = L^-1 P b and y_i = L^-1 P H_i for
/// each row i:
///   W_ij = y_i^T D^-1 y_j,   u_free,i = H_i^T v + y_i^T D^-1 z,   and r enters as z += sum r_i y_i.
/// At position level gaps stand for u, displacements for v and dv, and there is no restitution.
class ContactStage {
 public:
  ContactStage(const Assembly& assembly, const SparseLdlt& factor, const SolverChoice& solver,
               ContactLevel level = ContactLevel::velocity);

  /// Solves for dx, the velocities dv first. `at` holds H, `v` the velocities before; the reactions start
  /// from those of `last`. The rows of the solution are those of the contacts in the order of active.index.
  SolveStatus solve(const ContactList& contacts, const ContactKinematics& at, const SparseLdlt& factor,
                    const ActiveContacts& active, double h, const State& last, const VectorX& v,
                    const VectorX& b, VectorX& dx, Workspace& work, StepReport& report);
  /// The next iteration of a step after solve(): where the reactions of the last one still obey the laws they
  /// stay.
  SolveStatus solve_keeping(const ContactList& contacts, const ContactKinematics& at,
                            const SparseLdlt& factor, const ActiveContacts& active, double h,
                            const VectorX& v, const VectorX& b, VectorX& dx, Workspace& work,
                            StepReport& report);
  /// The next iteration of a step after solve(), with directions and forces that have changed a little: the
  /// W of the last problem stays, and what a change of the reactions does is computed with it (M-7c). Where
  /// the reactions already obey the laws nothing is solved.
  SolveStatus solve_again(const ContactList& contacts, const ContactKinematics& at, const SparseLdlt& factor,
                          const ActiveContacts& active, const VectorX& v, const VectorX& b, VectorX& dx,
                          Workspace& work, StepReport& report);
  /// Whether the two functions below may be called.
  bool has_responses() const { return delassus_.has_responses(); }
  /// solve() where A^-1 b is known.
  SolveStatus solve_from(const ContactList& contacts, const ContactKinematics& at, const SparseLdlt& factor,
                         const ActiveContacts& active, double h, const State& last, const VectorX& v,
                         const VectorX& known, VectorX& dx, Workspace& work, StepReport& report);
  /// solve_again() with the right side A known + b, where b acts on the coordinates of contacts alone.
  SolveStatus solve_again_from(const ContactList& contacts, const ContactKinematics& at,
                               const ActiveContacts& active, const VectorX& v, const VectorX& known,
                               const VectorX& b, VectorX& dx, Workspace& work, StepReport& report);
  /// The same with velocities along other directions than the forces: u = H_t^T (v + dv) with the H_t and the
  /// motions of `test`, while A dv = b + H r has the H of `at`. W = H_t^T A^-1 H is then not symmetric; see
  /// docs/theory/half_explicit.md (T-12). `guess` has the reactions of all rows of the set.
  SolveStatus solve_across(const ContactList& contacts, const ContactKinematics& at,
                           const ContactKinematics& test, const SparseLdlt& factor,
                           const ActiveContacts& active, double h, const std::vector<double>& guess,
                           const VectorX& v, const VectorX& b, VectorX& dx, Workspace& work,
                           StepReport& report);
  /// Memory for solve_across.
  void reserve_tests();
  /// The same with all rows of the active contacts as equations, u + e u_n = 0 or gap = 0, whatever the sign
  /// of r: a step of a Newton method on the active set.
  SolveStatus solve_equations(const ContactList& contacts, const ContactKinematics& at,
                              const SparseLdlt& factor, const ActiveContacts& active, double h,
                              const State& last, const VectorX& v, const VectorX& b, VectorX& dx,
                              Workspace& work, StepReport& report);
  /// For schemes whose operator is no single inverse: the contact problem alone, with its W in full and the
  /// free velocities or gaps without restitution, both in the rows of the active contacts.
  SolveStatus solve_dense(const ContactList& contacts, const ActiveContacts& active, double h,
                          const State& last, const MatrixX& W, const VectorX& u_free, Workspace& work,
                          StepReport& report);
  /// Adds a part of the velocity before the step in every row, normal and tangential: laws at u_{n+theta}
  /// (FF-13).
  void set_added_shift(double part) { added_shift_ = part; }
  /// Called with each problem of solve() before it is solved, to change its W.
  void set_modification(std::function<void(BlockMatrix& W)> modify) { modify_ = std::move(modify); }
  int row_count(const ContactList& contacts, const ActiveContacts& active) const;
  const Solution& solution() const { return solution_; }
  const LocalProblem& problem() const { return problem_; }
  /// Relative velocity of a row without the reactions [m/s].
  double free_velocity(size_t row) const { return u_free_[row]; }
  /// What the reaction of a row alone does to its velocity [m/s]: where bodies press hard it is what cancels.
  double reaction_effect(size_t row) const {
    return problem_.W.diagonal(static_cast<int>(row)) * std::abs(solution_.r[row]);
  }

  /// What the smooth forces did to the velocities in the last problem, and velocities that are rounding (M-9)
  /// [m/s].
  struct Speeds {
    double smooth = 0, rounding = 0;
  };
  /// `q`: the coordinates at the end of the step.
  Speeds speeds(const ActiveContacts& active, const VectorX& q) const;
  /// What the k-th active contact did in the last problem.
  ContactStatus status(const ContactList& contacts, const ActiveContacts& active, size_t k,
                       const Speeds& speeds) const;
  /// Writes reaction and status of every contact; the open ones get zero.
  void store(const ContactList& contacts, const ActiveContacts& active, State& state) const;

 private:
  /// `before` are the contact's velocities at the start of the step.
  ContactStatus smooth_status(const Contact& contact, int first_row, const double* before) const;
  bool is_impact(const Contact& contact, int first_row, const double* before, const Speeds& speeds) const;
  int rows(const Contact& contact) const { return percuss::row_count(contact, level_); }
  /// W and the velocities without reactions, after Delassus::begin.
  void prepare(const ContactList& contacts, const ContactKinematics& at, const ContactKinematics& test,
               const SparseLdlt& factor, const ActiveContacts& active, double h,
               const std::vector<double>& guess, const VectorX& v, Workspace& work, StepReport& report);
  /// The end of solve() after prepare().
  SolveStatus finish(const SparseLdlt& factor, const ActiveContacts& active, VectorX& dx, Workspace& work,
                     StepReport& report);
  /// The end of solve_again(), where dx already has what the last reactions do.
  SolveStatus settle(const ContactList& contacts, const ContactKinematics& at, const ActiveContacts& active,
                     const VectorX& v, VectorX& dx, Workspace& work, StepReport& report);
  SolveStatus solve_rows_as_equations();
  SolveStatus solve_indefinite_equations();
  /// `again`: with the W of the problem before.
  SolveStatus solve_by_law(const ActiveContacts& active, Workspace& work, StepReport& report,
                           bool again = false);
  /// What solution_.residual means, for the report. (N-6d)
  void report_residual(StepReport& report) const;
  double unit_length() const { return level_ == ContactLevel::position ? 1.0 : h_; }
  void begin_contact(const Contact& contact, double h, double sliding_speed);
  /// Free velocities of the last problem so that its reactions, with its W, give the velocities v.
  void shift_problem(const ContactList& contacts, const ContactKinematics& at, const ActiveContacts& active,
                     const VectorX& v);
  void add_free_velocity(const Contact& contact, int row, double u, double u_before, double guess);
  void begin_problem(double h, double whole_step, size_t contacts);
  void assemble(const ContactList& contacts, const ContactKinematics& test, const ActiveContacts& active,
                double h, const std::vector<double>& guess, const VectorX& v, const Workspace& work);

  /// What is added to the velocity of a row for that before the step.
  double shift(const Contact& contact, int row, double u_before) const {
    return contact.law.shift(row, u_before) + added_shift_ * u_before;
  }

  ContactLevel level_;
  double tolerance_, acceptable_;
  double gravity_, finest_;  ///< [m/s²], [m]; what a step cannot tell from no displacement
  double added_shift_ = 0;
  double h_ = 0;  ///< step of the last problem [s]
  std::function<void(BlockMatrix& W)> modify_;
  std::unique_ptr<Solver> solver_;
  PivotedCholesky equations_;
  LocalProblem problem_;
  Solution solution_;
  std::vector<double> guess_;
  std::vector<double> u_free_;  ///< without the restitution shift
  VectorX z_;                   ///< L^-1 P (b + H r)
  std::vector<double>
      kept_;                 ///< reactions of the iteration before, by contacts of the list; of solve_keeping
  std::vector<int> solved_;  ///< contacts of the last problem that was solved
  std::vector<double> last_r_;  ///< reactions of the iteration before; this and the next of solve_again
  VectorX forces_, velocity_;

  Delassus delassus_;
  std::vector<int> first_row_;  ///< of an active contact; one more at the end
  std::vector<double> change_;  ///< of the velocities or gaps by the solve without reactions
};

}  // namespace percuss
