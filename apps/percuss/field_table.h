#pragma once

#include <string>
#include <vector>

#include "percuss/io/description.h"

/// Prints fields of scenes with defaults, units and help, those of mappings behind their own names.
void print_fields(const std::vector<percuss::FieldDescription>& fields, const std::string& parent = "");
