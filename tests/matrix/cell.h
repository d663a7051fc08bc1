#pragma once

#include <map>
#include <string>

#include "matrix/columns.h"
#include "matrix/samples.h"

namespace percuss::matrix {

enum class Verdict { agrees, refuses, fails, differs, reference };
std::string_view verdict_name(Verdict verdict);

/// What came out for a feature with a scheme. A run that ends without a message either agrees with the
/// reference within `bound`, and twice as well with half the step, or is silently wrong: it `differs`.
struct Cell {
  Verdict verdict = Verdict::reference;
  double error = 0, finer_error = 0;  ///< with the step of the scene and half of it
  double bound = 0;                   ///< of `error`
  double order = 0;                   ///< between the two
  std::string message;                ///< of a refusal or failure, or what is wrong with the errors
};

/// The reference of one feature, computed when it is asked for and kept.
class Reference {
 public:
  explicit Reference(const Feature& feature);
  const Feature& feature() const { return feature_; }
  std::string title() const { return scene_.model.title; }
  int steps() const { return steps_; }  ///< of the scene
  double duration() const { return duration_; }
  const Samples& at(int steps);
  /// Computes what nearly every cell needs.
  void prepare();

 private:
  const Feature& feature_;
  Scene scene_;
  int steps_;
  double duration_;
  std::map<int, Samples> samples_;
};

Cell evaluate(Reference& reference, const Column& column);
/// The same in a process of its own: a crash or an endless run is a failure of this cell alone.
Cell evaluate_isolated(Reference& reference, const Column& column);

}  // namespace percuss::matrix
