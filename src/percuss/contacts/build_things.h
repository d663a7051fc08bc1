#pragma once

#include <memory>
#include <vector>

#include "percuss/contacts/things.h"

namespace percuss {

struct System;

struct ContactSurface;

/// What is found by others; nullptr if nothing is. Appends the surfaces of flexible bodies. Complaints are
/// about shapes that cannot be found.
std::shared_ptr<const Things> build_things(const Model& model, const System& system,
                                           std::vector<ContactSurface>& surfaces,
                                           std::vector<Complaint>& complaints);
/// What of flexible bodies does not touch without being told so; one line each.
std::vector<std::string> notes_on_surfaces(const Things& things, const System& system);

}  // namespace percuss
