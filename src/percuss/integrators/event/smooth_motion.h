#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "percuss/integrators/event/contact_forces.h"
#include "percuss/integrators/event/newton_matrix.h"
#include "percuss/integrators/event/smooth_method.h"
#include "percuss/integrators/event_driven.h"
#include "percuss/integrators/step_report.h"

namespace percuss {

/// How far events may be missed: below these sizes a function that should end a mode may have started.
struct EventMargins {
  double gap = 0;    ///< [m]
  double speed = 0;  ///< [m/s]
  double force = 0;  ///< [N]
};

/// Each contact has two functions that fall through zero when its mode ends, and both again with a margin
/// added, for those that begin at zero and fall at once; and one that falls when a closed contact leaves its
/// face or edge.  (EV-8), (EV-19)
inline constexpr int functions_per_contact = 5;
void evaluate_events(const Mechanics& mechanics, const ContactForces& forces,
                     const std::vector<ContactMemory>& modes, const EventMargins& margins, double* values);
/// Changes the modes of the contacts whose functions fell. `mechanics` is where that happened.
void take_events(const Mechanics& mechanics, const ContactForces& forces, const int* found,
                 const EventMargins& margins, std::vector<ContactMemory>& modes);
/// Sliding in space below this speed [m/s] cannot be told from rest: there the direction of friction is lost.
double slowest_sliding(const EventDrivenOptions& options, double fastest);

/// The motion in fixed modes up to a time or the first event.  (EV-6), (EV-7)
///
/// Unknown are the change x of q since the start (dynamics/chart.h), v, and sums: impulses and work.
class SmoothMotion final : SmoothEquations {
 public:
  SmoothMotion(const Assembly& assembly, const EventDrivenOptions& options);

  SmoothEnd advance(const State& from, double h, Mechanics& mechanics, ContactForces& forces,
                    EventMemory& memory, const std::function<bool()>& should_stop);
  double length() const { return length_; }
  const VectorX& q() const { return q_; }
  const VectorX& v() const { return v_; }
  /// What contacts did, and the modes as projections need them: those of the motion, and what ended them.
  const std::vector<ContactStatus>& status() const { return status_; }
  const std::vector<ContactMemory>& modes() const { return during_; }
  const double* contact_impulse() const { return y_.data() + states(); }
  const double* joint_impulse() const { return y_.data() + states() + contact_rows_; }
  StepWork work() const;
  int evaluations() const { return evaluations_; }

 private:
  bool rate(double t, const double* y, bool with_sums, double* f) override;
  bool events(double t, const double* y, double* values) override;
  void weights(const double* y, double scale, double* weight) override;
  bool goes_on(double t, const double* y) override;
  bool factorise(double t, const double* y, double gamma) override;
  void solve(const double* r, double* x) override;
  double difference(const double* x) const override;

  /// Makes room for the contacts of another list.
  void take(const ContactList& contacts);
  void read(const double* y);
  bool find_forces(double t, const double* y);
  bool has_just_opened(int c) const;
  double first_step(double hint, double h) const;
  bool end_unseen_flights(EventMemory& memory) const;
  SmoothMethod& choose_method(bool creeps);
  bool is_creeping(double t, const double* y);
  bool is_lifting();
  /// Summed up are impulses of contacts and joints, the work of each contact, and three other kinds of work.
  SmoothSize size() const {
    return {states(), contact_rows_ + contacts_ + m_ + 3, functions_per_contact * contacts_};
  }
  int states() const { return chart_ + n_; }
  int first_work() const { return states() + contact_rows_ + m_; }
  void find_powers(double t, double* powers);

  const Assembly& assembly_;
  const System& system_;
  EventDrivenOptions options_;
  int n_, chart_, m_, contacts_ = 0, contact_rows_ = 0;
  std::unique_ptr<SmoothMethod> one_step_, multistep_;  ///< the second for `bdf`, or when something creeps
  std::optional<NewtonMatrix> matrix_;                  ///< of it
  VectorX y_, q_, v_, x_, x_rate_;
  std::vector<char> rotations_;  ///< which entries of x are
  std::vector<ContactMemory> during_;
  std::vector<ContactStatus> status_;
  double length_ = 0;
  int evaluations_ = 0;

  // Of the present call of advance.
  const State* from_ = nullptr;
  const std::function<bool()>* should_stop_ = nullptr;
  bool is_stopped_ = false;
  Mechanics* mechanics_ = nullptr;
  ContactForces* forces_ = nullptr;
  EventMargins margins_;
  VectorX load_, joint_rates_;
  std::vector<int> lifting_;  ///< contacts that keep a multistep method waiting
  int one_steps_left_ = 0;
  bool is_multistep_ = false, is_creeping_ = false;
  int steps_ = 0;         ///< internal ones so far
  double last_time_ = 0;  ///< of the one before [s]
  double speed_ = 0;      ///< against which differences of velocities are measured [m/s]
};

}  // namespace percuss
