#pragma once

#include <cmath>

#include "percuss/dynamics/elements/solid_material.h"

/// The laws at a point, as functions of the displacement gradient H = F - I, which is exactly zero at rest,
/// in D = 3 or 2 dimensions. For sources that are compiled for speed: of the instances of a template the
/// linker keeps one.
namespace percuss {

template <int D>
using SmallMatrix = Eigen::Matrix<double, D, D>;

template <int D>
SmallMatrix<D> symmetric_part(const SmallMatrix<D>& H) {
  return 0.5 * (H + H.transpose());
}

template <int D>
SmallMatrix<D> green_strain(const SmallMatrix<D>& H) {
  return symmetric_part<D>(H) + 0.5 * (H.transpose() * H);
}

/// lambda tr(E) I + 2 mu E.
template <int D>
SmallMatrix<D> hooke(double lambda, double mu, const SmallMatrix<D>& E) {
  SmallMatrix<D> S = (2 * mu) * E;
  S.diagonal().array() += lambda * E.trace();
  return S;
}

/// Determinant and matrix of cofactors, det(F) F^-T.
template <int D>
double cofactors(const SmallMatrix<D>& F, SmallMatrix<D>& cofactor) {
  if constexpr (D == 2) {
    cofactor << F(1, 1), -F(1, 0), -F(0, 1), F(0, 0);
  } else {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        cofactor(i, j) = F(i1, j1) * F(i2, j2) - F(i1, j2) * F(i2, j1);
      }
  }
  return F.row(0).dot(cofactor.row(0));
}

/// What the neo-Hookean formulas need of F. Not finite where F turns the material inside out.
template <int D>
struct NeoHookeState {
  SmallMatrix<D> inverse_transposed;  ///< F^-T
  double log_J;                       ///< with the stretch across the plane
  double lambda;                      ///< of the tangent, (S-7)
  double squared_thickness = 1;
};

template <int D>
NeoHookeState<D> neo_hooke_state(const SolidMaterial& material, const SmallMatrix<D>& H) {
  NeoHookeState<D> state;
  SmallMatrix<D> cofactor;
  const double J = cofactors<D>(SmallMatrix<D>::Identity() + H, cofactor);
  state.inverse_transposed = cofactor / J;
  state.log_J = std::log(J);
  state.lambda = material.lambda;
  if (material.plane_stress) {
    const double t = squared_thickness_stretch(material, state.log_J);
    state.squared_thickness = t;
    state.log_J += 0.5 * std::log(t);
    state.lambda *= 2 * material.mu * t / (2 * material.mu * t + material.lambda);
  }
  return state;
}

/// Energy per reference volume.  docs/theory/solids.md (S-3) to (S-5)
template <int D>
double energy_density(const SolidMaterial& material, const SmallMatrix<D>& H) {
  if (material.law == SolidLaw::neo_hooke) {
    const auto state = neo_hooke_state<D>(material, H);
    const double trace = 2 * H.trace() + H.squaredNorm() + (state.squared_thickness - 1);  // of C - I
    return material.mu * (0.5 * trace - state.log_J) + 0.5 * material.lambda * state.log_J * state.log_J;
  }
  const SmallMatrix<D> E = material.law == SolidLaw::small_strain ? symmetric_part<D>(H) : green_strain<D>(H);
  return 0.5 * material.lambda_in_plane * E.trace() * E.trace() + material.mu * E.squaredNorm();
}

/// First Piola-Kirchhoff stress P = dW/dF.  docs/theory/solids.md (S-3) to (S-5)
template <int D>
SmallMatrix<D> first_piola(const SolidMaterial& material, const SmallMatrix<D>& H) {
  if (material.law == SolidLaw::small_strain)
    return hooke<D>(material.lambda_in_plane, material.mu, symmetric_part<D>(H));
  if (material.law == SolidLaw::st_venant_kirchhoff) {
    const SmallMatrix<D> S = hooke<D>(material.lambda_in_plane, material.mu, green_strain<D>(H));
    return S + H * S;
  }
  const auto state = neo_hooke_state<D>(material, H);
  return material.mu * (SmallMatrix<D>::Identity() + H) +
         (material.lambda * state.log_J - material.mu) * state.inverse_transposed;
}

/// The tangent of an isotropic law at a point, for shape functions of gradients g_a, g_b with p_a = push g_a:
/// K_ab = (g_a . along g_b) I + (g_a . g_b) across + lambda p_a p_b^T + mu p_b p_a^T.  docs/theory/solids.md
/// (S-9)
template <int D>
struct PointTangent {
  SmallMatrix<D> along, push, across;
  double lambda, mu;
  bool has_across;  ///< else `across` is zero and need not be looked at
};

template <int D>
PointTangent<D> point_tangent(const SolidMaterial& material, const SmallMatrix<D>& H) {
  const SmallMatrix<D> I = SmallMatrix<D>::Identity();
  if (material.law == SolidLaw::small_strain)
    return {material.mu * I, I, SmallMatrix<D>::Zero(), material.lambda_in_plane, material.mu, false};
  if (material.law == SolidLaw::st_venant_kirchhoff) {
    const SmallMatrix<D> F = I + H;
    return {hooke<D>(material.lambda_in_plane, material.mu, green_strain<D>(H)),
            F,
            material.mu * (F * F.transpose()),
            material.lambda_in_plane,
            material.mu,
            true};
  }
  const auto state = neo_hooke_state<D>(material, H);
  return {material.mu * I,
          state.inverse_transposed,
          SmallMatrix<D>::Zero(),
          state.lambda,
          material.mu - material.lambda * state.log_J,
          false};
}

/// Rate of strain: of Green's strain, or of the small strain, whose reference never turns.
template <int D>
SmallMatrix<D> strain_rate(const SolidMaterial& material, const SmallMatrix<D>& H,
                           const SmallMatrix<D>& H_dot) {
  if (material.law == SolidLaw::small_strain) return symmetric_part<D>(H_dot);
  return symmetric_part<D>(H_dot + H.transpose() * H_dot);
}

/// Second Piola-Kirchhoff stress of the Kelvin-Voigt damper.  docs/theory/solids.md (S-8)
template <int D>
SmallMatrix<D> viscous_stress(const SolidMaterial& material, const SmallMatrix<D>& rate) {
  return material.viscosity * hooke<D>(material.lambda_in_plane, material.mu, rate);
}

}  // namespace percuss
