// What it costs to find contacts, beside Bullet (double precision, margin 0) on the same bodies at the same
// places, step by step in turn.  docs/verification.md
//
//   build/release/bin/world_cost [LARGEST]     number of bodies, 10000 unless given
//
// Times are those of the processor on one thread [ms per step]. Both searches keep what they know from one
// step to the next. Bullet's detector for boxes tells contacts of boxes that overlap; ours tells all features
// within a skin of 5 % of the thickness of each body and what it travels in a step, and lists them as
// contacts.

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <random>

#include <fmt/format.h>

#include "bullet.h"
#include "percuss/contacts/assembly.h"
#include "percuss/contacts/found_contacts.h"
#include "percuss/simulation/simulation.h"

namespace percuss {
namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

constexpr double h = 1e-3;

/// Bodies of about 1 m on a lattice, turned at random by about `tilt`.
struct Arrangement {
  const char* name;
  bool round;
  double spacing, tilt;
};
constexpr Arrangement arrangements[] = {{"loose boxes", false, 1.6, 3},
                                        {"dense boxes", false, 1.0, 0.1},
                                        {"loose balls", true, 1.6, 3},
                                        {"dense balls", true, 1.0, 3}};

struct Bodies {
  Bodies(const Arrangement& arrangement, int count) : random(1) {
    const int side = static_cast<int>(std::ceil(std::cbrt(count) - 1e-9));
    std::uniform_real_distribution<double> length(0.8, 1);
    for (int i = 0; i < count; ++i) {
      const double diameter = length(random);
      sides.push_back(arrangement.round ? Vector3::Constant(diameter)
                                        : Vector3(diameter, length(random), length(random)));
      const Vector3 cell(i % side, i / side % side, i / (side * side));
      PoseAndVelocity pose;
      pose.x = arrangement.spacing * (cell + Vector3(0.5, 0.5, 1)) + 0.02 * normal();
      pose.v = 0.5 * normal();
      pose.R = turn(arrangement.tilt * normal());
      poses.push_back(pose);
      spins.push_back(normal());
    }
    turn_rates();
  }

  /// A step of a motion that is pushed at random.
  void move() {
    for (size_t i = 0; i < poses.size(); ++i) {
      poses[i].v += 0.02 * normal();
      spins[i] += 0.02 * normal();
      poses[i].x += h * poses[i].v;
      poses[i].R = turn(h * spins[i]) * poses[i].R;
    }
    turn_rates();
  }

  std::vector<Vector3> sides, spins;
  std::vector<PoseAndVelocity> poses;

 private:
  Vector3 normal() { return {gauss(random), gauss(random), gauss(random)}; }
  static Matrix3 turn(const Vector3& rotation) {
    return Eigen::AngleAxisd(rotation.norm(), rotation.stableNormalized()).toRotationMatrix();
  }
  void turn_rates() {
    for (size_t i = 0; i < poses.size(); ++i)
      for (int axis = 0; axis < 3; ++axis) poses[i].R_dot.col(axis) = spins[i].cross(poses[i].R.col(axis));
  }

  std::mt19937 random;
  std::normal_distribution<double> gauss;
};

Model model_of(const Bodies& bodies, bool round) {
  Model model;
  model.gravity = {0, 0, -9.81};
  model.materials = {{"stone", {.density = 2000, .young = {}}}};
  PairLaw law;
  law.between = {"stone", "stone"};
  law.friction = 0.3;
  model.pairs = {law};
  for (size_t i = 0; i < bodies.poses.size(); ++i) {
    RigidBody body;
    body.name = fmt::format("b{}", i);
    body.material = "stone";
    body.shape.emplace();
    if (round)
      body.shape->sphere = 0.5 * bodies.sides[i].x();
    else
      body.shape->box = bodies.sides[i];
    body.position = bodies.poses[i].x;
    model.bodies.emplace_back(body);
  }
  ContactPair all;
  all.between = {"all", "all"};
  model.contacts = {all};
  return model;
}

struct Cost {
  double broad = 0, narrow = 0;  ///< [ms]
  long pairs = 0, contacts = 0;  ///< per step

  double total() const { return broad + narrow; }
};

void measure(Cost& cost, int steps, auto&& find_pairs, auto&& find_contacts) {
  const double start = cpu_seconds();
  find_pairs();
  const double middle = cpu_seconds();
  find_contacts();
  cost.broad += 1e3 * (middle - start) / steps;
  cost.narrow += 1e3 * (cpu_seconds() - middle) / steps;
}

void compare(const Arrangement& arrangement, int count) {
  Bodies bodies(arrangement, count);
  const Assembly assembly = build_assembly(model_of(bodies, arrangement.round));
  ThingSearch search(assembly);
  Kinematics at = make_kinematics(assembly.system);
  ContactList list;
  const auto bullet = make_bullet_world(bodies.sides, arrangement.round);
  const int steps = std::max(20, std::min(400, 1'000'000 / count));
  Cost ours, theirs;
  for (int step = -5; step < steps; ++step) {
    bodies.move();
    if (step == 0) ours = theirs = {};  // memory is there, and what is kept from step to step
    std::ranges::copy(bodies.poses, at.poses.begin());
    list.clear();
    measure(
        ours, steps, [&] { search.find_pairs(at, h); }, [&] { search.find_features(assembly, at, h, list); });
    ours.pairs += static_cast<long>(search.pairs().size());
    ours.contacts += list.count();
    if (!bullet) continue;
    bullet->place(bodies.poses);
    measure(
        theirs, steps, [&] { bullet->find_pairs(); }, [&] { bullet->find_contacts(); });
    theirs.pairs += bullet->pairs();
    theirs.contacts += bullet->contacts();
  }
  fmt::print("{:<12} {:>7} | {:>8} {:>8} {:>8.3f} {:>8.3f}", arrangement.name, count, ours.pairs / steps,
             ours.contacts / steps, ours.broad, ours.narrow);
  if (bullet)
    fmt::print(" | {:>8} {:>8} {:>8.3f} {:>8.3f} | {:>6.2f}", theirs.pairs / steps, theirs.contacts / steps,
               theirs.broad, theirs.narrow, ours.total() / theirs.total());
  fmt::print("\n");
  std::fflush(stdout);
}

/// Part of the steps of moreau-jean that the search takes: 1000 boxes in towers of ten.
void share_of_step() {
  constexpr Arrangement towers{"towers", false, 1.1, 0};
  Bodies bodies(towers, 1000);
  for (size_t i = 0; i < bodies.sides.size(); ++i) {
    bodies.sides[i] = Vector3::Ones();
    bodies.poses[i].x = Vector3(1.1 * static_cast<double>(i % 10), 1.1 * static_cast<double>(i / 10 % 10),
                                static_cast<double>(i / 100) + 0.5);
  }
  Model model = model_of(bodies, false);
  HalfSpaceObstacle floor;
  floor.name = "floor";
  floor.material = "stone";
  model.obstacles = {floor};
  RunConfig config;
  config.time.end = 0.02;
  config.time.step = h;
  config.solver.tolerance = 1e-8;
  const Assembly assembly = build_assembly(model);
  Simulation simulation(model, config);
  ThingSearch search(assembly);
  ContactList list;
  double of_steps = 0;
  Cost of_search;
  simulation.step();  // memory
  while (!simulation.finished()) {
    list.clear();
    measure(
        of_search, 1, [&] { search.find_pairs(simulation.kinematics(), h); },
        [&] { search.find_features(assembly, simulation.kinematics(), h, list); });
    const double start = cpu_seconds();
    if (simulation.step().status != SolveStatus::converged) return void(fmt::print("a step failed\n"));
    of_steps += 1e3 * (cpu_seconds() - start);
  }
  fmt::print(
      "\n1000 boxes in towers of ten, {} contacts: {:.1f} ms per step of moreau-jean, of which {:.2f} ms "
      "({:.1f} %) find "
      "contacts\n",
      list.count(), of_steps / 19, of_search.total() / 19, 100 * of_search.total() / of_steps);
}

}  // namespace
}  // namespace percuss

int main(int argc, char** argv) {
  const int largest = argc > 1 ? std::atoi(argv[1]) : 10'000;
  if (argc > 2 || largest < 1000) {
    fmt::print(stderr, "usage: world_cost [LARGEST]   number of bodies, at least 1000\n");
    return 2;
  }
  fmt::print("{:<20} | {:^35} | {:^35} | ratio of\n", "[ms per step]", "percuss", "Bullet");
  fmt::print("{:<12} {:>7} | {:>8} {:>8} {:>8} {:>8} | {:>8} {:>8} {:>8} {:>8} | totals\n", "", "bodies",
             "pairs", "contacts", "broad", "narrow", "pairs", "contacts", "broad", "narrow");
  for (int count = 1000; count <= largest; count *= 10)
    for (const auto& arrangement : percuss::arrangements) percuss::compare(arrangement, count);
  percuss::share_of_step();
}
