#pragma once

#include <string>
#include <vector>

#include "percuss/integrators/scheme_facts.h"

namespace percuss::matrix {

/// A scheme as a column of the table: how it is asked for in a scene.
struct Column {
  std::string label;
  std::vector<std::string> overrides;  ///< of the integrator
  SchemeFacts facts;
  bool is_variant = false;  ///< not with its default options
};

/// Every scheme with its default options, then some with others. Without those for study.
const std::vector<Column>& all_columns();

/// Schemes that do not converge with impacts, and what is said of them.
struct StudyScheme {
  std::string name, restriction;
};
const std::vector<StudyScheme>& study_schemes();

}  // namespace percuss::matrix
