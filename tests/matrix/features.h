#pragma once

#include <string>
#include <utility>
#include <vector>

namespace percuss::matrix {

/// Which order of a scheme counts: in smooth motion, with joints, or with contacts and dry friction; or the
/// tolerance of adaptive steps.
enum class Kind { smooth, joints, contacts, adaptive };

/// The smallest run of the matrix that a feature is part of: the whole one, the test, or the test under the
/// sanitizers, where it takes ten times as long.
enum class Form { whole, test, sanitized };

/// A feature of percuss with a small scene that shows it: scenes/NAME.yaml, which also says the step and the
/// probes that are compared.
struct Feature {
  std::string name;
  Kind kind;
  /// Rate of the motion [rad/s]: the larger of 1/duration and what `rate_is` says. The bound of the errors
  /// comes from it (cell.h).
  double rate;
  std::string rate_is;
  Form form = Form::whole;
  /// Closed forms by probe, in t; the reference is an event-driven run where there are none.
  std::vector<std::pair<std::string, std::string>> exact = {};
};

const std::vector<Feature>& all_features();

}  // namespace percuss::matrix
