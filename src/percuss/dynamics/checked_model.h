#pragma once

#include <vector>

#include "percuss/dynamics/rigid_inertia.h"

namespace percuss {

/// A model without faults, and what was computed to find that out. Looks at the model, which must outlive it.
class CheckedModel {
 public:
  /// Throws ModelError with everything that is wrong.
  CheckedModel(const Model& model, double start_time);
  /// Adds what is wrong to `complaints`; with any, the object is of no use.
  CheckedModel(const Model& model, double start_time, std::vector<Complaint>& complaints);

  const Model& model() const { return model_; }
  double start_time() const { return start_time_; }  ///< [s]
  /// Of each body of the model; zero unless it is rigid.
  const std::vector<RigidInertia>& inertia() const { return inertia_; }

 private:
  const Model& model_;
  double start_time_;
  std::vector<RigidInertia> inertia_;
};

}  // namespace percuss
