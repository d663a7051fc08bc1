#pragma once

#include "percuss/contacts/assembly.h"

namespace percuss {

/// Throws ModelError naming what cannot touch.
Interactions build_contacts(const Model& model, const System& system, double start_time);

}  // namespace percuss
