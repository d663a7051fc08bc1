#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "matrix/features.h"
#include "percuss/io/scene.h"

namespace percuss::matrix {

/// A scene or scheme is refused before its first step.
class Refusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
/// A run ended with a message.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The probes of a scene at equally distant times, without the start.
struct Samples {
  std::vector<double> time;
  std::vector<std::vector<double>> values;  ///< by probe, then by time
};

using Overrides = std::vector<std::string>;

std::string scene_file(const Feature& feature);
/// Reads the scene of a feature; throws Refusal.
Scene feature_scene(const Feature& feature, const Overrides& overrides);
/// Runs it in so many equal steps, or with adaptive steps in so many frames; throws Refusal or Failure.
Samples run_scene(Scene scene, int steps);
/// The closed forms of a feature at the same times.
Samples exact_samples(const Feature& feature, const Scene& scene, int steps);

}  // namespace percuss::matrix
