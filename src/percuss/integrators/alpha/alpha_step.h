#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "percuss/dynamics/saddle_point.h"
#include "percuss/integrators/generalized_alpha.h"
#include "percuss/integrators/one_step/contact_stage.h"
#include "percuss/integrators/one_step/refinement.h"
#include "percuss/nonsmooth/anderson.h"

namespace percuss {

/// The contacts that a Newton iteration takes as closed [Cosimo 2020, eqs 38, 43], and its memory of earlier
/// guesses: a guess that comes back leads in circles.
class ActiveSetMemory {
 public:
  void reserve(int guesses) { seen_.reserve(guesses); }
  void clear() { seen_.clear(); }
  /// True if these contacts were tried before, with others in between.
  bool returns_to(const std::vector<int>& contacts);

 private:
  std::vector<std::uint64_t> seen_;  ///< hash values
};

/// A saddle-point matrix M + c C + k K with the factors for which it was factorised.
struct IterationMatrix {
  explicit IterationMatrix(const System& system) : saddle(system) {}
  SaddlePoint saddle;
  double c = -1, k = -1;
};

/// Whether M + c C + k K of a system is always the same as long as c and k are.
bool has_constant_iteration_matrix(const System& system, double c, double k);

struct AlphaScratch final : Workspace {
  AlphaScratch(const Assembly& assembly, const SolverChoice& solver, const GeneralizedAlphaOptions& options);

  IterationMatrix smooth, velocity;
  /// A matrix that changes in every iteration takes the memory of the smooth one, which is not needed any
  /// more; one that stays has its own.
  std::optional<IterationMatrix> own_position;
  IterationMatrix& position;
  ContactStage gaps, impacts;          ///< contacts at position and at velocity level
  Kinematics at_smooth;                ///< at (q~, v~); end() is at (q, v)
  ActiveContacts closed, hit;          ///< in the last solve at position and at velocity level
  std::vector<int> pressed, touching;  ///< set A
  std::vector<char> has_touched;       ///< contacts that were in A in an earlier sweep of the step
  ActiveSetMemory position_guesses, velocity_guesses;
  std::vector<double> nu, impulse;  ///< of each contact: position level, and normal at velocity level
  std::vector<double> u_before;     ///< of all rows of contacts at the start of the step [m/s]

  VectorX acceleration, pseudo_acceleration;  ///< of the smooth motion, dot-v~, and a
  VectorX start_pseudo;                       ///< a_n for this step
  VectorX increment, q_smooth, v_smooth;      ///< q~ = q_n * increment
  VectorX U, velocity_jump, q, v;             ///< q = q~ * U, v = v~ + jump
  VectorX smooth_force, smooth_reaction;      ///< f(q~, v~) and G(q~)^T lambda~
  VectorX smooth_impulse;                     ///< h f, scratch
  VectorX smooth_multipliers, nu_joints, impulses, multipliers;
  VectorX turned, turned_residual;  ///< q where the joints are looked at, and their residual there
  VectorX tangential_impulse;       ///< h/2 T^T Lambda_T: what friction does to the positions
  VectorX force, momentum, residual, scale, b, dx, z, prescribed, constraint_residual, new_tangential_impulse;

  Anderson acceleration_of_sweeps;  ///< of the coupled scheme
  VectorX sweep_start, sweep_end, sweep_next;
  std::vector<int> last_closed, last_hit;  ///< contacts of the sweep before

  bool has_friction = false;        ///< of contacts or joints
  double characteristic_mass = 1;   ///< m-bar of [Cosimo 2020, after eq. 50] [kg]
  double activation_tolerance = 0;  ///< [m]
  double force_rounding = 0;        ///< of stiff springs [N]
};

/// One step of the scheme: its three sub-problems.  docs/theory/generalized_alpha.md
class AlphaStep {
 public:
  AlphaStep(const Assembly& assembly, const GeneralizedAlphaOptions& options, double h, const State& state,
            AlphaScratch& work, StepReport& report);
  SolveStatus decoupled();
  SolveStatus coupled();

 private:
  enum class Progress { solved, iterating, failed };
  using Iteration = Progress (AlphaStep::*)();

  Progress smooth_iteration();    // smooth_motion.cpp
  Progress position_iteration();  // position_correction.cpp
  Progress velocity_iteration();  // velocity_jump.cpp

  SolveStatus solve(Iteration iteration);
  Progress fail(SolveStatus status);
  bool is_coupled() const { return options_.splitting == Splitting::coupled; }
  bool corrects_forces() const { return options_.splitting == Splitting::decoupled; }
  /// |residual| against the sum of the norms of its terms (G-12).
  bool is_small(const VectorX& residual, double terms, double time_factor) const;

  void begin_smooth();
  void move_smooth();
  void turn_joints(const VectorX& q, double c, double k, Kinematics& at);
  bool factorise(IterationMatrix& matrix, const VectorX& q, const VectorX& v, double c, double k,
                 Kinematics& kinematics);

  void place_end();
  void choose_touching();
  double position_residual();
  void correcting_force(const VectorX& v, VectorX& f);
  void choose_closed();
  double impact_law(int c) const;
  void add_hit(int c);
  void choose_hit();
  double impact_residual() const;
  void subtract_change_of_momentum(VectorX& f);
  void add_tangential_impulse(const ContactKinematics& at, int c, const double* reaction,
                              VectorX& tangential_impulse) const;
  bool friction_has_settled();
  void begin_sweep();
  void keep_contacts();
  void collect_sweep(VectorX& x) const;
  void spread_sweep(const VectorX& x);
  void accelerate_sweeps();

  const Assembly& assembly_;
  const System& system_;
  const GeneralizedAlphaOptions& options_;
  const AlphaCoefficients alpha_;
  const double h_, t_;
  const int n_, m_;
  const bool restarts_;  ///< the last step was too short to tell how the acceleration changes (G-14)
  const bool linear_;    ///< one solve of a sub-problem is exact as long as the active contacts stay
  const State& state_;
  AlphaScratch& w_;
  StepReport& report_;

  SolveStatus status_ = SolveStatus::converged;
  bool position_by_law_ = false,
       velocity_by_law_ = false;  ///< after cycling: complementarity, solved exactly
  bool position_is_solved_once_ = false, velocity_is_solved_once_ = false;
  bool has_impulses_ = false;  ///< of a velocity solve in this step
  bool has_smooth_force_ = false;
  Refinement joint_refinement_, position_refinement_, velocity_refinement_;
};

}  // namespace percuss
