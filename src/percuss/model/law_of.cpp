#include "percuss/model/law_of.h"

namespace percuss {

ContactLaw law_of(const RestitutionDescription& restitution, const FrictionDescription& friction,
                  double tangential_restitution) {
  if (friction.acts())
    return Coulomb{Restitution(restitution), SlidingFriction(friction), tangential_restitution};
  return Frictionless{Restitution(restitution)};
}

ContactLaw law_of(const PairLaw& pair) {
  if (!pair.has_moments()) return law_of(pair.restitution, pair.friction, pair.tangential_restitution);
  return Rolling{{Restitution(pair.restitution), SlidingFriction(pair.friction), pair.tangential_restitution},
                 pair.rolling,
                 pair.spinning};
}

}  // namespace percuss
