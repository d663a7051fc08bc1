#include <cmath>
#include <stdexcept>

#include <percuss/model/plugin.h>

namespace {

using percuss::MatrixX;
using percuss::VectorX;

/// A mass on an elastic rod swings against a wall. Coordinates: the length r of the rod and its angle phi
/// from the vertical; the mass is at x = r sin(phi), y = -r cos(phi), the wall at x = wall.
class Pendulum final : public percuss::LagrangianSystem {
 public:
  explicit Pendulum(percuss::PluginParameters given) {
    for (const auto& [name, value] : {std::pair("mass", &mass_),
                                      {"length", &length_},
                                      {"stiffness", &stiffness_},
                                      {"gravity", &gravity_},
                                      {"wall", &wall_},
                                      {"restitution", &restitution_},
                                      {"phi", &phi_}})
      if (const auto entry = given.find(name); entry != given.end()) {
        *value = entry->second;
        given.erase(entry);
      }
    if (!given.empty())
      throw std::invalid_argument("pendulum has no parameter '" + given.begin()->first + "'");
    if (!(mass_ > 0)) throw std::invalid_argument("pendulum: mass must be positive");
  }

  std::vector<std::string> coordinate_names() const override { return {"r", "phi"}; }
  void initial_state(VectorX& q, VectorX& v) const override {
    q << length_, phi_;
    v.setZero();
  }

  /// From T = m/2 (r'^2 + r^2 phi'^2).
  void mass_matrix(const VectorX& q, MatrixX& M) const override { M << mass_, 0, 0, mass_ * q[0] * q[0]; }

  void force(const VectorX& q, const VectorX& v, double /*t*/, VectorX& f) const override {
    const double r = q[0], m = mass_, weight = mass_ * gravity_;
    f << m * r * v[1] * v[1] - stiffness_ * (r - length_) + weight * std::cos(q[1]),
        -2 * m * r * v[0] * v[1] - weight * r * std::sin(q[1]);
  }

  bool tangents(const VectorX& q, const VectorX& v, double /*t*/, MatrixX& K, MatrixX& C) const override {
    const double r = q[0], m = mass_, weight = mass_ * gravity_;
    K << stiffness_ - m * v[1] * v[1], weight * std::sin(q[1]),  //
        2 * m * v[0] * v[1] + weight * std::sin(q[1]), weight * r * std::cos(q[1]);
    C << 0, -2 * m * r * v[1],  //
        2 * m * r * v[1], 2 * m * r * v[0];
    return true;
  }

  double potential_energy(const VectorX& q) const override {
    const double stretch = q[0] - length_;
    return 0.5 * stiffness_ * stretch * stretch - mass_ * gravity_ * q[0] * std::cos(q[1]);
  }

  std::vector<Gap> gaps() const override { return {{.name = "wall", .restitution = restitution_}}; }
  void gap_values(const VectorX& q, VectorX& g) const override { g << wall_ - q[0] * std::sin(q[1]); }
  void gap_jacobian(const VectorX& q, MatrixX& G) const override {
    G << -std::sin(q[1]), -q[0] * std::cos(q[1]);
  }

 private:
  double mass_ = 1, length_ = 1, stiffness_ = 500;          // kg, m, N/m
  double gravity_ = 9.81, wall_ = 0.2, restitution_ = 0.8;  // m/s^2, m
  double phi_ = -1;                                         // rad, at the start
};

}  // namespace

PERCUSS_PLUGIN(Pendulum)
