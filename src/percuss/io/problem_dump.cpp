#include "percuss/io/problem_dump.h"

#include <algorithm>

#include <fmt/format.h>

#include "percuss/io/fclib.h"
#include "percuss/io/io_error.h"
#include "percuss/nonsmooth/solvers.h"

namespace percuss {
namespace {

/// Of each row of the problem, its place among the rows of spatial cones.
std::vector<int> spatial_places(const LocalProblem& problem) {
  std::vector<int> places;
  for (size_t c = 0; c < problem.cones.size(); ++c)
    for (int i = 0; i < problem.cones[c].rows(); ++i) places.push_back(static_cast<int>(3 * c) + i);
  return places;
}

}  // namespace

LocalProblem with_spatial_cones(const LocalProblem& problem) {
  const BlockMatrix& W = problem.W;
  LocalProblem spatial;
  spatial.u_free = with_spatial_rows(problem, problem.u_free);
  for (const Cone& cone : problem.cones)
    spatial.cones.push_back({ConeKind::coulomb, cone.has_friction() ? cone.bound : 0.0});
  spatial.W.add_cones(spatial.cones);
  for (int c = 0; c < W.cones(); ++c) {
    for (int k = W.begin(c); k < W.end(c); ++k) {
      double* block = spatial.W.append(W.other(k));
      const int width = W.rows_of(W.other(k));
      for (int i = 0; i < W.rows_of(c); ++i)
        for (int j = 0; j < width; ++j) block[3 * i + j] = W.block(k)[i * width + j];
    }
    spatial.W.end_cone();
  }
  return spatial;
}

std::vector<double> with_spatial_rows(const LocalProblem& problem, const std::vector<double>& values) {
  const std::vector<int> place = spatial_places(problem);
  std::vector<double> spatial(3 * problem.cones.size(), 0.0);
  for (size_t i = 0; i < place.size(); ++i) spatial[place[i]] = values[i];
  return spatial;
}

ProblemDump::ProblemDump(std::filesystem::path folder, double worse_than)
    : folder_(std::move(folder)), worse_than_(worse_than) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw IoError::cannot("make", folder_.string(), error.message());
}

void ProblemDump::see(const LocalProblem& problem, const Solution& solution, const State& at) {
  if (solution.residual.relative <= worse_than_) return;
  const bool is_contact = std::all_of(problem.cones.begin(), problem.cones.end(), [](const Cone& cone) {
    return cone.is_coulomb() || cone.kind == ConeKind::nonnegative;
  });
  if (!is_contact) {
    ++left_out_;
    return;
  }
  ContactProblem content;
  content.problem = with_spatial_cones(problem);
  content.title = fmt::format("step {} from t = {} s", at.step + 1, at.time);
  content.description = fmt::format("{}: {}, relative residual {:.3g}", solution.method,
                                    to_string(solution.status), solution.residual.relative);
  content.solution =
      StoredSolution{with_spatial_rows(problem, solution.r), with_spatial_rows(problem, solution.u), {}};
  const std::string name =
      fmt::format("step{:08}-{:03}-i{}.hdf5", at.step + 1, problem.cones.size(), ++saved_);
  write_fclib((folder_ / name).string(), content);
}

}  // namespace percuss
