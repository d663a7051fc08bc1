#pragma once

/// What is simulated: Model, with bodies, joints, forces, materials, obstacles and contacts, and systems that
/// a program gives by its own equations.

#include "percuss/model/model.h"
#include "percuss/model/plugin.h"
