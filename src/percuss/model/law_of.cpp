#include "percuss/model/law_of.h"

#include <algorithm>

namespace percuss {

ContactLaw law_of(double restitution, double friction, double tangential_restitution) {
  if (friction > 0)
    return Coulomb{restitution, std::min(friction, sticking_friction), tangential_restitution};
  return Frictionless{restitution};
}

ContactLaw law_of(const PairLaw& pair) {
  if (!pair.has_moments()) return law_of(pair.restitution, pair.friction, pair.tangential_restitution);
  return Rolling{{pair.restitution, std::min(pair.friction, sticking_friction), pair.tangential_restitution},
                 pair.rolling,
                 pair.spinning};
}

}  // namespace percuss
