#include <Eigen/Cholesky>

#include "percuss/dynamics/elements/solid_group.h"
#include "percuss/dynamics/elements/solid_kernels.h"

namespace percuss {
namespace {

/// Eliminates the amplitudes of the modes, whose forces must vanish.  docs/theory/solids.md (S-15)
/// `recovery` gives them from the displacements of the nodes.
template <int D, int N>
void condense(SolidElementData element, double* stiffness, double* recovery) {
  constexpr int n = D * N, internal = D * D;
  const double zero[n + internal] = {};
  element.reference = zero;  // a linear stiffness is the same everywhere
  MatrixX K(n + internal, n + internal);
  SolidKernel<D, N + D>::stiffness(element, zero, K);
  Eigen::Map<MatrixX> R(recovery, internal, n), condensed(stiffness, n, n);
  R = -K.bottomRightCorner<internal, internal>().llt().solve(K.bottomLeftCorner<internal, n>());
  const MatrixX sum = K.topLeftCorner<n, n>() + K.topRightCorner<n, internal>() * R;
  condensed = 0.5 * (sum + sum.transpose());  // symmetric but for rounding
}

}  // namespace

void SolidGroup::condense_modes() {
  const int n = dofs_per_element(), internal = dimension_ * dimension_;
  condensed_.resize(at(element_count(), n * n));
  modes_.resize(at(element_count(), internal * n));
  for (int e = 0; e < element_count(); ++e) {
    double* stiffness = condensed_.data() + at(e, n * n);
    double* recovery = modes_.data() + at(e, internal * n);
    if (dimension_ == 3)
      condense<3, 8>(element(e), stiffness, recovery);
    else
      condense<2, 4>(element(e), stiffness, recovery);
  }
}

}  // namespace percuss
