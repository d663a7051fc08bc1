#pragma once

#include <cstdint>

#include "percuss/math/vector.h"

namespace percuss {

enum class SolidLaw : std::uint8_t { small_strain, st_venant_kirchhoff, neo_hooke };
enum class PlaneState : std::uint8_t { plane_strain, plane_stress };

/// Constants of an isotropic solid.
struct SolidMaterial {
  SolidLaw law = SolidLaw::small_strain;
  bool plane_stress = false;
  double lambda = 0, mu = 0;   ///< Lame's constants [Pa]
  double lambda_in_plane = 0;  ///< takes the place of lambda in plane stress (S-6); else lambda
  double viscosity = 0;        ///< [s]
};
SolidMaterial make_material(SolidLaw law, bool plane_stress, double young, double poisson, double viscosity);

/// Square of the stretch across a neo-Hookean plate free of stress there.  docs/theory/solids.md (S-7)
/// Not a number where no such stretch exists.
double squared_thickness_stretch(const SolidMaterial& material, double log_area_ratio);

/// Elastic Cauchy stress, and the ratio of volumes J (1 at small strain).  docs/theory/solids.md (S-13)
struct CauchyStress {
  Matrix3 sigma;
  double volume_ratio;
};
/// From the displacement gradient, in space or in the plane.
CauchyStress cauchy_from_gradient(const SolidMaterial& material, const Matrix3& H);
CauchyStress cauchy_from_gradient(const SolidMaterial& material, const Eigen::Matrix2d& H);

}  // namespace percuss
