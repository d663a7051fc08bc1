#include <algorithm>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "../docs/howto/examples/pendulum_system.cpp"
#include "support/models.h"

/// The example of docs/howto/user_system.md does what the page says.
namespace percuss {
namespace {

const std::string folder = PERCUSS_SOURCE_DIR "/docs/howto/";

std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

Simulation simulate(const PluginParameters& parameters, double end, double step,
                    const SchemeOptions& scheme = MoreauJeanOptions{}) {
  Model model;
  UserSystem system;
  system.name = "pendulum";
  system.equations = std::make_shared<Pendulum>(parameters);
  model.systems = {system};
  return Simulation(model, testing::run_config(scheme, end, step));
}

struct Sample {
  VectorX q{2}, v{2};
};
std::vector<Sample> samples() {
  std::vector<Sample> list(10);
  for (auto& s : list) {
    s.q = VectorX::Random(2) + VectorX::Unit(2, 0) * 1.5;
    s.v = 3 * VectorX::Random(2);
  }
  return list;
}

/// Central differences of a vector-valued function; column j is its derivative by x_j.
template <class Function>
MatrixX differences(VectorX x, int rows, Function&& f) {
  const double step = 1e-6;
  MatrixX slope(rows, x.size());
  VectorX ahead(rows), behind(rows);
  for (int j = 0; j < x.size(); ++j) {
    const double kept = x[j];
    x[j] = kept + step;
    f(x, ahead);
    x[j] = kept - step;
    f(x, behind);
    x[j] = kept;
    slope.col(j) = (ahead - behind) / (2 * step);
  }
  return slope;
}

TEST(PendulumExample, IsShownOnThePage) {
  const std::string source = read(folder + "examples/pendulum_system.cpp");
  ASSERT_FALSE(source.empty());
  EXPECT_NE(read(folder + "user_system.md").find("```cpp\n" + source + "```\n"), std::string::npos)
      << "docs/howto/user_system.md does not show docs/howto/examples/pendulum_system.cpp as it is";
}

TEST(PendulumExample, TangentsAreDerivativesOfTheForce) {
  const Pendulum pendulum({});
  for (const auto& [q, v] : samples()) {
    MatrixX K(2, 2), C(2, 2);
    ASSERT_TRUE(pendulum.tangents(q, v, 0, K, C));
    const MatrixX by_q =
        differences(q, 2, [&, &v = v](const VectorX& x, VectorX& f) { pendulum.force(x, v, 0, f); });
    const MatrixX by_v =
        differences(v, 2, [&, &q = q](const VectorX& x, VectorX& f) { pendulum.force(q, x, 0, f); });
    EXPECT_LT((K + by_q).cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_LT((C + by_v).cwiseAbs().maxCoeff(), 1e-7);
  }
}

TEST(PendulumExample, GapJacobianIsTheDerivativeOfTheGap) {
  const Pendulum pendulum({});
  for (const auto& [q, v] : samples()) {
    MatrixX G(1, 2);
    pendulum.gap_jacobian(q, G);
    const MatrixX slope = differences(q, 1, [&](const VectorX& x, VectorX& g) { pendulum.gap_values(x, g); });
    EXPECT_LT((G - slope).cwiseAbs().maxCoeff(), 1e-9);
  }
}

/// v^T f + 1/2 v^T (dM/dt) v + dV/dt = 0: only then does the motion keep the energy.
TEST(PendulumExample, ForceAndMassBelongTogether) {
  const Pendulum pendulum({});
  for (const auto& [q, v] : samples()) {
    VectorX f(2);
    pendulum.force(q, v, 0, f);
    // Kinetic and potential energy along the velocity, at constant velocity.
    const auto energy = [&, &q = q, &v = v](double s) {
      MatrixX M(2, 2);
      pendulum.mass_matrix(q + s * v, M);
      return 0.5 * v.dot(M * v) + pendulum.potential_energy(q + s * v);
    };
    const double step = 1e-6;
    EXPECT_NEAR(v.dot(f) + (energy(step) - energy(-step)) / (2 * step), 0, 1e-5);
  }
}

TEST(PendulumExample, KeepsItsEnergyToSecondOrder) {
  const auto largest_error = [](double step) {
    Simulation simulation = simulate({{"wall", 10}}, 2, step);  // a wall out of reach
    double worst = 0;
    while (!simulation.finished()) {
      EXPECT_EQ(simulation.step().status, SolveStatus::converged);
      worst = std::max(worst, std::abs(simulation.energy().total() - simulation.energy().initial));
    }
    return worst;
  };
  const double coarse = largest_error(2e-3), fine = largest_error(1e-3);
  EXPECT_LT(fine, 1e-3);  // of the 4.5 J of the swing
  EXPECT_NEAR(coarse / fine, 4, 0.2);
}

TEST(PendulumExample, LeavesTheWallWithTheRestitutionGiven) {
  const std::vector<SchemeOptions> schemes = {MoreauJeanOptions{}, MoreauExplicitOptions{}};
  for (const auto& scheme : schemes) {
    Simulation simulation = simulate({{"restitution", 0.6}}, 2, 1e-3, scheme);
    int impacts = 0;
    while (!simulation.finished()) {
      ASSERT_EQ(simulation.step().status, SolveStatus::converged);
      for (const Impact& impact : simulation.impacts()) {
        ++impacts;
        EXPECT_NEAR(impact.u_after, -0.6 * impact.u_before, 1e-9) << scheme_name(scheme);
        EXPECT_LT(impact.work, 0) << scheme_name(scheme);
      }
    }
    EXPECT_GE(impacts, 1) << scheme_name(scheme);
    EXPECT_GT(simulation.probe("contact(pendulum, wall).gap"), -5e-3);
  }
}

TEST(PendulumExample, NamesAWrongParameter) {
  EXPECT_THROW(Pendulum({{"lenght", 1}}), std::invalid_argument);
  EXPECT_THROW(Pendulum({{"mass", 0}}), std::invalid_argument);
}

}  // namespace
}  // namespace percuss
