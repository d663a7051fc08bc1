#include <gtest/gtest.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/dynamics/forces.h"
#include "percuss/simulation/energy_accounting.h"
#include "support/models.h"
#include "support/scenes.h"

namespace percuss {
namespace {

/// Loss of the theta-scheme in one step of a linear system with constant load, docs/theory/energy.md (E-6):
///   (theta - 1/2) ( |dv|^2_M + |dq|^2_K - r^T du )
class ClosedFormula {
 public:
  ClosedFormula(const Assembly& assembly, double theta)
      : assembly_(assembly),
        contacts_(make_contact_kinematics(assembly.interactions, assembly.interactions.declared)),
        weight_(theta - 0.5) {
    const System& system = assembly.system;
    SparseMatrix lower = system.pattern;
    Kinematics kinematics = make_kinematics(system);
    update(system, system.initial.q, system.initial.v, 0, kinematics);
    assemble_iteration_matrix(system, system.initial.q, system.initial.v, 0, 0, 1, kinematics, lower);
    for (int i = 0; i < system.dof_count(); ++i) lower.valuePtr()[system.mass_entry[i]] -= system.mass[i];
    K_ = lower.selfadjointView<Eigen::Lower>();
  }
  double loss(const State& before, const State& after) const {
    const VectorX dv = after.v - before.v, dq = after.q - before.q;
    double sum = dv.dot(assembly_.system.mass.cwiseProduct(dv)) + dq.dot(K_ * dq);
    for (int c = 0; c < assembly_.interactions.declared.count(); ++c)
      sum -= after.contacts.reaction[assembly_.interactions.declared[c].row] *
             relative_velocity(assembly_.interactions.declared, contacts_, c, 0, dv);
    return weight_ * sum;
  }

 private:
  const Assembly& assembly_;
  ContactKinematics contacts_;  ///< constant normals
  double weight_;
  SparseMatrix K_;
};

struct Comparison {
  double worst_difference = 0;  ///< of the ledger's remainder and the formula, over the whole run [J]
  double largest_loss = 0;      ///< of the formula [J]
  double largest_energy = 0;    ///< [J]
};
Comparison compare(Simulation& simulation, double theta) {
  const ClosedFormula formula(simulation.assembly(), theta);
  Comparison result;
  double expected = 0;
  while (!simulation.finished()) {
    const State before = simulation.state();
    if (const StepReport report = simulation.step(); report.status != SolveStatus::converged) {
      ADD_FAILURE() << simulation.why_it_failed(report);
      break;
    }
    expected += formula.loss(before, simulation.state());
    const EnergyLedger& energy = simulation.energy();
    result.worst_difference = std::max(result.worst_difference, std::abs(energy.loss_algorithmic - expected));
    result.largest_loss = std::max(result.largest_loss, std::abs(expected));
    result.largest_energy = std::max(result.largest_energy, std::abs(energy.total()));
  }
  EXPECT_GT(simulation.statistics().impacts, 0);
  return result;
}

class EveryLinearScene : public ::testing::TestWithParam<std::tuple<const char*, double>> {};

TEST_P(EveryLinearScene, TheRemainderIsTheClosedFormula) {
  const auto [scene, theta] = GetParam();
  Simulation simulation = testing::scene_simulation(scene, {"integrator.theta=" + std::to_string(theta)});
  const Comparison result = compare(simulation, theta);
  EXPECT_LT(result.worst_difference, 1e-12 * result.largest_energy);
  if (theta == 0.5) {
    EXPECT_EQ(result.largest_loss, 0) << "so the ledger shows no loss either";
  } else {
    EXPECT_GT(result.largest_loss, 1e-3) << "the formula must say something";
  }
}
INSTANTIATE_TEST_SUITE_P(Scenes, EveryLinearScene,
                         ::testing::Combine(::testing::Values("bouncing_ball", "vertical_oscillator",
                                                              "oscillator_chain", "ball_in_box"),
                                            ::testing::Values(0.5, 0.7, 1.0)));

TEST(EnergyLedger, ExplicitSchemeIsTheFormulaWithThetaZero) {
  for (const char* scene : {"bouncing_ball", "ball_in_box", "vertical_oscillator"}) {
    Simulation simulation = testing::scene_simulation(
        scene, {"integrator.scheme=moreau-explicit", "time.end=0.6"});  // later it is unstable
    const Comparison result = compare(simulation, 0.0);
    EXPECT_LT(result.worst_difference, 1e-12 * result.largest_energy) << scene;
    EXPECT_GT(result.largest_loss, 1e-3) << scene;
  }
}

TEST(EnergyLedger, DampersAndLoadsCloseTheBalanceAtTheMidpoint) {
  // theta = 1/2: the scheme itself loses nothing, so initial + work - dampers must be the energy that is
  // left.
  Model model = testing::steel_model(0);
  model.gravity = {0, 0, -9.81};
  model.bodies = {testing::particle("a", 1, Translations::z, {0, 0, 1}),
                  testing::particle("b", 2, Translations::z, {0, 0, 2})};
  Spring link = testing::spring("a", "b", 500, 3);
  link.axis = Vector3(0, 0, 1);
  Spring ground = testing::spring("a", "b", 200, 1);
  ground.name = "ground";
  ground.from = {};
  ground.from.point = Vector3(0, 0, 0);
  ground.axis = Vector3(0, 0, 1);
  model.springs = {link, ground};
  model.forces = {testing::load("push", "b", {"0", "0", "5*sin(7*t) + 3"})};
  Simulation simulation(model, testing::run_config(MoreauJeanOptions{}, 3, 1e-3));
  simulation.advance_to(3);
  const EnergyLedger& energy = simulation.energy();
  EXPECT_LT(std::abs(energy.loss_algorithmic), 1e-12 * std::abs(energy.initial));
  EXPECT_GT(energy.loss_dampers, 1.0);
  EXPECT_GT(std::abs(energy.work_loads), 0.1);
}

TEST(EnergyLedger, WorkOfALoadIsForceTimesDisplacement) {
  Model model = testing::steel_model(0);
  model.bodies = {testing::particle("a", 2, Translations::x, {0, 0, 0})};
  model.forces = {testing::load("push", "a", {"6", "0", "0"})};
  Simulation simulation(model, testing::run_config(MoreauJeanOptions{}, 2, 1e-2));
  simulation.advance_to(2);
  EXPECT_NEAR(simulation.position("a").x(), 6, 1e-12) << "a t^2 / 2";
  EXPECT_NEAR(simulation.energy().work_loads, 36, 1e-10);
  EXPECT_NEAR(simulation.energy().kinetic, 36, 1e-10);
}

TEST(EnergyLedger, ImpactsCreateNoMoreEnergyThanTheDiscretisationOfRest) {
  // A closed contact that is left slowly may do positive work r (u_n + u_{n+1})/2, with speeds below g h
  // only.
  for (const char* scene : {"bouncing_ball", "ball_in_box"}) {
    Simulation simulation = testing::scene_simulation(scene);
    const double speed = simulation.assembly().system.gravity.norm() * simulation.config().time.step;
    const double bound = simulation.assembly().system.bodies[0].mass * speed * speed;
    double before = simulation.energy().total();
    while (!simulation.finished()) {
      simulation.step();
      EXPECT_LE(simulation.energy().total(), before + bound) << scene << " at " << simulation.time();
      before = simulation.energy().total();
    }
  }
}

/// Loss of each of the first four impacts of the ball against the exact one.
void expect_impact_losses_of_order_one(const SchemeOptions& scheme) {
  const double e = 0.8, gap = 0.801, g = 10;
  std::vector<double> steps, errors;
  for (int i = 0; i < 13; ++i) {
    const double h = 1e-2 * std::pow(10, -i / 6.0);
    Simulation simulation(testing::ball_model(e, gap), testing::run_config(scheme, 2, h));
    std::vector<double> losses;
    while (!simulation.finished()) {
      ASSERT_EQ(simulation.step().status, SolveStatus::converged);
      for (const Impact& impact : simulation.impacts()) losses.push_back(-impact.work);
    }
    ASSERT_EQ(losses.size(), 4u) << h;
    double total_error = 0, exact = (1 - e * e) * g * gap;
    for (const double loss : losses) {
      EXPECT_LT(std::abs(loss - exact), 40 * h) << "h = " << h;
      total_error += std::abs(loss - exact);
      exact *= e * e;
    }
    steps.push_back(h);
    errors.push_back(total_error);
  }
  const double order = testing::fitted_order(steps, errors);
  EXPECT_GT(order, 0.85);
  EXPECT_LT(order, 1.25);
}
TEST(EnergyLedger, ImpactLossConvergesWithOrderOne) {
  expect_impact_losses_of_order_one(MoreauJeanOptions{});
  expect_impact_losses_of_order_one(HalfExplicitVelocityOptions{});
}

TEST(EnergyLedger, TheHalfExplicitSchemeLosesLittleInAClosedSlot) {
  // Without clearance and friction the mechanism keeps its energy; what the scheme loses is of second order.
  std::vector<double> losses;
  for (const char* step : {"4e-5", "2e-5"}) {
    Simulation s = testing::scene_simulation(
        "slider_crank", {"integrator.scheme=half-explicit-velocity", "parameters.friction=0",
                         "parameters.clearance=0", std::string("time.step=") + step});
    ASSERT_EQ(s.advance_to(1).status, SolveStatus::converged);
    EXPECT_NEAR(s.energy().initial, 7.49554875, 1e-8);
    losses.push_back(std::abs(s.energy().total() - s.energy().initial));
  }
  EXPECT_LT(losses[0], 1e-3);
  EXPECT_LT(losses[1], 0.4 * losses[0]);
}

/// A step of length zero is an impact alone: forces and dampers do no work, and its loss is (1 - e^2) m u^2
/// / 2.
TEST(Ledger, BooksAnImpactThatTakesNoTime) {
  constexpr double e = 0.8, u = -3;
  Model model = testing::ball_model(e, 0);
  Spring cable = testing::spring("ball", "ball", 50, 2);
  cable.to = {};
  cable.to.point = Vector3(0, 0, 1);
  model.springs = {cable};
  model.forces = {testing::load("wind", "ball", {"0", "0", "7"})};
  const Assembly assembly = build_assembly(model, 0);
  BookingWork work(assembly);
  State before = assembly.system.initial;
  before.v[0] = u;
  Configuration at(assembly);
  at.complete(assembly, assembly.interactions.declared, before, 1);
  EnergyLedger ledger = open_ledger(assembly, before, at.kinematics, work);
  State after = before;
  after.v[0] = -e * u;
  after.contacts.reaction[0] = -(1 + e) * u;  // of 1 kg
  after.contacts.status[0] = ContactStatus::impact;
  accumulate_energies(assembly, assembly.interactions.declared, 0, before, at, after, at, {}, work, ledger);
  evaluate_energies(assembly.system, after, at.kinematics, work, ledger);
  EXPECT_TRUE(is_finite(ledger));
  EXPECT_NEAR(ledger.loss_impacts, 0.5 * (1 - e * e) * u * u, 1e-14);
  EXPECT_NEAR(ledger.loss_algorithmic, 0, 1e-14);
  EXPECT_EQ(ledger.work_loads, 0);
  EXPECT_EQ(ledger.loss_dampers, 0);
}

/// An element that is turned inside out has no energy, though all its velocities are finite.
TEST(Ledger, NoStateWithoutEnergyIsAccepted) {
  const Scene scene = parse_scene(R"(
percuss: 1
gravity: [0, 0, 0]
materials: {rubber: {density: 1000, young: 1e6, poisson: 0.3}, rock: {}}
pairs: [{between: [rubber, rock]}]
bodies:
  - solid: block
    material: rubber
    formulation: neo-hooke
    mesh: {box: {corner: [0, 0, 0], size: [0.1, 0.1, 0.1], divisions: [1, 1, 1]}}
    velocity: [0, 0, -150]
obstacles: [{half_space: ground, normal: [0, 0, 1], material: rock}]
contacts: [{nodes: block.z_min, against: ground}]
integrator: {scheme: moreau-explicit}
time: {end: 0.1, step: 1e-3}
)",
                                  "inside_out.yaml");
  Simulation s(scene.model, scene.run);
  SolveStatus status = SolveStatus::converged;
  while (!s.finished() && status == SolveStatus::converged) {
    status = s.step().status;
    EXPECT_TRUE(is_finite(s.energy())) << s.time();
  }
  EXPECT_EQ(status, SolveStatus::not_finite);
}

/// A scheme that takes long steps integrates work along the motion, so that the remainder is what its
/// tolerances leave, and every column is right by itself.
TEST(LedgerOfLongSteps, DampersAndFrames) {
  Simulation shaken = testing::scene_simulation(
      "earthquake", {"integrator.scheme=event-driven", "time.step=0.5", "record={}"});
  ASSERT_EQ(shaken.advance_to(5).status, SolveStatus::converged);
  EXPECT_GT(shaken.energy().loss_dampers, 1.0);
  EXPECT_GT(shaken.energy().work_drives, 1.0);
  EXPECT_NEAR(shaken.energy().loss_algorithmic, 0, 1e-6 * shaken.energy().loss_dampers);
}

TEST(LedgerOfLongSteps, Loads) {
  Model model = testing::steel_model(0);
  model.bodies = {testing::particle("a", 2, Translations::x, {0, 0, 0})};
  model.forces = {testing::load("push", "a", {"6*sin(5*t)", "0", "0"})};
  Simulation s(model, testing::run_config(EventDrivenOptions{}, 2, 1));
  ASSERT_EQ(s.advance_to(2).status, SolveStatus::converged);
  const double speed = 6.0 / (2 * 5) * (1 - std::cos(10.0));
  EXPECT_NEAR(s.energy().work_loads, speed * speed, 1e-7) << "m v^2 / 2";
}

TEST(LedgerOfLongSteps, FrictionOnABelt) {
  // Sticking: the belt stretches the spring. Sliding: the belt gives mu m g times its way.
  Simulation s = testing::scene_simulation("stick_slip_belt",
                                           {"integrator.scheme=event-driven", "time.step=1", "record={}"});
  const double k = 100, mu_m_g = 0.4 * 9.81, speed = 0.5;
  double slid = 0, work = 0;  // times of sliding; work of the belt
  while (!s.finished()) {
    const double x = s.position("block").x();
    ASSERT_EQ(s.step().status, SolveStatus::converged);
    const double h = s.last_step_size();
    if (s.state().contacts.status[0] == ContactStatus::slip) {
      work += mu_m_g * speed * h;
      slid += h;
    } else {
      work += 0.5 * k * (std::pow(s.position("block").x(), 2) - x * x);
    }
  }
  EXPECT_GT(slid, 0.1);
  EXPECT_NEAR(s.energy().work_drives, work, 1e-6 * work);
  EXPECT_NEAR(s.energy().loss_algorithmic, 0, 1e-6 * work);
  EXPECT_GT(s.energy().loss_friction, 0.1 * work);
}

TEST(LedgerOfLongSteps, EachContactKnowsItsWork) {
  Simulation s = testing::scene_simulation("sliding_block",
                                           {"integrator.scheme=event-driven", "time.step=1", "record={}"});
  const double all = s.energy().kinetic;
  ASSERT_EQ(s.advance_to(1).status, SolveStatus::converged);
  double work = 0;
  for (int c = 0; c < s.contact_count(); ++c) work += s.contact_sums(c).interval_work;
  EXPECT_NEAR(s.energy().loss_friction, all, 1e-6 * all) << "all that it had";
  EXPECT_NEAR(-work, all, 1e-6 * all);
}

}  // namespace
}  // namespace percuss
