#pragma once

#include "percuss/dynamics/pools/axis_springs.h"
#include "percuss/dynamics/pools/constant_matrices.h"
#include "percuss/dynamics/pools/coordinate_springs.h"
#include "percuss/dynamics/pools/distance_springs.h"
#include "percuss/dynamics/pools/gyroscopic_forces.h"
#include "percuss/dynamics/pools/loads.h"
#include "percuss/dynamics/pools/planar_beams.h"
#include "percuss/dynamics/pools/solids.h"
#include "percuss/dynamics/pools/spatial_beams.h"
#include "percuss/dynamics/pools/spin_couplings.h"
#include "percuss/dynamics/pools/user_systems.h"

namespace percuss {

/// The table of all kinds of forces but gravity and those of floating frames, in the order in which they are
/// summed. A new kind is a member here and a name in `for_each_pool`, which does not compile without it.
struct Pools {
  Loads loads;
  AxisSprings axis_springs;
  DistanceSprings distance_springs;
  CoordinateSprings coordinate_springs;
  GyroscopicForces gyroscopic_forces;
  PlanarBeams planar_beams;
  SpatialBeams spatial_beams;
  SpinCouplings spin_couplings;
  Solids solids;
  UserSystems user_systems;
  ConstantMatrices constant;
};

template <class Visit>
void for_each_pool(auto& pools, Visit&& visit) {
  auto& [loads, axis_springs, distance_springs, coordinate_springs, gyroscopic_forces, planar_beams,
         spatial_beams, spin_couplings, solids, user_systems, constant] = pools;
  const auto visit_all = [&]<class... P>(P&... pool) {
    static_assert((ForcePool<std::remove_const_t<P>> && ...));
    (visit(pool), ...);
  };
  visit_all(loads, axis_springs, distance_springs, coordinate_springs, gyroscopic_forces, planar_beams,
            spatial_beams, spin_couplings, solids, user_systems, constant);
}

}  // namespace percuss
