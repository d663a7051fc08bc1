#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "percuss/simulation/run.h"
#include "support/event_runs.h"
#include "support/same_statistics.h"

/// The scheme `event-driven` against exact solutions: what it must show is the time of every event.
namespace percuss {
namespace {

using testing::next_impact;
using testing::Overrides;
using testing::scene_simulation;
using testing::sharp;
using testing::operator+;

Simulation event_driven(const std::string& scene, Overrides overrides = {}) {
  overrides.insert(overrides.begin(), "integrator.scheme=event-driven");
  return scene_simulation(scene, overrides);
}

/// Goes on until a contact has left the status it has.
double end_of_status(Simulation& s, size_t contact, ContactStatus status) {
  double time = s.time();
  while (!s.finished()) {
    EXPECT_EQ(s.step().status, SolveStatus::converged);
    if (s.state().contacts.status[contact] != status) return time;
    time = s.time();
  }
  ADD_FAILURE() << "the contact keeps its status";
  return 0;
}

// ----------------------------- impacts

TEST(EventDriven, EveryBounceOfTheBallIsInTime) {
  Simulation s = event_driven("bouncing_ball");
  const double first = std::sqrt(2 * 0.801 / 10), e = 0.8;
  double exact = first, flight = 2 * e * first, energy = 8.01;
  for (int k = 0; k < 25; ++k) {
    const Impact impact = next_impact(s);
    energy *= e * e;
    EXPECT_NEAR(impact.time, exact, 1e-12) << k;
    EXPECT_NEAR(impact.u_after, -e * impact.u_before, 1e-14);
    EXPECT_NEAR(s.energy().total(), energy, 1e-12);
    exact += flight;
    flight *= e;
  }
}

TEST(EventDriven, TheBallRestsAfterItsLastBounceAndTheRunGoesOn) {
  Simulation s = event_driven("bouncing_ball");
  const double zeno = std::sqrt(2 * 0.801 / 10) * (1 + 2 * 0.8 / (1 - 0.8));
  Impact last;
  for (Impact impact = next_impact(s); impact.time > 0; impact = next_impact(s)) last = impact;
  EXPECT_NEAR(last.time, zeno, 1e-6);
  EXPECT_EQ(last.u_after, 0) << "the last one closes the contact";
  EXPECT_EQ(s.statistics().accumulations, 1) << "and is reported";
  EXPECT_EQ(s.statistics().last_accumulation, last.time);
  EXPECT_TRUE(s.finished());
  EXPECT_NEAR(s.probe("contact(ball, floor).gap"), 0, 1e-15);
  EXPECT_NEAR(s.probe("contact(ball, floor).force"), 10, 1e-12);
  EXPECT_NEAR(s.energy().loss_impacts, 8.01, 1e-12);
}

TEST(EventDriven, TheStepOfTheRunDoesNotMatter) {
  for (const char* step : {"time.step=0.5", "time.step=0.037", "time.step=1e-3"}) {
    Simulation s = event_driven("bouncing_ball", {step, "time.end=2"});
    ASSERT_EQ(s.advance_to(2).status, SolveStatus::converged);
    EXPECT_NEAR(s.probe("contact(ball, floor).gap"), 0.0540348899, 1e-10) << step;
    EXPECT_NEAR(s.probe("ball.velocity.z"), 1.2676798513, 1e-10) << step;
  }
}

/// However long the step of the run is.
TEST(EventDriven, FramesAreAtTheirTimes) {
  Simulation s = event_driven("bouncing_ball", {"time.step=0.5", "record.every=0.1", "time.end=1"});
  const double first = std::sqrt(2 * 0.801 / 10), up = 0.8 * 10 * first;
  int frames = 0;
  while (!s.finished()) {
    ASSERT_EQ(s.step().status, SolveStatus::converged);
    if (!is_frame_time(s)) continue;
    const double t = 0.1 * ++frames, flight = t - first;
    EXPECT_DOUBLE_EQ(s.time(), t);
    EXPECT_NEAR(s.probe("contact(ball, floor).gap"),
                flight < 0 ? 0.801 - 5 * t * t : up * flight - 5 * flight * flight, 1e-12);
  }
  EXPECT_EQ(frames, 10);
}

TEST(EventDriven, BothWallsOfTheBoxAreMetInTime) {
  Simulation s = event_driven("ball_in_box", {"time.end=2"});
  const double a[] = {9.81 * std::cos(M_PI / 6), 9.81 * std::sin(M_PI / 6)}, e = 0.3;
  double first[2], zeno[2], last[2] = {};
  for (int k = 0; k < 2; ++k) {
    first[k] = std::sqrt(2 / a[k]);
    zeno[k] = first[k] * (1 + 2 * e / (1 - e));
  }
  EXPECT_NEAR(next_impact(s).time, first[0], 1e-12);
  EXPECT_NEAR(s.energy().total(), 5.6696138, 1e-7);
  EXPECT_NEAR(next_impact(s).time, first[1], 1e-12);
  for (Impact impact = next_impact(s); impact.time > 0; impact = next_impact(s))
    last[s.contact_name(s.contact_record()[static_cast<size_t>(impact.contact)].id).second == "room.y_min"] =
        impact.time;
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(last[k], zeno[k], 1e-6);
  EXPECT_NEAR(s.probe("ball.position.x"), 1, 1e-15);
  EXPECT_NEAR(s.probe("ball.position.y"), 1, 1e-15);
}

/// Between impacts both masses swing about their centre, which falls: the gap of the lower one is
/// known, and so is its next zero.
TEST(EventDriven, TheOscillatorHitsAgainWhenItsExactMotionDoes) {
  Simulation s = event_driven("vertical_oscillator", {"time.end=1"});
  const double height = 1.001, g = 10, omega = std::sqrt(2e4), e = 0.8;
  const double first = std::sqrt(2 * height / g), speed = g * first;
  EXPECT_NEAR(next_impact(s).time, first, 1e-12);
  const double up = e * speed, centre = (up - speed) / 2, swing = (up + speed) / 2;
  const auto gap = [&](double t) { return centre * t - g * t * t / 2 + swing / omega * std::sin(omega * t); };
  double low = 0.018, high = 0.021;
  for (int k = 0; k < 100; ++k) (gap((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
  EXPECT_NEAR(next_impact(s).time, first + low, 1e-11);
  EXPECT_NEAR(s.energy().total(), 12.966003718, 1e-8);
  ASSERT_EQ(s.advance_to(1).status, SolveStatus::converged);
  EXPECT_NEAR(s.probe("lower.position.z"), 0.33719525, 1e-8);
  EXPECT_NEAR(s.probe("lower.velocity.z"), -1.80846210, 1e-8);
  EXPECT_NEAR(s.energy().loss_algorithmic, 0, 1e-8);
}

TEST(EventDriven, TheChainClosesAndOpens) {
  Simulation s = event_driven("oscillator_chain", {"time.end=4", "time.step=1e-2"});
  double closed = 0;
  while (closed == 0) {
    ASSERT_EQ(s.step().status, SolveStatus::converged);
    if (s.state().contacts.status[0] == ContactStatus::slip) closed = s.last_step_start();
  }
  EXPECT_NEAR(closed, 1.1124652, 1e-7) << "after its impacts have accumulated";
  EXPECT_NEAR(end_of_status(s, 0, ContactStatus::slip), 3.0002434, 1e-7);
  ASSERT_EQ(s.advance_to(4).status, SolveStatus::converged);
  EXPECT_NEAR(s.probe("mass0.position.x"), 0.98795455, 1e-8);
  EXPECT_NEAR(s.probe("energy"), 49.2484335, 1e-7);
}

// ----------------------------- friction

TEST(EventDriven, TheMassOnTheBeltSticksAndSlipsInTime) {
  const double omega = 10, speed = 0.2, limit = 0.4 * 9.81 / 100;
  Simulation s =
      event_driven("stick_slip_belt", {"parameters.speed=0.2", "bodies[block].velocity=[0, 0, 0]"});
  const double stops = std::asin(speed / (limit * omega)) / omega;
  const double place = limit * (1 - std::cos(omega * stops));
  EXPECT_NEAR(end_of_status(s, 0, ContactStatus::slip), stops, 1e-10);
  const double starts = stops + (limit - place) / speed;
  EXPECT_NEAR(end_of_status(s, 0, ContactStatus::stick), starts, 1e-10);
  ASSERT_EQ(s.advance_to(starts + 0.3).status, SolveStatus::converged);
  const double t = s.time() - starts;
  EXPECT_NEAR(s.probe("block.position.x"), limit + speed / omega * std::sin(omega * t), 1e-9);
}

TEST(EventDriven, TheBlockThatSlidesInSpaceStopsInTime) {
  Simulation s = event_driven("sliding_block");
  ASSERT_EQ(s.step().status, SolveStatus::converged);
  size_t corner = 0;
  while (s.state().contacts.status.at(corner) != ContactStatus::slip) ++corner;
  const double stops = 2 / (0.3 * 9.81), way = 2 * 2 / (2 * 0.3 * 9.81), direction = 0.6435011087932844;
  EXPECT_NEAR(end_of_status(s, corner, ContactStatus::slip), stops, 1e-7)
      << "from the slowest sliding on it rests";
  ASSERT_EQ(s.advance_to(1).status, SolveStatus::converged);
  EXPECT_NEAR(s.probe("block.position.x"), way * std::cos(direction), 1e-10);
  EXPECT_NEAR(s.probe("block.position.y"), way * std::sin(direction), 1e-10);
  EXPECT_LT(s.probe("block.speed"), 1e-15);
}

/// Time from rest at the tilt `amplitude` until the base is flat, by the integral of energy with
/// theta = amplitude - s^2.
double fall_time(double alpha, double amplitude, double p_squared) {
  const int cells = 2000;
  const double end = std::sqrt(amplitude), h = end / cells;
  const auto rate = [&](double s) {
    const double theta = amplitude - s * s;
    // cos(alpha - amplitude) - cos(alpha - theta) without cancellation
    const double drop = 2 * std::sin(alpha - (amplitude + theta) / 2) * std::sin((amplitude - theta) / 2);
    return s == 0 ? 2 / std::sqrt(2 * p_squared * std::sin(alpha - amplitude))
                  : 2 * s / std::sqrt(2 * p_squared * drop);
  };
  double sum = rate(0) + rate(end);
  for (int k = 1; k < cells; ++k) sum += (k % 2 ? 4 : 2) * rate(k * h);
  return sum * h / 3;
}

TEST(EventDriven, HousnersBlockRocksInTime) {
  Simulation s = event_driven("rocking_block", sharp);
  const double alpha = std::atan(0.2), R = std::hypot(0.1, 0.5), p_squared = 9.81 / (4.0 / 3 * R);
  const double ratio = 1 - 1.5 * std::sin(alpha) * std::sin(alpha);
  double amplitude = 0.08, time = 0;
  for (int k = 0; k < 6; ++k) {
    const double fall = fall_time(alpha, amplitude, p_squared);
    time += k == 0 ? fall : 2 * fall;
    const double omega = std::sqrt(2 * p_squared * (std::cos(alpha - amplitude) - std::cos(alpha)));
    const double before = k % 2 == 0 ? -omega : omega;
    const Impact impact = next_impact(s);
    EXPECT_NEAR(impact.time, time, 1e-10) << k;
    EXPECT_NEAR(s.probe("block.angular_velocity"), ratio * before, 1e-10) << k;
    amplitude = alpha - std::acos(std::cos(alpha) + ratio * ratio * omega * omega / (2 * p_squared));
  }
}

TEST(EventDriven, PainlevesRodEndsWithAReason) {
  Simulation s = event_driven("painleve_rod");
  const StepReport report = s.advance_to(1);
  EXPECT_NE(report.status, SolveStatus::converged);
  EXPECT_NE(s.why_it_failed(report).find("Painleve's paradox"), std::string::npos) << s.why_it_failed(report);
  EXPECT_TRUE(s.state().q.allFinite() && s.state().v.allFinite());
  Simulation pulled = event_driven("painleve_rod", {"parameters.friction=0.3", "time.step=1e-2"});
  EXPECT_EQ(pulled.advance_to(1).status, SolveStatus::converged)
      << "with little friction there is no paradox";
}

// ----------------------------- joints and users' systems

/// Both corners of the slider lose their force at the same time: an acceleration of rounding does not press
/// them together again.
TEST(EventDriven, ContactsThatOpenTogetherStayOpen) {
  Simulation s = event_driven("slider_crank_frictionless", {"time.step=1e-5", "time.end=0.0155"});
  EXPECT_EQ(s.advance_to(1).status, SolveStatus::converged);
  Simulation longer_steps = event_driven("slider_crank_frictionless", {"time.step=1e-4", "time.end=0.0155"});
  EXPECT_EQ(longer_steps.advance_to(1).status, SolveStatus::converged);
  EXPECT_NEAR(s.probe("slider_crank.theta1"), longer_steps.probe("slider_crank.theta1"), 1e-9);
}

TEST(EventDriven, SliderCrankAgreesWithItsLimits) {
  for (const char* scene : {"slider_crank", "slider_crank_joints"}) {
    Simulation rough = event_driven(scene, sharp + Overrides{"time.step=1e-3"});
    EXPECT_NEAR(next_impact(rough).time, 0.0026925028, 1e-10) << scene;
    ASSERT_EQ(rough.advance_to(0.1).status, SolveStatus::converged);
    const auto theta = [&](const Simulation& s, const char* user, const char* joints) {
      return s.probe(scene == std::string("slider_crank") ? user : joints);
    };
    EXPECT_NEAR(rough.probe("energy"), 7.22764395, 1e-8);
    Simulation smooth = event_driven(scene, sharp + Overrides{"parameters.friction=0", "time.step=1e-3"});
    ASSERT_EQ(smooth.advance_to(0.1).status, SolveStatus::converged);
    EXPECT_NEAR(smooth.probe("energy"), 7.32183422, 1e-8);
    Simulation bilateral = event_driven(
        scene, sharp + Overrides{"parameters.friction=0", "parameters.clearance=0", "time.step=1e-3"});
    ASSERT_EQ(bilateral.advance_to(0.1).status, SolveStatus::converged);
    EXPECT_NEAR(bilateral.probe("energy"), 7.49554875, 1e-8);
    EXPECT_NEAR(theta(rough, "slider_crank.theta1", "crank.angle"), 9.0006398425, 1e-9);
    EXPECT_NEAR(theta(smooth, "slider_crank.theta1", "crank.angle"), 9.0442082806, 1e-9);
    EXPECT_NEAR(theta(bilateral, "slider_crank.theta1", "crank.angle"), 9.1401524169, 1e-9);
    EXPECT_NEAR(theta(rough, "slider_crank.theta2", "rod.angle"), -0.2105887551, 1e-9);
    EXPECT_NEAR(theta(smooth, "slider_crank.theta2", "rod.angle"), -0.1901362582, 1e-9);
    EXPECT_NEAR(theta(bilateral, "slider_crank.theta2", "rod.angle"), -0.1408644354, 1e-9);
  }
}

TEST(EventDriven, JointsHoldAndThePendulumHitsInTime) {
  Simulation s = event_driven("rigid_pendulum", {"time.end=2"});
  const double impacts[] = {0.4669330053, 1.2504663160};
  for (const double time : impacts) EXPECT_NEAR(next_impact(s).time, time, 2e-10);
  EXPECT_NEAR(s.energy().total(), -4.0954380, 1e-7);
  EXPECT_LT(s.joint_violation(), 1e-14);
  EXPECT_LT(s.joint_velocity_violation(), 1e-13);
}

TEST(EventDriven, TheParallelepipedTurnsAndHitsInTime) {
  for (const char* scene : {"parallelepiped", "parallelepiped_natural"}) {
    Simulation s = event_driven(scene, sharp + Overrides{"time.step=0.05", "time.end=1.8"});
    EXPECT_NEAR(next_impact(s).time, 0.415285603, 1e-9) << scene;
    EXPECT_NEAR(s.energy().total(), 1630.260229, 1e-6);
    EXPECT_NEAR(next_impact(s).time, 1.76322015, 1e-8) << scene;
  }
}

/// A coarse bar: its contact lasts while the wave runs to the free end and back.
TEST(EventDriven, TheElasticBarIsPushedBackAndKeepsItsEnergy) {
  Simulation s = event_driven("elastic_bar", {"parameters.elements=20", "bodies[bar].points={}", "record={}",
                                              "time.step=1e-2", "time.end=1.4"});
  ASSERT_EQ(s.advance_to(2).status, SolveStatus::converged);
  EXPECT_NEAR(s.probe("contacts.impulse"), 200, 8);
  EXPECT_NEAR(s.energy().total() + s.energy().loss_impacts, 500, 1e-5);
  EXPECT_GT(s.probe("contact(bar.first, wall).gap"), 0);
}

/// A bar of a metre that moves by a tenth of a millimetre: events are as sharp as its motion, not as its
/// size.
TEST(EventDriven, ALongBarThatMovesLittleKeepsItsEnergy) {
  for (const char* tolerance : {"1e-5", "1e-6", "1e-7"}) {
    Simulation s = event_driven(
        "elastic_bar_steel",
        {std::string("integrator.relative_tolerance=") + tolerance, "time.step=1e-5", "record={}"});
    ASSERT_EQ(s.advance_to(6e-4).status, SolveStatus::converged);
    const double total = s.energy().initial;
    EXPECT_LT(std::abs(s.energy().loss_algorithmic), 1e-4 * total) << tolerance;
    EXPECT_NEAR(s.energy().loss_impacts, 7.0738e-5, 1e-4 * total) << "that of the first impact";
  }
}

// ----------------------------- the state is all there is

/// A mass on a spring and a rail with dry friction F: each half swing is shorter by 2 F/k, and the mass stays
/// where the spring cannot move it any more.
TEST(EventDriven, DryFrictionOfAJointEndsASwingInTime) {
  const Scene scene = parse_scene(R"(percuss: 1
bodies:
  - {rigid: block, mass: 1, inertia: [1, 1, 1], position: [0.2, 0, 0]}
joints:
  - {slider: rail, body: block, at: [0.2, 0, 0], axis: [1, 0, 0], friction: 3}
springs:
  - {spring: coil, from: block, to: {point: [-2, 0, 0]}, stiffness: 100, rest_length: 2}
integrator: {scheme: event-driven, relative_tolerance: 1e-12, absolute_tolerance: 1e-14}
solver: {tolerance: 1e-13}
time: {end: 2, step: 0.01}
)",
                                  "dry.yaml");
  Simulation s(scene.model, scene.run);
  std::vector<double> turns, places;
  for (double before = 0; !s.finished();) {
    ASSERT_EQ(s.step().status, SolveStatus::converged);
    const double v = s.velocity("block").x();
    // At the turn the velocity is zero, in the step after it has the other sign.
    if (std::abs(v) < 1e-9 && std::abs(before) > 1e-9) {
      turns.push_back(s.time());
      places.push_back(s.position("block").x());
    }
    before = v;
  }
  const std::vector<double> expected = {-0.14, 0.08, -0.02};
  ASSERT_EQ(turns.size(), expected.size());
  for (size_t k = 0; k < expected.size(); ++k) {
    EXPECT_NEAR(turns[k], static_cast<double>(k + 1) * std::numbers::pi / 10, 1e-10);
    EXPECT_NEAR(places[k], expected[k], 1e-10);
  }
  EXPECT_NEAR(s.position("block").x(), -0.02, 1e-10);
  EXPECT_EQ(s.state().contacts.status[0], ContactStatus::stick);
}

TEST(EventDriven, AFreshWorkspaceChangesNoBit) {
  for (const auto& [scene, end] : {std::pair{"slider_crank", 0.02},
                                   {"slider_crank_joints", 0.02},
                                   {"rocking_block", 1.0},
                                   {"sliding_block", 1.0},
                                   {"four_masses", 0.2},
                                   {"bouncing_ball", 4.0}}) {
    Simulation kept = event_driven(scene), renewed = event_driven(scene);
    while (kept.time() < end && !kept.finished()) {
      ASSERT_EQ(kept.step().status, SolveStatus::converged) << scene;
      renewed.renew_workspace();
      ASSERT_EQ(renewed.step().status, SolveStatus::converged) << scene;
      ASSERT_TRUE(kept.time() == renewed.time() && kept.state().q == renewed.state().q &&
                  kept.state().v == renewed.state().v && kept.state().memory == renewed.state().memory)
          << scene << " at " << kept.time();
    }
    SCOPED_TRACE(scene);
    testing::expect_same_statistics(kept.statistics(), renewed.statistics());
  }
}

TEST(EventDriven, AFailedStepLeavesTheStateAsItWas) {
  Simulation s = event_driven(
      "bouncing_ball",
      {"forces=[{force: push, body: ball, value: [0, 0, \"if(t > 0.3, 1/0, 1)\"]}]", "time.step=0.1"});
  const StepReport report = s.advance_to(1);
  EXPECT_NE(report.status, SolveStatus::converged);
  EXPECT_NEAR(s.time(), 0.3, 1e-12);
  EXPECT_TRUE(s.state().q.allFinite() && s.state().v.allFinite());
  EXPECT_NE(s.why_it_failed(report).find("force 'push' is not finite"), std::string::npos)
      << s.why_it_failed(report);
}

TEST(EventDriven, ALongStepCanBeGivenUpAndTakenAgain) {
  Simulation s = event_driven("double_pendulum", {"time.step=1", "record={}"});
  Simulation undisturbed = event_driven("double_pendulum", {"time.step=1", "record={}"});
  int asked = 0;
  s.stop_when([&asked] { return ++asked == 20; });
  const StepReport report = s.step();
  EXPECT_TRUE(report.stopped);
  EXPECT_EQ(asked, 20);
  EXPECT_EQ(s.time(), 0);
  for (Simulation* each : {&s, &undisturbed}) ASSERT_EQ(each->advance_to(2).status, SolveStatus::converged);
  EXPECT_TRUE(s.state().q == undisturbed.state().q && s.state().v == undisturbed.state().v);
}

/// As soft as rubber, so that an explicit method follows it.
const Overrides soft_plank = {"materials.glass.young=1e7", "record={}"};

TEST(EventDriven, AReducedPlankFallsAndRings) {
  // Two feet at x = 0.5 m of a plank that turns while it falls, until they are at z = 0.
  const auto foot = [](double t) {
    return 0.015 - 0.5 * t - 0.5 * 9.81 * t * t - 0.5 * std::sin(0.1 * t) - 0.01 * std::cos(0.1 * t);
  };
  double early = 0.0, late = 0.02;
  while (late - early > 1e-14) (foot(0.5 * (early + late)) > 0 ? early : late) = 0.5 * (early + late);
  Simulation glass = event_driven("reduced_plank", {"time.step=1e-3", "record={}"});
  EXPECT_NEAR(next_impact(glass).time, early, 1e-10);
  EXPECT_EQ(glass.impacts().size(), 2u);
  Simulation s = event_driven("reduced_plank", soft_plank + Overrides{"time.step=1e-3", "time.end=0.012"});
  ASSERT_EQ(s.advance_to(0.012).status, SolveStatus::converged);
  EXPECT_NEAR(s.energy().loss_algorithmic, 0, 1e-6);
  Simulation fine =
      scene_simulation("reduced_plank", soft_plank + Overrides{"time.step=1e-6", "time.end=0.012"});
  ASSERT_EQ(fine.advance_to(0.012).status, SolveStatus::converged);
  EXPECT_NEAR(s.probe("plank.middle.position.z"), fine.probe("plank.middle.position.z"), 1e-7);
  EXPECT_NEAR(s.energy().loss_impacts, fine.energy().loss_impacts, 1e-5);
  EXPECT_NEAR(s.energy().loss_friction, fine.energy().loss_friction, 1e-5);
}

TEST(EventDriven, APlankInAFloatingFrameSwingsFromItsCorner) {
  const Overrides hung = soft_plank + Overrides{"bodies[plank].reduction=null",
                                                "bodies[plank].rotational_forces=full",
                                                "bodies[plank].mesh.box.divisions=[6, 2, 1]",
                                                "contacts=[]",
                                                "joints=[{ball: pivot, body: plank, node: foot1}]",
                                                "time.end=0.1"};
  Simulation s = event_driven("reduced_plank", hung + Overrides{"time.step=1e-2"});
  Simulation fine = scene_simulation("reduced_plank", hung + Overrides{"time.step=2e-5"});
  for (Simulation* each : {&s, &fine}) ASSERT_EQ(each->advance_to(0.1).status, SolveStatus::converged);
  EXPECT_LT(s.joint_violation(), 1e-12);
  EXPECT_NEAR(s.energy().loss_algorithmic, 0, 1e-6 * s.energy().initial);
  for (const char* probe : {"plank.middle.position.z", "plank.foot2.position.z", "plank.foot2.position.x"})
    EXPECT_NEAR(s.probe(probe), fine.probe(probe), 1e-6) << probe;
}

}  // namespace
}  // namespace percuss
