#include "percuss/simulation/probe.h"

#include <gtest/gtest.h>

#include "support/models.h"

namespace percuss {
namespace {

Simulation two_masses() {
  Model model = testing::ball_model();
  model.bodies.push_back(testing::particle("upper", 3, Translations::xz, {0.3, 0.1, 1.201}, {0.3, 0, 0.4}));
  Spring coil = testing::spring("ball", "upper", 100, 2);
  coil.name = "coil";
  coil.rest_length = 0.3;
  coil.axis = Vector3(0, 0, 1);
  Spring rope = testing::spring("ball", "upper", 10);
  rope.name = "rope";
  rope.rest_length = 0.2;
  model.springs = {coil, rope};
  return Simulation(model, testing::run_config(MoreauJeanOptions{}, 2, 1e-3));
}

TEST(Probe, ReadsBodiesSpringsContactsAndEnergy) {
  const Simulation s = two_masses();
  EXPECT_EQ(s.probe("upper.position.x"), 0.3);
  EXPECT_EQ(s.probe("upper.position.y"), 0.1) << "a coordinate that is held";
  EXPECT_EQ(s.probe("upper.velocity.z"), 0.4);
  EXPECT_EQ(s.probe("upper.speed"), 0.5);
  EXPECT_EQ(s.probe("upper.displacement.z"), 0);
  EXPECT_NEAR(s.probe("spring(coil).length"), 0.4, 1e-14);
  EXPECT_NEAR(s.probe("spring(coil).elongation"), 0.1, 1e-14);
  EXPECT_NEAR(s.probe("spring(coil).force"), 100 * 0.1 + 2 * 0.4, 1e-12);
  EXPECT_NEAR(s.probe("spring( rope ).force"), 10 * (std::sqrt(0.09 + 0.01 + 0.16) - 0.2), 1e-13);
  EXPECT_EQ(s.probe("contact(ball, floor).gap"), 0.801);
  EXPECT_EQ(s.probe("contacts.min_gap"), 0.801);
  EXPECT_EQ(s.probe("contacts.closed"), 0);
  EXPECT_NEAR(s.probe("energy.kinetic"), 0.5 * 3 * 0.25, 1e-15);
  EXPECT_NEAR(s.probe("energy"),
              s.probe("energy.kinetic") + s.probe("energy.potential") + s.probe("energy.strain"), 1e-12);
  EXPECT_EQ(s.probe("time"), 0);
}

TEST(Probe, ImpulseSumsUpAndForceExcludesImpacts) {
  Simulation s(testing::ball_model(0.0, 0.1), testing::run_config(MoreauJeanOptions{}, 1, 1e-3));
  double largest_force = 0;
  while (!s.finished()) {
    s.step();
    largest_force = std::max(largest_force, s.probe("contact(ball, floor).force"));
  }
  EXPECT_NEAR(largest_force, 10, 1e-9) << "the weight, not the impact";
  EXPECT_NEAR(s.probe("contact(ball, floor).impulse"), 10 * 1.0, 1e-9)
      << "momentum balance: weight times time";
  EXPECT_EQ(s.probe("contact(ball, floor).status"), static_cast<double>(ContactStatus::slip));
}

TEST(Probe, ExplainsWhatItDoesNotKnow) {
  const Simulation s = two_masses();
  const auto message = [&](const std::string& text) -> std::string {
    try {
      s.probe(text);
    } catch (const ProbeError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message("uper.position.x"), "unknown name 'uper'; did you mean 'upper'?");
  EXPECT_EQ(message("upper.positon.x"), "unknown quantity of a body 'positon'; did you mean 'position'?");
  EXPECT_EQ(message("upper.position"), "'upper.position' is a vector; add .x, .y or .z");
  EXPECT_EQ(message("upper.position.w"), "unknown component 'w'; it must be x, y or z");
  EXPECT_EQ(message("energy.kinetik"), "unknown energy 'kinetik'; did you mean 'kinetic'?");
  EXPECT_EQ(message("contact(ball, flor).gap"),
            "unknown contact '(ball, flor)'; did you mean '(ball, floor)'?");
  EXPECT_EQ(message("contact(ball).gap"), "contact needs two names: contact(body, obstacle)");
  EXPECT_NE(message("contact(ball, floor)").find("a quantity is missing"), std::string::npos);
  EXPECT_NE(message("contact(ball, floor").find("parenthesis"), std::string::npos);
  EXPECT_NE(message("spring(rop).force").find("did you mean 'rope'"), std::string::npos);
  EXPECT_FALSE(message("").empty());
}

}  // namespace
}  // namespace percuss
