#include <gtest/gtest.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/io/scene.h"
#include "support/effort.h"

/// Contacts that are certainly open need not be looked at: those that are not must not be missed.
namespace percuss {
namespace {

/// A lid and two balls over, beside and under the upper face of a block, which is an open surface; both move
/// over the floor.
Scene lid_around_block() {
  return parse_scene(R"(
percuss: 1
materials: {wood: {density: 1000, young: 1e7, poisson: 0.3}, rock: {}}
pairs:
  - {between: [wood, rock], friction: 0.5}
  - {between: [wood, wood], friction: 0.2}
bodies:
  - solid: block
    material: wood
    formulation: small
    mesh: {box: {corner: [-0.5, -0.5, 0], size: [1, 1, 1], divisions: [4, 4, 2]}}
  - solid: lid
    material: wood
    formulation: small
    mesh: {box: {corner: [-0.4, -0.4, 1], size: [0.8, 0.8, 0.2], divisions: [2, 2, 1]}}
  - {sphere: small, radius: 0.05, mass: 1, material: rock, position: [0.1, 0, 1.2]}
  - {sphere: large, radius: 0.4, mass: 1, material: rock, position: [0, 0.2, 1.6]}
obstacles:
  - {half_space: floor, material: rock}
contacts:
  - {nodes: lid.z_min, against: block.z_max}
  - {nodes: block.z_min, against: floor}
  - {body: small, against: block.z_max}
  - {body: large, against: block.z_max}
time: {end: 1, step: 1e-3}
)",
                     "lid_around_block.yaml");
}

/// A smooth way of all coordinates: bodies fly around each other, and their nodes shake a little.
VectorX places_at(const System& system, double t) {
  VectorX q = system.initial.q;
  for (const BodyData& body : system.bodies) {
    const bool is_block = body.name.starts_with("block");
    const double phase = body.name.starts_with("lid") ? 0 : static_cast<double>(body.name.size());
    for (int axis = 0; axis < 3; ++axis) {
      if (body.dof[static_cast<size_t>(axis)] < 0) continue;
      double& x = q[body.dof[static_cast<size_t>(axis)]];
      const double path = std::sin((1 + 0.37 * axis) * t + phase) + 0.5 * std::sin(2.3 * t + axis);
      x += (is_block ? 0.1 : 1.0) * path + 1e-3 * std::sin(9 * t + 100 * x);
    }
  }
  return q;
}

class NearContacts : public ::testing::TestWithParam<double> {};

TEST_P(NearContacts, AreThoseOfAllContacts) {
  const double horizon = GetParam();
  const Assembly assembly = build_assembly(lid_around_block().model);
  const System& system = assembly.system;
  const ContactList& contacts = assembly.interactions.declared;
  Kinematics kinematics = make_kinematics(system);
  ContactKinematics near = make_contact_kinematics(assembly.interactions, contacts), all = near;
  std::vector<ContactStatus> status(contacts.contacts.size(), ContactStatus::open);
  const VectorX v = VectorX::Zero(system.dof_count());
  int closed = 0, passed_over = 0;
  for (int i = 0; i < testing::repetitions(8000); ++i) {
    const double t = 2e-3 * i;
    const VectorX q = places_at(system, t);
    update(system, q, v, t, kinematics);
    evaluate_contacts(assembly, contacts, q, kinematics, all);
    const size_t watched = static_cast<size_t>(i / 500) % status.size();
    std::fill(status.begin(), status.end(), ContactStatus::open);
    status[watched] = ContactStatus::slip;
    evaluate_near_contacts(assembly, contacts, q, horizon, status, kinematics, near);
    for (size_t c = 0; c < status.size(); ++c) {
      if (all.gap[c] > horizon && c != watched) {
        ASSERT_GT(near.gap[c], horizon) << assembly.interactions.names[c].first << " at " << t;
        passed_over += near.gap[c] != all.gap[c];
        continue;
      }
      ++closed;
      ASSERT_EQ(near.gap[c], all.gap[c]) << assembly.interactions.names[c].first << " at " << t;
      ASSERT_EQ(near.direction[c], all.direction[c]);
      const Contact& contact = contacts[c];
      for (int row = 0; row < contact.rows; ++row)
        ASSERT_EQ(relative_velocity(contacts, near, static_cast<int>(c), row, q.head(v.size())),
                  relative_velocity(contacts, all, static_cast<int>(c), row, q.head(v.size())));
    }
  }
  EXPECT_GT(closed, 1000) << "the test must meet contacts";
  EXPECT_GT(passed_over, 1000) << "and contacts that were not looked at";
}

/// Less and more than the 0.1 m within which a point may be behind the surface.
INSTANTIATE_TEST_SUITE_P(Horizons, NearContacts, ::testing::Values(1e-9, 0.01, 0.3));

}  // namespace
}  // namespace percuss
