#include "percuss/nonsmooth/sweep_acceleration.h"

#include "percuss/nonsmooth/cones.h"

namespace percuss {
namespace {

/// A proposal is taken back if the residual, not its square, grows by more than this factor.
constexpr double sweep_growth_limit = 2.0;

}  // namespace

void SweepAcceleration::begin(const std::vector<double>& r, int memory) {
  const auto size = static_cast<Eigen::Index>(r.size());
  point_ = swept_ = Eigen::Map<const Eigen::VectorXd>(r.data(), size);
  anderson_.restart(static_cast<int>(size), memory);
  is_proposal_ = false;
}

void SweepAcceleration::step(const std::vector<Cone>& cones, double residual2, std::vector<double>& r) {
  Eigen::Map<Eigen::VectorXd> current(r.data(), point_.size());
  if (is_proposal_ && !(residual2 <= sweep_growth_limit * sweep_growth_limit * good2_)) {
    current = point_ = swept_;
    anderson_.forget();
    is_proposal_ = false;
    return;
  }
  good2_ = residual2;
  swept_ = current;
  change_ = swept_ - point_;
  anderson_.step(point_, change_, next_);
  int first = 0;
  for (const Cone& cone : cones) {
    project(cone, &next_[first], &r[first]);
    first += cone.rows();
  }
  point_ = current;
  is_proposal_ = true;
}

void SweepAcceleration::last_sweep(std::vector<double>& r) const { r.assign(swept_.begin(), swept_.end()); }

}  // namespace percuss
