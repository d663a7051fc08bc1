#include <gtest/gtest.h>

#include "percuss/contacts/contact_kinematics.h"
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

/// Gaps and normals at a configuration.
ContactKinematics contacts_at(const Assembly& assembly, const VectorX& q) {
  Kinematics kinematics = make_kinematics(assembly.system);
  update(assembly.system, q, VectorX::Zero(assembly.system.dof_count()), 0, kinematics);
  ContactKinematics at = make_contact_kinematics(assembly.interactions, assembly.interactions.declared);
  evaluate_contacts(assembly, assembly.interactions.declared, q, kinematics, at);
  return at;
}

/// Every normal is the derivative of its gap, on the manifold.
void expect_normals_are_gradients(const Assembly& assembly, const VectorX& q, double tolerance) {
  const ContactKinematics at = contacts_at(assembly, q);
  const int n = assembly.system.dof_count();
  const auto moved = [&](const VectorX& increment) {
    VectorX result = q;
    retract(assembly.system, increment, result);
    return result;
  };
  for (int trial = 0; trial < 5; ++trial) {
    const VectorX d = VectorX::Random(n), step = 1e-6 * d;
    const ContactKinematics plus = contacts_at(assembly, moved(step)),
                            minus = contacts_at(assembly, moved(-step));
    for (int c = 0; c < assembly.interactions.declared.count(); ++c)
      EXPECT_NEAR(relative_velocity(assembly.interactions.declared, at, c, 0, d),
                  (plus.gap[c] - minus.gap[c]) / 2e-6, tolerance)
          << assembly.interactions.names[c].first << ", " << assembly.interactions.names[c].second;
  }
}

TEST(ContactList, GapsOfASphereInABoxAndOverAnInclinedPlane) {
  const Assembly assembly = build_assembly(ball_in_box());
  ASSERT_EQ(assembly.interactions.declared.count(), 5);
  const double expected[5] = {1, 1, 1.5, 0.5, 0.6 * 2 + 0.8 * 2.5 - 1};
  const ContactKinematics at = contacts_at(assembly, assembly.system.initial.q);
  for (int c = 0; c < 5; ++c) EXPECT_NEAR(at.gap[c], expected[c], 1e-14) << c;
}

TEST(ContactList, VelocityIsTheRateOfTheGap) {
  const Assembly assembly = build_assembly(ball_in_box());
  expect_normals_are_gradients(assembly, assembly.system.initial.q, 1e-9);
}

TEST(ContactList, ViewPutsThePointOnTheSurface) {
  Model model = ball_in_box();
  std::get<Sphere>(model.bodies[0]).velocity = {0.25, 2, 0};
  const Simulation simulation(model, testing::run_config(MoreauJeanOptions{}, 1, 1e-3));
  const int c = find_contact(simulation.assembly().interactions, "ball", "room.y_max");
  ASSERT_EQ(c, 3);
  const ContactView view = simulation.view_contact(c);
  EXPECT_EQ(view.point, Vector3(2, 3.5, 0));
  EXPECT_EQ(view.normal, Vector3(0, -1, 0));
  EXPECT_DOUBLE_EQ(view.velocity[0], -2);
  EXPECT_DOUBLE_EQ(view.velocity.tail<2>().norm(), 0.25);
}

TEST(ContactList, ABodyThatCannotMoveAlongTheNormalKeepsItsGap) {
  Model model = ball_in_box();
  std::get<Sphere>(model.bodies[0]).translations = Translations::z;
  const Assembly assembly = build_assembly(model);
  for (const Contact& contact : assembly.interactions.declared.contacts) EXPECT_EQ(contact.count, 0);
  EXPECT_DOUBLE_EQ(contacts_at(assembly, assembly.system.initial.q).gap[2], 1.5);
}

RigidBody brick(const std::string& name, const Vector3& position, const Shape& shape,
                Coordinates coordinates = Coordinates::manifold) {
  RigidBody body;
  body.name = name;
  body.material = "steel";
  body.mass = 2;
  body.shape = shape;
  body.position = position;
  body.coordinates = coordinates;
  return body;
}
Shape box_shape(const Vector3& sides) {
  Shape shape;
  shape.box = sides;
  return shape;
}
Shape sphere_shape(double radius) {
  Shape shape;
  shape.sphere = radius;
  return shape;
}

TEST(ContactList, NormalsOfRigidBodiesAreGradients) {
  Model model = testing::steel_model(0.5);
  Shape capsule;
  capsule.capsule = RadiusAndLength{0.1, 0.5};
  model.bodies = {brick("low", {0, 0, 0}, box_shape({1, 1, 1})),
                  brick("high", {0.2, 0.1, 1.3}, box_shape({0.6, 0.7, 0.5})),
                  brick("natural", {5, 0, 0}, box_shape({0.6, 0.7, 0.5}), Coordinates::natural),
                  brick("ball", {2, 0, 0.5}, sphere_shape(0.3)),
                  brick("other", {2.7, 0.2, 0.4}, sphere_shape(0.2)),
                  brick("pill", {-2, 0, 1}, capsule)};
  model.obstacles = {testing::plane("floor", {0, 0, -1}, {0.1, 0, 1})};
  model.contacts = {{"all", "floor"},
                    {.body = "high", .against = "low", .corners_only = true},
                    {"ball", "other"},
                    {.body = "ball", .against = "low", .corners_only = true},
                    {.body = "pill", .against = "low", .corners_only = true}};
  const Assembly assembly = build_assembly(model);
  // 8 + 8 + 8 + 1 + 1 + 2 points over the floor, 16 corners, two spheres, ball and box, capsule ends and box
  EXPECT_EQ(assembly.interactions.declared.count(), 28 + 16 + 1 + 1 + 2);
  VectorX q = assembly.system.initial.q;
  retract(assembly.system, 0.05 * VectorX::Random(assembly.system.dof_count()), q);
  expect_normals_are_gradients(assembly, q, 1e-8);
}

TEST(ContactList, PlanarPolygonsPinsAndSlotsHaveExactNormals) {
  Model model = testing::steel_model(0.5);
  const auto plate = [](const std::string& name, const Vector3& position) {
    PlanarBody body;
    body.name = name;
    body.material = "steel";
    body.mass = 1;
    body.position = position;
    body.angle = 0.3;
    body.shape = PlanarShape{};
    body.shape->polygon = {{-0.5, -0.3}, {0.5, -0.4}, {0.6, 0.4}, {-0.4, 0.3}};
    body.points = {{"p", {0.1, 0.2, 0}}, {"q", {-0.3, 0.1, 0}}};
    return body;
  };
  model.bodies = {plate("a", {0, 0, 0}), plate("b", {0.4, 1, 0}), plate("c", {3, 0, 0})};
  model.obstacles = {testing::plane("floor", {0, -1, 0}, {0, 1, 0})};
  model.contacts = {{.body = "a", .against = "b", .corners_only = true}, {"a", "floor"}};
  PinInHole pin;
  pin.name = "pin";
  pin.pin = "c.p";
  pin.hole = "a.q";
  pin.pin_radius = 0.1;
  pin.hole_radius = 5;
  Slot slot;
  slot.name = "guide";
  slot.points = {"c.p", "c.q"};
  slot.in = "b";
  slot.at = {0.4, 1, 0};
  slot.normal = {0.2, 1, 0};
  slot.width = 0.5;
  model.clearances = {pin, slot};
  const Assembly assembly = build_assembly(model);
  EXPECT_EQ(assembly.interactions.declared.count(), 8 + 4 + 1 + 4);
  expect_normals_are_gradients(assembly, assembly.system.initial.q, 1e-8);
}

TEST(ContactList, ACornerInsideAnotherBodyIsAsDeepAsTheNearestFace) {
  Model model = testing::steel_model(0);
  model.bodies = {brick("low", {0, 0, 0}, box_shape({1, 1, 1})),
                  brick("high", {0.7, 0, 0.95}, box_shape({1, 0.8, 1}))};
  model.contacts = {{.body = "high", .against = "low", .corners_only = true}};
  const Assembly assembly = build_assembly(model);
  const ContactKinematics at = contacts_at(assembly, assembly.system.initial.q);
  double deepest = 1;
  for (int c = 0; c < 8; ++c) deepest = std::min(deepest, at.gap[c]);
  EXPECT_NEAR(deepest, -0.05, 1e-14);
}

}  // namespace
}  // namespace percuss
