#include "matrix/columns.h"

#include <algorithm>

#include "percuss/integrators/registry.h"

namespace percuss::matrix {
namespace {

bool is_for_study(const SchemeOptions& scheme) { return facts(scheme).impact_order == 0; }

Column with_option(Column column, const std::string& key, const std::string& value) {
  column.label += ", " + value;
  column.overrides.push_back("integrator." + key + "=" + value);
  column.is_variant = true;
  return column;
}

std::vector<Column> make_columns() {
  std::vector<Column> columns;
  for (const auto& scheme : all_schemes())
    if (!is_for_study(scheme)) {
      const std::string name(scheme_name(scheme));
      columns.push_back({name, {"integrator.scheme=" + name}, facts(scheme)});
    }
  const auto add = [&](const std::string& name, const std::string& key, const std::string& value) {
    columns.push_back(with_option(*std::ranges::find(columns, name, &Column::label), key, value));
  };
  add("moreau-jean", "stabilisation", "combined-projection");
  add("moreau-explicit", "forces", "end");
  add("generalized-alpha", "splitting", "coupled");
  add("half-explicit-velocity", "variant", "brasey");
  add("half-explicit-velocity", "variant", "shortened");
  add("explicit-velocity", "projection", "with-forces");
  add("floating-trapezoidal", "rotational_forces", "full");
  add("event-driven", "method", "bdf");
  return columns;
}

}  // namespace

const std::vector<Column>& all_columns() {
  static const std::vector<Column> columns = make_columns();
  return columns;
}

const std::vector<StudyScheme>& study_schemes() {
  static const std::vector<StudyScheme> schemes = [] {
    std::vector<StudyScheme> found;
    for (const auto& scheme : all_schemes())
      if (is_for_study(scheme))
        found.push_back({std::string(scheme_name(scheme)), std::string(facts(scheme).restriction)});
    return found;
  }();
  return schemes;
}

}  // namespace percuss::matrix
