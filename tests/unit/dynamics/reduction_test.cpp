#include <limits>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/dynamics/stresses.h"
#include "percuss/io/scene.h"
#include "percuss/math/dense.h"

/// Bodies in floating frames with fewer coordinates. docs/theory/reduction.md
namespace percuss {
namespace {

/// A block that falls on a floor with friction, tilted a little by its velocity.
std::string block_scene(const std::string& reduction, const std::string& more = "") {
  return fmt::format(R"(
percuss: 1
gravity: [0, 0, -9.81]
materials:
  soft: {{density: 1000, young: 2e6, poisson: 0.3}}
  floor: {{}}
pairs:
  - {{between: [soft, floor], restitution: 0, friction: 0.3}}
bodies:
  - solid: block
    mesh: {{box: {{corner: [-0.15, -0.1, 0.002], size: [0.3, 0.2, 0.2], divisions: [3, 2, 2]}}}}
    formulation: floating
    rotational_forces: reduced
    material: soft
    velocity: [0.2, 0, -0.4]
    angular_velocity: [0, 0.1, 0.4]
    {}
    {}
obstacles:
  - half_space: ground
    material: floor
contacts:
  - {{nodes: block.z_min, against: ground}}
integrator: {{scheme: moreau-jean, theta: 0.5}}
solver: {{tolerance: 1e-13}}
time: {{end: 0.03, step: 1e-4}}
)",
                     reduction.empty() ? "" : "reduction: " + reduction, more);
}
Scene scene_of(const std::string& text) { return parse_scene(text, "block.yaml"); }
Simulation block(const std::string& reduction, const std::string& more = "") {
  const Scene scene = scene_of(block_scene(reduction, more));
  return Simulation(scene.model, scene.run);
}
System system_of(const std::string& reduction, const std::string& more = "") {
  return build_system(scene_of(block_scene(reduction, more)).model);
}

constexpr int nodes = 36, kept_nodes = 12;  // of the block; its bottom is kept

double largest_distance(const Simulation& a, const Simulation& b) {
  const auto place_in = [](const Simulation& s, int node) {
    const System& system = s.assembly().system;
    const auto body = static_cast<size_t>(system.flexibles[0].first_node + node);
    return place(system.bodies[body], s.state().q, s.state().v, s.time());
  };
  double largest = 0;
  for (int node = 0; node < nodes; ++node)
    largest = std::max(largest, (place_in(a, node).x - place_in(b, node).x).norm());
  return largest;
}
/// Of the deformation, at the end.
double size_of_deformation(const Simulation& s) {
  const System& system = s.assembly().system;
  const FloatingFrame& frame = system.floating[0];
  const VectorX q = s.state().q.head(system.dof_count());
  return frame.of(VectorX(q - system.constant.reference)).cwiseAbs().maxCoeff();
}

TEST(Reduction, WithAllModesNothingChanges) {
  Simulation full = block("");
  ASSERT_EQ(full.advance_to(1).status, SolveStatus::converged);
  ASSERT_GT(size_of_deformation(full), 1e-4);
  const int inner = 3 * (nodes - kept_nodes);
  for (const auto* mass_matrix : {"consistent", "lumped"}) {
    const std::string more =
        fmt::format("mass_matrix: {}\n    damping: {{mass: 0.5, stiffness: 1e-4}}", mass_matrix);
    Simulation whole = block("", more), reduced = block(fmt::format("{{modes: {}}}", inner), more);
    ASSERT_EQ(reduced.assembly().system.dof_count(), whole.assembly().system.dof_count());
    for (Simulation* s : {&whole, &reduced}) ASSERT_EQ(s->advance_to(1).status, SolveStatus::converged);
    EXPECT_LT(largest_distance(whole, reduced), 1e-11);
    const auto expected =
        element_stresses(whole.assembly().system, whole.assembly().system.flexibles[0], whole.state());
    const auto stresses =
        element_stresses(reduced.assembly().system, reduced.assembly().system.flexibles[0], reduced.state());
    ASSERT_EQ(stresses.size(), expected.size());
    for (size_t e = 0; e < expected.size(); ++e) EXPECT_NEAR(stresses[e], expected[e], 1e-6 * expected[e]);
  }
}

TEST(Reduction, MoreModesComeCloser) {
  Simulation full = block("");
  ASSERT_EQ(full.advance_to(1).status, SolveStatus::converged);
  for (const char* method : {"fixed-interface", "free-interface"}) {
    double previous = std::numeric_limits<double>::infinity(), first = 0;
    for (const int modes : {0, 6, 20, 40}) {
      Simulation reduced = block(fmt::format("{{method: {}, modes: {}}}", method, modes));
      ASSERT_EQ(reduced.advance_to(1).status, SolveStatus::converged);
      const double distance = largest_distance(full, reduced);
      EXPECT_LT(distance, previous) << method << modes;
      if (modes == 0) first = distance;
      previous = distance;
    }
    EXPECT_LT(previous, 0.25 * first) << method;  // the impact excites all modes, and there are 72
  }
}

/// A block of square section has pairs of modes with one frequency; half of a pair is not symmetric (MR-9).
TEST(Reduction, PairsOfModesStayTogether) {
  const auto modes_of = [](const char* method, int count) {
    const std::string text = block_scene(fmt::format("{{method: {}, modes: {}}}", method, count));
    const Scene scene = parse_scene(
        text, "block.yaml",
        {"bodies[block].mesh.box.size=[0.2, 0.2, 0.3]", "bodies[block].mesh.box.divisions=[2, 2, 3]"});
    const System system = build_system(scene.model);
    const VectorX values = system.flexibles[0].reduction->values;
    EXPECT_EQ(values.size() > count, !system.notes.empty()) << method << count;
    return values;
  };
  for (const char* method : {"fixed-interface", "free-interface"}) {
    const VectorX all = modes_of(method, 20);
    int raised = 0;
    for (int count = 1; count <= 12; ++count) {
      const auto found = modes_of(method, count).size();
      ASSERT_GE(found, count) << method;
      EXPECT_GT(all[found], (1 + 1e-5) * all[found - 1]) << method << count;
      if (found == count) continue;
      EXPECT_NEAR(all[count] / all[count - 1], 1, 1e-8) << method << count;
      ++raised;
    }
    EXPECT_GE(raised, 2) << method;
  }
}

/// Frequencies of the free body: Rayleigh's quotient in a smaller space cannot be smaller.
TEST(Reduction, FrequenciesConvergeFromAbove) {
  const auto free_modes = [](const System& system) {
    const SparseMatrix diagonal(system.mass.asDiagonal());
    const StiffnessAndMass matrices{system.constant.stiffness.matrix,
                                    SparseMatrix(system.constant.mass.matrix + diagonal)};
    return lowest_eigenmodes(matrices, 14);
  };
  const Eigenmodes exact = free_modes(system_of(""));
  for (int k = 0; k < 6; ++k) EXPECT_LT(std::abs(exact.values[k]), 1e-9 * exact.values[6]);
  for (const char* method : {"fixed-interface", "free-interface"}) {
    VectorX previous = VectorX::Constant(14, std::numeric_limits<double>::infinity());
    for (const int modes : {0, 4, 12, 30}) {
      const Eigenmodes reduced =
          free_modes(system_of(fmt::format("{{method: {}, modes: {}}}", method, modes)));
      for (int k = 6; k < 14; ++k) {
        EXPECT_GT(reduced.values[k], (1 - 1e-10) * exact.values[k]) << method << modes;
        EXPECT_LT(reduced.values[k], (1 + 1e-10) * previous[k]) << method << modes;
        const bool has_it = std::string(method) == "free-interface" && k - 6 < modes;
        EXPECT_LT(reduced.values[k], (has_it ? 1 + 1e-9 : 1e9) * exact.values[k]) << modes;
      }
      previous = reduced.values;
    }
    EXPECT_LT(previous[13], 1.05 * exact.values[13]) << method;
  }
}

/// Balanced loads at the kept nodes deform the reduced body as the full one, with any number of modes.
TEST(Reduction, IsExactForStaticLoadsAtKeptNodes) {
  const auto dofs = [](const System& system) {
    std::vector<int> result;
    for (const int node : system.flexibles[0].nodes("z_min"))
      for (int axis = 0; axis < 3; ++axis)
        result.push_back(system.bodies[static_cast<size_t>(node)].dof[axis]);
    return result;
  };
  const auto deformation = [&](const System& system) {
    const FloatingFrame& frame = system.floating[0];
    const auto kept = dofs(system);
    VectorX load = VectorX::LinSpaced(std::ssize(kept), 0, 20).array().sin();
    const MatrixX rigid = frame.rigid(kept, Eigen::all);
    load -= rigid * solve_symmetric(rigid.transpose() * rigid, rigid.transpose() * load);
    VectorX force = VectorX::Zero(system.dof_count());
    force(kept) = load;
    MatrixX K = MatrixX::Zero(system.dof_count(), system.dof_count());
    system.constant.stiffness.add_to(K);
    K += frame.momenta * frame.momenta.transpose() * K.trace();  // rigid motions get a stiffness of their own
    const VectorX x = solve_symmetric(K, force);
    return VectorX((x - frame.rigid * (frame.measures.transpose() * x))(kept));
  };
  const VectorX exact = deformation(system_of(""));
  for (const char* method : {"fixed-interface", "free-interface"})
    for (const int modes : {0, 5}) {
      const VectorX x = deformation(system_of(fmt::format("{{method: {}, modes: {}}}", method, modes)));
      EXPECT_LT((x - exact).cwiseAbs().maxCoeff(), 1e-8 * exact.cwiseAbs().maxCoeff()) << method << modes;
    }
}

TEST(Reduction, MassInertiaAndRigidMotionAreExact) {
  const System full = system_of("");
  const FloatingFrame& whole = full.floating[0];
  for (const char* reduction : {"{modes: 0}", "{modes: 7}", "{method: free-interface, modes: 7}"}) {
    const System reduced = system_of(reduction);
    const FloatingFrame& frame = reduced.floating[0];
    EXPECT_NEAR(frame.mass, whole.mass, 1e-13 * whole.mass);
    EXPECT_LT((frame.inertia - whole.inertia).norm(), 1e-13 * whole.inertia.norm()) << reduction;
    const MatrixX& T = reduced.flexibles[0].reduction->basis;
    EXPECT_LT((T * frame.rigid - whole.rigid).cwiseAbs().maxCoeff(), 1e-13) << reduction;
    EXPECT_LT((frame.linear_momenta - T.transpose() * whole.linear_momenta).cwiseAbs().maxCoeff(), 1e-13);
    // All nodes start with the velocities of the full body.
    for (int node = full.flexibles[0].first_node; node < static_cast<int>(full.bodies.size()); ++node) {
      const auto n = static_cast<size_t>(node);
      const PoseAndVelocity expected = place(full.bodies[n], full.initial.q, full.initial.v, 0);
      const PoseAndVelocity found = place(reduced.bodies[n], reduced.initial.q, reduced.initial.v, 0);
      EXPECT_LT((found.x - expected.x).norm() + (found.v - expected.v).norm(), 1e-13);
    }
  }
}

TEST(Reduction, FreeFlightKeepsItsMomentum) {
  for (const char* reduction : {"{modes: 5}", "{method: free-interface, modes: 5}"}) {
    Scene scene = scene_of(block_scene(reduction, "points: {corner: [0.15, 0.1, 0.202]}"));
    scene.model.gravity.setZero();
    scene.model.contacts.clear();
    std::get<Solid>(scene.model.bodies[0]).reduction->keep = {"z_min"};
    std::get<Solid>(scene.model.bodies[0]).angular_velocity = {1, 2, 20};
    Simulation s(scene.model, scene.run);
    const System& system = s.assembly().system;
    const FloatingFrame& frame = system.floating[0];
    const auto momenta = [&] {
      const FrameMotion motion = frame_motion(frame, s.state().v);
      const Matrix3 R = frame.attitude(s.state().q).toRotationMatrix();
      return std::pair<Vector3, Vector3>{frame.mass * (R * motion.v), R * (frame.inertia * motion.omega)};
    };
    const auto [p0, L0] = momenta();
    ASSERT_EQ(s.advance_to(1).status, SolveStatus::converged);
    const auto [p, L] = momenta();
    EXPECT_LT((p - p0).norm(), 1e-11 * p0.norm()) << reduction;
    EXPECT_LT((L - L0).norm(), 1e-5 * L0.norm()) << reduction;
    EXPECT_GT(size_of_deformation(s), 1e-6);
  }
}

TEST(Reduction, KeepsWhatIsReferredTo) {
  Scene scene = scene_of(block_scene("{modes: 2}", "points: {top: [0.15, 0.1, 0.202]}"));
  Model& model = scene.model;
  Spring spring;
  spring.name = "spring";
  spring.from.body = "block.35";
  spring.to.point = Vector3(0, 0, 1);
  spring.stiffness = 1;
  model.springs.emplace_back(spring);
  AppliedForce force;
  force.name = "push";
  force.body = "block.24";
  model.forces.emplace_back(force);
  std::get<Solid>(model.bodies[0]).reduction->keep = {"25"};
  const System system = build_system(model);
  const auto& reduction = *system.flexibles[0].reduction;
  for (const int node : {24, 25, 35}) EXPECT_TRUE(reduction.keeps(node)) << node;
  EXPECT_EQ(std::ssize(reduction.kept), kept_nodes + 3);  // `top` is node 35
  EXPECT_EQ(system.dof_count(), 3 * (kept_nodes + 3) + 2);
  EXPECT_EQ(velocity_names(system).back().name, "block.mode2");
}

TEST(Reduction, ByFrequency) {
  const System by_count = system_of("{modes: 9}");
  const VectorX& values = by_count.flexibles[0].reduction->values;
  const double between = std::sqrt(0.5 * (values[7] + values[8])) / (2 * std::numbers::pi);
  const System by_frequency = system_of(fmt::format("{{frequency: {}}}", between));
  EXPECT_EQ(by_frequency.flexibles[0].reduction->values.size(), 8);
}

std::string fault_of(const std::string& reduction, const std::string& more = "") {
  try {
    scene_of(block_scene(reduction, more));
  } catch (const SceneError& e) {
    return e.what();
  }
  return "";
}
void expect_fault(const std::string& fault, const std::string& part) {
  EXPECT_NE(fault.find(part), fault.npos) << fault;
}

TEST(Reduction, FaultsAreExplained) {
  expect_fault(fault_of("{}"), "block.yaml:17:16: bodies[0].reduction: give `modes`");
  expect_fault(fault_of("{modes: 3, frequency: 100}"), "not both");
  expect_fault(fault_of("{modes: -3}"), "modes must be >= 0");
  expect_fault(fault_of("{modes: 73}"),
               "73 modes are not allowed; with these nodes kept there are at most 72");
  expect_fault(fault_of("{method: free-interface, modes: 67}"), "at most 66");
  expect_fault(fault_of("{frequency: 0}"), "frequency must be > 0");
  expect_fault(fault_of("{modes: 3, keep: [z_mx]}"), "did you mean 'z_max'");
  expect_fault(fault_of("{modes: 3, keep: [all]}"), "nothing is left to reduce");
  expect_fault(fault_of("{method: guyan, modes: 3}"), "fixed-interface");
  Scene scene = scene_of(block_scene("{modes: 3}"));
  auto& solid = std::get<Solid>(scene.model.bodies[0]);
  scene.model.contacts.clear();
  const auto fault = [&] {
    try {
      build_system(scene.model);
    } catch (const ModelError& e) {
      return e.complaints().at(0).message;
    }
    return std::string();
  };
  expect_fault(fault(), "0 nodes of 'block' are kept");
  solid.reduction->keep = {"0", "1", "2", "3"};  // along an edge
  expect_fault(fault(), "three that do not lie on a line");
  solid.reduction->keep = {"0", "1", "2", "4"};
  EXPECT_EQ(fault(), "");
  solid.formulation = SolidFormulation::small_strain;
  expect_fault(fault(), "only a body with `formulation: floating`");
}

}  // namespace
}  // namespace percuss
