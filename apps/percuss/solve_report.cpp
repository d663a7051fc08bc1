#include "solve_report.h"

#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "percuss/nonsmooth/selection.h"
#include "say.h"

using namespace percuss;

namespace {

std::string time_text(double seconds) {
  return seconds < 1e-3  ? fmt::format("{:.3g} us", seconds * 1e6)
         : seconds < 1.0 ? fmt::format("{:.3g} ms", seconds * 1e3)
                         : fmt::format("{:.3g} s", seconds);
}

template <class... Parts>
void print_row(const char* name, fmt::format_string<Parts...> form, Parts&&... parts) {
  say("  {:<20}{}\n", name, fmt::format(form, std::forward<Parts>(parts)...));
}

}  // namespace

void print_problem(const LoadedProblem& problem) {
  const ContactProblem& content = problem.content;
  say("{}: {}\n", problem.path, content.title.empty() ? "(no title)" : content.title);
  print_row("contacts", "{}, {} rows, {} entries of W", problem.contacts(),
            problem.local.size() - problem.equalities(), problem.local.W.value_count());
  if (problem.equalities() > 0) print_row("equalities", "{}", problem.equalities());
  if (const auto dofs = problem.dof_count()) print_row("degrees of freedom", "{}", *dofs);
  if (content.is_global()) print_row("condensed in", "{}", time_text(problem.condense_seconds));
  if (problem.stored) print_row("stored solution", "residual {:.3g} (relative)", problem.stored->relative);
}

namespace {

std::string_view selection_text(Selection selection) {
  return std::ranges::find(selection_names, selection, [](const auto& entry) { return entry.first; })->second;
}

/// What is known of the uniqueness of the reactions (N-30).
std::string uniqueness_text(const Solution& solution) {
  if (!solution.uniqueness) return "not known";
  const auto [least, most] = *solution.uniqueness;
  if (most == 0) return "unique";
  if (least == most)
    return fmt::format("not unique: they can move in {} direction{} without changing a velocity", most,
                       most == 1 ? "" : "s");
  if (least > 0) return fmt::format("not unique: they can move in {} to {} directions", least, most);
  return fmt::format("perhaps not unique, in up to {} directions: contacts touch without pressing", most);
}

const char* law_name(ConeKind kind) {
  switch (kind) {
    case ConeKind::equality: return "equality";
    case ConeKind::nonnegative: return "no friction";
    case ConeKind::interval: return "dry joint";
    case ConeKind::planar_coulomb:
    case ConeKind::coulomb: break;
    case ConeKind::rolling: return "rolling";
  }
  return "Coulomb";
}

/// Reaction and velocity of every contact and equality.
void print_reactions(const LocalProblem& problem, const Solution& solution) {
  say("\n  {:>8}  {:<12}{:>15}{:>15}{:>15}{:>15}{:>15}{:>15}\n", "contact", "law", "r_N", "r_T1", "r_T2",
      "u_N", "u_T1", "u_T2");
  int row = 0, index = 0;
  for (const Cone& cone : problem.cones) {
    say("  {:>8}  {:<12}", index++, law_name(cone.kind));
    for (const auto& values : {std::cref(solution.r), std::cref(solution.u)})
      for (int i = 0; i < 3; ++i)
        say("{:>15}", i < cone.rows() ? fmt::format("{:.8g}", values.get()[row + i]) : "");
    say("\n");
    row += cone.rows();
  }
}

}  // namespace

void print_attempt(const LoadedProblem& problem, const Attempt& result, const SolveOptions& options) {
  print_row("status", "{}", to_string(result.solution.status));
  print_row("residual", "{:.3g} relative (tolerance {:.3g}), {:.3g} m/s", result.residual.relative,
            options.tolerance, result.residual.absolute);
  print_row("unscaled residual", "{:.3g}", result.unscaled);
  print_row("method", "{}", result.solution.method);
  print_row("iterations", "{}", result.solution.iterations);
  print_row("time", "{}", time_text(result.seconds));
  print_row("reactions", "{}", uniqueness_text(result.solution));
  const std::string_view reached = selection_text(result.solution.selection);
  print_row("selection", "{}{}", reached,
            reached == options.selection
                ? ""
                : ", because the residual of those of least norm is above the tolerance");
  if (options.reactions) print_reactions(problem.local, result.solution);
}

void print_comparison(const std::vector<Attempt>& results) {
  say("\n  {:<16}{:<18}{:>12}{:>12}{:>12}{:>12}  {}\n", "solver", "status", "residual", "unscaled",
      "iterations", "time", "method");
  for (const Attempt& result : results) {
    const SolveStatus status = result.solution.status;
    if (status == SolveStatus::unsupported)
      say("  {:<16}{:<18}{:>12}{:>12}{:>12}{:>12}  {}\n", result.solver, to_string(status), "-", "-", "-",
          "-", result.solution.method);
    else
      say("  {:<16}{:<18}{:>12.3g}{:>12.3g}{:>12}{:>12}  {}\n", result.solver, to_string(status),
          result.residual.relative, result.unscaled, result.solution.iterations, time_text(result.seconds),
          result.solution.method);
  }
}

namespace {

using Json = nlohmann::ordered_json;

template <class Value>
Json json_or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

Json attempt_as_json(const Attempt& result, bool with_reactions) {
  const auto& uniqueness = result.solution.uniqueness;
  Json json = {{"solver", result.solver},
               {"method", result.solution.method},
               {"status", to_string(result.solution.status)},
               {"relative_residual", result.residual.relative},
               {"absolute_residual_m_s", result.residual.absolute},
               {"unscaled_residual", result.unscaled},
               {"iterations", result.solution.iterations},
               {"seconds", result.seconds},
               {"selection", selection_text(result.solution.selection)},
               {"undetermined_at_least", uniqueness ? Json(uniqueness->at_least) : Json()},
               {"undetermined_at_most", uniqueness ? Json(uniqueness->at_most) : Json()}};
  if (with_reactions) {
    json["r"] = result.solution.r;
    json["u"] = result.solution.u;
  }
  return json;
}

}  // namespace

void print_solve_json(const LoadedProblem& problem, const SolveOptions& options,
                      const std::vector<Attempt>& attempts, bool is_written) {
  const ContactProblem& content = problem.content;
  Json results = Json::array();
  for (const Attempt& result : attempts) results.push_back(attempt_as_json(result, options.reactions));
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
  say("{}\n", json.dump(2, ' ', true, Json::error_handler_t::replace));
}
