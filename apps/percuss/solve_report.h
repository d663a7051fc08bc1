#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "commands.h"
#include "percuss/io/fclib.h"
#include "percuss/nonsmooth/solvers.h"

/// What `percuss solve` works on, what comes out, and how it is printed.

/// A file, and the local form of its problem, in which it is judged.
struct LoadedProblem {
  std::string path;
  percuss::ContactProblem content;
  percuss::LocalProblem local;
  std::optional<percuss::Residual> stored;  ///< of the solution in the file
  double condense_seconds = 0;

  int equalities() const {
    return static_cast<int>(std::ranges::count(local.cones, percuss::ConeKind::equality,
                                               [](const percuss::Cone& cone) { return cone.kind; }));
  }
  int contacts() const { return static_cast<int>(local.cones.size()) - equalities(); }
  std::optional<int> dof_count() const {
    if (const auto* global = std::get_if<percuss::GlobalProblem>(&content.problem))
      return global->dof_count();
    return content.dof_count;
  }
};

/// One solver on the problem, and its residual.
struct Attempt {
  std::string_view solver;
  percuss::Solution solution;
  percuss::Residual residual;
  double unscaled = 0, seconds = 0;

  bool converged() const { return solution.status == percuss::SolveStatus::converged; }
};

void print_problem(const LoadedProblem& problem);
void print_attempt(const LoadedProblem& problem, const Attempt& result, const SolveOptions& options);
void print_comparison(const std::vector<Attempt>& results);
void print_solve_json(const LoadedProblem& problem, const SolveOptions& options,
                      const std::vector<Attempt>& attempts, bool is_written);
