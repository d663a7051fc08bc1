#include "percuss/nonsmooth/problem.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace percuss {

namespace {

constexpr int reserved_history = 1024;

[[noreturn]] void fail(const std::string& field, const std::string& what) {
  throw std::invalid_argument("LocalProblem." + field + ": " + what);
}

std::string cone_name(int c) { return "cone " + std::to_string(c); }

/// Values may be slightly unsymmetric (problems from files are); the pattern may not.
void validate_pattern(const BlockMatrix& W) {
  for (int c = 0; c < W.cones(); ++c)
    for (int k = W.begin(c); k < W.end(c); ++k) {
      const int other = W.other(k);
      if (k > W.begin(c) && other <= W.other(k - 1)) fail("W", "columns must ascend, " + cone_name(c));
      if (W.find(other, c) < 0)
        fail("W", "transposed block missing, " + cone_name(c) + " and " + cone_name(other));
    }
}

void validate_cones(const LocalProblem& problem) {
  if (static_cast<int>(problem.cones.size()) != problem.W.cones())
    fail("cones", "must be as many as W has rows of blocks");
  for (int c = 0; c < problem.W.cones(); ++c) {
    const Cone& cone = problem.cones[c];
    if (cone.rows() != problem.W.rows_of(c)) fail("cones", "must have the rows of W, " + cone_name(c));
    if (!(cone.bound >= 0.0 && cone.rolling_bound >= 0.0 && cone.spinning_bound >= 0.0))
      fail("cones", "the bounds must be >= 0, " + cone_name(c));
  }
}

}  // namespace

bool LocalProblem::has_only(ConeKind kind) const {
  return std::all_of(cones.begin(), cones.end(), [&](const Cone& cone) { return cone.kind == kind; });
}

bool LocalProblem::has_friction() const {
  return std::any_of(cones.begin(), cones.end(), [](const Cone& cone) { return cone.has_friction(); });
}

bool has_rolling(const std::vector<Cone>& cones) {
  return std::any_of(cones.begin(), cones.end(),
                     [](const Cone& cone) { return cone.kind == ConeKind::rolling; });
}

void LocalProblem::validate() const {
  validate_pattern(W);
  if (u_free.size() != static_cast<std::size_t>(size())) fail("u_free", "must have one value per row of W");
  validate_cones(*this);
}

const char* to_string(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged: return "converged";
    case SolveStatus::iteration_limit: return "iteration limit";
    case SolveStatus::time_limit: return "time limit";
    case SolveStatus::stalled: return "stalled";
    case SolveStatus::singular: return "singular";
    case SolveStatus::infeasible: return "infeasible";
    case SolveStatus::unsupported: return "unsupported";
    case SolveStatus::not_finite: return "not finite";
  }
  return "unknown";
}

void Solution::reserve(int rows) {
  r.reserve(rows);
  u.reserve(rows);
  history.reserve(reserved_history);
}

}  // namespace percuss
