#pragma once

#include <memory>
#include <vector>

#include "percuss/contacts/contact_set.h"
#include "percuss/integrators/one_step/activation.h"
#include "percuss/integrators/one_step/solver_choice.h"
#include "percuss/integrators/phase_clock.h"
#include "percuss/math/sparse_ldlt.h"

namespace percuss {

/// The contact impulses of a step, between the two halves of its linear solve.  docs/theory/moreau.md (M-7)
///
/// The step solves A dv = b + H r with 0 <= u + e u_n  ⟂  r >= 0, u = H^T (v + dv), for the active contacts.
/// With z = L^-1 P b and y_c = L^-1 P H_c:
///   W_cd = y_c^T D^-1 y_d,   u_free,c = H_c^T v + y_c^T D^-1 z,   and r enters as z += sum r_c y_c.
class ContactStage {
 public:
  ContactStage(const Assembly& assembly, const SparseLdlt& factor, const SolverChoice& solver);

  /// `at` holds the normals H. On return z holds the reactions too. Solution rows are in the order of
  /// active.index.
  const Solution& solve(const ContactSet& contacts, const ContactKinematics& at, const SparseLdlt& factor,
                        const ActiveContacts& active, const VectorX& v, VectorX& z, PhaseClock& clock,
                        PhaseTimes& seconds);
  const Solution& solution() const { return solution_; }
  /// Normal velocity of an active contact without its reaction [m/s].
  double free_velocity(size_t row) const { return u_free_[row]; }

  /// Writes reaction and status of every contact; the open ones get zero.
  void store(const ContactSet& contacts, const ActiveContacts& active, State& state) const;

 private:
  void eliminate_columns(const ContactSet& contacts, const ContactKinematics& at, const SparseLdlt& factor,
                         const ActiveContacts& active);
  void find_neighbours(const ContactSet& contacts, const SparseLdlt& factor, const Contact& contact, int row);
  void assemble(const ContactSet& contacts, const ContactKinematics& at, const SparseLdlt& factor,
                const ActiveContacts& active, const VectorX& v, const VectorX& z);

  std::unique_ptr<Solver> solver_;
  LocalProblem problem_;
  Solution solution_;
  std::vector<double> guess_;
  std::vector<double> u_free_;  ///< without the restitution shift

  SparseVector columns_;           ///< all y_c one after the other
  std::vector<int> column_begin_;  ///< of row c in columns_
  SparseLdlt::ForwardWork work_;
  std::vector<double> dense_;  ///< one y_c scattered; zero between uses

  /// Contacts are coupled only if they act on the same tree of the elimination; lists of rows by tree.
  struct TreeEntry {
    int row;
    int next;  ///< entry of the same tree, or -1
  };
  std::vector<int> first_in_tree_;
  std::vector<TreeEntry> tree_entries_;
  std::vector<int> neighbours_;
};

}  // namespace percuss
