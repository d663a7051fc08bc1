#pragma once

#include "percuss/contacts/contact_set.h"

namespace percuss {

/// Throws ModelError naming what cannot touch.
ContactSet build_contacts(const Model& model, const System& system, double start_time);

}  // namespace percuss
