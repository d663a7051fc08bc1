#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "percuss/simulation/simulation.h"

namespace percuss {

/// The text of a probe names nothing that exists.
class ProbeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A scalar that a user asks for by name, such as `ball.position.z` or `contact(ball, floor).impulse`.
class Probe {
 public:
  static Probe parse(const std::string& text, const Assembly& assembly);  ///< throws ProbeError
  double value(const Simulation& simulation) const;
  std::string_view unit() const { return unit_; }

 private:
  enum class Kind {
    time,
    position,
    velocity,
    displacement,
    speed,
    energy_total,
    energy_column,
    contact_gap,
    contact_velocity,
    contact_force,
    contact_impulse,
    contact_status,
    min_gap,
    closed_contacts,
    total_impulse,
    spring_length,
    spring_elongation,
    spring_force
  };
  Kind kind_ = Kind::time;
  int index_ = 0;
  int axis_ = 0;
  std::string_view unit_;
};

/// One line for each form of probe, for help texts: form, unit, meaning.
struct ProbeForm {
  std::string_view form, unit, meaning;
};
extern const std::vector<ProbeForm> probe_forms;

}  // namespace percuss
