#include "percuss/contacts/contact_set.h"

#include <gtest/gtest.h>

#include "support/models.h"

namespace percuss {
namespace {

Model ball_in_box() {
  Model model = testing::steel_model(0.3);
  Sphere sphere;
  sphere.name = "ball";
  sphere.radius = 1;
  sphere.mass = 2;
  sphere.material = "steel";
  sphere.translations = Translations::xy;
  sphere.position = {2, 2.5, 0};
  model.bodies = {sphere};
  BoxObstacle box;
  box.name = "room";
  box.lower = {0, 0, -1};
  box.upper = {4, 4, 1};
  box.faces = {BoxFace::x_min, BoxFace::x_max, BoxFace::y_min, BoxFace::y_max};
  box.material = "steel";
  model.obstacles = {box, testing::plane("ramp", {0, 0, 0}, {3, 4, 0})};
  model.contacts = {{"all", "all"}};
  return model;
}

TEST(ContactSet, GapsOfASphereInABoxAndOverAnInclinedPlane) {
  const Assembly assembly = build_assembly(ball_in_box());
  ASSERT_EQ(assembly.contacts.count(), 5);
  const double expected[5] = {1, 1, 1.5, 0.5, 0.6 * 2 + 0.8 * 2.5 - 1};
  for (int c = 0; c < 5; ++c)
    EXPECT_NEAR(assembly.contacts.contacts[c].gap(assembly.system.initial.q), expected[c], 1e-14) << c;
}

TEST(ContactSet, VelocityIsTheRateOfTheGap) {
  const Assembly assembly = build_assembly(ball_in_box());
  const VectorX q = assembly.system.initial.q, v = VectorX::Random(2);
  for (const Contact& contact : assembly.contacts.contacts)
    EXPECT_NEAR(contact.velocity(v), (contact.gap(q + 1e-6 * v) - contact.gap(q - 1e-6 * v)) / 2e-6, 1e-9);
}

TEST(ContactSet, ViewPutsThePointOnTheSurface) {
  const Assembly assembly = build_assembly(ball_in_box());
  const int c = find_contact(assembly.system, assembly.contacts, "ball", "room.y_max");
  ASSERT_EQ(c, 3);
  VectorX v(2);
  v << 0.25, 2;
  const ContactView view = view_contact(assembly.system, assembly.contacts, c, assembly.system.initial.q, v);
  EXPECT_EQ(view.point, Vector3(2, 3.5, 0));
  EXPECT_EQ(view.normal, Vector3(0, -1, 0));
  EXPECT_DOUBLE_EQ(view.velocity[0], -2);
  EXPECT_DOUBLE_EQ(view.velocity.tail<2>().norm(), 0.25);
}

TEST(ContactSet, ABodyThatCannotMoveAlongTheNormalKeepsItsGap) {
  Model model = ball_in_box();
  std::get<Sphere>(model.bodies[0]).translations = Translations::z;
  const Assembly assembly = build_assembly(model);
  for (const Contact& contact : assembly.contacts.contacts) EXPECT_EQ(contact.count, 0);
  EXPECT_DOUBLE_EQ(assembly.contacts.contacts[2].gap(assembly.system.initial.q), 1.5);
}

}  // namespace
}  // namespace percuss
