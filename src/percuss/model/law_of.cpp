#include "percuss/model/law_of.h"

#include <algorithm>

namespace percuss {

ContactLaw law_of(double restitution, double friction, double tangential_restitution) {
  if (friction > 0)
    return Coulomb{restitution, std::min(friction, sticking_friction), tangential_restitution};
  return Frictionless{restitution};
}

}  // namespace percuss
