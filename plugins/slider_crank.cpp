#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "percuss/math/vector.h"
#include "percuss/math/fields.h"
#include "percuss/model/plugin.h"
#include "read_parameters.h"

namespace {

using percuss::Field;
using percuss::MatrixX;
using percuss::VectorX;

/// [Schindler 2014, Table 1]. The slot is d = 2 (half_height + clearance) high.
struct Parameters {
  double crank_length = 0.153, rod_length = 0.306;
  double half_length = 0.05, half_height = 0.025, clearance = 0.001;
  double crank_mass = 0.038, rod_mass = 0.038, slider_mass = 0.076;
  double crank_inertia = 7.4e-5, rod_inertia = 5.9e-4, slider_inertia = 2.7e-6;
  double gravity = 9.81, restitution = 0.4, friction = 0.01;
  double theta1 = 0, theta2 = 0, theta3 = 0;
  double omega1 = 150, omega2 = -75, omega3 = 0;

  static void fields(auto& self, auto& visit) {
    using percuss::allow::nonnegative, percuss::allow::positive, percuss::allow::unit_interval;
    visit("crank_length", self.crank_length, Field{.unit = "m", .range = positive});
    visit("rod_length", self.rod_length, Field{.unit = "m", .range = positive});
    visit("half_length", self.half_length, Field{.unit = "m", .range = positive});
    visit("half_height", self.half_height, Field{.unit = "m", .range = positive});
    visit("clearance", self.clearance, Field{.unit = "m", .range = nonnegative});
    visit("crank_mass", self.crank_mass, Field{.unit = "kg", .range = positive});
    visit("rod_mass", self.rod_mass, Field{.unit = "kg", .range = positive});
    visit("slider_mass", self.slider_mass, Field{.unit = "kg", .range = positive});
    visit("crank_inertia", self.crank_inertia, Field{.unit = "kg m²", .range = positive});
    visit("rod_inertia", self.rod_inertia, Field{.unit = "kg m²", .range = positive});
    visit("slider_inertia", self.slider_inertia, Field{.unit = "kg m²", .range = positive});
    visit("gravity", self.gravity, Field{.unit = "m/s²", .range = nonnegative});
    visit("restitution", self.restitution, Field{.range = unit_interval});
    visit("friction", self.friction, Field{.range = nonnegative});
    visit("theta1", self.theta1, Field{.unit = "rad"});
    visit("theta2", self.theta2, Field{.unit = "rad"});
    visit("theta3", self.theta3, Field{.unit = "rad"});
    visit("omega1", self.omega1, Field{.unit = "1/s"});
    visit("omega2", self.omega2, Field{.unit = "1/s"});
    visit("omega3", self.omega3, Field{.unit = "1/s"});
  }
};

/// The slider-crank mechanism of [Schindler 2014, section 2.1]: a crank that turns about the origin, a rod, and a
/// slider that can hit the two walls y = ± d/2 of its slot with four corners. The angles of crank, rod and
/// slider are measured from the x axis; the slider's centre is the end of the rod.
class SliderCrank final : public percuss::LagrangianSystem {
 public:
  explicit SliderCrank(const std::map<std::string, double>& given) : p_(percuss::read_parameters<Parameters>("slider_crank", given)) {
    const double carried_by_rod = p_.rod_mass / 2 + p_.slider_mass;
    M11_ = p_.crank_inertia +
           p_.crank_length * p_.crank_length * (p_.crank_mass / 4 + p_.rod_mass + p_.slider_mass);
    M22_ = p_.rod_inertia + p_.rod_length * p_.rod_length * (p_.rod_mass / 4 + p_.slider_mass);
    coupling_ = p_.crank_length * p_.rod_length * carried_by_rod;
    weight1_ = p_.gravity * p_.crank_length * (p_.crank_mass / 2 + p_.rod_mass + p_.slider_mass);
    weight2_ = p_.gravity * p_.rod_length * carried_by_rod;
  }

  std::vector<std::string> coordinate_names() const override { return {"theta1", "theta2", "theta3"}; }
  void initial_state(VectorX& q, VectorX& v) const override {
    q << p_.theta1, p_.theta2, p_.theta3;
    v << p_.omega1, p_.omega2, p_.omega3;
  }

  /// Eq. 23.
  void mass_matrix(const VectorX& q, MatrixX& M) const override {
    const double M12 = coupling_ * std::cos(q[0] - q[1]);
    M << M11_, M12, 0,  //
        M12, M22_, 0,   //
        0, 0, p_.slider_inertia;
  }

  /// Eq. 24.
  void force(const VectorX& q, const VectorX& v, double /*t*/, VectorX& f) const override {
    const double centrifugal = coupling_ * std::sin(q[0] - q[1]);
    f << -centrifugal * v[1] * v[1] - weight1_ * std::cos(q[0]),
        centrifugal * v[0] * v[0] - weight2_ * std::cos(q[1]), 0;
  }

  bool tangents(const VectorX& q, const VectorX& v, double /*t*/, MatrixX& K, MatrixX& C) const override {
    const double s = coupling_ * std::sin(q[0] - q[1]);
    const double c = coupling_ * std::cos(q[0] - q[1]);
    K << c * v[1] * v[1] - weight1_ * std::sin(q[0]), -c * v[1] * v[1], 0,  //
        -c * v[0] * v[0], c * v[0] * v[0] - weight2_ * std::sin(q[1]), 0,   //
        0, 0, 0;
    C << 0, 2 * s * v[1], 0,  //
        -2 * s * v[0], 0, 0,  //
        0, 0, 0;
    return true;
  }

  /// Zero at y = 0.
  double potential_energy(const VectorX& q) const override {
    return weight1_ * std::sin(q[0]) + weight2_ * std::sin(q[1]);
  }

  std::vector<Gap> gaps() const override {
    std::vector<Gap> gaps;
    for (const char* name : {"gap1", "gap2", "gap3", "gap4"})
      gaps.push_back({.name = name, .restitution = p_.restitution, .friction = p_.friction});
    return gaps;
  }

  /// Eqs 25-28: d/2 ∓ the height of the corner.
  void gap_values(const VectorX& q, VectorX& g) const override {
    const double slider_y = p_.crank_length * std::sin(q[0]) + p_.rod_length * std::sin(q[1]);
    const double a_sin = p_.half_length * std::sin(q[2]);
    // d/2 - b cos θ3 without the cancellation: the slot's height never enters.
    const double half = std::sin(q[2] / 2);
    const double play = p_.clearance + 2 * p_.half_height * half * half;
    for (int i = 0; i < 4; ++i) g[i] = play - up[i] * (slider_y + right[i] * a_sin);
  }

  /// Eq. 33.
  void gap_jacobian(const VectorX& q, MatrixX& G) const override {
    for (int i = 0; i < 4; ++i)
      G.row(i) << -up[i] * p_.crank_length * std::cos(q[0]), -up[i] * p_.rod_length * std::cos(q[1]),
          -up[i] * right[i] * p_.half_length * std::cos(q[2]) + p_.half_height * std::sin(q[2]);
  }

  /// Eq. 34: the corners' velocities along the slot.
  void tangent_jacobian(const VectorX& q, MatrixX& T) const override {
    T.setZero();
    for (Eigen::Index i = 0; i < 4; ++i)
      T.row(2 * i) << -p_.crank_length * std::sin(q[0]), -p_.rod_length * std::sin(q[1]),
          -right[i] * p_.half_length * std::sin(q[2]) - up[i] * p_.half_height * std::cos(q[2]);
  }

 private:
  /// The corners of fig. 2 are (right a, up b) in the frame of the slider.
  static constexpr std::array<int, 4> right{-1, 1, -1, 1};
  static constexpr std::array<int, 4> up{1, 1, -1, -1};

  Parameters p_;
  double M11_, M22_, coupling_;  ///< of eq. 23: l1 l2 (m2/2 + m3) is the coupling [kg m²]
  double weight1_, weight2_;     ///< moments of the weights about crank and rod when horizontal [N m]
};

}  // namespace

PERCUSS_PLUGIN(SliderCrank)
