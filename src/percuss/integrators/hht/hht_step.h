#pragma once

#include <limits>

#include "percuss/dynamics/saddle_point.h"
#include "percuss/integrators/hht.h"
#include "percuss/integrators/one_step/contact_stage.h"

namespace percuss {

/// What tells the members of the family apart.
struct HhtForm {
  HhtCoefficients coefficients;
  bool impulses_are_forces = false;  ///< eqs 22-23 instead of 26-27
  ContactLevel level = ContactLevel::velocity;
  Activation activation = Activation::start_gap;
  std::optional<double> activation_tolerance = {};
};

/// What all members have in common.
SchemeFacts hht_facts(const HhtCoefficients& coefficients);
std::unique_ptr<Integrator> make_hht(const HhtForm& form, const SolverChoice& solver);

struct HhtScratch final : Workspace {
  HhtScratch(const Assembly& assembly, const SolverChoice& solver, const HhtForm& form);

  SaddlePoint motion;     ///< [M + h c2 C + h^2 d2 K, G^T; G, -eps]
  SaddlePoint jump;       ///< [M, G^T; G, -eps]
  SparseMatrix coupling;  ///< M + cw C + dw K
  double factorised_step = std::numeric_limits<double>::quiet_NaN();
  ActiveContacts active;
  ContactStage contacts;
  VectorX a, w, v, v_p, x_p, increment, q, force, momentum, residual, scale;
  VectorX lambda, Lambda, multipliers, constraint_residual;
  VectorX targets;  ///< of drives that prescribe a speed
  VectorX b, dx, z, da;
  int most_rows = 0;
  MatrixX Y, Z;  ///< columns: the jump and the acceleration that a unit of a reaction causes
  std::vector<double> directions;  ///< H of these columns, and the factors they were made with
  std::vector<int> coordinates;
  long version = -1;
  MatrixX W;
  VectorX u_free;
  double activation_tolerance = 0;
  double rounding = 0;  ///< of the forces [N]
};

/// One step of the family, Newton's method in a and w.  docs/theory/hht.md
class HhtStep {
 public:
  HhtStep(const Assembly& assembly, const HhtForm& form, double h, const State& state, HhtScratch& scratch,
          StepReport& report)
      : assembly_(assembly),
        system_(assembly.system),
        form_(form),
        h_(h),
        n_(system_.dof_count()),
        m_(system_.constraint_count()),
        constant_matrices_(system_.has_constant_matrices() && m_ == 0),
        linear_(assembly.is_linear() && form.level == ContactLevel::velocity),
        state_(state),
        w_(scratch),
        report_(report) {}

  SolveStatus run();

 private:
  void predict();
  void place_end();
  void evaluate();
  void choose_contacts();
  double motion_error();
  double constraint_error();
  bool factorise();
  SolveStatus iterate();

  // hht_contacts.cpp
  static void solve(const SaddlePoint& saddle, const VectorX& b, VectorX& z, VectorX& x);
  void couple(const VectorX& y, VectorX& out);
  SolveStatus solve_contacts(int rows);
  void grow(int rows);
  void respond_to_reactions();
  bool columns_are_known();
  template <class Visit>
  void for_each_row(Visit visit) {
    for (const int c : w_.active.index) {
      const Contact& contact = w_.list()[c];
      const int rows = form_.level == ContactLevel::position ? 1 : contact.rows;
      for (int row = 0; row < rows; ++row)
        visit(contact, c, w_.end().contacts.jacobian.data() + contact.entry + row * contact.count);
    }
  }

  const Assembly& assembly_;
  const System& system_;
  const HhtForm& form_;
  const double h_;
  const int n_, m_;
  const bool constant_matrices_;
  const bool linear_;  ///< one iteration is exact: the contacts of the step are chosen before it
  const State& state_;
  HhtScratch& w_;
  StepReport& report_;
  double c2_ = 0, d2_ = 0, cw_ = 0, dw_ = 0;
};

}  // namespace percuss
