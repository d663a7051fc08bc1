#pragma once

#include <string>

#include "percuss/io/results_reader.h"

/// A canvas with a small animation of the run and everything it needs, to be put into a page. Empty if there
/// is nothing to draw.
std::string animation_html(const percuss::ResultsReader& results);
