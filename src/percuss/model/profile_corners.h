#pragma once

#include <string>
#include <vector>

#include "percuss/geometry/convex_hull.h"
#include "percuss/model/model.h"

namespace percuss {

/// What is wrong with a profile at this path.
std::vector<Complaint> faults_of(const Profile& profile, const std::string& path);

/// The region as a tidy polygon (geometry/polygon.h), arcs as chords. Of a profile without faults whose table
/// has been loaded.
std::vector<Vector2> corners_of(const Profile& profile);

/// What the profiles of bodies and obstacles have become, a line for each: corners, and chords of arcs.
std::vector<std::string> profile_notes(const Model& model);

}  // namespace percuss
