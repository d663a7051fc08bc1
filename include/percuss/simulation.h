#pragma once

/// A model in motion: Simulation, and how it is run; scenes, which have both in a file.

#include "percuss/io/io_error.h"
#include "percuss/io/scene.h"
#include "percuss/io/version.h"
#include "percuss/simulation/run.h"
#include "percuss/simulation/simulation.h"
