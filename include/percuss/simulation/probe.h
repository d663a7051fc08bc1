#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "percuss/math/fields.h"

namespace percuss {

struct Assembly;
class Simulation;

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

  using Evaluator = std::function<double(const Simulation&)>;
  Probe(std::string_view unit, Evaluator evaluate) : unit_(unit), evaluate_(std::move(evaluate)) {}
  /// The largest of the values after the steps since the last frame, at least 0. A simulation keeps it for
  /// the probes of RunConfig::record, whose text finds it again.
  static Probe peak(std::string text, std::string_view unit, Evaluator of_step);

  bool is_peak() const { return !peak_text_.empty(); }
  const std::string& peak_text() const { return peak_text_; }
  /// What a peak is the largest of, after the last step.
  double of_step(const Simulation& simulation) const { return evaluate_(simulation); }

 private:
  std::string_view unit_;
  Evaluator evaluate_;
  std::string peak_text_;
};

/// Probes by the names that head their columns. Throws ModelError with all that is wrong with them.
std::vector<Probe> parse_probes(const NamedMap<std::string>& probes, const Assembly& assembly);

/// One line for each form of probe, for help texts: form, unit, meaning.
struct ProbeForm {
  std::string_view form, unit, meaning;
};
extern const std::vector<ProbeForm> probe_forms;

}  // namespace percuss
