#pragma once

#include <memory>
#include <vector>

#include "percuss/contacts/things.h"

namespace percuss {

struct System;

/// What is found by others; nullptr if nothing is. Complaints are about shapes that cannot be found.
std::shared_ptr<const Things> build_things(const Model& model, const System& system,
                                           std::vector<Complaint>& complaints);

}  // namespace percuss
