#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/scenes.h"

/// A ball thrown with spin against a floor, without gravity, so that the bounce is all there is. With the
/// sliding u = v_x - R omega_y, W_TT = 7 / (2 m) and the normal impulse r_N = m (1 + e) |v_z|:
///   sticks  r_T = -(2 m / 7) (1 + e_T) u,  so that u' = -e_T u
///   slides  r_T = -mu r_N sign(u),         where the first would be more
///   v_x' = v_x + r_T / m,   omega_y' = omega_y - 5 r_T / (2 m R)
namespace percuss {
namespace {

struct Throw {
  double speed, spin;
  bool sticks;  ///< in the impact, by the formulas above
};
constexpr Throw throws[] = {
    {2, 0, true},     // oblique: the superball comes back with back spin
    {0, 60, true},    // spin alone
    {3, -40, true},   // both
    {-1, 30, true},   //
    {15, 0, false},   // too flat: friction is used up
    {0, -300, false}  //
};

constexpr double mass = 0.3, radius = 0.05, fall = 4, e = 0.8, e_T = 0.6, mu = 0.7, h = 1e-3;

Simulation thrown(const Throw& given, const std::string& scheme) {
  const std::string text = fmt::format(R"scene(percuss: 1
gravity: [0, 0, 0]
materials: {{rubber: {{}}, floor: {{}}}}
pairs:
  - {{between: [rubber, floor], restitution: {}, tangential_restitution: {}, friction: {}}}
bodies:
  - rigid: ball
    material: rubber
    mass: {}
    shape: {{sphere: {}}}
    position: [0, 0, 0.2]
    velocity: [{}, 0, {}]
    angular_velocity: [0, {}, 0]
obstacles:
  - {{half_space: floor, normal: [0, 0, 1], material: floor}}
contacts:
  - {{body: ball, against: floor}}
integrator: {{scheme: {}}}
time: {{end: 0.1, step: {}}}
)scene",
                                       e, e_T, mu, mass, radius, given.speed, -fall, given.spin, scheme, h);
  const Scene scene = parse_scene(text, "superball");
  return Simulation(scene.model, scene.run);
}

TEST(TangentialRestitution, OfAThrownBallIsThatOfTheClosedForm) {
  for (const char* scheme : {"moreau-jean", "moreau-explicit"})
    for (const Throw& given : throws) {
      Simulation s = thrown(given, scheme);
      int impacts = 0;
      while (!s.finished()) {
        ASSERT_EQ(s.step().status, SolveStatus::converged);
        impacts += s.probe("contact(ball, floor).status") == 3;
      }
      const double u = given.speed - radius * given.spin, r_N = mass * (1 + e) * fall;
      const double wanted = 2 * mass / 7 * (1 + e_T) * std::abs(u);
      ASSERT_EQ(given.sticks, wanted <= mu * r_N);
      const double r_T = -std::copysign(std::min(wanted, mu * r_N), u);
      SCOPED_TRACE(fmt::format("{}: {} m/s, {} rad/s", scheme, given.speed, given.spin));
      EXPECT_EQ(impacts, 1);
      EXPECT_NEAR(s.probe("ball.velocity.z"), e * fall, 1e-12);
      EXPECT_NEAR(s.probe("ball.velocity.x"), given.speed + r_T / mass, 1e-9);
      EXPECT_NEAR(s.probe("ball.omega.y"), given.spin - 5 * r_T / (2 * mass * radius), 1e-7);
      EXPECT_NEAR(s.probe("ball.velocity.y"), 0, 1e-12);
    }
}

TEST(TangentialRestitution, APerfectSuperballKeepsItsEnergy) {
  // e = e_T = 1 and enough friction: the bounce is elastic.
  for (const char* scheme : {"moreau-jean", "moreau-explicit"}) {
    Scene scene = load_scene(
        testing::scene_path("spinning_ball"),
        {"gravity=[0, 0, 0]", "bodies[ball].position=[0, 0, 0.2]", "bodies[ball].velocity=[2, 0, -4]",
         "pairs[0].restitution=1", "pairs[0].tangential_restitution=1", "pairs[0].friction=2", "time.end=0.1",
         std::string("integrator.scheme=") + scheme});
    Simulation s(scene.model, scene.run);
    const double before = s.energy().total();
    s.advance_to(1);
    EXPECT_NEAR(s.energy().total(), before, 1e-9 * before);
    EXPECT_NEAR(s.probe("contact(ball, floor).sliding"), 2 + 50 * 0.11, 1e-8);  // reversed
    EXPECT_NEAR(s.probe("ball.velocity.z"), 4, 1e-12);
  }
}

}  // namespace
}  // namespace percuss
