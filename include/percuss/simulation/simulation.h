#pragma once

#include <compare>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "percuss/dynamics/pose.h"
#include "percuss/simulation/checkpoint.h"
#include "percuss/simulation/probe.h"
#include "percuss/simulation/run_config.h"

namespace percuss {

struct Assembly;
struct ContactKinematics;
struct ContactList;
struct Kinematics;
struct LocalProblem;
struct Solution;

/// A body of a simulation, for loops over steps: its name is looked up once.
struct BodyId {
  std::int32_t index = -1;

  auto operator<=>(const BodyId&) const = default;
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

  /// One step; with adaptive steps it is two, the halves of an interval. If its status is not `converged` the
  /// state is as before, and why_it_failed() explains.
  StepReport step();
  bool finished() const;
  /// Steps until `time` is reached (or the end, or a failure).
  StepReport advance_to(double time);
  std::string why_it_failed(const StepReport& report) const;
  /// Asked now and then in steps that may take long; a step is then given up, which leaves the state as it
  /// was before it, and its report is `stopped`.
  void stop_when(std::function<bool()> should_stop);
  /// Calls `observer` with every contact problem of the steps to come, its answer and the state before the
  /// step.
  void observe_problems(std::function<void(const LocalProblem&, const Solution&, const State&)> observer);

  double time() const { return state().time; }
  const State& state() const;
  const EnergyLedger& energy() const;
  const RunConfig& config() const;
  const TimeGrid& grid() const;
  const std::vector<Impact>& impacts() const;         ///< of the last step
  const std::vector<AcceptedStep>& accepted() const;  ///< the last step, if it misses its tolerance
  const StepStatistics& statistics() const;
  const StepStatistics& interval_statistics() const;
  const RunExtremes& extremes() const;
  double last_step_size() const { return state().last_step; }
  double last_step_start() const;
  /// What the user should know about the start: overlaps by name and depth, coordinates that were changed to
  /// close the joints, and how parts of the model were understood.
  std::vector<std::string> start_warnings() const;

  /// Throws std::out_of_range for an unknown body.
  BodyId body(const std::string& name) const;
  PoseAndVelocity pose(BodyId body) const;
  Vector3 position(BodyId body) const;          ///< of its centre of mass [m]
  Matrix3 rotation(BodyId body) const;          ///< from body axes to space; three directors if it is natural
  Vector3 velocity(BodyId body) const;          ///< [m/s]
  Vector3 angular_velocity(BodyId body) const;  ///< in space [rad/s]; of a rigid body
  Vector3 position(const std::string& name) const { return position(body(name)); }
  Vector3 velocity(const std::string& name) const { return velocity(body(name)); }

  /// Those of RunConfig::record, in its order.
  const std::vector<Probe>& probes() const;
  /// For loops: Probe::value. Throws ProbeError.
  Probe make_probe(const std::string& text) const;
  /// Value of a probe such as `ball.position.z`; throws ProbeError.
  double probe(const std::string& text) const { return make_probe(text).value(*this); }
  /// Largest value since the last frame of a probe of RunConfig::record that tells a peak, by
  /// Probe::peak_text; throws ProbeError.
  double peak(std::string_view text) const;

  /// The contacts of the last step between what has these names, as in `contact(first, second)`. Others may
  /// be listed after each step unless all contacts are declared one by one; an id keeps its meaning.
  std::vector<ContactId> find_contacts(const std::string& first, const std::string& second) const;
  /// Names of a contact.
  ContactName contact_name(const ContactId& id) const;
  /// A contact need not be listed: it is then open, without force, at an infinite gap.
  double gap(const ContactId& id) const;               ///< [m]
  double contact_velocity(const ContactId& id) const;  ///< along the normal [m/s]
  Vector3 contact_force(const ContactId& id) const;    ///< (N, T1, T2) [N], 0 in a step with an impact
  /// About N (spinning), T1 and T2 (rolling), on the first body [N m]; 0 in a step with an impact.
  Vector3 contact_moment(const ContactId& id) const;
  ContactStatus contact_status(const ContactId& id) const;
  const ContactSums& contact_sums(const ContactId& id) const;

  /// The same by place in the list of the last step, or of the first one that will be.
  int contact_count() const;
  /// Place in the list, -1 if it is not listed: then it is open, farther than steps look.
  int find_contact(const ContactId& id) const;
  double gap(int place) const;
  double contact_velocity(int place) const { return contact_velocity(place, state().v); }
  /// Normal velocity of a contact here, if the velocities were v.
  double contact_velocity(int place, const VectorX& v) const;
  Vector3 contact_force(int place) const;
  Vector3 contact_moment(int place) const;
  Vector3 contact_impulse(int place) const;  ///< (N, T1, T2) of the last step [N s]
  /// A vector (N, T1, T2) of a contact in space.
  Vector3 to_space(int place, const Vector3& in_contact_frame) const;
  const ContactSums& contact_sums(int place) const;
  ContactReport contact_report(int place) const;
  ContactView view_contact(int place) const;
  /// Everything that a record of this moment should have, with numbers: what is closed, or touched since the
  /// last frame.
  std::vector<std::pair<int, ContactReport>> contact_reports() const;
  /// Sums of all contacts that ever had a number, by it.
  const std::vector<ContactSums>& contact_record() const;

  /// Largest |g| of the joints at position level [m or rad], and |g_dot| at velocity level.
  double joint_violation() const;
  double joint_velocity_violation() const;
  /// Largest |g| of the joints: lengths as a part of the model's size, angles in radians.
  double relative_joint_violation() const;

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

  /// What a simulation is made of, for extensions that are built with percuss: their headers are not
  /// installed.
  const Assembly& assembly() const;
  const ContactList& contact_list() const;
  const Kinematics& kinematics() const;

 private:
  struct Parts;
  void warn_of_short_steps(std::vector<std::string>& warnings) const;
  /// From here to the next time of the grid.
  double distance_to_grid() const;
  double longest_step(double h);
  bool may_pass(const VectorX& v, double h) const;
  StepReport adaptive_step();
  StepReport find_step(double h);
  StepReport try_step(double h);
  void take_back_step();
  /// Books the step from `before` to the current state, or goes back and says that energies are not finite.
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

  std::unique_ptr<Parts> parts_;
};

}  // namespace percuss
