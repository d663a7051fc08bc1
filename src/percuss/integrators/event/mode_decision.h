#pragma once

#include <memory>
#include <vector>

#include "percuss/integrators/event/contact_forces.h"
#include "percuss/integrators/integrator.h"
#include "percuss/integrators/one_step/solver_choice.h"
#include "percuss/nonsmooth/solver.h"

namespace percuss {

/// What counts as touching and as at rest.
struct TouchTolerance {
  double gap = 0;    ///< [m]
  double speed = 0;  ///< [m/s]
  double slip = 0;   ///< of sliding in space [m/s]
};

/// Which of the touching contacts carry a force, stick or slide from now on: complementarity of forces and
/// accelerations with Coulomb's law, solved as a contact problem of the suite.  (EV-10)
class ModeDecision {
 public:
  explicit ModeDecision(const SolverChoice& solver) : solver_(make_solver(solver)) {}

  /// `mechanics` must be at the state. Contacts that touch and approach are left as `hit`.
  SolveStatus decide(Mechanics& mechanics, const TouchTolerance& tolerance, std::vector<ContactMemory>& modes,
                     Workspace& work, StepReport& report);

 private:
  struct Candidate {
    int contact = 0;
    int first_row = 0;
    bool slides = false;
  };
  void choose(const Mechanics& mechanics, const TouchTolerance& tolerance, std::vector<ContactMemory>& modes);
  void add_candidate(const Mechanics& mechanics, int c, const TouchTolerance& tolerance,
                     ContactMemory& memory);
  SolveStatus solve(Mechanics& mechanics, Workspace& work, StepReport& report);
  bool all_released_separate(Mechanics& mechanics) const;
  void read_modes(const Mechanics& mechanics, std::vector<ContactMemory>& modes);
  void read_friction(const Mechanics& mechanics, const Candidate& candidate, ContactMemory& memory) const;
  bool is_dependent(const std::vector<int>& rows, int row) const;
  double acceleration_of(const Mechanics& mechanics, ContactRow row) const;

  std::unique_ptr<Solver> solver_;
  ContactResponse response_;
  LocalProblem problem_;
  Solution solution_;
  std::vector<Candidate> candidates_;
  std::vector<int> released_;
  VectorX force_, acceleration_, joint_force_;
  double no_acceleration_ = 0;  ///< below this an acceleration is rounding [m/s^2]
};

}  // namespace percuss
