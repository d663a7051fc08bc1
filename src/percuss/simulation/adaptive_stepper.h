#pragma once

#include <memory>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/integrators/integrator.h"
#include "percuss/simulation/energy_accounting.h"
#include "percuss/simulation/energy_ledger.h"
#include "percuss/simulation/run_config.h"
#include "percuss/simulation/step_controller.h"

namespace percuss {

/// Finds steps that are accurate enough: takes one at once and in two halves, compares, and tries again with
/// another size if they differ too much. The halves are kept.  docs/theory/adaptive.md
class AdaptiveStepper {
 public:
  AdaptiveStepper(const Assembly& assembly, const Integrator& integrator, const RunConfig& config);

  /// Where a step begins.
  struct Start {
    const State& state;
    const ContactList& contacts;
    Configuration& configuration;  ///< with all contacts; its scratch is used
    const EnergyLedger& energy;
    const StepHooks& hooks;  ///< the contact problems of the halves are told, also of those that are rejected
  };
  /// A step of at most `distance`, tried until it is accurate enough or cannot be shorter; then middle() and
  /// end() hold the states of its halves, and `control` is ready for the next. If the status is not
  /// `converged` even the smallest step failed, and `control` is as before.
  SolveStatus find_step(const Start& start, double distance, StepControl& control);

  /// No step that find_step() tries is longer [s].
  double longest(double distance, const StepControl& control) const;
  double size() const { return h_; }  ///< of the whole step, or of the one that failed [s]
  const State& middle() const { return middle_; }
  const State& end() const { return end_; }
  /// At the middle and at the end; what is not computed yet, see Configuration::complete.
  Configuration& at_middle() { return at_middle_; }
  Configuration& at_end() { return at_end_; }
  /// Of a half; the second one also tells what the whole step has cost, or why it failed.
  const StepReport& first_report() const { return first_report_; }
  const StepReport& second_report() const { return second_report_; }

  void renew_workspaces();
  /// Whether the next step is measured; each half then reports half of the time of all that was computed.
  void measure_time(bool measure) { whole_work_->measure_time = half_work_->measure_time = measure; }

 private:
  /// What a trial says about a step.
  struct Assessment {
    bool is_impulsive = false;  ///< something was hit, or the two solutions do not agree on closed contacts
    double jump = 0;            ///< largest change of a normal velocity where something was hit [m/s]
    double error = 0;           ///< (A-1), (A-3), relative
    bool is_accepted = false;
    double next = 0;  ///< size to try next, or for the step after this one [s]
  };

  void begin(const Start& start, StepControl& control);
  double first_size(const Start& start, double distance, const StepControl& control) const;
  SolveStatus take_halves(const Start& start);
  StepReport take(const StepContext& context, State& state, Workspace& work);
  Assessment assess(const Start& start, const StepControl& control);
  /// Adds what `state` shows of impacts to the assessment.
  void look_for_impacts(const Start& start, const State& state, Assessment& assessment);
  double position_error();
  double velocity_error(const Start& start, const StepControl& control);
  /// |v|_M, the root of twice the kinetic energy of velocities; `at` must be at q.
  double energy_norm(const VectorX& q, const VectorX& v, Kinematics& at);
  bool keeps_budgets(const Start& start, const Assessment& assessment);
  void remember(const Start& start, const Assessment& assessment, bool was_too_long,
                StepControl& control) const;

  const Assembly& assembly_;
  const Integrator& integrator_;
  StepController controller_;
  double first_step_, duration_;
  std::optional<double> penetration_;
  std::unique_ptr<Workspace> whole_work_, half_work_;  ///< each keeps its factors as long as h stays
  State whole_, middle_, end_;
  StepReport first_report_, second_report_;
  double h_ = 0;
  PhaseTimes seconds_;                           ///< of all tries
  int computed_ = 0;                             ///< steps of the scheme
  double last_velocity_error_ = 0;               ///< of the try before
  bool velocities_are_stuck_ = false;            ///< they differ by vibrations too fast for the step
  Configuration at_whole_, at_middle_, at_end_;  ///< at these states
  BookingWork booking_;
  VectorX difference_, momentum_;
};

}  // namespace percuss
