#pragma once

#include "percuss/dynamics/elements/solid_law.h"

namespace percuss {

/// What the kernels read of one element.
struct SolidElementData {
  const double* reference;  ///< positions of the nodes, node after node
  const double* gradients;  ///< point after point, direction after direction: one number per function
  const double* weights;    ///< volume that belongs to each point
  int points;
  const SolidMaterial& material;
};

/// Integrals over an element of D dimensions with N shape functions. Everything of fixed size; a Row has one
/// number per function, and operations on rows are vectorised.
template <int D, int N>
struct SolidKernel {
  using Matrix = SmallMatrix<D>;
  using Row = Eigen::Array<double, N, 1>;
  static constexpr int dimensions = D, functions = N, dofs = D * N, components = D * (D + 1) / 2;

  struct Field {  ///< displacement, velocity or force of the nodes, or gradient of the functions, by
                  ///< direction
    Row of[D];
  };
  /// Component matrices K_ik of a symmetric matrix for i <= k; K_ki is the transposed of K_ik.
  struct SymmetricComponents {
    Row of[components][N];
    SymmetricComponents() {
      for (auto& component : of)
        for (Row& row : component) row.setZero();
    }
  };

  static Field displacement(const double* x, const double* reference) {
    Field u;
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < D; ++i) u.of[i][a] = x[D * a + i] - reference[D * a + i];
    return u;
  }
  static Field velocity(const double* v) {
    Field field;
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < D; ++i) field.of[i][a] = v[D * a + i];
    return field;
  }
  static Field gradients_at(const SolidElementData& element, int point) {
    Field g;
    for (int j = 0; j < D; ++j) g.of[j] = Eigen::Map<const Row>(element.gradients + (point * D + j) * N);
    return g;
  }

  /// sum_a u_a g_a^T.
  static Matrix gradient(const Field& u, const Field& g) {
    Matrix H;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) H(i, j) = (u.of[i] * g.of[j]).sum();
    return H;
  }

  /// T g_a for all a.
  static Field transform(const Matrix& T, const Field& g) {
    Field out;
    for (int i = 0; i < D; ++i)
      if constexpr (D == 3)
        out.of[i] = T(i, 0) * g.of[0] + T(i, 1) * g.of[1] + T(i, 2) * g.of[2];
      else
        out.of[i] = T(i, 0) * g.of[0] + T(i, 1) * g.of[1];
    return out;
  }
  /// g_a . h_b for one a and all b.
  static Row products(const Field& g, int a, const Field& h) {
    if constexpr (D == 3)
      return g.of[0][a] * h.of[0] + g.of[1][a] * h.of[1] + g.of[2][a] * h.of[2];
    else
      return g.of[0][a] * h.of[0] + g.of[1][a] * h.of[1];
  }

  /// f_a = -sum w P g_a.  docs/theory/solids.md (S-2)
  static void force(const SolidElementData& element, const double* x, const double* v, double* f) {
    const SolidMaterial& material = element.material;
    const Field u = displacement(x, element.reference), rate = velocity(v);
    Field sum;
    for (Row& row : sum.of) row.setZero();
    for (int p = 0; p < element.points; ++p) {
      const Field g = gradients_at(element, p);
      const Matrix H = gradient(u, g);
      Matrix P = first_piola<D>(material, H);
      if (material.viscosity > 0) {
        const Matrix S = viscous_stress<D>(material, strain_rate<D>(material, H, gradient(rate, g)));
        P += S;
        if (material.law != SolidLaw::small_strain) P += H * S;
      }
      const Field share = transform(-element.weights[p] * P, g);
      for (int i = 0; i < D; ++i) sum.of[i] += share.of[i];
    }
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < D; ++i) f[D * a + i] = sum.of[i][a];
  }

  /// Adds w K_ab of (S-9).
  template <bool has_across>
  static void add_point(const Field& g, double w, const PointTangent<D>& tangent, SymmetricComponents& K) {
    const Field push = transform(tangent.push, g), along = transform(w * tangent.along, g);
    const double lambda = w * tangent.lambda, mu = w * tangent.mu;
    const Matrix across = w * tangent.across;
    for (int a = 0; a < N; ++a) {
      const Row diagonal = products(g, a, along);
      Row dot;
      if constexpr (has_across) dot = products(g, a, g);
      int component = 0;
      for (int i = 0; i < D; ++i) {
        add_row<has_across>((lambda + mu) * push.of[i][a] * push.of[i] + diagonal, across(i, i), dot,
                            K.of[component++][a]);
        for (int k = i + 1; k < D; ++k)
          add_row<has_across>(lambda * push.of[i][a] * push.of[k] + mu * push.of[k][a] * push.of[i],
                              across(i, k), dot, K.of[component++][a]);
      }
    }
  }
  template <bool has_across>
  static void add_row(const auto& sum, double across, const Row& dot, Row& row) {
    if constexpr (has_across)
      row += sum + across * dot;
    else
      row += sum;
  }
  static void add_point(const Field& g, double w, const PointTangent<D>& tangent, SymmetricComponents& K) {
    if (tangent.has_across)
      add_point<true>(g, w, tangent, K);
    else
      add_point<false>(g, w, tangent, K);
  }

  static void copy(const SymmetricComponents& from, Eigen::Ref<MatrixX> to) {
    for (int b = 0; b < N; ++b)
      for (int a = 0; a < N; ++a) {
        int component = 0;
        for (int i = 0; i < D; ++i)
          for (int k = i; k < D; ++k) {
            const double value = from.of[component++][a][b];
            to(D * a + i, D * b + k) = value;
            to(D * b + k, D * a + i) = value;
          }
      }
  }

  static void stiffness(const SolidElementData& element, const double* x, Eigen::Ref<MatrixX> K) {
    const Field u = displacement(x, element.reference);
    SymmetricComponents sum;
    for (int p = 0; p < element.points; ++p) {
      const Field g = gradients_at(element, p);
      add_point(g, element.weights[p], point_tangent<D>(element.material, gradient(u, g)), sum);
    }
    copy(sum, K);
  }

  /// Adds to K what the viscous forces of the large strain laws change with the position (S-11), and writes C
  /// (S-10).
  static void viscous_tangents(const SolidElementData& element, const double* x, const double* v,
                               Eigen::Ref<MatrixX> K, Eigen::Ref<MatrixX> C) {
    const SolidMaterial& material = element.material;
    const double lambda = material.viscosity * material.lambda_in_plane,
                 mu = material.viscosity * material.mu;
    const Field u = displacement(x, element.reference), rate = velocity(v);
    SymmetricComponents damping;
    for (int p = 0; p < element.points; ++p) {
      const Field g = gradients_at(element, p);
      const double w = element.weights[p];
      const Matrix H = gradient(u, g), H_dot = gradient(rate, g), F = Matrix::Identity() + H;
      const Matrix S = viscous_stress<D>(material, strain_rate<D>(material, H, H_dot));
      add_point(g, w, {Matrix::Zero(), F, mu * (F * F.transpose()), lambda, mu, true}, damping);

      const Field push = transform(F, g), push_rate = transform(H_dot, g), along = transform(S, g);
      const Matrix across = mu * (F * H_dot.transpose());
      for (int b = 0; b < N; ++b)
        for (int a = 0; a < N; ++a) {
          double dot = 0, diagonal = 0;
          for (int j = 0; j < D; ++j) {
            dot += g.of[j][a] * g.of[j][b];
            diagonal += g.of[j][a] * along.of[j][b];
          }
          for (int k = 0; k < D; ++k) {
            for (int i = 0; i < D; ++i)
              K(D * a + i, D * b + k) += w * (lambda * push.of[i][a] * push_rate.of[k][b] +
                                              mu * push.of[i][b] * push_rate.of[k][a] + dot * across(i, k));
            K(D * a + k, D * b + k) += w * diagonal;
          }
        }
    }
    copy(damping, C);
  }

  static double energy(const SolidElementData& element, const double* x) {
    const Field u = displacement(x, element.reference);
    double sum = 0;
    for (int p = 0; p < element.points; ++p)
      sum += element.weights[p] * energy_density<D>(element.material, gradient(u, gradients_at(element, p)));
    return sum;
  }

  /// sum w S_visc : E_dot.  docs/theory/solids.md (S-12)
  static double damping_power(const SolidElementData& element, const double* x, const double* v) {
    const Field u = displacement(x, element.reference), rate = velocity(v);
    double sum = 0;
    for (int p = 0; p < element.points; ++p) {
      const Field g = gradients_at(element, p);
      const Matrix E_dot = strain_rate<D>(element.material, gradient(u, g), gradient(rate, g));
      sum += element.weights[p] * viscous_stress<D>(element.material, E_dot).cwiseProduct(E_dot).sum();
    }
    return sum;
  }

  static void stress(const SolidElementData& element, const Field& u, CauchyStress* at_points) {
    for (int p = 0; p < element.points; ++p) {
      const Matrix H = gradient(u, gradients_at(element, p));
      at_points[p] = cauchy_from_gradient(element.material, H);
    }
  }
};

}  // namespace percuss
