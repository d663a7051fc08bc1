#pragma once

#include "percuss/io/preprocess.h"

namespace percuss {

/// Rewrites what may be said shortly in a study as the lists and mappings that the reader knows:
///     steps: 1e-2,1e-3            a list
///     steps: 1e-2:1e-4:9          nine steps in equal ratios
///     - moreau-jean{theta: 1}     {scheme: moreau-jean, theta: 1}, with a label if it has none
///     reference: finest{step: h}  {finest: {step: h}}; the same for exact{...}; other texts name a file
void expand_study_shorthand(SourceNode& root, const Environment& environment, Faults& faults);

/// Splits at the commas that are not within brackets or quotes.
std::vector<std::string> split_at_commas(const std::string& text);

}  // namespace percuss
