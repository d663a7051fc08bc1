#include <iomanip>
#include <iostream>

#include <gtest/gtest.h>

#include "support/models.h"

/// Newton's law at the activating step: u_{n+1} = -e u_n, for one and for several contacts at once.
namespace percuss {
namespace {

struct Corner {
  const char* name;
  std::vector<Vector3> walls;  ///< normals of planes that all touch the same point
};
const std::vector<Corner> corners = {
    {"one", {{0, 0, 1}}},
    {"two", {{0, 0, 1}, {0, 1, 0}}},
    // Three independent walls, and a fourth whose row of H depends on the others: W has rank three.
    {"four", {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {1, 2, 2}}},
};

Model corner_model(const Corner& given, double e) {
  Model model = testing::steel_model(e);
  model.gravity = Vector3::Constant(-5.7);  // along the path, so that all walls are reached in the same step
  model.bodies = {
      testing::particle("ball", 0.7, Translations::xyz, {0.0123, 0.0123, 0.0123}, {-1.7, -1.7, -1.7})};
  for (size_t i = 0; i < given.walls.size(); ++i) {
    const std::string name = "wall" + std::to_string(i);
    const Vector3 n = given.walls[i].normalized();
    const double gap = 0.0123 * -n.dot(Vector3(-1, -1, -1));
    model.obstacles.push_back(testing::plane(name, Vector3::Constant(0.0123) - gap * n, n));
    model.contacts.push_back({"ball", name});
  }
  return model;
}

/// Largest deviation of -u_{n+1}/u_n from e over the contacts of the first step with a reaction.
double deviation(const Model& model, double h, double e, const SchemeOptions& scheme) {
  Simulation simulation(model, testing::run_config(scheme, 0.1, h));
  while (!simulation.finished()) {
    std::vector<double> before;
    for (int c = 0; c < simulation.contact_count(); ++c) before.push_back(simulation.contact_velocity(c));
    EXPECT_EQ(simulation.step().status, SolveStatus::converged);
    int closed = 0;
    double worst = 0;
    for (int c = 0; c < simulation.contact_count(); ++c) {
      if (simulation.state().contacts.status[c] != ContactStatus::open) ++closed;
      worst = std::max(worst, std::abs(-simulation.contact_velocity(c) / before[c] - e));
    }
    if (closed > 0) return worst;
  }
  ADD_FAILURE() << "no impact";
  return 1;
}

TEST(Restitution, IsExactForEverySchemeCoefficientAndStep) {
  MoreauJeanOptions damped;
  damped.theta = 1;
  const std::vector<SchemeOptions> schemes = {MoreauJeanOptions{},       damped,
                                              MoreauExplicitOptions{},   HhtOptions{},
                                              GeneralizedAlphaOptions{}, EventDrivenOptions{}};
  std::cout << "| e | one contact | two | four, dependent |\n";  // the table of docs/verification.md
  for (int tenth = 0; tenth <= 10; ++tenth) {
    const double e = tenth / 10.0;
    std::cout << "| " << e << " |";
    for (const Corner& given : corners) {
      double worst = 0;
      for (const auto& scheme : schemes)
        for (const double h : {1e-2, 1e-3, 1e-4}) {
          const double found = deviation(corner_model(given, e), h, e, scheme);
          EXPECT_LT(found, 1e-12) << scheme_name(scheme) << ", " << given.name << " contacts, e = " << e
                                  << ", h = " << h;
          worst = std::max(worst, found);
        }
      std::cout << " " << std::setprecision(2) << worst << " |";
    }
    std::cout << "\n";
  }
}

TEST(Restitution, OfTheHalfExplicitSchemesIsExactForTheVelocityJustBeforeTheImpact) {
  HalfExplicitVelocityOptions shortened;
  shortened.variant = HalfExplicitVariant::shortened;
  for (const SchemeOptions& scheme :
       std::vector<SchemeOptions>{HalfExplicitVelocityOptions{}, shortened, HalfExplicitAccelerationOptions{},
                                  ExplicitVelocityOptions{}})
    for (const Corner& given : corners)
      for (const double e : {0.0, 0.3, 1.0})
        for (const double h : {1e-2, 1e-4}) {
          // Forces change the velocity until the end of the step; without them it is that of the start.
          Model model = corner_model(given, e);
          model.gravity.setZero();
          EXPECT_LT(deviation(model, h, e, scheme), 1e-12)
              << scheme_name(scheme) << ", " << given.name << " contacts, e = " << e << ", h = " << h;
        }
}

TEST(Restitution, WithForcesTheBallLeavesWithEOfTheSpeedItWouldHaveHad) {
  const double e = 0.8, h = 1e-3;
  Simulation s(testing::ball_model(e), testing::run_config(HalfExplicitVelocityOptions{}, 1, h));
  while (s.impacts().empty()) {
    ASSERT_FALSE(s.finished());
    s.step();
  }
  EXPECT_NEAR(s.state().v[0], e * 10 * s.time(), 1e-12);
}

TEST(Restitution, FourContactsOfAChainOfBodies) {
  // Four masses on springs hit four walls in the same step; the implicit matrix couples them.
  Model model = testing::steel_model(0.6);
  for (int i = 0; i < 4; ++i) {
    const std::string name = "m" + std::to_string(i);
    model.bodies.push_back(testing::particle(name, 1.0 + i, Translations::z, {0.1 * i, 0, 0.01}, {0, 0, -1}));
    model.contacts.push_back({name, "floor"});
    if (i == 0) continue;
    Spring link = testing::spring("m" + std::to_string(i - 1), name, 1e4, 3);
    link.axis = Vector3(0, 0, 1);
    model.springs.push_back(link);
  }
  model.obstacles = {testing::plane("floor", {0, 0, 0}, {0, 0, 1})};
  for (const double h : {1e-2, 1e-3, 1e-4}) {
    Simulation simulation(model, testing::run_config(MoreauJeanOptions{}, 0.05, h));
    while (simulation.statistics().impacts == 0) ASSERT_EQ(simulation.step().status, SolveStatus::converged);
    EXPECT_EQ(simulation.statistics().impacts, 4);
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(simulation.state().v[i], 0.6, 1e-12) << h;
  }
}

}  // namespace
}  // namespace percuss
