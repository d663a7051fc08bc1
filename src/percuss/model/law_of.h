#pragma once

#include "percuss/laws/contact_law.h"
#include "percuss/model/model.h"

/// The laws that the parts of a model describe. In how many directions they slide the bodies decide.
namespace percuss {

/// Without friction there are no tangents.
ContactLaw law_of(const RestitutionDescription& restitution, const FrictionDescription& friction,
                  double tangential_restitution = 0);
ContactLaw law_of(const PairLaw& pair);
inline ContactLaw law_of(const Limits& limits) { return Frictionless{limits.restitution}; }
/// A clearance: a pin in a hole, a slider in a slot.
template <class Clearance>
requires requires(const Clearance& clearance) { clearance.friction; }
ContactLaw law_of(const Clearance& clearance) { return law_of(clearance.restitution, clearance.friction); }
inline ContactLaw law_of(const LagrangianSystem::Gap& gap) {
  ContactLaw law = law_of(gap.restitution, gap.friction);
  law.set_tangents(gap.tangents);
  return law;
}
inline ContactLaw law_of(const JointBase& joint) { return JointFriction{joint.friction}; }

}  // namespace percuss
