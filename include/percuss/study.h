#pragma once

/// Many runs of one scene with different schemes and steps, their errors and orders.

#include "percuss/io/study.h"
#include "percuss/simulation/error_norms.h"
#include "percuss/simulation/study.h"
