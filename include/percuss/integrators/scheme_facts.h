#pragma once

#include <string_view>

namespace percuss {

/// At which level a scheme satisfies joints and contacts at the end of a step.
enum class ConstraintLevel { position, velocity, position_and_velocity, acceleration };

/// What a scheme promises for its options: `percuss integrators` prints it and the tests believe nothing
/// else. An order of 0 means that the scheme does not converge.
struct SchemeFacts {
  int smooth_order = 1;  ///< without impacts and joints
  int joint_order = 1;   ///< with joints, without impacts
  int impact_order = 1;
  ConstraintLevel constraints = ConstraintLevel::velocity;
  bool has_friction = true;  ///< Coulomb friction and dry joints
  bool has_moments = true;   ///< resistance to rolling and spinning
  bool has_joints = true;
  bool any_restitution = true;  ///< false: it takes e for a number that does not depend on the velocity
  bool is_explicit = false;     ///< the step is limited by the stiffness
  bool varies_step = false;     ///< its orders hold for steps of varying size, of single steps too: it can be
                                ///< adaptive
  bool chooses_steps = false;   ///< within time.step, which is no step size: frames may be more frequent
  bool is_for_study = false;    ///< shows what goes wrong: energy out of nothing does not end a run
  std::string_view restriction = {};  ///< what else a user must know
};

}  // namespace percuss
