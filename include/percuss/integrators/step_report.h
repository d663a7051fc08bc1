#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "percuss/nonsmooth/solve_status.h"

namespace percuss {

/// Wall time of one step by phase [s].
struct PhaseTimes {
  double forces = 0;    ///< forces, matrices, triangular solves
  double contacts = 0;  ///< gaps, activation, Delassus operator
  double solver = 0;    ///< complementarity problem

  PhaseTimes& operator+=(const PhaseTimes& other) {
    forces += other.forces;
    contacts += other.contacts;
    solver += other.solver;
    return *this;
  }
};

/// Work in a step, where a scheme integrates it along the motion [J].
struct StepWork {
  double loads = 0;
  double drives = 0;   ///< of all prescribed motions, also of walls
  double dampers = 0;  ///< lost
  /// Of the tangential reactions of each contact, in scratch memory of the scheme. Normal ones do none.
  std::span<const double> contacts;
};

/// What a step did. Unless the status is `converged` the State is as it was before the step.
struct StepReport {
  SolveStatus status = SolveStatus::converged;
  int iterations = 0;  ///< linear solves, the sum of those by sub-problem where a scheme has several
  std::array<int, 3> by_level = {};  ///< of the schemes that split a step: smooth motion, position, velocity
  int factorisations = 0;            ///< of the iteration matrix
  int fallbacks = 0;                 ///< what was solved in a second way: cycling sets, dead centres
  int accumulations = 0;             ///< contacts closed because their impacts follow each other ever faster
  int active_contacts = 0;           ///< contacts in the one-step problem
  int parts = 1;                     ///< short steps of which it was made
  int impulsive_parts = 0;           ///< those with an impact, of a scheme that treats them in another way
  int rejected = 0;                  ///< tries before it that were too inaccurate
  int inaccurate = 0;                ///< 1 if it is so as well, but could not be shorter
  int shortened = 0;                 ///< 1 if the step ends at an impact that bodies would pass through
  int halved = 0;                    ///< 1 if longer ones failed
  int accepted = 0;                  ///< 1 if contacts miss the tolerance, but not SolverChoice::acceptable
  int worst_contact = -1;            ///< then: place in the list of the contact whose law is missed most
  int computed = 1;                  ///< steps that were computed for it, those to estimate its error too
  double error = 0;                  ///< estimate, against what is relative in AdaptiveOptions::tolerance
  double residual = 0;      ///< of the contact problems with which the step ends, relative; 0 without any
  double displacement = 0;  ///< of a contact by that residual in the step, root mean square [m]
  double force_error = 0;   ///< of a contact by that residual, as a part of the weight, root mean square
  PhaseTimes seconds;       ///< zero unless measured
  std::optional<StepWork> work;  ///< of a long smooth step; otherwise the ends say it
  bool stopped = false;          ///< no failure: the step was given up because Workspace::should_stop said so
  std::string_view reason = {};  ///< of a failure, where the scheme knows more than the status says

  /// The contact problems so far were those of an iteration, and the next one solves them anew.
  void forget_contact_problems() {
    accepted = 0;
    worst_contact = -1;
    residual = displacement = force_error = 0;
  }
};

}  // namespace percuss
