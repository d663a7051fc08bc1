#pragma once

#include <string>

/// The page of the viewer, which stands beside the program: PREFIX/bin/percuss and
/// PREFIX/share/percuss/viewer. Throws IoError that says how to build it.
std::string read_viewer_page();
