// The shipped scenes of many bodies, shortened: what bears what, and nothing goes through anything.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "percuss/contacts/assembly.h"
#include "support/scenes.h"
#include "worlds/world_scene.h"

namespace percuss {
namespace {

using testing::scene_simulation;

double weight_of(const Simulation& s) {
  double mass = 0;
  for (const auto& body : s.assembly().system.bodies) mass += body.mass;
  return 9.81 * mass;
}

void run_on(Simulation& s) {
  while (!s.finished()) {
    const StepReport report = s.step();
    ASSERT_EQ(report.status, SolveStatus::converged) << s.why_it_failed(report);
  }
}

/// Each link bears those below it: a hanging chain is in equilibrium as it is put.
TEST(Chain, EachLinkBearsThoseBelow) {
  Simulation s = scene_simulation("chain", {"parameters.tilt=0", "time.end=0.1", "time.step=1e-3"});
  run_on(s);
  const double weight = weight_of(s);
  // Capsules of 0.06 and 0.03 m with a radius of 4 mm, two of each in a link.
  const double volume = std::numbers::pi * 1.6e-5 * (2 * 0.06 + 2 * 0.03 + 4 * 4.0 / 3 * 0.004);
  EXPECT_NEAR(weight, 10 * 7800 * volume * 9.81, 1e-10);
  EXPECT_NEAR(s.probe("contact(hook, link0).force.z"), -weight, 1e-8 * weight);
  for (int i = 1; i < 10; ++i)
    EXPECT_NEAR(s.probe(fmt::format("contact(link{}, link{}).force.z", i, i - 1)), (10 - i) * weight / 10,
                1e-8 * weight);
  EXPECT_NEAR(s.probe("link9.displacement.z"), 0, 1e-10);
}

/// It swings without losing a link: the distance of neighbours stays within what the rings allow.
TEST(Chain, HoldsTogetherWhileItSwings) {
  Simulation s = scene_simulation("chain", {"time.end=0.4", "time.step=1e-3"});
  run_on(s);
  for (int i = 1; i < 10; ++i) {
    const double apart =
        (s.position(fmt::format("link{}", i)) - s.position(fmt::format("link{}", i - 1))).norm();
    EXPECT_LT(apart, 0.052 + 1e-4) << i;  // the length less two wires
    EXPECT_GT(apart, 0.04) << i;
  }
  EXPECT_LT(s.position("link9").x(), 0);  // on the other side
  EXPECT_LT(s.energy().total(), s.energy().initial);
}

/// Grains leave through the opening, when the gate is open, and nowhere else; none gets through walls or pan.
TEST(Hopper, GrainsLeaveThroughTheOpening) {
  constexpr int grains = 60;
  constexpr double d = 0.02, half = 3.5 * d, opening = 4.5 * d, thickness = 0.5 * d, tray = 5 * d;
  Simulation s =
      scene_simulation("hopper", {fmt::format("parameters.grains={}", grains), "parameters.half=3.5*d",
                                  "parameters.side=5", "parameters.opens=0.15", "parameters.tray=5*d",
                                  "time.end=1.2", "time.step=1e-3", "record={every: 1}"});
  const auto across = [&](int i) {  // the larger of |x| and |y|
    const Vector3 p = s.position(fmt::format("grain{}", i));
    return std::max(std::abs(p.x()), std::abs(p.y()));
  };
  int left = 0;
  std::vector<bool> has_left(grains, false);
  while (!s.finished()) {
    const StepReport report = s.step();
    ASSERT_EQ(report.status, SolveStatus::converged) << s.why_it_failed(report);
    for (int i = 0; i < grains; ++i) {
      const size_t grain = static_cast<size_t>(i);
      const double z = s.position(fmt::format("grain{}", i)).z(),
                   radius = d / 2 * (1 + 0.1 * std::sin(12.9 * i));
      if (!has_left[grain] && z < -thickness / 2) {
        has_left[grain] = true;
        ASSERT_LT(across(i), opening / 2 - 0.9 * radius) << s.time();
        ASSERT_GT(s.time(), 0.15);
        ++left;
      }
      ASSERT_LT(across(i), (has_left[grain] ? tray : half) - 0.9 * radius) << s.time();
      ASSERT_GT(z, -6 * d + 0.9 * radius) << s.time();
    }
  }
  EXPECT_EQ(left, grains);
}

TEST(KaplaTower, BearsItself) {
  Simulation s = scene_simulation("kapla_tower", {"time.end=0.05", "time.step=1e-3"});
  run_on(s);
  EXPECT_NEAR(s.probe("contact(floor, *).force"), 16 * 500 * 0.12 * 0.024 * 0.008 * 9.81, 1e-8);
  EXPECT_NEAR(s.position("plank15").z(), 0.18, 1e-12);
}

TEST(SpherePile, SpheresStayInTheBox) {
  Simulation s =
      scene_simulation("sphere_pile", {"parameters.side=3", "parameters.layers=3", "time.end=0.5"});
  run_on(s);
  for (int i = 0; i < 27; ++i) {
    const Vector3 x = s.position(fmt::format("ball{}", i));
    EXPECT_LT(x.head<2>().lpNorm<Eigen::Infinity>(), 3.1 * 0.045 / 2 - 0.02 + 5e-4) << i;
    EXPECT_GT(x.z(), 0.02 - 5e-4) << i;
  }
  EXPECT_LT(s.energy().total(), s.energy().initial);
}

/// Spheres without friction come to rest where their contacts, with each other and with the walls, are as
/// many as their coordinates: fewer cannot bear them, more would need sizes that fit each other exactly.
TEST(SpherePile, WithoutFrictionIsIsostatic) {
  testing::WorldScene scene{
      .obstacles = {"{box: bin, lower: [-0.0775, -0.0775, 0], upper: [0.0775, 0.0775, 1], "
                    "faces: [x_min, x_max, y_min, y_max, z_min], material: stone}"},
      .friction = 0,
      .end = 2};
  constexpr int spheres = 36, side = 3;
  for (int i = 0; i < spheres; ++i)
    scene.bodies.push_back(fmt::format(
        "{{sphere: ball{}, material: stone, radius: {:.17g}, position: [{:.17g}, {:.17g}, {:.17g}]}}", i,
        0.02 * (1 + 0.15 * std::sin(7.3 * i)), (i % side - 1) * 0.05 + 0.002 * std::sin(1.7 * i),
        (i / side % side - 1) * 0.05 + 0.002 * std::sin(2.3 * i), 0.025 + 0.05 * (i / (side * side))));
  const Simulation s = scene.run();
  EXPECT_LT(s.energy().kinetic, 1e-20);
  EXPECT_EQ(s.probe("contacts.closed"), 3 * spheres);
  EXPECT_NEAR(s.probe("contact(bin, *).force.z"), -weight_of(s), 1e-8 * weight_of(s));
}

/// A hill of 20 000 triangles, as a mesh from a file and as a heightmap from a table.
TEST(RockFall, IsTheSameOnAMeshAndOnAHeightmap) {
  constexpr int cells = 100;
  constexpr double cell = 0.1;
  const auto height = [](double x, double y) {
    return 0.3 * std::sin(1.3 * x) * std::cos(0.9 * y) - 0.3 * x;
  };
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("percuss_hill_{}", ::getpid());
  std::filesystem::create_directories(folder);
  {
    std::ofstream table(folder / "hill.csv"), mesh(folder / "hill.obj");
    for (int j = 0; j <= cells; ++j)
      for (int i = 0; i <= cells; ++i) {
        const double x = cell * i, y = cell * j, z = height(x, y);
        table << fmt::format("{:.17g}{}", z, i < cells ? "," : "\n");
        mesh << fmt::format("v {:.17g} {:.17g} {:.17g}\n", x, y, z);
      }
    for (int j = 0; j < cells; ++j)
      for (int i = 0; i < cells; ++i) {
        const int a = 1 + j * (cells + 1) + i, b = a + 1, c = a + cells + 1, d = c + 1;
        mesh << fmt::format("f {} {} {}\nf {} {} {}\n", a, b, d, a, d, c);
      }
  }
  const auto end = [&](const std::string& hill) {
    testing::WorldScene scene{.obstacles = {hill}, .restitution = 0.2, .end = 1.5};
    for (int i = 0; i < 5; ++i) {
      const double x = 1 + 0.3 * i, y = 3 + i;
      scene.bodies.push_back(testing::rigid(
          fmt::format("rock{}", i),
          fmt::format(
              "{{hull: {{points: [[0.2, 0.15, 0.12], [0.18, -0.15, 0.1], [-0.17, 0.16, 0.1], [-0.2, -0.13, "
              "0.14], [0.21, 0.12, -0.12], [0.16, -0.16, {}], [-0.19, 0.14, -0.14], [-0.15, -0.17, "
              "-0.12]]}}}}",
              -0.1 - 0.01 * i),
          {x, y, height(x, y) + 0.4}, fmt::format("orientation: {{rotation_vector: [{}, 0.7, 0.3]}}", i)));
    }
    const Simulation s = scene.run();
    for (int i = 0; i < 5; ++i) {
      const Vector3 x = s.position(fmt::format("rock{}", i));
      EXPECT_GT(x.z(), height(x.x(), x.y()) + 0.08) << i;
    }
    return s.state();
  };
  const State on_mesh =
      end(fmt::format("{{mesh: hill, material: stone, file: {}}}", (folder / "hill.obj").string()));
  const State on_table = end(fmt::format("{{heightmap: hill, material: stone, file: {}, cell: {}}}",
                                         (folder / "hill.csv").string(), cell));
  std::filesystem::remove_all(folder);
  EXPECT_GT(on_mesh.v.norm(), 0.5);  // they roll on
  EXPECT_LT((on_mesh.q - on_table.q).lpNorm<Eigen::Infinity>(), 1e-12);
}

TEST(RockFall, RocksStopAtTheFence) {
  Simulation s =
      scene_simulation("rock_fall", {"parameters.rocks=8", "record=null", "time.end=8", "time.step=1e-3"});
  run_on(s);
  for (int i = 0; i < 8; ++i) {
    const Vector3 x = s.position(fmt::format("rock{}", i));
    EXPECT_LT(x.x(), 1.9) << i;
    EXPECT_GT(x.z(), 0.08) << i;
    EXPECT_GT(x.x() * std::sin(40 * std::numbers::pi / 180) + x.z() * std::cos(40 * std::numbers::pi / 180),
              0.08)
        << i;
  }
  double bears = 0;
  for (const char* thing : {"ground", "hill", "fence"})
    bears -= s.probe(fmt::format("contact({}, *).force.z", thing));
  EXPECT_NEAR(bears, weight_of(s), 1e-6 * weight_of(s));
  EXPECT_LT(s.energy().kinetic, 1e-9);
}

/// A wall that stands still bears itself; on its shaken base no stone sinks, and one that falls lies on
/// others.
TEST(DryWall, BearsItself) {
  Simulation s = scene_simulation(
      "dry_wall", {"parameters.speed=0", "solver.tolerance=1e-10", "time.end=0.05", "time.step=1e-3"});
  run_on(s);
  EXPECT_NEAR(s.probe("contact(ground, *).force"), 8 * 78.125 * 9.81, 1e-5);
  EXPECT_NEAR(s.position("stone9").z(), 0.875, 1e-9);
}

TEST(DryWall, StonesThatLeaveItLieOnSomething) {
  Simulation s = scene_simulation("dry_wall", {"time.end=0.7", "time.step=2e-3"});
  run_on(s);
  for (int i = 0; i < 10; ++i) EXPECT_GT(s.position(fmt::format("stone{}", i)).z(), 0.12) << i;
}

}  // namespace
}  // namespace percuss
