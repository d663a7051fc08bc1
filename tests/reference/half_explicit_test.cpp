#include <cmath>

#include <gtest/gtest.h>

#include "percuss/math/dense.h"
#include "support/models.h"
#include "support/scenes.h"

/// The half-explicit schemes against the tables of [Schindler 2014], a second program of the same schemes,
/// and limits of event-driven solutions.
namespace percuss {
namespace {

using testing::finished;
using testing::Overrides;

const std::string velocity_level = "integrator.scheme=half-explicit-velocity";

/// Coordinates of slider_crank at multiples of `every` up to 0.1 s.
MatrixX crank_path(const Overrides& overrides, double every) {
  Simulation s = testing::scene_simulation("slider_crank", overrides);
  MatrixX q(std::lround(0.1 / every), 3);
  for (int i = 0; i < q.rows(); ++i) {
    EXPECT_EQ(s.advance_to((i + 1) * every).status, SolveStatus::converged);
    q.row(i) = s.state().q.transpose();
  }
  return q;
}
/// Spectral norm of the errors at the own steps of a run, from a fine path at multiples of 1e-5.
double error_norm(const Overrides& overrides, double step, const MatrixX& fine) {
  Overrides all = overrides;
  all.push_back("time.step=" + std::to_string(step));
  MatrixX error = crank_path(all, step);
  const auto stride = std::lround(step / 1e-5);
  for (Eigen::Index i = 0; i < error.rows(); ++i) error.row(i) -= fine.row((i + 1) * stride - 1);
  return std::sqrt(symmetric_eigenvalues(error.transpose() * error).maxCoeff());
}

TEST(HalfExplicit, ErrorsOfPaper003Table3) {
  const MatrixX fine = crank_path({velocity_level, "time.step=1e-7"}, 1e-5);
  EXPECT_NEAR(error_norm({velocity_level}, 1e-3, fine), 0.472, 0.05 * 0.472);
  EXPECT_NEAR(error_norm({velocity_level}, 1e-4, fine), 0.01745, 0.05 * 0.01745);
  EXPECT_NEAR(error_norm({velocity_level}, 1e-5, fine), 0.00336, 0.05 * 0.00336);
}

TEST(HalfExplicit, ErrorOfPaper003Table2) {
  const Overrides bilateral = {velocity_level, "parameters.friction=0", "parameters.clearance=0"};
  Overrides fine = bilateral;
  fine.emplace_back("time.step=1e-6");
  EXPECT_NEAR(error_norm(bilateral, 1e-4, crank_path(fine, 1e-5)), 0.0259, 0.05 * 0.0259);
}

TEST(HalfExplicit, OrderTwoWithoutClearance) {
  std::vector<double> steps, errors;
  for (const char* step : {"2e-4", "1e-4", "5e-5", "2.5e-5", "1.25e-5"}) {
    const Simulation s =
        finished("slider_crank", {velocity_level, "parameters.friction=0", "parameters.clearance=0",
                                  std::string("time.step=") + step});
    steps.push_back(std::stod(step));
    errors.push_back(std::hypot(s.state().q[0] - 9.1401524169, s.state().q[1] + 0.1408644354));
  }
  const double order = testing::fitted_order(steps, errors);
  EXPECT_GT(order, 1.8);
  EXPECT_LT(order, 2.1);
}

TEST(HalfExplicit, DriftOfAClosedContact) {
  struct Case {
    const char* scheme;
    double gap;  ///< over the clearance
  };
  for (const Case& c : {Case{"half-explicit-acceleration", -0.0142}, Case{"explicit-velocity", -0.0172},
                        Case{"half-explicit-velocity", -2.9e-4}}) {
    const Simulation s = finished("slider_crank", {std::string("integrator.scheme=") + c.scheme,
                                                   "parameters.friction=0", "time.end=0.0146"});
    EXPECT_NEAR(s.probe("contacts.min_gap") / 1e-3, c.gap, 0.01 * std::abs(c.gap)) << c.scheme;
  }
}

TEST(HalfExplicit, LimitOfTheSliderCrankWithFriction) {
  for (const std::string scheme :
       {"half-explicit-velocity", "half-explicit-acceleration", "explicit-velocity"}) {
    Simulation s =
        testing::scene_simulation("slider_crank", {"integrator.scheme=" + scheme, "time.step=1e-6"});
    while (s.impacts().empty()) ASSERT_EQ(s.step().status, SolveStatus::converged);
    EXPECT_NEAR(s.time(), 0.0026925028, 1e-6) << scheme;
    s.advance_to(1);
    EXPECT_NEAR(s.state().q[0], 9.0006398425, 5e-5) << scheme;
    EXPECT_NEAR(s.state().q[1], -0.2105887551, 5e-5) << scheme;
    EXPECT_NEAR(s.energy().total(), 7.22764395, 1e-4) << scheme;
  }
}

TEST(HalfExplicit, TheVariantsTendToTheSameMotion) {
  for (const char* variant : {"brasey", "shortened"}) {
    const Simulation s = finished(
        "slider_crank", {velocity_level, std::string("integrator.variant=") + variant, "time.step=1e-6"});
    EXPECT_NEAR(s.state().q[0], 9.0006398425, 5e-5) << variant;
    EXPECT_NEAR(s.state().q[1], -0.2105887551, 5e-5) << variant;
  }
}

TEST(HalfExplicit, BodiesAndJointsTendToTheMotionInMinimalCoordinates) {
  std::vector<double> differences;
  for (const char* step : {"4e-5", "2e-5", "1e-5"}) {
    const Overrides o = {velocity_level, std::string("time.step=") + step, "time.end=0.05"};
    const Simulation minimal = finished("slider_crank", o), joints = finished("slider_crank_joints", o);
    differences.push_back(std::abs(minimal.probe("slider_crank.theta1") - joints.probe("crank.angle")) +
                          std::abs(minimal.probe("slider_crank.theta2") - joints.probe("rod.angle")));
  }
  EXPECT_LT(differences[2], 0.02);
  EXPECT_LT(differences[2], 0.4 * differences[0]);
}

TEST(HalfExplicit, RestGapsInTheBox) {
  const auto rest_gap = [](const std::string& scheme) {
    return finished("ball_in_box", {"time.end=10", "integrator.scheme=" + scheme}).probe("contacts.min_gap");
  };
  EXPECT_GE(rest_gap("half-explicit-velocity"), -3e-4);
  EXPECT_NEAR(rest_gap("half-explicit-acceleration"), -0.079, 0.05 * 0.079);
  EXPECT_NEAR(rest_gap("explicit-velocity"), -0.387, 0.05 * 0.387);
}

TEST(HalfExplicit, LimitOfTheBallInTheBox) {
  const double h = 1e-5;
  Simulation s = testing::scene_simulation("ball_in_box", {velocity_level, "time.step=1e-5"});
  std::vector<double> times, energies;
  while (times.size() < 3) {
    ASSERT_EQ(s.step().status, SolveStatus::converged);
    if (s.impacts().empty()) continue;
    times.push_back(s.time());
    energies.push_back(s.energy().total());
  }
  EXPECT_NEAR(times[0], 0.4851937281, 2 * h);
  EXPECT_NEAR(times[1], 0.6385508568, 2 * h);
  EXPECT_NEAR(energies[0], 5.6696138, 50 * h);
  EXPECT_NEAR(energies[1], 1.2060638, 50 * h);
  EXPECT_NEAR(energies[2], 0.5102652, 50 * h);
  s.advance_to(2);
  EXPECT_NEAR(s.probe("ball.position.x"), 1, 1e-5);
  EXPECT_NEAR(s.probe("ball.position.y"), 1, 1e-5);
  EXPECT_LT(s.probe("ball.speed"), 1e-10);
}

TEST(HalfExplicit, IsVerletsMethodWithoutContacts) {
  // Stable up to h = 2/omega, where omega = sqrt(2 k/m) is that of the relative motion, and unstable beyond.
  for (const double part : {0.99, 1.01}) {
    Model model = testing::steel_model(0);
    model.bodies = {testing::particle("a", 1, Translations::x, {0, 0, 0}, {1, 0, 0}),
                    testing::particle("b", 1, Translations::x, {1, 0, 0}, {-1, 0, 0})};
    Spring link = testing::spring("a", "b", 5000);
    link.axis = Vector3(1, 0, 0);
    model.springs = {link};
    const double h = part * 2 / 100;
    Simulation s(model, testing::run_config(HalfExplicitVelocityOptions{}, 400 * h, h));
    const StepReport report = s.advance_to(1e9);
    if (part < 1) {
      EXPECT_LT(s.energy().total(), 1e3 * s.energy().initial);
    } else {
      EXPECT_EQ(report.status, SolveStatus::not_finite);  // energy out of nothing ends the run
      EXPECT_NE(s.why_it_failed(report).find("unstable"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace percuss
