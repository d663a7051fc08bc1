#pragma once

#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "percuss/dynamics/saddle_point.h"
#include "percuss/integrators/floating/frame_step.h"
#include "percuss/integrators/floating/free_motion.h"
#include "percuss/integrators/floating/surface_contacts.h"
#include "percuss/integrators/one_step/contact_stage.h"
#include "percuss/integrators/study/double_rotation.h"

/// The balance of momenta in a step of the scheme floating-trapezoidal.  docs/theory/floating_frame.md
namespace percuss {

struct TrapezoidalScratch final : Workspace {
  TrapezoidalScratch(const Assembly& assembly, const SolverChoice& solver);
  /// How the balance is evaluated and solved: as a whole, or by what is left of it where it is linear.
  void choose_balance(const System& system, bool rotational_forces_are_reduced);

  SaddlePoint saddle;  ///< M + h/2 C + h^2/4 K
  double factorised_step = std::numeric_limits<double>::quiet_NaN();
  ActiveContacts active;
  std::vector<int> touching;  ///< bodies of active contacts, but for those with surfaces
  ContactStage contacts;
  Kinematics kinematics;
  ContactKinematics moved;  ///< active contacts where the iteration has brought them
  SurfaceContacts surfaces;
  std::vector<FrameStep> frames;
  std::vector<bool> full_forces;  ///< of each frame: FrameForces::full
  std::optional<DoubleRotation> double_rotation;
  std::vector<Vector3> start_rotation, local_rotation;  ///< see FrameStep
  VectorX q, v;                                         ///< at the end of the step
  VectorX halfway;  ///< q between the start of the step and the guess of its end
  VectorX carried;  ///< M v_n + h/2 f_n; zero for floating bodies
  VectorX increment, force, momentum, b, dx;
  VectorX known;                           ///< A^-1 of the part of b for which nothing is to be solved
  std::optional<FreeMotion> free_motion;   ///< of systems that it fits
  double speed2 = 0;                       ///< v^T M v or something smaller [J]; see is_balanced()
  bool is_linear_between_frames = false;   ///< then only `turning` has to be evaluated again
  std::vector<FrameStep::Terms> turning;   ///< of each frame in the last balance
  bool mass_is_near_diagonal = false;      ///< see is_balanced()
  std::vector<double> reactions;           ///< of the iteration before
  std::array<double, 2> last_change = {};  ///< of velocities and reactions, relative
  double activation_tolerance = 0;
  double force_rounding = 0;  ///< [N]
  double place_rounding = 0;  ///< [m]; zero where displacements stand in q
};

/// After the matrix was factorised for steps of size h. False if it is not positive definite.
bool prepare_balance(const System& system, double h, TrapezoidalScratch& w);

/// The balance at the guess of the velocities at the end of the step, in its first iteration or in a later
/// one: b, or the part of it for which nothing is to be solved in `known`, and reactions in b.
void evaluate_balance(const Assembly& assembly, double h, const State& state, bool is_first,
                      TrapezoidalScratch& w);

/// The change of velocities and the reactions for the balance as it is; `again` if it has changed but a
/// little.
SolveStatus solve_balance(double h, const State& state, bool again, TrapezoidalScratch& w,
                          StepReport& report);

/// Whether the next change of the velocities is certainly within the tolerance, without solving for it:
/// A = M + h/2 C + h^2/4 K >= M >= c diag(M), so that |A^-1 b|_M^2 <= b^T diag(M)^-1 b / c (FF-14).
bool is_balanced(const System& system, double tolerance, const TrapezoidalScratch& w);

}  // namespace percuss
