#include "matrix/known_failures.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace percuss::matrix {
namespace {

using enum Verdict;

std::vector<KnownFailure> make_list() { return {}; }

/// A name with a slip in it would be a cell that nobody looks at.
void check_names(const std::vector<KnownFailure>& list) {
  for (const auto& failure : list)
    if (std::ranges::find(all_features(), failure.feature, &Feature::name) == all_features().end() ||
        std::ranges::find(all_columns(), failure.column, &Column::label) == all_columns().end())
      throw std::logic_error(
          fmt::format("known failure of what there is not: {}, {}", failure.feature, failure.column));
}

/// Whether the scheme says of itself that it lacks something.
bool may_refuse(const Feature& feature, const Column& column) {
  const SchemeFacts& facts = column.facts;
  if (feature.kind == Kind::adaptive && (!facts.varies_step || facts.chooses_steps)) return true;
  return !facts.has_joints || !facts.has_friction;
}

}  // namespace

const std::vector<KnownFailure>& known_failures() {
  static const std::vector<KnownFailure> list = [] {
    std::vector<KnownFailure> made = make_list();
    check_names(made);
    return made;
  }();
  return list;
}

std::string surprise(const Feature& feature, const Column& column, const Cell& cell) {
  const auto known = std::ranges::find_if(known_failures(), [&](const KnownFailure& failure) {
    return failure.feature == feature.name && failure.column == column.label;
  });
  const bool is_wrong = cell.verdict == differs || cell.verdict == fails;
  if (known != known_failures().end())
    return known->verdict == cell.verdict
               ? ""
               : fmt::format(
                     "{} now; take it out of tests/matrix/known_failures.cpp and write the table anew",
                     verdict_name(cell.verdict));
  if (is_wrong) return fmt::format("{}: {}", verdict_name(cell.verdict), cell.message);
  if (cell.verdict == refuses && !may_refuse(feature, column))
    return fmt::format("refuses, though nothing in `percuss integrators` says so: {}", cell.message);
  return "";
}

}  // namespace percuss::matrix
