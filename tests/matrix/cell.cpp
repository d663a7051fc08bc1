#include "matrix/cell.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "percuss/nonsmooth/solvers.h"

namespace percuss::matrix {
namespace {

Overrides reference_options(Kind kind) {
  Overrides options = {"integrator.scheme=event-driven", "integrator.relative_tolerance=1e-11",
                       "integrator.absolute_tolerance=1e-13", "solver.tolerance=1e-13"};
  if (kind == Kind::adaptive) options.emplace_back("time.adaptive=null");
  return options;
}
/// What the bound of order 1 may be: above, it would say little.
constexpr double largest_bound = 0.1;
/// Errors below this are those of the reference and of rounding.
constexpr double resolved = 1e-8;
/// Where in its step an impact falls is arbitrary; so the error with impacts is the mean over as many runs
/// with one step more each. Where these do not show the order, but are far below the bound because a scheme
/// misses an impact by a whole step in few of them only, many must do so.
constexpr int few = 8, many = 40;
/// Between how different steps the order is looked at.
int refinement(Kind kind) { return kind == Kind::contacts ? 4 : 2; }

/// Largest over the probes of the mean distance from the reference, as a part of the range of the reference.
double relative_difference(const Samples& found, const Samples& expected) {
  double largest = 0;
  for (size_t k = 0; k < found.values.size(); ++k) {
    const auto& f = found.values[k];
    const auto& r = expected.values[k];
    const auto [low, high] = std::ranges::minmax(r);
    double sum = 0;
    for (size_t n = 0; n < f.size(); ++n) sum += std::abs(f[n] - r[n]);
    const double difference = sum / static_cast<double>(f.size()) / (high - low);
    if (!(difference <= largest)) largest = difference;  // also if it is not a number
  }
  return largest;
}

/// Order 1, observed between two steps only: with impacts these scatter.
double least_order(Kind kind) { return kind == Kind::contacts ? 0.5 : 0.8; }

int promised_order(Kind kind, const SchemeFacts& facts) {
  switch (kind) {
    case Kind::smooth: return facts.smooth_order;
    case Kind::joints: return facts.joint_order;
    default: return facts.impact_order;
  }
}

/// What the scheme promises. A method of order p with step h makes an error of about (rate h)^p in each
/// 1/rate, so rate T (rate h)^p in the time T. Schemes with a tolerance for each of their steps may add up
/// some thousand of them; adaptive steps aim at the tolerance over the run and meet it within a factor of
/// ten.
double promised_error(const Reference& reference, const RunConfig& run) {
  const Feature& feature = reference.feature();
  if (run.time.adaptive) return 10 * run.time.adaptive->tolerance;
  if (const auto* events = std::get_if<EventDrivenOptions>(&run.integrator))
    return 1e3 * events->relative_tolerance;
  const double turns = feature.rate * reference.duration();
  return turns * std::pow(turns / reference.steps(), promised_order(feature.kind, facts(run.integrator)));
}

double error_of(Reference& reference, const Scene& scene, int steps) {
  return relative_difference(run_scene(scene, steps), reference.at(steps));
}

double mean_error(Reference& reference, const Scene& scene, int steps, int runs) {
  double sum = 0;
  for (int extra = 0; extra < runs; ++extra) sum += error_of(reference, scene, steps + extra);
  return sum / runs;
}

bool has_order(const RunConfig& run) { return !run.time.adaptive && !facts(run.integrator).chooses_steps; }

/// Whether the error falls with the step like order 1, or is that of the reference.
bool converges(Kind kind, const Cell& cell) {
  return cell.order >= least_order(kind) || cell.finer_error <= resolved;
}

void compare_steps(Reference& reference, const Scene& scene, int runs, Cell& cell) {
  const int ratio = refinement(reference.feature().kind);
  cell.error = mean_error(reference, scene, reference.steps(), runs);
  cell.finer_error = mean_error(reference, scene, ratio * reference.steps(), runs);
  cell.order = std::log(cell.error / cell.finer_error) / std::log(ratio);
}

/// Fills in the errors. A scheme that chooses its steps has a tolerance and no step; adaptive steps have one
/// in place of the step.
void compare(Reference& reference, Scene scene, Cell& cell) {
  const Kind kind = reference.feature().kind;
  if (has_order(scene.run)) {
    compare_steps(reference, scene, kind == Kind::contacts ? few : 1, cell);
    const bool may_be_luck = kind == Kind::contacts && cell.finer_error < 0.1 * cell.bound;
    if (may_be_luck && !converges(kind, cell)) compare_steps(reference, scene, many, cell);
    return;
  }
  cell.error = cell.finer_error = error_of(reference, scene, reference.steps());
  if (!scene.run.time.adaptive) return;
  scene.run.time.adaptive->tolerance /= 2;
  cell.finer_error = error_of(reference, scene, reference.steps());
}

void residual_of(const Reference& reference, const RunConfig& run, Cell& cell) {
  const Kind kind = reference.feature().kind;
  cell.verdict = Verdict::differs;
  if (!(cell.error <= cell.bound && cell.finer_error <= cell.bound))
    cell.message = fmt::format("the error {:.1e} is more than {:.1e}", std::max(cell.error, cell.finer_error),
                               cell.bound);
  else if (has_order(run) && !converges(kind, cell))
    cell.message = fmt::format("the error {:.1e} is {:.1e} with 1/{} of the step", cell.error,
                               cell.finer_error, refinement(kind));
  else
    cell.verdict = Verdict::agrees;
}

Cell ended(Verdict verdict, const std::string& message) {
  Cell cell;
  cell.verdict = verdict;
  cell.message = message;
  return cell;
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  constexpr std::string_view names[] = {"agrees", "refuses", "fails", "differs", "reference"};
  return names[static_cast<size_t>(verdict)];
}

Reference::Reference(const Feature& feature)
    : feature_(feature), scene_(feature_scene(feature, reference_options(feature.kind))) {
  const TimeOptions& time = scene_.run.time;
  duration_ = time.end - time.start;
  steps_ = static_cast<int>(std::lround(duration_ / scene_.run.record.every.value_or(time.step)));
  const double turns = feature.rate * duration_;
  if (feature.kind != Kind::adaptive && turns * turns > largest_bound * steps_)
    throw std::logic_error(
        fmt::format("{}: the step must be at most {:.2g} s, for the bound of order 1 to be {}",
                    scene_file(feature), largest_bound * duration_ / (turns * turns), largest_bound));
}

const Samples& Reference::at(int steps) {
  const auto known = samples_.find(steps);
  if (known != samples_.end()) return known->second;
  Samples samples =
      feature_.exact.empty() ? run_scene(scene_, steps) : exact_samples(feature_, scene_, steps);
  return samples_.emplace(steps, std::move(samples)).first->second;
}

void Reference::prepare() {
  const int runs = feature_.kind == Kind::contacts ? few : 1;
  for (int extra = 0; extra < runs; ++extra) {
    at(steps_ + extra);
    at(refinement(feature_.kind) * steps_ + extra);
  }
}

Cell evaluate(Reference& reference, const Column& column) {
  const Feature& feature = reference.feature();
  const bool is_reference = column.label == "event-driven" && feature.kind != Kind::adaptive;
  if (is_reference && feature.exact.empty()) return {};
  try {
    const Scene scene = feature_scene(feature, column.overrides);
    Cell cell;
    cell.bound = promised_error(reference, scene.run);
    compare(reference, scene, cell);
    residual_of(reference, scene.run, cell);
    return cell;
  } catch (const Refusal& e) {
    return ended(Verdict::refuses, e.what());
  } catch (const std::exception& e) {
    return ended(Verdict::fails, e.what());
  }
}

}  // namespace percuss::matrix
