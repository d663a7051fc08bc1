#include <cmath>

#include <gtest/gtest.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/math/dense.h"
#include "support/scenes.h"

/// The multibody scenes against independent references: event-driven solutions in minimal coordinates
/// ("limit"), a second program of the same scheme ("discrete"), and each other.
namespace percuss {
namespace {

using testing::finished;
using testing::Overrides;

TEST(SliderCrank, DiscreteSolutionOfTheExplicitScheme) {
  // theta1, theta2, energy at t = 0.1 from a second implementation with one unknown contact pair.
  struct Case {
    const char *clearance, *step;
    double theta1, theta2, energy;
  };
  for (const Case& c : {Case{"0.001", "1e-3", 9.0997507387, -0.1907491528, 6.8515309861},
                        Case{"0.001", "1e-4", 9.0382051051, -0.1942309313, 7.2660191845},
                        Case{"0.001", "1e-5", 9.0440409091, -0.1902725332, 7.3181038950},
                        Case{"0", "1e-3", 9.1262009194, -0.1711605887, 6.9224881712},
                        Case{"0", "1e-4", 9.1175959211, -0.1543887085, 7.4134005026},
                        Case{"0", "1e-5", 9.1379428205, -0.1421943423, 7.4877828305}}) {
    const Simulation s =
        finished("slider_crank", {"parameters.friction=0", std::string("parameters.clearance=") + c.clearance,
                                  std::string("time.step=") + c.step});
    EXPECT_NEAR(s.probe("slider_crank.theta1"), c.theta1, 1e-8) << c.clearance << " " << c.step;
    EXPECT_NEAR(s.probe("slider_crank.theta2"), c.theta2, 1e-8) << c.clearance << " " << c.step;
    EXPECT_NEAR(s.energy().total(), c.energy, 1e-8) << c.clearance << " " << c.step;
  }
}

TEST(SliderCrank, LimitsWithAndWithoutClearance) {
  const Simulation loose = finished("slider_crank", {"parameters.friction=0", "time.step=2e-6"});
  EXPECT_NEAR(loose.probe("slider_crank.theta1"), 9.0442082806, 2e-4);
  EXPECT_NEAR(loose.probe("slider_crank.theta2"), -0.1901362582, 2e-4);
  EXPECT_NEAR(loose.energy().total(), 7.32183422, 2e-3);
  const Simulation tight =
      finished("slider_crank", {"parameters.friction=0", "time.step=2e-6", "parameters.clearance=0"});
  EXPECT_NEAR(tight.probe("slider_crank.theta1"), 9.1401524169, 1e-3);
  EXPECT_NEAR(tight.probe("slider_crank.theta2"), -0.1408644354, 1e-3);
  EXPECT_NEAR(tight.energy().total(), 7.49554875, 3e-3);
}

/// Coordinates at multiples of `every` up to 0.1 s.
MatrixX slider_crank_path(const std::string& clearance, const std::string& step, double every) {
  Simulation s =
      testing::scene_simulation("slider_crank", {"parameters.clearance=" + clearance, "time.step=" + step});
  MatrixX q(std::lround(0.1 / every), 3);
  for (int i = 0; i < q.rows(); ++i) {
    EXPECT_EQ(s.advance_to((i + 1) * every).status, SolveStatus::converged);
    q.row(i) = s.state().q.transpose();
  }
  return q;
}

TEST(SliderCrank, ErrorsOfPaper003Tables2And3) {
  // Spectral norm of the errors of the coordinates at the scheme's own steps, the limit extrapolated because
  // the scheme is of first order. Bilateral: table 2; with clearance and friction: table 3.
  struct Row {
    const char *clearance, *step;
    double every, norm;
  };
  for (const Row& row : {Row{"0", "1e-4", 1e-4, 0.2115}, Row{"0.001", "1e-3", 1e-3, 0.794},
                         Row{"0.001", "1e-4", 1e-4, 0.1526}}) {
    const MatrixX limit = 2 * slider_crank_path(row.clearance, "1e-6", row.every) -
                          slider_crank_path(row.clearance, "2e-6", row.every);
    const MatrixX error = slider_crank_path(row.clearance, row.step, row.every) - limit;
    const double norm = std::sqrt(symmetric_eigenvalues(error.transpose() * error).maxCoeff());
    EXPECT_NEAR(norm, row.norm, 0.05 * row.norm) << row.clearance << " " << row.step;
  }
}

TEST(SliderCrank, BothModelsTendToTheSameMotion) {
  for (const char* scheme : {"moreau-explicit", "moreau-jean"}) {
    std::vector<double> differences;
    for (const char* step : {"4e-5", "2e-5", "1e-5"}) {
      const Overrides o = {std::string("integrator.scheme=") + scheme, std::string("time.step=") + step,
                           "time.end=0.05"};
      const Simulation minimal = finished("slider_crank", o), joints = finished("slider_crank_joints", o);
      differences.push_back(std::abs(minimal.probe("slider_crank.theta1") - joints.probe("crank.angle")) +
                            std::abs(minimal.probe("slider_crank.theta2") - joints.probe("rod.angle")));
    }
    EXPECT_LT(differences[2], 0.02) << scheme;
    EXPECT_LT(differences[2], 0.4 * differences[0]) << scheme;  // first order: a quarter
  }
}

TEST(RigidPendulum, LimitWithInertiaAndWithout) {
  struct Case {
    const char* inertia;
    std::vector<double> impacts;
    double power;  ///< of gravity at the first impact: m g v_y, where (1 + J) v_y^2 = g sqrt(2)/2
  };
  for (const Case& c :
       {Case{"1/3", {0.4669330053, 1.2504663160}, 9.81 * std::sqrt(9.81 * std::sqrt(0.5) / (4. / 3))},
        Case{"0", {0.4043758445, 1.0829355962, 1.6563849836}, 9.81 * std::sqrt(9.81 * std::sqrt(0.5))}}) {
    std::vector<double> remainders;
    for (const double h : {1e-4, 5e-5}) {
      Simulation s = testing::scene_simulation(
          "rigid_pendulum",
          {std::string("parameters.inertia=") + c.inertia, "time.step=" + std::to_string(h), "time.end=1.7"});
      std::vector<double> times, energies;
      while (!s.finished() && times.size() < c.impacts.size()) {
        ASSERT_EQ(s.step().status, SolveStatus::converged);
        if (s.impacts().empty()) continue;
        times.push_back(s.time());
        energies.push_back(s.energy().total());
      }
      ASSERT_EQ(times.size(), c.impacts.size()) << c.inertia;
      // Each impact is noticed up to 2 h late, and what follows by as much later as the ones before delayed
      // it.
      for (size_t i = 0; i < times.size(); ++i)
        EXPECT_NEAR(times[i], c.impacts[i], (2.0 + static_cast<double>(i)) * h) << c.inertia;
      // Up to 2 h late the mass is faster and loses more, up to 19 h; the scheme loses the rest in the joint.
      const double losses[] = {-2.4972183 - energies[0], -4.0954380 - energies[1]};
      for (const double loss : losses) {
        EXPECT_GT(loss, 0) << c.inertia;
        EXPECT_LT(loss, 25 * h) << c.inertia;
      }
      remainders.push_back(losses[0] - (1 - 0.8 * 0.8) * c.power * (times[0] - c.impacts[0]));
    }
    // How late it is depends on where the impact falls in a step; without that the error halves with h.
    EXPECT_NEAR(remainders[0] / remainders[1], 2, 1e-3) << c.inertia;
  }
}

TEST(RigidPendulum, VelocityConstraintAtTheEndOfTheStepHardlyDrifts) {
  Simulation s = testing::scene_simulation("rigid_pendulum");
  double drift = 0, gap = 1;
  while (!s.finished()) {
    ASSERT_EQ(s.step().status, SolveStatus::converged);
    drift = std::max(drift, s.joint_violation());
    gap = std::min(gap, s.gap(0));
  }
  EXPECT_LT(drift, 1e-5);
  EXPECT_GT(gap, -5e-3);  // a mass that is noticed half a step late
}

TEST(Parallelepiped, FirstImpact) {
  const double h = 5e-6;
  Simulation s = testing::scene_simulation("parallelepiped", {"time.step=5e-6", "time.end=0.69"});
  EXPECT_NEAR(s.energy().total(), 2284.308, 1e-9);
  while (s.impacts().empty()) ASSERT_EQ(s.step().status, SolveStatus::converged);
  EXPECT_EQ(s.impacts().size(), 1u);
  EXPECT_NEAR(s.time(), 0.415285603, 2 * h);
  EXPECT_NEAR(s.energy().total(), 1630.260229, 8e4 * h)
      << "what the impact takes is of first order";  // 1.14 J at 2e-5, 0.71 J at 1e-5, 0.30 J at 5e-6
  ASSERT_EQ(s.advance_to(1).status, SolveStatus::converged);
  EXPECT_NEAR(s.probe("box.position.z"), 1.604160, 1.5e-3);
}

TEST(Parallelepiped, NaturalCoordinatesApproachTheManifold) {
  // Before the impact; what they change in the energy is of second order in the step.
  std::vector<double> losses;
  const Simulation reference = finished("parallelepiped", {"time.step=2e-5", "time.end=0.1"});
  for (const char* step : {"2e-5", "1e-5"}) {
    const Simulation s =
        finished("parallelepiped_natural", {std::string("time.step=") + step, "time.end=0.1"});
    losses.push_back(reference.energy().total() - s.energy().total());
    EXPECT_LT(s.joint_violation(), 1e-6);
  }
  for (const double loss : losses) EXPECT_LT(std::abs(loss), 1e-7);  // of 2284 J
}

TEST(FourBar, RedundantHingesMoveAsThePlanarLinkageDoes) {
  const std::string planar = R"scene(percuss: 1
gravity: [0, -9.81, 0]
materials: {steel: {density: 7800}}
bodies:
  - {planar: crank, material: steel, thickness: 0.02, shape: {rectangle: [0.2, 0.02]}, position: [0, 0.1, 0], angle: pi/2}
  - {planar: coupler, material: steel, thickness: 0.02, shape: {rectangle: [0.5, 0.02]}, position: [0.25, 0.2, 0]}
  - {planar: rocker, material: steel, thickness: 0.02, shape: {rectangle: [0.2, 0.02]}, position: [0.5, 0.1, 0], angle: pi/2}
joints:
  - {hinge: a, body: crank, at: [0, 0, 0]}
  - {hinge: b, body: coupler, to: crank, at: [0, 0.2, 0]}
  - {hinge: c, body: rocker, to: coupler, at: [0.5, 0.2, 0]}
  - {hinge: d, body: rocker, at: [0.5, 0, 0]}
forces: [{torque: push, body: crank, value: [0, 0, "if(t < 0.2, -1, 0)"]}]
time: {end: 1, step: 1e-3}
)scene";
  const Scene scene = parse_scene(planar, "planar");
  Simulation flat(scene.model, scene.run);
  // Up to the first dead centre, 0.396 s: where it goes on from there rounding decides.
  ASSERT_EQ(flat.advance_to(0.39).status, SolveStatus::converged);
  EXPECT_TRUE(flat.assembly().start.dependent_rows.empty());
  const Simulation spatial = finished("four_bar", {"time.end=0.39"});
  EXPECT_EQ(spatial.assembly().start.dependent_rows.size(), 3u);
  EXPECT_NEAR(flat.probe("joint(a).coordinate"), spatial.probe("joint(a).coordinate"), 1e-11);
  EXPECT_NEAR(flat.probe("coupler.position.y"), spatial.probe("coupler.position.y"), 1e-11);
  EXPECT_NEAR(spatial.probe("coupler.position.z"), 0, 1e-12);
  EXPECT_NEAR(flat.energy().total(), spatial.energy().total(), 1e-10);
}

TEST(Dzhanibekov, EnergyAndAngularMomentumStay) {
  Simulation s = testing::scene_simulation("dzhanibekov");
  const Matrix3 J = s.assembly().system.bodies[0].inertia;
  const auto momentum = [&] {
    const PoseAndVelocity p = place(s.assembly().system.bodies[0], s.state().q, s.state().v, s.time());
    return Vector3(p.R * (J * s.state().v.tail<3>()));
  };
  const Vector3 start = momentum();
  int turns = 0;
  double last = s.state().v[4], worst_energy = 0, worst_momentum = 0, worst_norm = 0;
  while (!s.finished()) {
    ASSERT_EQ(s.step().status, SolveStatus::converged);
    turns += s.state().v[4] * last < 0;
    last = s.state().v[4];
    worst_energy = std::max(worst_energy, std::abs(s.energy().total() - s.energy().initial));
    worst_momentum = std::max(worst_momentum, (momentum() - start).norm());
    worst_norm = std::max(worst_norm,
                          std::abs(read_quaternion(s.assembly().system.bodies[0], s.state().q).norm() - 1));
  }
  EXPECT_GE(turns, 2);
  EXPECT_LT(worst_energy, 1e-12);                  // theta = 1/2 keeps the kinetic energy of rotation exactly
  EXPECT_LT(worst_momentum, 2e-5 * start.norm());  // its direction in space is of second order
  EXPECT_LT(worst_norm, 4e-16);
}

TEST(DoublePendulum, TheStopHoldsAndEnergyIsKeptBetweenImpacts) {
  const double h = 1e-3, restitution = 0.3;
  Simulation s = testing::scene_simulation("double_pendulum");
  double highest = 0, fastest_impact = 0, most_given = 0;
  const auto knee_rate = [&] { return s.state().v[5] - s.state().v[2]; };
  while (!s.finished()) {
    const EnergyLedger before = s.energy();
    const double rate = knee_rate();
    ASSERT_EQ(s.step().status, SolveStatus::converged);
    highest = std::max(highest, s.probe("joint(knee).coordinate"));
    if (!s.impacts().empty()) fastest_impact = std::max(fastest_impact, rate);
    const double given = before.loss_impacts - s.energy().loss_impacts;  // by the stop
    EXPECT_LT(s.energy().total() - before.total(), std::max(0.0, given) + 1e-6 * 30)
        << s.time();  // a millionth of the energy in play (M-13)
    most_given = std::max(most_given, given);
  }
  // It moves half a step before the stop is noticed, and in the step of the impact with the mean velocity.
  EXPECT_LT(highest, (0.5 + (1 - restitution) / 2) * h * fastest_impact);
  // The stop gives energy only where gravity closes it again in the step after it opened: u_n > 0 and
  // u_{n+1} = -e u_n, so its work is (1 - e) u_n r / 2, and both u_n and r are of the order of h.
  EXPECT_LT(most_given, h * h);
  EXPECT_GT(s.statistics().impacts, 5);
}

}  // namespace
}  // namespace percuss
