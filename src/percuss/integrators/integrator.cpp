#include "percuss/integrators/integrator.h"

#include <cmath>

namespace percuss {

void Workspace::find_sliding_speeds(const VectorX& v) {
  sliding_speeds_.clear();
  if (context_->assembly.interactions.friction_is_constant) return;
  for (int c = 0; c < list().count(); ++c) {
    const Contact& contact = list()[c];
    double speed = 0;
    if (!contact.law.friction_is_constant())
      for (int row = contact.first_tangent(); row < contact.first_moment(); ++row)
        speed = std::hypot(speed, relative_velocity(list(), start().contacts, c, row, v));
    sliding_speeds_.push_back(speed);
  }
}

}  // namespace percuss
