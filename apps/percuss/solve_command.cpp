#include <chrono>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "commands.h"
#include "percuss/io/io_error.h"
#include "percuss/io/scene.h"
#include "percuss/math/nearest_name.h"
#include "percuss/nonsmooth/residual.h"
#include "percuss/nonsmooth/selection.h"
#include "percuss/nonsmooth/solvers.h"
#include "percuss/nonsmooth/uniqueness.h"
#include "say.h"
#include "solve_report.h"

namespace fs = std::filesystem;
using namespace percuss;

namespace {

using Stopwatch = std::chrono::steady_clock;
double seconds_since(Stopwatch::time_point start) {
  return std::chrono::duration<double>(Stopwatch::now() - start).count();
}

LocalProblem local_form(const std::string& path, const ContactProblem& content) {
  if (const auto* local = std::get_if<LocalProblem>(&content.problem)) return *local;
  try {
    return condense(std::get<GlobalProblem>(content.problem));
  } catch (const std::invalid_argument&) {  // sizes and signs were checked while reading
    throw IoError::cannot("solve", path, "/fclib_global/M is not positive definite");
  }
}

LoadedProblem load_problem(const std::string& path) {
  LoadedProblem problem;
  problem.path = path;
  problem.content = read_contact_problem(path);
  const auto start = Stopwatch::now();
  problem.local = local_form(path, problem.content);
  if (problem.content.is_global()) problem.condense_seconds = seconds_since(start);
  if (const auto& solution = problem.content.solution)
    problem.stored = residual_of(problem.local, solution->r);
  return problem;
}

/// The value of a name in a table of names; `what` is what the table lists.
template <class Names>
auto named(const Names& names, const std::string& name, const char* what) {
  std::vector<std::string> known;
  for (const auto& [value, text] : names) {
    if (name == text) return value;
    known.emplace_back(text);
  }
  const auto nearest = nearest_name(name, known);
  throw SceneError({fmt::format("error: there is no {} '{}'; {}", what, name,
                                nearest ? fmt::format("did you mean '{}'?", *nearest)
                                        : fmt::format("known: {}", fmt::join(known, ", ")))});
}

void validate_solve_options(const SolveOptions& options) {
  if (!(options.tolerance > 0) || !std::isfinite(options.tolerance))
    throw SceneError({fmt::format("error: --tolerance is {}; it must be positive", options.tolerance)});
  if (options.max_iterations < 0)
    throw SceneError(
        {fmt::format("error: --max-iterations is {}; it must be at least 1, or 0 for the limit of "
                     "each solver",
                     options.max_iterations)});
  if (options.time_limit && !(*options.time_limit > 0))
    throw SceneError({fmt::format("error: --time-limit is {}; it must be a positive number of seconds",
                                  *options.time_limit)});
}

/// The input is never replaced, and neither is a file that is not such a problem.
void check_output(const LoadedProblem& problem, const std::string& output) {
  if (output.empty()) return;
  for (const Cone& cone : problem.local.cones)
    if (!cone.is_coulomb() && cone.kind != ConeKind::equality)
      throw SceneError(
          {fmt::format("error: -o writes the HDF5 layout of contacts with friction, in which there "
                       "is no place for the problem of {}",
                       problem.path)});
  std::error_code ignored;
  const fs::path folder = fs::path(output).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, ignored))
    throw IoError::cannot("write", output, "there is no folder " + folder.string());
  if (!fs::exists(output, ignored)) return;
  if (fs::equivalent(output, problem.path, ignored))
    throw IoError::cannot("write", output, "it is the problem that was read", "choose another name with -o");
  if (fs::is_directory(output, ignored))
    throw IoError::cannot("write", output, "it is a directory", "name a file with -o");
  try {
    read_fclib(output);
  } catch (const IoError&) {
    throw IoError::cannot("write", output, "the file exists and holds no contact problem",
                          "move it away or choose another name with -o");
  }
}

Attempt attempt(const LoadedProblem& problem, SolverName name, std::string_view text, SolverOptions options,
                const SolveOptions& asked, Selection selection) {
  if (asked.time_limit) options.deadline = Deadline::in(*asked.time_limit);
  Attempt result;
  result.solver = text;
  const auto solver = with_selection(make_solver(name, options, asked.method), selection, options.tolerance);
  const auto start = Stopwatch::now();
  if (const auto* global = std::get_if<GlobalProblem>(&problem.content.problem))
    solver->solve_global(*global, {}, result.solution);
  else
    solver->solve(problem.local, {}, result.solution);
  result.seconds = seconds_since(start);
  result.residual = residual_of(problem.local, result.solution.r);
  result.unscaled = unscaled_residual(problem.local, result.solution.r);
  return result;
}

/// False if there is nothing to write.
bool write_solution(LoadedProblem& problem, const Attempt& result, const std::string& output) {
  const SolveStatus status = result.solution.status;
  if (status == SolveStatus::unsupported || status == SolveStatus::not_finite) return false;
  StoredSolution stored{.r = result.solution.r, .u = result.solution.u, .v = {}};
  if (const auto* global = std::get_if<GlobalProblem>(&problem.content.problem))
    stored.v = velocities(*global, stored.r);
  problem.content.solution = std::move(stored);
  write_fclib(output, problem.content);
  return true;
}

/// What to say about a solver that did not converge.
std::string explain(const Attempt& result, double tolerance) {
  if (result.solution.status == SolveStatus::unsupported)
    return fmt::format("the solver '{}' cannot treat a law of this problem; --compare shows which can",
                       result.solver);
  return fmt::format("the solver '{}' ended with '{}' at the residual {:.3g}; the tolerance is {:.3g}",
                     result.solver, to_string(result.solution.status), result.residual.relative, tolerance);
}

}  // namespace

int solve_command(const SolveOptions& options) {
  validate_solve_options(options);
  const SolverName name = named(solver_names, options.solver, "solver");
  const Selection selection = named(selection_names, options.selection, "selection");
  if (const MisplacedOption option = find_misplaced(name, options.method); !option.name.empty())
    throw SceneError(
        {fmt::format("error: --{} is an option of {}, and the solver is '{}'; choose it with --solver",
                     option.name, option.methods, options.solver)});
  LoadedProblem problem = load_problem(options.file);
  check_output(problem, options.output);
  const SolverOptions solver_options{.tolerance = options.tolerance,
                                     .max_iterations = options.max_iterations};

  if (!options.json) print_problem(problem);
  std::vector<Attempt> attempts;
  bool is_written = false;
  if (options.compare) {
    for (const auto& [solver, text] : solver_names)
      attempts.push_back(attempt(problem, solver, text, solver_options, options, selection));
  } else {
    attempts.push_back(attempt(problem, name, options.solver, solver_options, options, selection));
    check_uniqueness(problem.local, options.tolerance, attempts[0].solution);
    if (!options.output.empty()) is_written = write_solution(problem, attempts[0], options.output);
  }
  if (options.json)
    print_solve_json(problem, options, attempts, is_written);
  else if (options.compare)
    print_comparison(attempts);
  else
    print_attempt(problem, attempts[0], options);
  if (is_written && !options.json) say("wrote {}\n", options.output);

  if (std::ranges::any_of(attempts, &Attempt::converged)) return exit_code::done;
  say(stderr, "error: {}{}\n",
      options.compare ? "no solver reached the tolerance" : explain(attempts[0], options.tolerance),
      options.output.empty() || is_written ? "" : "; nothing was written");
  return exit_code::numerical_failure;
}
