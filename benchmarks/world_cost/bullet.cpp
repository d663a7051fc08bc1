#include "bullet.h"

#include <btBulletCollisionCommon.h>

namespace {

btVector3 to_bullet(const percuss::Vector3& v) { return {v.x(), v.y(), v.z()}; }

class World final : public BulletWorld {
 public:
  World(const std::vector<percuss::Vector3>& sides, bool round)
      : dispatcher_(&configuration_), world_(&dispatcher_, &broad_phase_, &configuration_) {
    for (const percuss::Vector3& side : sides) {
      if (round)
        shapes_.push_back(std::make_unique<btSphereShape>(0.5 * side.x()));
      else
        shapes_.push_back(std::make_unique<btBoxShape>(to_bullet(0.5 * side)));
      if (!round) shapes_.back()->setMargin(0);
      objects_.push_back(std::make_unique<btCollisionObject>());
      objects_.back()->setCollisionShape(shapes_.back().get());
      objects_.back()->setCollisionFlags(0);  // it moves
      world_.addCollisionObject(objects_.back().get());
    }
  }
  ~World() override {
    for (const auto& object : objects_) world_.removeCollisionObject(object.get());
  }

  void place(const std::vector<percuss::PoseAndVelocity>& poses) override {
    for (size_t i = 0; i < objects_.size(); ++i) {
      const auto& R = poses[i].R;
      const btMatrix3x3 turn(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2));
      objects_[i]->setWorldTransform(btTransform(turn, to_bullet(poses[i].x)));
    }
  }
  // The two halves of btCollisionWorld::performDiscreteCollisionDetection.
  void find_pairs() override {
    world_.updateAabbs();
    world_.computeOverlappingPairs();
  }
  void find_contacts() override {
    dispatcher_.dispatchAllCollisionPairs(broad_phase_.getOverlappingPairCache(), world_.getDispatchInfo(),
                                          &dispatcher_);
  }
  long pairs() const override {
    auto& broad_phase = const_cast<btDbvtBroadphase&>(broad_phase_);
    return broad_phase.getOverlappingPairCache()->getNumOverlappingPairs();
  }
  long contacts() const override {
    long count = 0;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i)
      count +=
          const_cast<btCollisionDispatcher&>(dispatcher_).getManifoldByIndexInternal(i)->getNumContacts();
    return count;
  }

 private:
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btCollisionWorld world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btCollisionObject>> objects_;
};

}  // namespace

std::unique_ptr<BulletWorld> make_bullet_world(const std::vector<percuss::Vector3>& sides, bool round) {
  return std::make_unique<World>(sides, round);
}
