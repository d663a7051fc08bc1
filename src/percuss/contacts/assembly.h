#pragma once

#include "percuss/contacts/contact_list.h"
#include "percuss/dynamics/consistent_start.h"
#include "percuss/dynamics/system.h"

namespace percuss {

/// A mechanical system together with what can touch: what an integrator moves.
struct Assembly {
  System system;
  Interactions interactions;
  StartReport start;
  /// Whether one linear solve of a step is exact: matrices and directions of contacts are constant, and there
  /// are no joints.
  bool is_linear() const {
    return system.is_linear() && system.constraint_count() == 0 && interactions.is_constant;
  }
  bool steps_vary = false;  ///< then nothing is computed that pays off only while factors last
};
/// Throws ModelError if something cannot touch or joints cannot be closed.
Assembly build_assembly(const CheckedModel& checked);
/// The same if the model is not valid.
Assembly build_assembly(const Model& model, double start_time = 0);

}  // namespace percuss
