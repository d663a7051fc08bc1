#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "percuss/contacts/contact_view.h"
#include "percuss/contacts/detection.h"
#include "percuss/simulation/adaptive_stepper.h"
#include "percuss/simulation/contact_record.h"
#include "percuss/simulation/energy_ledger.h"
#include "percuss/simulation/probe.h"
#include "percuss/simulation/run_config.h"
#include "percuss/simulation/run_extremes.h"

namespace percuss {

/// What the steps since the last frame, or of the whole run, had in common.
struct StepStatistics {
  std::int64_t steps = 0;
  std::int64_t iterations = 0;
  std::int64_t factorisations = 0;
  std::int64_t impacts = 0;  ///< contacts that were hit, counted in each step
  int max_iterations = 0;
  std::array<std::int64_t, 3> by_level = {};  ///< iterations for the smooth motion, positions, velocities
  std::array<int, 3> max_by_level = {};
  std::int64_t fallbacks = 0;
  std::int64_t accumulations = 0;  ///< contacts closed at the end of ever faster impacts
  double last_accumulation = 0;    ///< when the last one was [s]
  std::int64_t parts = 0;          ///< steps, and short steps of schemes that divide them
  std::int64_t impulsive = 0;      ///< those with an impact
  int max_active_contacts = 0;
  double max_residual = 0;      ///< of the contact problems, relative
  double max_penetration = 0;   ///< [m]
  std::int64_t rejected = 0;    ///< tries of adaptive steps that were too inaccurate
  std::int64_t inaccurate = 0;  ///< adaptive steps of the smallest size, however inaccurate
  std::int64_t computed = 0;    ///< steps with all that were only tried
  double max_error = 0;         ///< largest estimate of the error of an adaptive step, relative
  double smallest_step = 0;     ///< of those that took time [s]; 0 if there is none
  double largest_step = 0;      ///< [s]

  void add(const StepReport& report, const State& after, int new_impacts, double penetration);
};

/// Everything a run is made of at one moment; a run continued from it goes on bit for bit.
struct Checkpoint {
  State state;
  std::int64_t intervals = 0;  ///< of the time grid that are finished
  double step_start = 0;       ///< time at which the last step began [s]
  StepControl control;         ///< of adaptive steps
  EnergyLedger energy;
  StepStatistics total, interval;
  RunExtremes extremes;
  std::vector<ContactSums> contacts;  ///< by number
  std::vector<DepartedContact> departed;
};

/// One impact: a contact that was hit in the last step.
struct Impact {
  double time = 0;                   ///< end of the step
  int contact = 0;                   ///< its number
  double u_before = 0, u_after = 0;  ///< [m/s]
  double impulse = 0;                ///< [N s]
  double work = 0;                   ///< [J], negative = energy lost
};

/// A model in motion: what the command line uses and what a C++ program gets. Some of what its const
/// functions tell is computed when they are called: one thread at a time.
class Simulation {
 public:
  /// Throws ModelError if something is wrong with the description.
  Simulation(const Model& model, const RunConfig& config);
  /// The same for a model that has been built already, for this start time.
  Simulation(Assembly assembly, const RunConfig& config);
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  /// Calls `observer` with every contact problem of the steps to come, its answer and the state before the
  /// step.
  void observe_problems(std::function<void(const LocalProblem&, const Solution&, const State&)> observer) {
    hooks_.observer = std::move(observer);
  }
  /// Asked now and then in steps that may take long; a step is then given up, which leaves the state as it
  /// was before it, and its report is `stopped`.
  void stop_when(std::function<bool()> should_stop) { hooks_.should_stop = std::move(should_stop); }
  /// One step; with adaptive steps it is two, the halves of an interval. If its status is not `converged` the
  /// state is as before, and why_it_failed() explains.
  StepReport step();
  bool finished() const { return current_.intervals >= grid_.step_count(); }
  /// Steps until `time` is reached (or the end, or a failure).
  StepReport advance_to(double time);
  std::string why_it_failed(const StepReport& report) const;

  double time() const { return current_.state.time; }
  const State& state() const { return current_.state; }
  const EnergyLedger& energy() const;
  const Assembly& assembly() const { return *assembly_; }
  const RunConfig& config() const { return config_; }
  const TimeGrid& grid() const { return grid_; }
  const std::vector<Impact>& impacts() const { return impacts_; }  ///< of the last step
  const StepStatistics& statistics() const { return current_.total; }
  const StepStatistics& interval_statistics() const { return current_.interval; }
  const RunExtremes& extremes() const { return current_.extremes; }
  double last_step_size() const { return current_.state.last_step; }
  double last_step_start() const { return current_.step_start; }

  /// The contacts that the last step looked at, or the first one will. Their number and their places may be
  /// others after each step unless all contacts are declared one by one; a ContactId stays.
  const ContactList& contact_list() const { return detection_->list(); }
  int contact_count() const { return contact_list().count(); }
  /// Names of a contact, as in `contact(first, second)`.
  const ContactName& contact_name(const ContactId& id) const { return assembly_->interactions.name(id); }
  /// Place in the list, -1 if it is not listed: then it is open, farther than steps look.
  int find_contact(const ContactId& id) const { return contact_list().find(id); }

  Vector3 position(const std::string& body) const;  ///< throws std::out_of_range for an unknown body
  Vector3 velocity(const std::string& body) const;
  /// Those of RunConfig::record, in its order.
  const std::vector<Probe>& probes() const { return probes_; }
  /// Value of a probe such as `ball.position.z`; throws ProbeError. A loop should parse it once:
  /// Probe::parse.
  double probe(const std::string& text) const;
  double gap(int place) const { return contacts().gap[static_cast<std::size_t>(place)]; }
  double contact_velocity(int place) const { return contact_velocity(place, current_.state.v); }
  /// Normal velocity of a contact here, if the velocities were v.
  double contact_velocity(int place, const VectorX& v) const {
    return relative_velocity(contact_list(), contacts(), place, 0, v);
  }
  /// The same for a contact that need not be listed: it is then open, without force, at an infinite gap.
  double gap(const ContactId& id) const;
  double contact_velocity(const ContactId& id) const;
  Vector3 contact_force(const ContactId& id) const;
  ContactStatus contact_status(const ContactId& id) const;
  /// Where everything is now.
  const Kinematics& kinematics() const { return now_->kinematics; }
  /// Largest |g| of the joints at position level [m or rad], and |g_dot| at velocity level.
  double joint_violation() const;
  double joint_velocity_violation() const;
  /// Largest |g| of the joints: lengths as a part of the model's size, angles in radians.
  double relative_joint_violation() const;
  Vector3 contact_force(int place) const;  ///< (N, T1, T2) [N], 0 in a step with an impact
  /// Of a contact of the list, or of one that was listed before.
  const ContactSums& contact_sums(int place) const { return sums_of(numbers_.at(place)); }
  const ContactSums& contact_sums(const ContactId& id) const { return sums_of(numbers_.of(id)); }
  ContactReport contact_report(int place) const;
  ContactView view_contact(int place) const;
  /// Everything that a record of this moment should have, with numbers: what is closed, or touched since the
  /// last frame.
  std::vector<std::pair<int, ContactReport>> contact_reports() const;
  /// Sums of all contacts that ever had a number, by it.
  const std::vector<ContactSums>& contact_record() const { return current_.contacts; }

  /// What the user should know about the start: overlaps by name and depth, coordinates that were changed to
  /// close the joints, and how parts of the model were understood.
  std::vector<std::string> start_warnings() const;

  Checkpoint checkpoint() const;
  void restore(const Checkpoint& checkpoint);  ///< throws std::invalid_argument if it is of another model
  void begin_interval();                       ///< forgets the sums of the recording interval
  /// Replaces the scratch memory; changes no result.
  void renew_workspace();

  /// Wall time of the measured sample of steps, scaled to all of them [s].
  struct WallTimes {
    PhaseTimes step;
    double ledger = 0;
  };
  /// Of this process, from the steps that were measured; zero if none was.
  WallTimes wall_times() const;

 private:
  void warn_of_short_steps(std::vector<std::string>& warnings) const;
  /// From here to the next time of the grid.
  double distance_to_grid() const;
  StepReport adaptive_step();
  /// Books the step from before_ to the current state, or goes back and says that energies are not finite.
  void book(StepReport& report, bool reaches_grid);
  /// Adds a booked step to the sums of contacts, the impacts and the statistics.
  void add_sums(const StepReport& report);
  /// Whether no energy overflows.
  bool has_finite_energy() const;
  /// Whether the motion has no more energy than can have entered it. Looks at energies and joints now and
  /// then.
  bool watch_run();
  /// After other contacts were chosen for the next step.
  void follow_contacts();
  /// Contacts that are closed here get a number.
  void number_closed();
  void note_departures(const ContactList& before);
  const ContactSums& sums_of(int number) const;
  /// All contacts of the list in the current state, for those who ask.
  const ContactKinematics& contacts() const;

  std::unique_ptr<const Assembly> assembly_;  ///< other members look at it
  RunConfig config_;
  std::vector<Probe> probes_;
  TimeGrid grid_;
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<Workspace> workspace_;
  StepHooks hooks_;
  std::unique_ptr<Detection> detection_;
  Realignment realignment_;
  ContactNumbers numbers_;
  std::unique_ptr<AdaptiveStepper> stepper_;  ///< of adaptive steps
  Checkpoint current_;                        ///< its energies are weighed when somebody asks
  std::vector<Impact> impacts_;
  double thinnest_ = 0;  ///< body that another one can pass through [m]
  double still_energy_ =
      0;  ///< of motions that are nothing but rounding, times the square of the step [J s^2]
  double contact_horizon_;                ///< how far the steps look for contacts [m]
  State before_;                          ///< at the start of the step
  std::unique_ptr<Configuration> start_;  ///< there
  std::unique_ptr<Configuration> now_;  ///< in the current state; of the contacts what steps and booking need
  mutable VectorX joint_values_;        ///< scratch
  mutable BookingWork booking_;
  mutable EnergyLedger weighed_;       ///< current_.energy with the energies of the state
  mutable bool has_energies_ = false;  ///< whether that is the current state
  WallTimes measured_;                 ///< of measured_steps_ among steps_taken_
  std::int64_t measured_steps_ = 0, steps_taken_ = 0;
};

}  // namespace percuss
