#include <algorithm>
#include <filesystem>

#include "percuss/io/csv.h"
#include "percuss/io/study_setup.h"

// The reference of a study: formulas, a file, or one of its runs.
namespace percuss {

void StudySetup::find_reference() {
  const StudyReference& reference = study_.description.reference;
  study_.reference_name = reference.exact ? "the exact solution" : reference.file.value_or("");
  if (reference.exact)
    use_formulas(*reference.exact);
  else if (reference.file)
    use_file(*reference.file);
  else
    use_run(reference.finest.value_or(FinestReference{}));
}

void StudySetup::use_formulas(const NamedMap<Expression>& formulas) {
  std::vector<std::function<double(double)>> functions;
  for (const auto& quantity : study_.quantities)
    if (const Expression* formula = find_named(formulas, quantity))
      functions.emplace_back([f = *formula](double t) { return f.value(t); });
    else
      fault("reference.exact", fmt::format("there is no formula for the quantity '{}'", quantity));
  for (const auto& [name, formula] : formulas)
    if (std::ranges::find(study_.quantities, name) == study_.quantities.end())
      fault("reference.exact." + name,
            fmt::format("'{}' is none of the quantities; {}", name, suggest(name, study_.quantities)));
  throw_if_faulty();
  const TimeOptions& time = first_config().time;
  for (size_t k = 0; k < functions.size(); ++k)
    for (const double t : {time.start, time.end})
      if (!std::isfinite(functions[k](t)))
        fault("reference.exact." + study_.quantities[k], fmt::format("it is not finite at t = {} s", t));
  throw_if_faulty();
  study_.reference = make_reference(std::move(functions), time.start, time.end, needs_graphs());
}

void StudySetup::use_file(const std::string& name) {
  CsvColumns table;
  try {
    table = read_columns(std::filesystem::path(directory_) / name);
  } catch (const ExpressionError& e) {
    return fault("reference.file", e.what());
  }
  const auto column = [&](const std::string& wanted) {
    const auto found = std::ranges::find(table.names, wanted);
    if (found == table.names.end())
      fault("reference.file",
            fmt::format("{} has no column '{}'; {}", name, wanted, suggest(wanted, table.names)));
    return found == table.names.end() ? std::vector<double>{}
                                      : table.columns[static_cast<size_t>(found - table.names.begin())];
  };
  Trajectory trajectory{column("time"), {}};
  for (const auto& quantity : study_.quantities) trajectory.values.push_back(column(quantity));
  throw_if_faulty();
  const auto& t = trajectory.time;
  if (t.size() < 2 || std::ranges::adjacent_find(t, std::greater_equal{}) != t.end())
    return fault("reference.file", fmt::format("the times in {} must increase, two at least", name));
  const TimeOptions& time = first_config().time;
  const double tolerance = 1e-9 * (time.end - time.start);
  if (t.front() > time.start + tolerance || t.back() < time.end - tolerance)
    return fault("reference.file", fmt::format("{} reaches from t = {} s to {} s, the runs from {} s to {} s",
                                               name, t.front(), t.back(), time.start, time.end));
  study_.reference =
      make_reference(std::move(trajectory), study_.description.reference.interpolation, needs_graphs());
}

void StudySetup::use_run(const FinestReference& finest) {
  const auto& steps = study_.description.steps;
  size_t member = 0;
  if (finest.integrator) {
    const auto found = std::ranges::find(study_.labels, *finest.integrator);
    if (found == study_.labels.end())
      return fault("reference.finest.integrator",
                   fmt::format("there is no integrator with the label '{}'; {}", *finest.integrator,
                               suggest(*finest.integrator, study_.labels)));
    member = static_cast<size_t>(found - study_.labels.begin());
  }
  const double step = finest.step.value_or(std::ranges::min(steps));
  study_.reference_name = finest.tolerance ? fmt::format("{}, adaptive with tolerance {:.6g}",
                                                         study_.labels[member], *finest.tolerance)
                                           : fmt::format("{}, step {:.6g} s", study_.labels[member], step);
  const auto found = std::ranges::find(steps, step);
  if (found != steps.end() && !finest.tolerance) {
    study_.plan.reference = study_.task_of(member, static_cast<size_t>(found - steps.begin()));
    return;
  }
  study_.plan.reference = study_.plan.tasks.size();
  study_.plan.tasks.push_back(task(member, step));
  if (finest.tolerance) make_adaptive(member, *finest.tolerance, study_.plan.tasks.back());
  for (const auto& complaint : validate(study_.plan.tasks.back().config))
    fault(finest.tolerance ? "reference.finest.tolerance" : "reference.finest.step", complaint.message);
}

}  // namespace percuss
