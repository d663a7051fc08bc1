// What probes tell of the steps between two samples.

#include <algorithm>
#include <cmath>

#include "percuss/simulation/run.h"
#include "worlds/world_scene.h"

namespace percuss {
namespace {

using testing::rigid;
using testing::WorldScene;

/// A ball that bounces beside two boxes that fall on each other.
WorldScene busy_scene(const std::string& scheme = "moreau-jean") {
  WorldScene scene{.bodies = {rigid("ball", "{sphere: 0.1}", {0, 0, 0.3}),
                              rigid("lower", "{box: [0.2, 0.2, 0.2]}", {1, 0, 0.1}),
                              rigid("upper", "{box: [0.2, 0.2, 0.2]}", {1.01, 0.01, 0.35})},
                   .restitution = 0.6,
                   .scheme = scheme};
  scene.more =
      "record: {every: 0.05, probes: {ball: 'contact(ball, floor).peak_force', "
      "lower: 'contact(lower, *).peak_force', hits: 'contact(ball, *).impacts', "
      "push: 'contact(ball, *).impact_impulse', pressed: 'contact(lower, floor).peak_force'}}";
  return scene;
}

std::vector<double> values(const Simulation& s) {
  std::vector<double> all;
  for (const Probe& probe : s.probes()) all.push_back(probe.value(s));
  return all;
}

/// The frames of a run.
struct Frames final : Recorder {
  std::vector<std::vector<double>> rows;
  double hits = 0;

  void on_frame(const Simulation& s) override { rows.push_back(values(s)); }
  void on_impacts(const Simulation& s) override {
    for (const Impact& impact : s.impacts()) {
      const ContactId& id = s.contact_record()[static_cast<size_t>(impact.contact)].id;
      hits += s.contact_name(id).first == "ball";
    }
  }
  void flush(const Simulation&) override {}
};

TEST(StepProbes, ArePeaksAndSumsOfTheStepsSinceTheLastSample) {
  Simulation by_hand = busy_scene().simulation(), recorded = busy_scene().simulation();
  Frames frames;
  percuss::run(recorded, frames);
  const double weight = 2000 * 4.0 / 3 * M_PI * 1e-3 * 9.81;

  size_t frame = 1;
  double peak = 0, hits = 0, push = 0;
  while (!by_hand.finished()) {
    const double before = by_hand.velocity("ball").z();
    by_hand.step();
    // Nothing but the weight and the floor accelerates the ball.
    const double acceleration = (by_hand.velocity("ball").z() - before) / by_hand.last_step_size();
    peak = std::max(peak, weight * (acceleration / 9.81 + 1));
    for (const Impact& impact : by_hand.impacts()) {
      const ContactId& id = by_hand.contact_record()[static_cast<size_t>(impact.contact)].id;
      if (by_hand.contact_name(id).first != "ball") continue;
      ++hits;
      push += impact.impulse;
    }
    values(by_hand);  // to read them changes nothing
    if (!is_frame_time(by_hand)) continue;
    ASSERT_EQ(values(by_hand), frames.rows.at(frame));
    EXPECT_NEAR(frames.rows[frame][0], peak, 1e-9 * weight);
    EXPECT_EQ(frames.rows[frame][2], hits);
    EXPECT_EQ(frames.rows[frame][3], push);
    by_hand.begin_interval();
    peak = hits = push = 0;
    ++frame;
  }
  EXPECT_EQ(frame, frames.rows.size());
  double counted = 0;
  for (const auto& row : frames.rows) counted += row[2];
  EXPECT_EQ(counted, frames.hits);
  EXPECT_GT(counted, 3);
}

TEST(StepProbes, TellResultantsOfBodiesAtRest) {
  WorldScene scene{.bodies = {rigid("lower", "{box: [0.2, 0.2, 0.2]}", {0, 0, 0.1}),
                              rigid("upper", "{box: [0.2, 0.2, 0.2]}", {0, 0, 0.3})},
                   .end = 0.1};
  scene.more =
      "record: {every: 0.02, probes: {all: 'contact(lower, *).peak_force', "
      "floor: 'contact(lower, floor).peak_force', upper: 'contact(upper, lower).peak_force'}}";
  Simulation s = scene.simulation();
  Frames frames;
  percuss::run(s, frames);
  const double weight = 2000 * 8e-3 * 9.81;
  ASSERT_EQ(frames.rows.size(), 6u);
  for (size_t i = 1; i < frames.rows.size(); ++i) {
    EXPECT_NEAR(frames.rows[i][0], weight, 1e-9 * weight) << "the floor carries both, the other presses";
    EXPECT_NEAR(frames.rows[i][1], 2 * weight, 1e-9 * weight);
    EXPECT_NEAR(frames.rows[i][2], weight, 1e-9 * weight);
  }
}

TEST(StepProbes, GoOnBitForBitFromACheckpointWithinASample) {
  for (const char* scheme : {"moreau-jean", "event-driven"}) {
    Simulation whole = busy_scene(scheme).simulation(), resumed = busy_scene(scheme).simulation();
    Frames expected, rest;
    bool is_taken = false;
    while (!whole.finished()) {
      ASSERT_EQ(whole.step().status, SolveStatus::converged);
      if (!is_taken && whole.time() > 0.213) {
        is_taken = true;
        resumed.restore(whole.checkpoint());
      }
      if (!is_frame_time(whole)) continue;
      if (is_taken) expected.on_frame(whole);
      whole.begin_interval();
    }
    percuss::run(resumed, rest);
    EXPECT_EQ(rest.rows, expected.rows) << scheme;
    EXPECT_GT(rest.rows.at(0)[2], 0) << "the bounce before the checkpoint belongs to the sample";
  }
}

/// Far from each other too, where steps look at no contact.
TEST(PairGap, IsTheDistance) {
  const Simulation s =
      WorldScene{.bodies = {rigid("ball", "{sphere: 0.1}", {0, 0, 3}),
                            rigid("box", "{box: [0.2, 0.2, 0.2]}", {1.1, 0, 3.1}),
                            rigid("brick", "{box: [0.2, 0.2, 0.2]}", {2.3, 0.6, 3.7}),
                            rigid("drum", "{cylinder: {radius: 0.1, length: 0.2}}", {0, 5, 2})}}
          .simulation();
  EXPECT_NEAR(s.probe("contact(ball, floor).gap"), 2.9, 1e-15);
  EXPECT_NEAR(s.probe("contact(drum, floor).gap"), 1.9, 1e-15);
  EXPECT_NEAR(s.probe("contact(ball, box).gap"), 0.9, 1e-15) << "from the face";
  EXPECT_NEAR(s.probe("contact(box, brick).gap"), std::hypot(1, 0.4, 0.4), 1e-15) << "from corner to corner";
  EXPECT_NEAR(s.probe("contact(box, *).gap"), 0.9, 1e-15);
  EXPECT_EQ(s.probe("contact(box, *).penetration"), 0);
  EXPECT_EQ(s.probe("contact(drum, box).gap"), std::numeric_limits<double>::infinity()) << "not known";
}

TEST(StepProbes, AreFollowedOnlyIfTheRunKnowsOfThem) {
  const Simulation s = busy_scene().simulation();
  EXPECT_EQ(s.probe("contact( ball,floor ).peak_force"), 0);
  try {
    s.probe("contact(upper, *).peak_force");
    FAIL();
  } catch (const ProbeError& e) {
    EXPECT_NE(std::string(e.what()).find("name it in `record.probes`"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace percuss
