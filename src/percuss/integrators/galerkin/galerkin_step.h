#pragma once

#include <optional>

#include "percuss/dynamics/saddle_point.h"
#include "percuss/integrators/integrator.h"
#include "percuss/integrators/one_step/contact_stage.h"
#include "percuss/integrators/one_step/refinement.h"

namespace percuss {

/// What determines the contact forces of the stages.  docs/theory/half_explicit.md
enum class ForceLaw {
  end_velocity,          ///< the velocities to which the forces lead (T-5), (T-6)
  velocity,              ///< the velocity of the stage and a step of contact forces (T-9)
  velocity_with_forces,  ///< and a step of all forces
  acceleration           ///< the accelerations of the stage (T-8)
};

/// In what the schemes of the family differ.
struct GalerkinRules {
  ForceLaw law = ForceLaw::end_velocity;
  bool looks_ahead = false;            ///< an impact is also looked for at q_0 * h v_0
  bool is_free_before_impact = false;  ///< no contact force acts in a step with an impact, not even on q
  double impulsive_ratio = 1;          ///< length of a step with an impact, as a part of the step
  std::optional<double> activation_tolerance;
};
std::unique_ptr<Integrator> make_half_explicit(const GalerkinRules& rules, const SolverChoice& solver);

struct GalerkinScratch final : Workspace {
  GalerkinScratch(const Assembly& assembly, const SolverChoice& solver, const GalerkinRules& rules);

  SaddlePoint saddle;  ///< [M G^T; G -eps] at the stage
  ContactStage contacts;
  Kinematics shifted;              ///< close to the stage, at which end().kinematics is
  ContactKinematics test, nearby;  ///< where velocities are tested, and close to the stage
  ContactKinematics between;       ///< at q_0 of a short step that is not the first
  ActiveContacts active;
  std::vector<int> kept;       ///< of the active contacts, scratch
  std::vector<double> G_test;  ///< of joints, where velocities are tested
  std::vector<double> reaction, first_reaction,
      guess;  ///< of the step, of the first stage, of a stage before
  std::vector<ContactStatus> status;
  std::vector<BiasAcceleration> biases;  ///< of bodies, for the accelerations of joints

  VectorX q, v, q_end, v_end;  ///< at the start and at the end of a (short) step
  VectorX v_stage, v_free;     ///< at the end by the first stage, with and without contact forces
  VectorX from, impulse;       ///< of a stage: it solves M (v - from) = impulse + G^T Lambda + H r
  VectorX v_new, v_law, unseen, force, momentum, residual, scale, increment, q_nearby, b, dx, z;
  VectorX stage_multipliers, multipliers, first_multipliers, prescribed, constraint_residual;

  /// The start of a step is the end of the last: factors are kept for this q. They do not depend on anything
  /// else, so they are those that a new workspace would compute.
  VectorX known_q;
  bool is_constant = false;  ///< M is, and there are no joints
  bool keeps_factor = false;
  double activation_tolerance = 0;
};

/// One step of a scheme of the family.  docs/theory/half_explicit.md
class GalerkinStep {
 public:
  GalerkinStep(const StepContext& context, const GalerkinRules& rules, const State& state,
               GalerkinScratch& work, StepReport& report);
  /// Moves w.q and w.v by h; w.reaction, w.status and w.multipliers are those of the step.
  SolveStatus advance(double h);

 private:
  SolveStatus begin_step(double longest, double shortest);
  void begin_where_it_ended();
  bool look_at_start();
  void look_ahead();
  void prepare_first_stage();
  SolveStatus first_stage();
  SolveStatus free_first_stage();
  void place_end();
  bool is_hit(const ContactKinematics& at) const;
  SolveStatus look_at_end();
  SolveStatus second_stage();  // end_of_step.cpp
  SolveStatus explicit_second_stage();
  SolveStatus impact();

  void choose_closed(const ContactKinematics& at);  // contact_forces.cpp
  void leave_out_separating(const ContactKinematics& at, const VectorX& v);
  void test_accelerations(const ContactKinematics& at, const VectorX& q, const VectorX& v, double t);
  void test_joint_accelerations(const VectorX& v, double t);
  void test_velocities(double t);
  void keep_first_reactions();
  void take_first_reactions();
  void take_reactions(double factor);

  /// Where a stage tests velocities, and how far its joints may be from holding.
  struct Test {
    const ContactKinematics* contacts;
    const std::vector<double>* G;
    double tolerance;
  };
  Test first_test() const;
  SolveStatus solve_stage(const VectorX& q, const ContactKinematics& at, const Test& test,
                          double dt);  // stage_solve.cpp
  bool factorise(const VectorX& q, const VectorX& v, double t);

  bool tests_at_end() const { return rules_.law == ForceLaw::end_velocity; }
  bool is_open(const ContactKinematics& at, int c) const {
    return contacts_[c].gap_length * at.gap[c] > w_.activation_tolerance;
  }

  const Assembly& assembly_;
  const System& system_;
  const ContactList& contacts_;
  const GalerkinRules& rules_;
  const int n_, m_;
  const bool placed_;  ///< poses are needed
  double t_, dt_ = 0;  ///< start and length of a (short) step
  bool is_impulsive_ = false;
  const ContactKinematics* start_;  ///< contacts at q_0
  Configuration& end_;              ///< its bodies at the stage, its contacts at q_1
  GalerkinScratch& w_;
  StepReport& report_;
};

}  // namespace percuss
