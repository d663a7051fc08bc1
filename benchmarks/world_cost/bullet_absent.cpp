#include "bullet.h"

std::unique_ptr<BulletWorld> make_bullet_world(const std::vector<percuss::Vector3>&, bool) { return nullptr; }
