#pragma once

#include <map>
#include <utility>

#include "percuss/contacts/assembly.h"

namespace percuss {

/// Two bodies whose corners are declared against each other's faces. A corner may lie on a face, with no gap,
/// while the bodies overlap deeply; so the bodies are looked at as a whole.
struct DeclaredOverlap {
  ContactName names;
  double depth;  ///< [m], negative if they are apart
};
/// By the indices of the two bodies, ascending.
std::map<std::pair<int, int>, DeclaredOverlap> declared_overlaps(const Assembly& assembly,
                                                                 const Kinematics& kinematics);

}  // namespace percuss
