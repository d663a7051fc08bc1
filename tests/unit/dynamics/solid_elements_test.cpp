#include <cmath>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "percuss/dynamics/elements/solid_group.h"
#include "percuss/math/rotation.h"
#include "support/count_allocations.h"
#include "support/effort.h"
#include "support/solid_meshes.h"

/// The laws that solid elements obey.  docs/theory/solids.md
namespace percuss {
namespace {

using testing::all_laws;
using testing::all_shapes;
using testing::gather;
using testing::grid_mesh;
using testing::repetitions;
using testing::SolidMesh;

constexpr double young = 2.5, poisson = 0.3, mu = young / (2 * (1 + poisson)),
                 lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));

SolidOptions solid(SolidShape shape, SolidLaw law, PlaneState plane = PlaneState::plane_strain) {
  SolidOptions options;
  options.shape = shape;
  options.law = law;
  options.plane = plane;
  options.young = young;
  options.poisson = poisson;
  options.density = 1.7;
  if (dimension(shape) == 2) options.thickness = 0.4;
  return options;
}

/// All shapes with all laws, in the plane with both states; then those with incompatible modes.
std::vector<SolidOptions> all_kinds() {
  std::vector<SolidOptions> kinds;
  for (const auto shape : all_shapes)
    for (const auto law : all_laws) {
      kinds.push_back(solid(shape, law));
      if (dimension(shape) == 2) kinds.push_back(solid(shape, law, PlaneState::plane_stress));
    }
  for (const auto& kind : {solid(SolidShape::hex8, SolidLaw::small_strain),
                           solid(SolidShape::quad4, SolidLaw::small_strain, PlaneState::plane_stress)}) {
    kinds.push_back(kind);
    kinds.back().incompatible_modes = true;
  }
  return kinds;
}

std::string name_of(const SolidOptions& kind) {
  const char* shapes[] = {"tet4", "tet10", "hex8", "hex20", "tri3", "quad4"};
  const char* laws[] = {"small strain", "St. Venant-Kirchhoff", "neo-Hooke"};
  return std::string(shapes[static_cast<int>(kind.shape)]) + ", " + laws[static_cast<int>(kind.law)] +
         (kind.plane == PlaneState::plane_stress ? ", plane stress" : "") +
         (kind.incompatible_modes ? ", incompatible modes" : "");
}

/// One element of the natural shape far from the origin, every node moved: quadratic shapes have curved
/// edges.
struct OneElement {
  SolidGroup group;
  VectorX rest;
  VectorX force(const VectorX& x, const VectorX& v) const {
    VectorX f(x.size());
    group.force(0, x.data(), v.data(), f.data());
    return f;
  }
  VectorX force(const VectorX& x) const { return force(x, VectorX::Zero(x.size())); }
  double energy(const VectorX& x) const { return group.energy(0, x.data()); }
  VectorX random_places() const { return rest + 0.05 * spacing * VectorX::Random(rest.size()); }
  double spacing;  ///< of the nodes
};
OneElement one_element(const SolidOptions& kind, double distortion = 0.06) {
  const double spacing =
      (node_place(kind.shape, node_count(kind.shape) - 1) - node_place(kind.shape, 0)).norm() / 2;
  std::vector<Vector3> places;
  std::vector<int> connectivity;
  for (int a = 0; a < node_count(kind.shape); ++a) {
    places.emplace_back(node_place(kind.shape, a) + distortion * spacing * Vector3::Random() +
                        Vector3(3, 1, -2));
    connectivity.push_back(a);
  }
  SolidGroup group(kind, connectivity, places);
  VectorX rest = gather(group, 0, places);
  return {std::move(group), rest, spacing};
}

/// Every node by x -> T x + shift, with what T has in the plane for plane elements.
VectorX mapped(const OneElement& element, const Matrix3& T, const Vector3& shift) {
  const int d = element.group.dofs_per_element() / element.group.nodes_per_element();
  VectorX x(element.rest.size());
  for (int i = 0; i < x.size(); i += d)
    x.segment(i, d) = T.topLeftCorner(d, d) * element.rest.segment(i, d) + shift.head(d);
  return x;
}

// ---- shape functions and quadrature

TEST(SolidShapes, AreOneAtTheirNodeAndSumToOne) {
  for (const auto shape : all_shapes) {
    const int n = node_count(shape);
    for (int a = 0; a < n; ++a) {
      const VectorX N = shape_values(shape, node_place(shape, a)).N;
      EXPECT_LT((N - VectorX::Unit(n, a)).norm(), 1e-15);
    }
    for (int trial = 0; trial < 20; ++trial) {
      const ShapeValues values = shape_values(shape, Vector3::Random());
      EXPECT_NEAR(values.N.sum(), 1, 1e-14);
      EXPECT_LT(values.dN.colwise().sum().norm(), 1e-14);
    }
  }
}

TEST(SolidShapes, DerivativesAgreeWithDifferences) {
  for (const auto shape : all_shapes)
    for (int trial = 0; trial < 5; ++trial) {
      const Vector3 place = Vector3::Random();
      const MatrixX dN = shape_values(shape, place).dN;
      for (int k = 0; k < dimension(shape); ++k) {
        const Vector3 step = 1e-5 * Vector3::Unit(k);
        const VectorX slope =
            (shape_values(shape, place + step).N - shape_values(shape, place - step).N) / 2e-5;
        EXPECT_LT((slope - dN.col(k)).norm(), 1e-9);
      }
    }
}

double factorial(int n) { return std::tgamma(n + 1.0); }

/// Integral of x^i y^j z^k over the natural domain.
double exact_integral(SolidShape shape, int i, int j, int k) {
  const int d = dimension(shape);
  if (shape == SolidShape::tet4 || shape == SolidShape::tet10 || shape == SolidShape::tri3)
    return factorial(i) * factorial(j) * factorial(k) / factorial(i + j + k + d);
  double product = 1;
  for (const int power : {i, j, k}) product *= power % 2 != 0 ? 0 : 2.0 / (power + 1);
  return d == 2 ? product / 2 : product;
}

TEST(SolidShapes, QuadratureIsExactToItsDegree) {
  const auto check = [](SolidShape shape, const Quadrature& rule, int degree) {
    for (int i = 0; i <= degree; ++i)
      for (int j = 0; i + j <= degree; ++j)
        for (int k = 0; i + j + k <= (dimension(shape) == 3 ? degree : i + j); ++k) {
          double sum = 0;
          for (const auto& [place, weight] : rule)
            sum += weight * std::pow(place.x(), i) * std::pow(place.y(), j) * std::pow(place.z(), k);
          EXPECT_NEAR(sum, exact_integral(shape, i, j, k), 1e-14) << i << j << k;
        }
  };
  const int stiffness_degree[] = {1, 2, 3, 5, 1, 3}, mass_degree[] = {2, 5, 5, 7, 2, 3};
  for (size_t s = 0; s < all_shapes.size(); ++s) {
    check(all_shapes[s], stiffness_quadrature(all_shapes[s]), stiffness_degree[s]);
    check(all_shapes[s], mass_quadrature(all_shapes[s]), mass_degree[s]);
  }
}

// ---- force, energy, tangents

TEST(SolidElements, NoForceAtRest) {
  for (const auto& kind : all_kinds()) {
    const OneElement element = one_element(kind);
    EXPECT_EQ(element.force(element.rest).norm(), 0) << name_of(kind);
    EXPECT_EQ(element.energy(element.rest), 0) << name_of(kind);
  }
}

TEST(SolidElements, ForceIsTheGradientOfTheEnergy) {
  for (const auto& kind : all_kinds())
    for (int trial = 0; trial < repetitions(10); ++trial) {
      const OneElement element = one_element(kind);
      const VectorX x = element.random_places(), f = element.force(x);
      for (int i = 0; i < x.size(); ++i) {
        const VectorX step = 1e-5 * VectorX::Unit(x.size(), i);
        EXPECT_NEAR(f[i], -(element.energy(x + step) - element.energy(x - step)) / 2e-5, 1e-8)
            << name_of(kind);
      }
    }
}

TEST(SolidElements, TangentsAreTheDerivativesOfTheForce) {
  for (auto kind : all_kinds())
    for (const double viscosity : {0.0, 0.7}) {
      kind.viscosity = viscosity;
      for (int trial = 0; trial < repetitions(10); ++trial) {
        const OneElement element = one_element(kind);
        const VectorX x = element.random_places(), v = VectorX::Random(x.size());
        const auto n = x.size();
        MatrixX K(n, n), C(n, n), K_differences(n, n), C_differences(n, n);
        element.group.tangents(0, x.data(), v.data(), K, C);
        for (Eigen::Index j = 0; j < n; ++j) {
          const VectorX step = 1e-5 * VectorX::Unit(n, j);
          K_differences.col(j) = -(element.force(x + step, v) - element.force(x - step, v)) / 2e-5;
          C_differences.col(j) = -(element.force(x, v + step) - element.force(x, v - step)) / 2e-5;
        }
        EXPECT_LT((K - K_differences).cwiseAbs().maxCoeff(), 1e-8) << name_of(kind);
        EXPECT_LT((C - C_differences).cwiseAbs().maxCoeff(), 1e-8) << name_of(kind);
      }
    }
}

TEST(SolidElements, ElasticStiffnessIsSymmetric) {
  for (const auto& kind : all_kinds()) {
    const OneElement element = one_element(kind);
    const VectorX x = element.random_places(), v = VectorX::Random(x.size());
    MatrixX stiffness(x.size(), x.size()), K = stiffness, C = stiffness;
    element.group.stiffness(0, x.data(), stiffness);
    element.group.tangents(0, x.data(), v.data(), K, C);
    EXPECT_EQ((stiffness - K).norm(), 0) << name_of(kind);
    EXPECT_EQ(C.norm(), 0) << name_of(kind);
    EXPECT_LT((K - K.transpose()).norm(), 1e-14 * K.norm()) << name_of(kind);
  }
}

TEST(SolidElements, NothingIsAllocatedInAStep) {
  for (auto kind : all_kinds()) {
    kind.viscosity = 0.3;
    const OneElement element = one_element(kind);
    const VectorX x = element.random_places(), v = VectorX::Random(x.size());
    VectorX f(x.size());
    MatrixX K(x.size(), x.size()), C = K;
    std::vector<Matrix3> sigma(static_cast<size_t>(element.group.nodes_per_element()));
    const long before = allocation_count();
    element.group.force(0, x.data(), v.data(), f.data());
    element.group.tangents(0, x.data(), v.data(), K, C);
    element.group.stiffness(0, x.data(), K);
    element.group.energy(0, x.data());
    element.group.damping_power(0, x.data(), v.data());
    element.group.cauchy_stress(0, x.data());
    element.group.nodal_stress(0, x.data(), sigma.data());
    EXPECT_EQ(allocation_count(), before) << name_of(kind);
  }
}

TEST(SolidElements, DampingAtRestIsProportionalToTheStiffness) {
  for (auto kind : all_kinds()) {
    kind.viscosity = 0.3;
    const OneElement element = one_element(kind);
    const VectorX none = VectorX::Zero(element.rest.size());
    MatrixX K(none.size(), none.size()), C = K;
    element.group.tangents(0, element.rest.data(), none.data(), K, C);
    EXPECT_LT((C - 0.3 * K).norm(), 1e-13 * K.norm()) << name_of(kind);
  }
}

TEST(SolidElements, ViscosityOnlyTakesEnergy) {
  for (auto kind : all_kinds()) {
    kind.viscosity = 0.3;
    const OneElement element = one_element(kind);
    for (int trial = 0; trial < repetitions(20); ++trial) {
      const VectorX x = element.random_places(), v = VectorX::Random(x.size());
      const double power = element.group.damping_power(0, x.data(), v.data());
      EXPECT_GT(power, 0) << name_of(kind);
      EXPECT_NEAR((element.force(x, v) - element.force(x)).dot(v), -power, 1e-13 * (1 + power))
          << name_of(kind);
    }
  }
}

// ---- rigid motion

TEST(SolidElements, LargeRigidMotionLeavesNoForceAndNoEnergy) {
  for (auto kind : all_kinds()) {
    if (kind.law == SolidLaw::small_strain) continue;
    kind.viscosity = 0.5;
    const OneElement element = one_element(kind);
    for (int trial = 0; trial < repetitions(20); ++trial) {
      Vector3 phi = 3 * Vector3::Random(), omega = 10 * Vector3::Random();
      if (dimension(kind.shape) == 2) phi.head(2).setZero(), omega.head(2).setZero();
      const Matrix3 R = exp_rotation(phi).toRotationMatrix();
      const VectorX x = mapped(element, R, Vector3::Random());
      const VectorX v = mapped(element, skew(omega) * R, Vector3::Random());
      EXPECT_LT(element.force(x, v).norm(), 1e-12) << name_of(kind);
      EXPECT_LT(std::abs(element.energy(x)), 1e-13) << name_of(kind);
      EXPECT_LT(element.group.damping_power(0, x.data(), v.data()), 1e-12) << name_of(kind);
    }
  }
}

TEST(SolidElements, InfinitesimalRigidMotionLeavesNoForceAtSmallStrain) {
  for (auto kind : all_kinds()) {
    if (kind.law != SolidLaw::small_strain) continue;
    kind.viscosity = 0.5;
    const OneElement element = one_element(kind);
    Vector3 phi = Vector3::Random(), omega = Vector3::Random();
    if (dimension(kind.shape) == 2) phi.head(2).setZero(), omega.head(2).setZero();
    const VectorX x = mapped(element, Matrix3::Identity() + skew(phi), Vector3::Random());
    const VectorX v = mapped(element, skew(omega), Vector3::Random());
    EXPECT_LT(element.force(x, v).norm(), 1e-13) << name_of(kind);
    MatrixX K(x.size(), x.size());
    element.group.stiffness(0, x.data(), K);
    const double rounding = std::numeric_limits<double>::epsilon() * K.norm() * x.squaredNorm();
    EXPECT_LT(element.energy(x), std::min(1e-13, rounding)) << name_of(kind);
  }
}

TEST(SolidElements, MaterialInsideOutIsNotFinite) {
  for (const auto& kind : all_kinds()) {
    if (kind.law != SolidLaw::neo_hooke) continue;
    const OneElement element = one_element(kind);
    Matrix3 mirror = Matrix3::Identity();
    mirror(0, 0) = -1;
    const VectorX x = mapped(element, mirror, Vector3::Zero());
    MatrixX K(x.size(), x.size());
    element.group.stiffness(0, x.data(), K);
    EXPECT_FALSE(element.force(x).allFinite()) << name_of(kind);
    EXPECT_FALSE(std::isfinite(element.energy(x))) << name_of(kind);
    EXPECT_FALSE(K.allFinite()) << name_of(kind);
  }
}

TEST(SolidElements, MaterialPressedToAPointIsNotFinite) {
  std::vector<Vector3> places;
  for (int a = 0; a < 4; ++a) places.push_back(node_place(SolidShape::tet4, a));
  const OneElement element{
      SolidGroup(solid(SolidShape::tet4, SolidLaw::neo_hooke), {0, 1, 2, 3}, places), {}, 1};
  EXPECT_FALSE(element.force(VectorX::Zero(12)).allFinite());
  EXPECT_FALSE(std::isfinite(element.energy(VectorX::Zero(12))));
}

/// With springs on the rigid motions the stiffness is positive definite: nothing else is free of energy.
TEST(SolidElements, OnlyRigidMotionHasNoEnergy) {
  for (const auto& kind : all_kinds()) {
    const OneElement element = one_element(kind);
    const int n = element.group.dofs_per_element();
    MatrixX K(n, n);
    element.group.stiffness(0, element.rest.data(), K);
    const OneElement at_origin{element.group, element.rest.array() - element.rest.mean(), 1};
    for (int k = 0; k < 3; ++k) {
      const VectorX along = mapped(at_origin, Matrix3::Zero(), Vector3::Unit(k)),
                    turn = mapped(at_origin, skew(Vector3::Unit(k)), Vector3::Zero());
      K += along * along.transpose() + turn * turn.transpose();
    }
    for (int p = 0; p < n; ++p) {  // pivots of the elimination
      ASSERT_GT(K(p, p), 1e-3) << name_of(kind);
      for (int i = p + 1; i < n; ++i) K.row(i) -= K(i, p) / K(p, p) * K.row(p);
    }
  }
}

// ---- homogeneous states

/// Cauchy stress in space from the closed forms of the laws.
Matrix3 exact_stress(SolidLaw law, const Matrix3& F) {
  const Matrix3 I = Matrix3::Identity(), H = F - I;
  const double J = F.col(0).cross(F.col(1)).dot(F.col(2));
  if (law == SolidLaw::small_strain) return lambda * H.trace() * I + mu * (H + H.transpose());
  if (law == SolidLaw::neo_hooke) return (mu * (F * F.transpose() - I) + lambda * std::log(J) * I) / J;
  const Matrix3 E = 0.5 * (F.transpose() * F - I);
  return F * (lambda * E.trace() * I + 2 * mu * E) * F.transpose() / J;
}

/// In plane stress the stretch across the plane is the one without stress there, found by bisection.
Matrix3 exact_stress(const SolidOptions& kind, Matrix3 F) {
  if (kind.plane == PlaneState::plane_stress) {
    double low = 0.3, high = 3;
    while (high - low > 1e-15) {
      F(2, 2) = 0.5 * (low + high);
      if (F(2, 2) == low || F(2, 2) == high) break;
      (exact_stress(kind.law, F)(2, 2) < 0 ? low : high) = F(2, 2);
    }
  }
  return exact_stress(kind.law, F);
}

/// A random homogeneous deformation; in the plane for plane elements.
Matrix3 random_deformation(SolidShape shape) {
  Matrix3 H = 0.25 * Matrix3::Random();
  if (dimension(shape) == 2) H.row(2).setZero(), H.col(2).setZero();
  return Matrix3::Identity() + H;
}

TEST(SolidElements, PatchTest) {
  for (const auto& kind : all_kinds()) {
    const SolidMesh mesh = grid_mesh(kind.shape, {2, 2, 2}, {2.2, 1.7, 1.9}, 0.25);
    const SolidGroup group(kind, mesh.connectivity, mesh.places);
    const Matrix3 F = random_deformation(kind.shape), expected = exact_stress(kind, F);
    std::vector<Vector3> moved = mesh.places, sum(mesh.places.size(), Vector3::Zero());
    for (auto& x : moved) x = F * x + Vector3(0.1, -0.2, 0);
    const int d = dimension(kind.shape);
    for (int e = 0; e < group.element_count(); ++e) {
      const VectorX x = gather(group, e, moved), v = VectorX::Zero(x.size());
      VectorX f(x.size());
      group.force(e, x.data(), v.data(), f.data());
      std::vector<Matrix3> at_nodes(static_cast<size_t>(group.nodes_per_element()));
      group.nodal_stress(e, x.data(), at_nodes.data());
      EXPECT_LT((group.cauchy_stress(e, x.data()) - expected).norm(), 1e-13) << name_of(kind);
      for (int a = 0; a < group.nodes_per_element(); ++a) {
        sum[static_cast<size_t>(group.nodes(e)[a])].head(d) += f.segment(d * a, d);
        EXPECT_LT((at_nodes[static_cast<size_t>(a)] - expected).norm(), 1e-12) << name_of(kind);
      }
    }
    int inner = 0;
    for (size_t node = 0; node < sum.size(); ++node)
      if (mesh.inside[node]) {
        EXPECT_LT(sum[node].norm(), 1e-13) << name_of(kind);
        ++inner;
      }
    EXPECT_GT(inner, 0);
  }
}

/// Force that pulls at the face x = length in a homogeneous deformation.
double pull(const SolidOptions& kind, const Matrix3& F) {
  const Vector3 size(2, 1.5, 1.2);
  const SolidMesh mesh = grid_mesh(kind.shape, {2, 2, 2}, size, 0.2);
  const SolidGroup group(kind, mesh.connectivity, mesh.places);
  std::vector<Vector3> moved = mesh.places;
  for (auto& x : moved) x = F * x;
  const int d = dimension(kind.shape);
  double sum = 0;
  for (int e = 0; e < group.element_count(); ++e) {
    const VectorX x = gather(group, e, moved), v = VectorX::Zero(x.size());
    VectorX f(x.size());
    group.force(e, x.data(), v.data(), f.data());
    for (int a = 0; a < group.nodes_per_element(); ++a)
      if (mesh.places[static_cast<size_t>(group.nodes(e)[a])].x() > size.x() - 1e-9) sum -= f[d * a];
  }
  return sum / (size.y() * (d == 3 ? size.z() : kind.thickness));
}

TEST(SolidElements, UniaxialStretchPullsAsTheLawSays) {
  for (const auto& kind : all_kinds()) {
    if (kind.plane == PlaneState::plane_stress) continue;
    for (const double s : {0.7, 1.4}) {
      Matrix3 F = Matrix3::Identity();
      F(0, 0) = s;
      const double E = 0.5 * (s * s - 1);
      double first_piola = (lambda + 2 * mu) * (s - 1), lateral = lambda * (s - 1);
      if (kind.law == SolidLaw::st_venant_kirchhoff)
        first_piola = s * (lambda + 2 * mu) * E, lateral = lambda * E / s;
      if (kind.law == SolidLaw::neo_hooke)
        first_piola = mu * (s - 1 / s) + lambda * std::log(s) / s, lateral = lambda * std::log(s) / s;
      EXPECT_NEAR(pull(kind, F), first_piola, 1e-13) << name_of(kind);
      const OneElement element = one_element(kind);
      const Matrix3 sigma = element.group.cauchy_stress(0, mapped(element, F, Vector3::Zero()).data());
      const Vector3 expected(first_piola, lateral, lateral);  // the area across does not change
      EXPECT_LT((sigma - Matrix3(expected.asDiagonal())).norm(), 1e-13) << name_of(kind);
    }
  }
}

/// A strip pulled along: with the lateral stretch of a bar, plane stress gives a bar.
TEST(SolidElements, PlaneStressPullsABar) {
  for (const auto shape : {SolidShape::tri3, SolidShape::quad4})
    for (const auto law : all_laws) {
      const double s = 1.2, E = 0.5 * (s * s - 1);
      Matrix3 F = Matrix3::Identity();
      F(0, 0) = s;
      double expected = young * (s - 1);
      F(1, 1) = 1 - poisson * (s - 1);
      if (law == SolidLaw::st_venant_kirchhoff) {
        expected = s * young * E;
        F(1, 1) = std::sqrt(1 - 2 * poisson * E);
      }
      if (law == SolidLaw::neo_hooke) {
        double log_q2 = 0;  // mu (q^2 - 1) + lambda log(s q^2) = 0
        for (int i = 0; i < 20; ++i)
          log_q2 -= (mu * (std::exp(log_q2) - 1) + lambda * (std::log(s) + log_q2)) /
                    (mu * std::exp(log_q2) + lambda);
        F(1, 1) = std::exp(0.5 * log_q2);
        expected = mu * (s - 1 / s) + lambda * (std::log(s) + log_q2) / s;
      }
      const SolidOptions kind = solid(shape, law, PlaneState::plane_stress);
      EXPECT_NEAR(pull(kind, F), expected, 1e-13) << name_of(kind);
      const OneElement element = one_element(kind);
      const Matrix3 sigma = element.group.cauchy_stress(0, mapped(element, F, Vector3::Zero()).data());
      EXPECT_LT(sigma.bottomRightCorner(2, 2).norm(), 1e-13) << name_of(kind);
      EXPECT_NEAR(von_mises(sigma), sigma(0, 0), 1e-13) << name_of(kind);
    }
}

/// Newton's method for the thickness finds it however far a plate is stretched or pressed.
TEST(SolidElements, ThicknessOfAPlateIsFreeOfStress) {
  for (const double nu : {-0.5, -0.1, 0.0, 0.3, 0.499})
    for (const double log_area : {-12.0, -1.0, -1e-3, 0.0, 1e-3, 1.0, 12.0}) {
      const SolidMaterial material = make_material(SolidLaw::neo_hooke, true, 1, nu, 0);
      const double t = squared_thickness_stretch(material, log_area);
      if (nu < 0 && log_area < -0.5) continue;  // pressed so far that the plate has no state free of stress
      const double residual = material.mu * (t - 1) + material.lambda * (0.5 * std::log(t) + log_area);
      EXPECT_LT(std::abs(residual), 1e-13 * (1 + std::abs(material.lambda * log_area)))
          << nu << ' ' << log_area;
    }
}

// ---- mass

TEST(SolidElements, MassHasExactMoments) {
  const Vector3 size(2.2, 1.7, 1.9);
  for (const auto shape : all_shapes) {
    const SolidOptions kind = solid(shape, SolidLaw::small_strain);
    const SolidMesh mesh = grid_mesh(shape, {2, 2, 2}, size, 0.25);
    const SolidGroup group(kind, mesh.connectivity, mesh.places);
    const int n = group.nodes_per_element();
    double volume = 0, mass = 0, lumped_mass = 0, second = 0, mixed = 0, weight = 0;
    for (int e = 0; e < group.element_count(); ++e) {
      MatrixX m(n, n);
      VectorX lumped(n), weights(n), x(n), y(n);
      group.consistent_mass(e, m);
      group.lumped_mass(e, lumped.data());
      group.body_force_weights(e, weights.data());
      for (int a = 0; a < n; ++a) {
        x[a] = mesh.places[static_cast<size_t>(group.nodes(e)[a])].x();
        y[a] = mesh.places[static_cast<size_t>(group.nodes(e)[a])].y();
      }
      EXPECT_LT((m.rowwise().sum() - kind.density * weights).norm(), 1e-14);
      EXPECT_GT(lumped.minCoeff(), 0);
      EXPECT_GT(group.smallest_jacobian(e), 0);
      volume += group.volume(e);
      mass += m.sum();
      lumped_mass += lumped.sum();
      second += x.dot(m * x);
      mixed += x.dot(m * y);
      weight += x.dot(weights);
    }
    const double box = size.x() * size.y() * (dimension(shape) == 3 ? size.z() : kind.thickness);
    EXPECT_NEAR(volume, box, 1e-13);
    EXPECT_NEAR(mass, kind.density * box, 1e-13);
    EXPECT_NEAR(lumped_mass, kind.density * box, 1e-13);
    EXPECT_NEAR(weight, box * size.x() / 2, 1e-13);
    EXPECT_NEAR(second, kind.density * box * size.x() * size.x() / 3, 1e-13);
    EXPECT_NEAR(mixed, kind.density * box * size.x() * size.y() / 4, 1e-13);
  }
}

TEST(SolidElements, JacobianShowsElementsInsideOut) {
  for (const auto shape : all_shapes) {
    std::vector<Vector3> places;
    std::vector<int> connectivity;
    for (int a = 0; a < node_count(shape); ++a) {
      places.push_back(node_place(shape, a));
      places.back().y() *= -1;
      connectivity.push_back(a);
    }
    EXPECT_LT(SolidGroup(solid(shape, SolidLaw::neo_hooke), connectivity, places).smallest_jacobian(0), 0);
  }
}

/// Stress that varies linearly is found exactly at the nodes of quadratic shapes.
TEST(SolidElements, NodalStressOfBendingIsExact) {
  for (const auto shape : {SolidShape::tet10, SolidShape::hex20}) {
    const OneElement element = one_element(solid(shape, SolidLaw::small_strain), 0);
    VectorX x = element.rest;
    for (int i = 0; i < x.size(); i += 3) {
      const Vector3 X = element.rest.segment<3>(i);
      x.segment<3>(i) += 0.1 * Vector3(X.x() * X.y(), -0.5 * X.x() * X.x(), 0);
    }
    std::vector<Matrix3> sigma(static_cast<size_t>(node_count(shape)));
    element.group.nodal_stress(0, x.data(), sigma.data());
    for (size_t a = 0; a < sigma.size(); ++a) {
      const double strain = 0.1 * element.rest[3 * static_cast<Eigen::Index>(a) + 1];
      EXPECT_NEAR(sigma[a](0, 0), (lambda + 2 * mu) * strain, 1e-12);
      EXPECT_NEAR(sigma[a](1, 1), lambda * strain, 1e-12);
      EXPECT_NEAR(sigma[a](0, 1), 0, 1e-12);
    }
  }
}

// ---- bending

/// Solves K u = f by elimination; K is positive definite.
VectorX solve(MatrixX K, VectorX f) {
  const int n = static_cast<int>(f.size());
  double* k = K.data();  // symmetric: rows and columns are the same
  for (int p = 0; p < n; ++p)
    for (int i = p + 1; i < n; ++i) {
      const double factor = k[p * n + i] / k[p * n + p];
      if (factor == 0) continue;
      for (int j = i; j < n; ++j) k[i * n + j] -= factor * k[p * n + j];
      f[i] -= factor * f[p];
    }
  for (int p = n - 1; p >= 0; --p) {
    for (int j = p + 1; j < n; ++j) f[p] -= k[p * n + j] * f[j];
    f[p] /= k[p * n + p];
  }
  return f;
}

/// Deflection of a clamped bar of length 10 and height 1 under a force at its end, by that of a Timoshenko
/// beam.
double relative_deflection(const SolidOptions& kind, std::array<int, 3> cells) {
  const double length = 10;
  const int d = dimension(kind.shape);
  const SolidMesh mesh = grid_mesh(kind.shape, cells, {length, 1, 1}, 0);
  const SolidGroup group(kind, mesh.connectivity, mesh.places);
  std::vector<int> first_dof;
  int dofs = 0, loaded = 0;
  for (const auto& place : mesh.places) {
    const bool clamped = place.x() < 1e-9;
    first_dof.push_back(clamped ? -1 : dofs);
    if (!clamped) dofs += d;
    loaded += place.x() > length - 1e-9;
  }
  MatrixX K = MatrixX::Zero(dofs, dofs), K_e(group.dofs_per_element(), group.dofs_per_element());
  for (int e = 0; e < group.element_count(); ++e) {
    group.stiffness(e, gather(group, e, mesh.places).data(), K_e);
    for (int a = 0; a < group.nodes_per_element(); ++a)
      for (int b = 0; b < group.nodes_per_element(); ++b) {
        const int row = first_dof[static_cast<size_t>(group.nodes(e)[a])],
                  column = first_dof[static_cast<size_t>(group.nodes(e)[b])];
        if (row >= 0 && column >= 0) K.block(row, column, d, d) += K_e.block(d * a, d * b, d, d);
      }
  }
  VectorX f = VectorX::Zero(dofs);
  for (size_t node = 0; node < mesh.places.size(); ++node)
    if (mesh.places[node].x() > length - 1e-9) f[first_dof[node] + 1] = 1.0 / loaded;
  const double width = d == 2 ? kind.thickness : 1, shear_modulus = young / (2 * (1 + poisson));
  const double beam =
      4 * length * length * length / (young * width) + length / (5.0 / 6 * shear_modulus * width);
  return f.dot(solve(K, f)) / beam;
}

TEST(SolidElements, IncompatibleModesBendAsABeam) {
  for (auto kind : {solid(SolidShape::hex8, SolidLaw::small_strain),
                    solid(SolidShape::quad4, SolidLaw::small_strain, PlaneState::plane_stress)}) {
    EXPECT_LT(relative_deflection(kind, {6, 1, 1}), 0.6) << name_of(kind);
    kind.incompatible_modes = true;
    EXPECT_NEAR(relative_deflection(kind, {6, 1, 1}), 1, 0.03) << name_of(kind);
  }
}

TEST(SolidElements, QuadraticShapesBendAsABeam) {
  for (const auto shape : {SolidShape::hex20, SolidShape::tet10})
    EXPECT_NEAR(relative_deflection(solid(shape, SolidLaw::small_strain), {8, 1, 1}), 1, 0.03);
}

// ---- refusals

TEST(SolidElements, RefuseWhatTheyCannotDo) {
  const std::vector<Vector3> places(8, Vector3::Zero());
  const auto refused = [&](const SolidOptions& options, const std::vector<int>& connectivity) {
    EXPECT_THROW(SolidGroup(options, connectivity, places), std::invalid_argument);
  };
  SolidOptions options = solid(SolidShape::tet4, SolidLaw::small_strain);
  refused(options, {0, 1, 2});
  refused(options, {0, 1, 2, 8});
  refused(options, {0, 1, 2, -1});
  options.incompatible_modes = true;
  refused(options, {});
  options = solid(SolidShape::hex8, SolidLaw::neo_hooke);
  options.incompatible_modes = true;
  refused(options, {});
  options = solid(SolidShape::hex8, SolidLaw::neo_hooke);
  options.poisson = 0.5;
  refused(options, {});
  options.poisson = 0.3;
  options.young = std::nan("");
  refused(options, {});
}

}  // namespace
}  // namespace percuss
