#pragma once

#include <vector>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/integrators/one_step/activation.h"
#include "percuss/integrators/one_step/compliance.h"
#include "percuss/math/sparse_ldlt.h"
#include "percuss/nonsmooth/problem.h"

namespace percuss {

/// What the rows of a contact problem are: relative velocities with the impact law, all directions of a
/// contact; or gaps, its normal only.
enum class ContactLevel { velocity, position };
inline int row_count(const Contact& contact, ContactLevel level) {
  return level == ContactLevel::position ? 1 : contact.rows;
}

/// The columns Y = L^-1 P H of the active contacts and W = Y_t^T D^-1 Y.  docs/theory/moreau.md (M-7)
///
/// Y_t has the directions along which velocities are measured; they are those of the forces but for some
/// schemes. As long as factors, contacts and directions stay, so do Y and W, and nothing is computed. Where
/// only directions change, W comes from the compliance of the contacts' coordinates, and Y is not needed.
class Delassus {
 public:
  Delassus(const Assembly& assembly, const SparseLdlt& factor, ContactLevel level);
  void reserve_tests();

  /// Y and W. `at` holds H, `test` the other directions; W keeps what it has if nothing has changed.
  void update(const ContactList& contacts, const ContactKinematics& at, const ContactKinematics& test,
              const SparseLdlt& factor, const ActiveContacts& active, BlockMatrix& W);
  /// The next update computes everything: somebody else wrote to W.
  void forget() { index_.assign(1, -1); }

  /// Whether the answers of all coordinates to forces on those of contacts are kept.
  bool has_responses() const { return compliance_.has_responses(); }
  /// A^-1 b for a set of contacts, or its first half z = L^-1 P b where columns Y are used.
  void begin(const SparseLdlt& factor, const VectorX& b, bool across, VectorX& z);
  /// The same where A^-1 b is known; only if has_responses().
  void begin_with(const VectorX& known);
  /// u = Y_t^T D^-1 z, after begin() and update().
  void multiply_transposed(const VectorX& z, std::vector<double>& u);
  /// x = A^-1 b after begin(); z is changed.
  void solve_without_contacts(const SparseLdlt& factor, VectorX& z, VectorX& x) const;
  /// x = A^-1 (b + H r) after begin() and update(); z is changed.
  void solve(const std::vector<double>& r, VectorX& z, VectorX& x);
  /// x = A^-1 b at once.
  void solve(const SparseLdlt& factor, const VectorX& b, VectorX& x) { compliance_.solve(factor, b, x); }
  /// x += A^-1 f, where f are forces on the coordinates of contacts alone.
  void add_response(const VectorX& f, VectorX& x);

 private:
  /// Columns one after the other.
  struct Columns {
    SparseVector entries;
    std::vector<double> weighted;  ///< D^-1 times the values
    std::vector<int> begin;
  };
  /// What H was made of, to see whether it has changed.
  struct KnownRows {
    std::vector<int> dof;
    std::vector<double> jacobian;
  };
  bool has_changed(const ContactList& contacts, const ContactKinematics& at, const ActiveContacts& active,
                   KnownRows& known);
  template <class Visit>
  void for_each_row(const ContactList& contacts, const ContactKinematics& at, const ActiveContacts& active,
                    Visit&& visit) const;
  void eliminate(const ContactList& contacts, const ContactKinematics& at, const SparseLdlt& factor,
                 const ActiveContacts& active, Columns& columns);
  void list_rows(const ContactList& contacts, const SparseLdlt& factor, const ActiveContacts& active);
  void find_neighbours(const ContactList& contacts, const SparseLdlt& factor, const Contact& contact,
                       int own);
  void list_places(const ContactList& contacts);
  void add_forces(const std::vector<double>& r, VectorX& f) const;
  Compliance::Directions directions(int k) const;
  void fill_by_compliance(BlockMatrix& W);
  void fill_row(const Columns& tests, int row, BlockMatrix& W);
  void fill_by_blocks(BlockMatrix& W);

  ContactLevel level_;
  const SparseLdlt* factor_ = nullptr;  ///< of the last update, with its version
  long version_ = -1;
  bool across_ = false, in_blocks_ = false, by_compliance_ = false;
  std::vector<int> index_;
  KnownRows forces_, velocities_;

  Compliance compliance_;
  /// Where contacts stand in forces_, for products with the compliance.
  struct Place {
    int dof, entry, count;
  };
  std::vector<Place> places_;              ///< of each active contact
  std::vector<int> known_blocks_;          ///< of each active contact: blocks that are filled
  std::vector<double> blocks_of_contact_;  ///< see Compliance::multiply()
  bool begun_by_compliance_ = false;
  VectorX full_;
  VectorX result_;  ///< A^-1 b after begin()

  Columns columns_, tests_;     ///< of H and of the other directions
  BlockColumns blocks_;         ///< both, the other directions last, where the factor is in blocks
  std::vector<int> first_row_;  ///< of each active contact, and one more at the end
  SparseLdlt::ForwardWork work_;
  std::vector<double> dense_;  ///< one column scattered; zero between uses

  /// Contacts are coupled only if they act on the same component; lists of active contacts by
  /// component.
  struct ComponentEntry {
    int contact;
    int next;  ///< entry of the same component, or -1
  };
  std::vector<int> first_in_component_;
  std::vector<ComponentEntry> component_entries_;
  std::vector<int> neighbours_;
};

}  // namespace percuss
