#include "percuss/dynamics/elements/solid_law.h"

#include <limits>

namespace percuss {

SolidMaterial make_material(SolidLaw law, bool plane_stress, double young, double poisson, double viscosity) {
  SolidMaterial material{law, plane_stress, 0, 0, 0, viscosity};
  material.lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  material.mu = young / (2 * (1 + poisson));
  material.lambda_in_plane = plane_stress
                                 ? 2 * material.lambda * material.mu / (material.lambda + 2 * material.mu)
                                 : material.lambda;
  return material;
}

double squared_thickness_stretch(const SolidMaterial& material, double log_area_ratio) {
  // h(t) = mu (t - 1) + lambda (log(t) / 2 + log_area_ratio) = 0. Newton's method approaches the root from
  // one side, without overshoot after its first step, in log t if the root lies below 1, in t if it lies
  // above.
  const double mu = material.mu, lambda = material.lambda;
  const bool below = lambda * log_area_ratio >= 0;
  double t = 1;
  for (int iteration = 0; iteration < 60; ++iteration) {
    const double h = mu * (t - 1) + lambda * (0.5 * std::log(t) + log_area_ratio);
    const double relative_step = -h / (mu * t + 0.5 * lambda);
    t *= below ? std::exp(relative_step) : 1 + relative_step;
    if (std::abs(relative_step) < 1e-9) return t;  // converges quadratically: the next step would be rounding
  }
  return std::numeric_limits<double>::quiet_NaN();
}

namespace {

/// With the strain across the plane.  docs/theory/solids.md (S-6), (S-7)
Matrix3 gradient_in_space(const SolidMaterial& material, const SmallMatrix<2>& H) {
  Matrix3 H_space = Matrix3::Zero();
  H_space.topLeftCorner<2, 2>() = H;
  if (!material.plane_stress) return H_space;
  const double ratio =
      -material.lambda / (material.lambda + 2 * material.mu);  // strain across by trace in the plane
  switch (material.law) {
    case SolidLaw::small_strain: H_space(2, 2) = ratio * H.trace(); break;
    case SolidLaw::st_venant_kirchhoff:
      H_space(2, 2) = std::sqrt(1 + 2 * ratio * green_strain<2>(H).trace()) - 1;
      break;
    case SolidLaw::neo_hooke:
      H_space(2, 2) = std::sqrt(neo_hooke_state<2>(material, H).squared_thickness) - 1;
      break;
  }
  return H_space;
}

}  // namespace

CauchyStress cauchy_from_gradient(const SolidMaterial& material, const Matrix3& H) {
  SolidMaterial in_volume = material;
  in_volume.plane_stress = false;
  in_volume.lambda_in_plane = material.lambda;
  const Matrix3 P = first_piola<3>(in_volume, H);
  if (material.law == SolidLaw::small_strain) return {P, 1};
  const Matrix3 F = Matrix3::Identity() + H;
  Matrix3 cofactor;
  const double J = cofactors<3>(F, cofactor);
  const Matrix3 kirchhoff = P * F.transpose();
  return {symmetric_part<3>(kirchhoff) / J, J};
}

CauchyStress cauchy_from_gradient(const SolidMaterial& material, const Eigen::Matrix2d& H) {
  return cauchy_from_gradient(material, gradient_in_space(material, H));
}

}  // namespace percuss
