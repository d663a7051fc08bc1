#pragma once

#include "percuss/contacts/things.h"

namespace percuss {

struct Kinematics;

/// How far two things are apart that do not overlap [m]. Infinite if it is above `enough` for sure, and for
/// curved shapes and surfaces of triangles but before half-spaces.
double distance_of_things(const Things& things, const Thing& a, const Thing& b, const Kinematics& kinematics,
                          double enough);

}  // namespace percuss
