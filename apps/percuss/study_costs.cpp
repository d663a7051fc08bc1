#include "study_costs.h"

#include <algorithm>

using percuss::StudyRun;

namespace {

double per_step(std::int64_t sum, const StudyRun& run) {
  return static_cast<double>(sum) / static_cast<double>(std::max<std::int64_t>(run.statistics.steps, 1));
}
template <int level>
double mean_of_level(const StudyRun& run) {
  return per_step(run.statistics.by_level[level], run);
}
template <int level>
double max_of_level(const StudyRun& run) {
  return run.statistics.max_by_level[level];
}

}  // namespace

// Smooth motion, positions and velocities are sub-problems of the schemes that split a step; 0 for the
// others.
const std::vector<CostColumn> cost_columns = {
    {"steps", "steps", "1", [](const StudyRun& r) { return double(r.statistics.steps); }},
    {"computed", "computed", "1", [](const StudyRun& r) { return double(r.statistics.computed); }},
    {"rejected", "rejected", "1", [](const StudyRun& r) { return double(r.statistics.rejected); }},
    {"iterations_mean", "iterations", "1",
     [](const StudyRun& r) { return per_step(r.statistics.iterations, r); }},
    {"iterations_max", "max", "1", [](const StudyRun& r) { return double(r.statistics.max_iterations); }},
    {"smooth_mean", "smooth", "1", mean_of_level<0>},
    {"smooth_max", "max", "1", max_of_level<0>},
    {"position_mean", "position", "1", mean_of_level<1>},
    {"position_max", "max", "1", max_of_level<1>},
    {"velocity_mean", "velocity", "1", mean_of_level<2>},
    {"velocity_max", "max", "1", max_of_level<2>},
    {"linear_solves", nullptr, "1", [](const StudyRun& r) { return double(r.statistics.iterations); }},
    {"factorisations", nullptr, "1", [](const StudyRun& r) { return double(r.statistics.factorisations); }},
    {"impacts", "impacts", "1", [](const StudyRun& r) { return double(r.statistics.impacts); }},
    {"max_penetration", "depth [m]", "m", [](const StudyRun& r) { return r.statistics.max_penetration; }},
    {"contact_solver_time", "solver [s]", "s", [](const StudyRun& r) { return r.solver_seconds; }},
    {"cpu_time", "CPU [s]", "s", [](const StudyRun& r) { return r.cpu_seconds; }},
};
