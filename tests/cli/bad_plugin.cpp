#include <cmath>
#include <iostream>
#include <limits>
#include <stdexcept>

#include "percuss/model/plugin.h"

// A plugin with one fault, which its parameter `mode` chooses; with mode 15 it has none, but says what it is
// asked for.
namespace {

using percuss::MatrixX;
using percuss::VectorX;

class BadSystem : public percuss::LagrangianSystem {
 public:
  explicit BadSystem(const percuss::PluginParameters& parameters) {
    if (const auto found = parameters.find("mode"); found != parameters.end())
      mode_ = static_cast<int>(found->second);
    if (mode_ == 1) throw std::runtime_error("the constructor fails");
    if (mode_ == 2) throw 2;
    if (mode_ == 3) throw std::invalid_argument("mode 3 is not liked");
  }
  std::vector<std::string> coordinate_names() const override {
    if (mode_ == 4) return {};
    return {"x", mode_ == 5 ? "x" : "y"};
  }
  void initial_state(VectorX& q, VectorX& v) const override {
    if (mode_ == 6) q.resize(7);
    if (mode_ == 14) throw std::runtime_error("there is no state");
    if (mode_ == 15) std::cerr << "the state was asked for\n";
    q.setZero();
    v.setOnes();
    if (mode_ == 7) v[1] = std::numeric_limits<double>::quiet_NaN();
  }
  void mass_matrix(const VectorX&, MatrixX& M) const override {
    M.setIdentity();
    if (mode_ == 8) M(0, 0) = -1;
    if (mode_ == 9) M(0, 1) = 0.5;
    if (mode_ == 10) M(0, 0) = std::numeric_limits<double>::infinity();
  }
  void force(const VectorX& q, const VectorX&, double, VectorX& f) const override { f = -q; }
  std::vector<Gap> gaps() const override {
    if (mode_ == 11) return {{"gap", 2, 0}};
    if (mode_ == 12) return {{"gap", 0, 0}, {"gap", 0, 0}};
    if (mode_ == 13) return {{"gap", 0.5, -0.3}};
    return {};
  }
  void gap_values(const VectorX& q, VectorX& g) const override { g.setConstant(1 + q[0]); }
  void gap_jacobian(const VectorX&, MatrixX& G) const override {
    G.setZero();
    G.col(0).setOnes();
  }

 private:
  int mode_ = 0;
};

}  // namespace

extern "C" int percuss_plugin_abi() { return PERCUSS_TEST_ABI; }
extern "C" percuss::LagrangianSystem* percuss_make_system(const percuss::PluginParameters& parameters) {
  if (parameters.contains("nothing")) return nullptr;
  return new BadSystem(parameters);
}
