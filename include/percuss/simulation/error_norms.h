#pragma once

#include "percuss/simulation/trajectory.h"

namespace percuss {

/// Measures of the error of a run, over its own time steps.  docs/theory/errors.md
enum class Norm { l1, graph, spectral };
template <>
struct EnumNames<Norm> {
  static constexpr std::array<std::pair<Norm, std::string_view>, 3> values = {
      {{Norm::l1, "l1"}, {Norm::graph, "graph"}, {Norm::spectral, "spectral"}}};
};

/// sum |f_n - f(t_n)| / sum |f(t_n)|. Not a number if the reference vanishes everywhere.
double l1_error(const std::vector<double>& time, const std::vector<double>& values,
                const std::function<double(double)>& reference);

/// largest distance of a point (t_n, f_n) from the completed graph of the reference, with time in
/// units of the duration and values in units of the largest |f(t_n)|. Not a number if that is zero.
double graph_error(const std::vector<double>& time, const std::vector<double>& values,
                   const std::function<double(double)>& reference, const Graph& graph);

/// largest singular value of the matrix of differences, quantities by time steps.
double spectral_error(const Trajectory& run, const ReferenceSolution& reference);

/// One error for each quantity; in the spectral norm one for all of them together.
std::vector<double> errors_of(const Trajectory& run, const ReferenceSolution& reference, Norm norm);

/// p of e = C h^p between two runs. Not a number unless both errors are positive.
double order_between(double step, double error, double other_step, double other_error);

/// p of e = C h^p by least squares over all runs with a positive error.
struct FittedOrder {
  double order;   ///< not a number if there are less than two different steps
  int steps = 0;  ///< errors that took part
};
FittedOrder fit_order(const std::vector<double>& steps, const std::vector<double>& errors);

}  // namespace percuss
