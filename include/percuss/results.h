#pragma once

/// Results files: run_to_file writes one, ResultsReader reads one.

#include "percuss/io/recording.h"
#include "percuss/io/results_reader.h"
