#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "support/scenes.h"

/// Every scheme with every kind of drive, stop and prescribed frame, against the motion in closed form.
namespace percuss {
namespace {

/// A rod that turns about y through its end, or slides along x.
std::string rod(const std::string& joint, const std::string& more = "") {
  return "percuss: 1\n"
         "bodies:\n"
         "  - {rigid: rod, mass: 2, inertia: [0.1, 0.3, 0.2], position: [0.5, 0, 0]}\n" +
         more + "joints:\n  - " + joint +
         "\n"
         "time: {end: 0.4, step: 1e-3}\n";
}
std::string hinge(const std::string& drive) {
  return rod("{hinge: j, body: rod, at: [0, 0, 0], axis: [0, 1, 0], " + drive + "}");
}
std::string slider(const std::string& drive) {
  return rod("{slider: j, body: rod, at: [0.5, 0, 0], axis: [1, 0, 0], " + drive + "}");
}

struct DriveCase {
  const char* name;
  std::string scene;
  const char* probe;
  std::function<double(double)> exact;
  double size;    ///< of the motion and its derivatives, for the bound of the error
  int order = 2;  ///< that it allows; 1 with impacts
};

/// A stop under gravity: falls 0.1 m, rises with half of its speed.
double bounce(double t) {
  const double g = 10, fall = 0.1, t1 = std::sqrt(2 * fall / g), u = 0.5 * g * t1;
  if (t < t1) return -0.5 * g * t * t;
  return -fall + u * (t - t1) - 0.5 * g * (t - t1) * (t - t1);
}

std::vector<DriveCase> cases() {
  const double about_end = 0.3 + 2 * 0.5 * 0.5;  // kg m^2
  const std::string frame =
      "frames:\n  - {frame: base, position: [0.1*sin(3*t), 0, 0], axis: [0, 0, 1], angle: 0.2*sin(4*t)}\n";
  return {
      {"hinge, coordinate", hinge("drive: {coordinate: 0.3*sin(5*t)}"), "joint(j).coordinate",
       [](double t) { return 0.3 * std::sin(5 * t); }, 40},
      {"hinge, speed", hinge("drive: {speed: 3*sin(5*t)}"), "joint(j).coordinate",
       [](double t) { return 0.6 * (1 - std::cos(5 * t)); }, 80},
      {"hinge, load", hinge("drive: {load: 4*cos(2*t)}"), "joint(j).coordinate",
       [=](double t) { return 1 / about_end * (1 - std::cos(2 * t)); }, 40},
      {"slider, coordinate", slider("drive: {coordinate: 0.3*sin(5*t)}"), "joint(j).coordinate",
       [](double t) { return 0.3 * std::sin(5 * t); }, 40},
      {"slider, speed", slider("drive: {speed: 3*sin(5*t)}"), "rod.position.x",
       [](double t) { return 0.5 + 0.6 * (1 - std::cos(5 * t)); }, 80},
      {"slider, speed, rate", slider("drive: {speed: 3*sin(5*t)}"), "joint(j).rate",
       [](double t) { return 3 * std::sin(5 * t); }, 400},
      {"slider, load", slider("drive: {load: 4*cos(2*t)}"), "joint(j).coordinate",
       [](double t) { return 0.5 * (1 - std::cos(2 * t)); }, 40},
      {"frame", rod("{fixed: j, body: rod, to: base, at: [0.5, 0, 0]}", frame), "rod.position.x",
       [](double t) { return 0.1 * std::sin(3 * t) + 0.5 * std::cos(0.2 * std::sin(4 * t)); }, 40},
      {"limit",
       "gravity: [0, 0, -10]\n" + rod("{slider: j, body: rod, at: [0.5, 0, 0], axis: [0, 0, 1], limits: "
                                      "{lower: -0.1, restitution: 0.5}}"),
       "joint(j).coordinate", bounce, 20, 1},
      {"limit of a hinge",
       rod("{hinge: j, body: rod, at: [0.5, 0, 0], axis: [0, 0, 1], limits: {upper: 0.2, restitution: 0.5}, "
           "drive: {load: 2}}"),
       "joint(j).coordinate", [](double t) { return -bounce(std::sqrt(0.5) * t) * 2; }, 40, 1},
  };
}

double error_of(const DriveCase& c, const SchemeOptions& scheme, const std::string& step) {
  Scene scene = parse_scene(
      c.scene, "drive.yaml",
      {"time.step=" + step, c.order == 1 ? "time.end=0.25" : "time.end=0.4"});  // before the second impact
  scene.run.integrator = scheme;
  Simulation simulation(scene.model, scene.run);
  const StepReport report = simulation.advance_to(1e9);
  EXPECT_EQ(report.status, SolveStatus::converged)
      << c.name << " " << scheme_name(scheme) << ": " << simulation.why_it_failed(report);
  return std::abs(simulation.probe(c.probe) - c.exact(simulation.time()));
}

TEST(Drives, EverySchemeFollowsTheClosedForm) {
  for (const SchemeOptions& scheme : all_schemes()) {
    const SchemeFacts promised = facts(scheme);
    if (!promised.has_joints || promised.impact_order == 0) continue;  // the latter are for study only
    for (const DriveCase& c : cases()) {
      const int order = std::min(c.order, c.order == 1 ? promised.impact_order : promised.joint_order);
      const double h = 1e-3, bound = promised.chooses_steps ? 1e-6 : c.size * std::pow(h, order);
      EXPECT_LE(error_of(c, scheme, "1e-3"), bound) << c.name << ", " << scheme_name(scheme);
    }
  }
}

}  // namespace
}  // namespace percuss
