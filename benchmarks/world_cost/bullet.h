#pragma once

#include <memory>
#include <vector>

#include "percuss/dynamics/pose.h"
#include "percuss/math/vector.h"

/// Bullet's search for contacts, in double precision, of the same bodies at the same places. Where Bullet was
/// not found there is none.
class BulletWorld {
 public:
  virtual ~BulletWorld() = default;
  virtual void place(const std::vector<percuss::PoseAndVelocity>& poses) = 0;
  /// Boxes around bodies and pairs of those that overlap.
  virtual void find_pairs() = 0;
  /// Contacts of these pairs.
  virtual void find_contacts() = 0;
  virtual long pairs() const = 0;
  virtual long contacts() const = 0;
};

/// Bodies are boxes with these sides, or balls of this diameter if `round`; null without Bullet.
std::unique_ptr<BulletWorld> make_bullet_world(const std::vector<percuss::Vector3>& sides, bool round);
