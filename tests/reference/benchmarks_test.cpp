#include <gtest/gtest.h>

#include "support/scenes.h"

/// The shipped scenes against numbers from independent references: closed forms and event-driven solutions
/// ("limit"), and the exact solution of the scheme's own equations at a given step ("discrete").
namespace percuss {
namespace {

using testing::finished;
using testing::Overrides;
const Overrides damped = {"integrator.theta=1", "integrator.activation=start-gap"};

Overrides operator+(Overrides a, const Overrides& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

struct Event {
  double time, energy;
};
/// Times and energies after the first impacts of a contact (by index) or of any.
std::vector<Event> first_impacts(Simulation& simulation, size_t count, int contact = -1) {
  std::vector<Event> events;
  while (!simulation.finished() && events.size() < count) {
    EXPECT_EQ(simulation.step().status, SolveStatus::converged);
    for (const Impact& impact : simulation.impacts())
      if (contact < 0 || impact.contact == contact)
        events.push_back({simulation.time(), simulation.energy().total()});
  }
  return events;
}

TEST(BouncingBall, DiscreteSolution) {
  const Simulation s = finished("bouncing_ball", damped + Overrides{"time.end=2"});
  EXPECT_NEAR(s.probe("contact(ball, floor).gap"), 0.049684, 1e-9);
  EXPECT_NEAR(s.probe("ball.velocity.z"), 1.3016, 1e-9);
}

TEST(BouncingBall, Limit) {
  const double h = 1e-5;
  Simulation s = testing::scene_simulation("bouncing_ball", {"time.step=1e-5", "time.end=2"});
  const auto events = first_impacts(s, 3);
  EXPECT_NEAR(events[0].time, 0.4002499219, 2 * h);
  EXPECT_NEAR(events[1].time, 1.0406497970, 8 * h);
  EXPECT_NEAR(events[0].energy, 5.1264, 20 * h);
  EXPECT_NEAR(events[1].energy, 3.280896, 20 * h);
  EXPECT_NEAR(events[2].energy, 2.09977344, 20 * h);
  s.advance_to(2);
  EXPECT_NEAR(s.probe("contact(ball, floor).gap"), 0.0540348899, 10 * h);
  EXPECT_NEAR(s.probe("ball.velocity.z"), 1.2676798513, 50 * h);
}

TEST(BouncingBall, RestsAfterInfinitelyManyImpacts) {
  Simulation s = testing::scene_simulation("bouncing_ball");
  s.advance_to(3.6022492973 + 0.05);
  const double height = s.probe("contact(ball, floor).gap");
  EXPECT_LT(std::abs(s.probe("ball.velocity.z")), 1e-3);
  EXPECT_NEAR(height, 0, 1e-5);
  s.advance_to(5);
  EXPECT_NEAR(s.probe("contact(ball, floor).gap"), height, 1e-12) << "it must not sink or creep";
  EXPECT_LT(std::abs(s.probe("ball.velocity.z")), 1e-12);
  EXPECT_NEAR(s.probe("contact(ball, floor).force"), 10, 1e-9) << "the floor carries the weight";
}

TEST(VerticalOscillator, DiscreteEnergy) {
  const Simulation s = finished("vertical_oscillator", damped + Overrides{"time.end=1"});
  EXPECT_NEAR(s.probe("energy"), 7.933592, 1e-6);
}

TEST(VerticalOscillator, Limit) {
  const double h = 1e-6;
  Simulation s = testing::scene_simulation("vertical_oscillator", {"time.step=1e-6", "time.end=1"});
  EXPECT_NEAR(s.probe("energy"), 20.02, 1e-12);
  const auto events = first_impacts(s, 2);
  EXPECT_NEAR(events[0].time, 0.4474371464, 2 * h);
  EXPECT_NEAR(events[1].time, 0.4669458288, 4 * h);
  EXPECT_NEAR(events[0].energy, 16.4164, 100 * h);
  EXPECT_NEAR(events[1].energy, 12.966003718, 100 * h);
  s.advance_to(1);
  EXPECT_NEAR(s.probe("lower.position.z"), 0.33719525, 1e-4);
  EXPECT_NEAR(s.probe("lower.velocity.z"), -1.80846210, 3e-4);
}

TEST(OscillatorChain, DiscreteEnergy) {
  const Simulation s = finished("oscillator_chain", damped);
  EXPECT_NEAR(s.probe("energy"), 46.5965, 1e-4);
}

TEST(OscillatorChain, Limit) {
  const double h = 2e-5;
  Simulation s = testing::scene_simulation("oscillator_chain", {"time.step=2e-5", "time.end=4"});
  EXPECT_NEAR(s.probe("energy"), 50, 1e-12);
  double closes = 0, opens = 0;
  bool was_closed = false;
  while (!s.finished()) {
    ASSERT_EQ(s.step().status, SolveStatus::converged);
    const bool closed = s.state().contacts.reaction[0] > 0;
    if (closed && !was_closed && s.time() < 1.2) closes = s.time();
    if (closed) opens = s.time();
    was_closed = closed;
  }
  EXPECT_NEAR(closes, 1.1124652, 5e-4);
  EXPECT_NEAR(opens, 3.0002434, 5 * h);
  EXPECT_NEAR(s.probe("energy"), 49.2484335, 1e-3);
  EXPECT_NEAR(s.probe("mass0.position.x"), 0.98795455, 2e-5);
}

TEST(BallInBox, Limit) {
  const double h = 1e-5;
  const Overrides fine = {"time.step=1e-5"};
  Simulation s = testing::scene_simulation("ball_in_box", fine);
  EXPECT_NEAR(s.probe("energy"), 13.4007092, 1e-7);
  const auto any = first_impacts(s, 3);
  EXPECT_NEAR(any[0].time, 0.4851937281, 2 * h);
  EXPECT_NEAR(any[1].time, 0.6385508568, 2 * h);
  EXPECT_NEAR(any[0].energy, 5.6696138, 10 * h);
  EXPECT_NEAR(any[1].energy, 1.2060638, 10 * h);
  EXPECT_NEAR(any[2].energy, 0.5102652, 10 * h);
}

TEST(BallInBox, ComesToRestInTheCorner) {
  Simulation s = testing::scene_simulation("ball_in_box", {"time.step=1e-5"});
  // Before its impacts accumulate each coordinate still moves; afterwards it does not.
  s.advance_to(0.9010740665 - 0.02);
  double fastest = 0;
  while (s.time() < 0.9010740665 - 1e-3) {
    s.step();
    fastest = std::max(fastest, std::abs(s.probe("ball.velocity.x")));
  }
  EXPECT_GT(fastest, 1e-3);
  s.advance_to(0.9010740665 + 5e-3);
  EXPECT_LT(std::abs(s.probe("ball.velocity.x")), 1e-3);
  s.advance_to(1.1858801627 + 5e-3);
  EXPECT_LT(std::abs(s.probe("ball.velocity.y")), 1e-3);
  s.advance_to(2);
  EXPECT_NEAR(s.probe("ball.position.x"), 1, 1e-8);
  EXPECT_NEAR(s.probe("ball.position.y"), 1, 1e-8);
  EXPECT_LT(s.probe("ball.speed"), 1e-10);
}

TEST(BallInBox, RestGapAtTheStepOfThePaper) {
  for (const std::string scheme : {"moreau-jean", "moreau-explicit"}) {
    const Simulation s = finished("ball_in_box", {"time.end=10", "integrator.scheme=" + scheme});
    EXPECT_GT(s.probe("contacts.min_gap"), -1e-3) << scheme;
    EXPECT_LT(s.probe("ball.speed"), 1e-12) << scheme;
  }
}

}  // namespace
}  // namespace percuss
