#include <chrono>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "percuss/io/fclib.h"
#include "percuss/io/io_error.h"
#include "percuss/io/scene.h"
#include "percuss/math/nearest_name.h"
#include "percuss/nonsmooth/judge.h"
#include "percuss/nonsmooth/solvers.h"

namespace fs = std::filesystem;
using namespace percuss;

namespace {

using Stopwatch = std::chrono::steady_clock;
double seconds_since(Stopwatch::time_point start) {
  return std::chrono::duration<double>(Stopwatch::now() - start).count();
}

/// A file, and the local form of its problem, in which it is judged.
struct LoadedProblem {
  std::string path;
  ContactProblem content;
  LocalProblem local;
  std::optional<Residual> stored;  ///< of the solution in the file
  double condense_seconds = 0;

  int equalities() const {
    return static_cast<int>(
        std::ranges::count(local.cones, ConeKind::equality, [](const Cone& cone) { return cone.kind; }));
  }
  int contacts() const { return static_cast<int>(local.cones.size()) - equalities(); }
  std::optional<int> dof_count() const {
    if (const auto* global = std::get_if<GlobalProblem>(&content.problem)) return global->dof_count();
    return content.dof_count;
  }
};

/// One solver on the problem, and what the judge says about it.
struct Attempt {
  std::string_view solver;
  Solution solution;
  Residual residual;
  double unscaled = 0, seconds = 0;

  bool converged() const { return solution.status == SolveStatus::converged; }
};

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
  if (const auto& solution = problem.content.solution) problem.stored = judge(problem.local, solution->r);
  return problem;
}

SolverName solver_named(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& [solver, text] : solver_names) {
    if (name == text) return solver;
    known.emplace_back(text);
  }
  const auto nearest = nearest_name(name, known);
  throw SceneError({fmt::format("error: there is no solver '{}'; {}", name,
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
}

/// The input is never replaced, and neither is a file that is not such a problem.
void check_output(const LoadedProblem& problem, const std::string& output) {
  if (output.empty()) return;
  for (const Cone& cone : problem.local.cones)
    if (!cone.has_friction() && cone.kind != ConeKind::equality)
      throw SceneError(
          {fmt::format("error: -o writes the HDF5 layout of contacts with friction, in which there "
                       "is no place for the problem of {}",
                       problem.path)});
  std::error_code ignored;
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

Attempt attempt(const LoadedProblem& problem, SolverName name, std::string_view text,
                const SolverOptions& options) {
  Attempt result;
  result.solver = text;
  const auto start = Stopwatch::now();
  const std::unique_ptr<Solver> solver = make_solver(name, options);
  if (const auto* global = std::get_if<GlobalProblem>(&problem.content.problem))
    solver->solve_global(*global, {}, result.solution);
  else
    solver->solve(problem.local, {}, result.solution);
  result.seconds = seconds_since(start);
  result.residual = judge(problem.local, result.solution.r);
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

std::string time_text(double seconds) {
  return seconds < 1e-3  ? fmt::format("{:.3g} us", seconds * 1e6)
         : seconds < 1.0 ? fmt::format("{:.3g} ms", seconds * 1e3)
                         : fmt::format("{:.3g} s", seconds);
}

template <class... Parts>
void print_row(const char* name, fmt::format_string<Parts...> form, Parts&&... parts) {
  fmt::print("  {:<20}{}\n", name, fmt::format(form, std::forward<Parts>(parts)...));
}

void print_problem(const LoadedProblem& problem) {
  const ContactProblem& content = problem.content;
  fmt::print("{}: {}\n", problem.path, content.title.empty() ? "(no title)" : content.title);
  print_row("contacts", "{}, {} rows, {} entries of W", problem.contacts(),
            problem.local.size() - problem.equalities(), problem.local.W.nonzeros());
  if (problem.equalities() > 0) print_row("equalities", "{}", problem.equalities());
  if (const auto dofs = problem.dof_count()) print_row("degrees of freedom", "{}", *dofs);
  if (content.is_global()) print_row("condensed in", "{}", time_text(problem.condense_seconds));
  if (problem.stored) print_row("stored solution", "residual {:.3g} (relative)", problem.stored->relative);
}

void print_attempt(const Attempt& result, double tolerance) {
  print_row("status", "{}", to_string(result.solution.status));
  print_row("residual", "{:.3g} relative (tolerance {:.3g}), {:.3g} m/s", result.residual.relative, tolerance,
            result.residual.absolute);
  print_row("unscaled residual", "{:.3g}", result.unscaled);
  print_row("method", "{}", result.solution.method);
  print_row("iterations", "{}", result.solution.iterations);
  print_row("time", "{}", time_text(result.seconds));
}

void print_comparison(const std::vector<Attempt>& results) {
  fmt::print("\n  {:<16}{:<18}{:>12}{:>12}{:>12}{:>12}  {}\n", "solver", "status", "residual", "unscaled",
             "iterations", "time", "method");
  for (const Attempt& result : results) {
    const SolveStatus status = result.solution.status;
    if (status == SolveStatus::unsupported)
      fmt::print("  {:<16}{:<18}{:>12}{:>12}{:>12}{:>12}  {}\n", result.solver, to_string(status), "-", "-",
                 "-", "-", result.solution.method);
    else
      fmt::print("  {:<16}{:<18}{:>12.3g}{:>12.3g}{:>12}{:>12}  {}\n", result.solver, to_string(status),
                 result.residual.relative, result.unscaled, result.solution.iterations,
                 time_text(result.seconds), result.solution.method);
  }
}

using Json = nlohmann::ordered_json;

template <class Value>
Json json_or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

Json attempt_as_json(const Attempt& result) {
  return {{"solver", result.solver},
          {"method", result.solution.method},
          {"status", to_string(result.solution.status)},
          {"relative_residual", result.residual.relative},
          {"absolute_residual_m_s", result.residual.absolute},
          {"unscaled_residual", result.unscaled},
          {"iterations", result.solution.iterations},
          {"seconds", result.seconds}};
}

void print_solve_json(const LoadedProblem& problem, const SolveOptions& options,
                      const std::vector<Attempt>& attempts, bool is_written) {
  const ContactProblem& content = problem.content;
  Json results = Json::array();
  for (const Attempt& result : attempts) results.push_back(attempt_as_json(result));
  const Json json = {
      {"file", problem.path},
      {"title", content.title},
      {"description", content.description},
      {"form", content.is_global() ? "global" : "local"},
      {"contacts", problem.contacts()},
      {"equalities", problem.equalities()},
      {"rows", problem.local.size()},
      {"degrees_of_freedom", json_or_null(problem.dof_count())},
      {"stored_solution_residual", problem.stored ? Json(problem.stored->relative) : Json()},
      {"condense_seconds", problem.condense_seconds},
      {"tolerance", options.tolerance},
      {"output", is_written ? Json(options.output) : Json()},
      {"results", results},
  };
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
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
  const SolverName name = solver_named(options.solver);
  LoadedProblem problem = load_problem(options.file);
  check_output(problem, options.output);
  const SolverOptions solver_options{.tolerance = options.tolerance,
                                     .max_iterations = options.max_iterations};

  if (!options.json) print_problem(problem);
  std::vector<Attempt> attempts;
  bool is_written = false;
  if (options.compare) {
    for (const auto& [solver, text] : solver_names)
      attempts.push_back(attempt(problem, solver, text, solver_options));
  } else {
    attempts.push_back(attempt(problem, name, options.solver, solver_options));
    if (!options.output.empty()) is_written = write_solution(problem, attempts[0], options.output);
  }
  if (options.json)
    print_solve_json(problem, options, attempts, is_written);
  else if (options.compare)
    print_comparison(attempts);
  else
    print_attempt(attempts[0], options.tolerance);
  if (is_written && !options.json) fmt::print("wrote {}\n", options.output);

  if (std::ranges::any_of(attempts, &Attempt::converged)) return exit_code::done;
  fmt::print(stderr, "error: {}{}\n",
             options.compare ? "no solver reached the tolerance" : explain(attempts[0], options.tolerance),
             options.output.empty() || is_written ? "" : "; nothing was written");
  return exit_code::numerical_failure;
}
