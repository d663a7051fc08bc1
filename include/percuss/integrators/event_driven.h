#pragma once

#include <string_view>

#include "percuss/integrators/one_step/solver_choice.h"
#include "percuss/integrators/scheme_facts.h"

namespace percuss {

class Integrator;

/// How the smooth motion is integrated.
enum class EventMethod { runge_kutta, bdf };
template <>
struct EnumNames<EventMethod> {
  static constexpr std::array<std::pair<EventMethod, std::string_view>, 2> values = {
      {{EventMethod::runge_kutta, "runge-kutta"}, {EventMethod::bdf, "bdf"}}};
};

struct EventDrivenOptions {
  static constexpr std::string_view scheme = "event-driven";
  static constexpr std::string_view about =
      "exact events: smooth motion between impacts, lift-offs and changes of sticking and sliding, located "
      "one "
      "by one";
  EventMethod method = EventMethod::runge_kutta;
  int max_order = 2;
  double relative_tolerance = 1e-8;
  double absolute_tolerance = 1e-10;
  double event_tolerance = 1e-10;
  double accumulation_time = 1e-7;

  SchemeFacts facts() const;
  /// An option that the method does not have.
  void complain(std::vector<Complaint>& complaints) const;

  static void fields(auto& self, auto& visit) {
    visit("method", self.method,
          Field{.help =
                    "of the smooth motion: `runge-kutta` is explicit and of order 6; `bdf` is implicit, for "
                    "stiff models, and begins anew with order 1 in each step of the run and at each frame: "
                    "choose time.step and record.every as long as you can"});
    visit(
        "max_order", self.max_order,
        Field{.help = "of `bdf`: with 2 no vibration grows, however fast; 3 to 5 need fewer steps where fast "
                      "vibrations are damped, and many more where they are not",
              .range = {.low = 1, .high = 5}});
    visit("relative_tolerance", self.relative_tolerance,
          Field{.help = "of the smooth motion: local error relative to velocities, and to the changes of "
                        "positions within a step",
                .range = {.low = 0, .high = 0.1, .low_open = true}});
    visit("absolute_tolerance", self.absolute_tolerance,
          Field{.unit = "m, rad, m/s, rad/s",
                .help = "of the smooth motion, added to the relative one",
                .range = allow::positive});
    visit("event_tolerance", self.event_tolerance,
          Field{.help = "gaps below this part of the model's size, and normal velocities below this part of "
                        "the fastest, count as none when it is decided which contacts are closed",
                .range = {.low = 0, .high = 1e-3, .low_open = true}});
    visit("accumulation_time", self.accumulation_time,
          Field{.unit = "s",
                .help = "a contact whose impacts follow each other ever faster is closed when all that are "
                        "to come would fall within this time",
                .range = allow::positive});
  }
};

std::unique_ptr<Integrator> make_event_driven(const EventDrivenOptions& options, const SolverChoice& solver);

}  // namespace percuss
