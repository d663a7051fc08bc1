#pragma once

#include <vector>

#include "percuss/simulation/study.h"

/// A column about the cost of a run, for the CSV file and, with a heading, for the table.
struct CostColumn {
  const char *name, *heading, *unit;
  double (*value)(const percuss::StudyRun&);
};
extern const std::vector<CostColumn> cost_columns;
