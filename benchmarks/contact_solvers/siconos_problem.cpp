#include "siconos_problem.h"

#include <algorithm>
#include <cstdlib>

#include <CSparseMatrix_internal.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <SparseBlockMatrix.h>

#include "percuss/nonsmooth/solvers.h"

namespace contact_benchmark {
namespace {

/// Siconos frees with free().
double* copy_of(const std::vector<double>& x) {
  auto* copy = static_cast<double*>(std::calloc(std::max<std::size_t>(x.size(), 1), sizeof(double)));
  std::ranges::copy(x, copy);
  return copy;
}

double* friction_of(const std::vector<percuss::Cone>& cones) {
  std::vector<double> mu;
  for (const percuss::Cone& cone : cones) mu.push_back(cone.bound);
  return copy_of(mu);
}

NumericsMatrix* empty_matrix(int rows, int columns, int nonzeros) {
  NumericsMatrix* A = NM_create(NM_SPARSE, rows, columns);
  NM_triplet_alloc(A, std::max(nonzeros, 1));
  A->matrix2->origin = NSM_TRIPLET;
  return A;
}

NumericsMatrix* matrix_of(const percuss::BlockMatrix& W) {
  NumericsMatrix* A = empty_matrix(W.rows(), W.rows(), W.value_count());
  for (int i = 0; i < W.rows(); ++i)
    W.for_each_in_row(i, [&](int j, double value) { NM_entry(A, i, j, value); });
  NM_csc(A);
  return A;
}

NumericsMatrix* matrix_of(const Eigen::SparseMatrix<double>& B) {
  NumericsMatrix* A =
      empty_matrix(static_cast<int>(B.rows()), static_cast<int>(B.cols()), static_cast<int>(B.nonZeros()));
  for (int j = 0; j < B.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(B, j); entry; ++entry)
      NM_entry(A, static_cast<int>(entry.row()), j, entry.value());
  NM_csc(A);
  return A;
}

NumericsMatrix* blocks_of(NumericsMatrix* columns) {
  SparseBlockStructuredMatrix* blocks = SBM_new();
  SBM_from_csparse(3, NM_csc(columns), blocks);
  NumericsMatrix* A = NM_new_SBM(columns->size0, columns->size1, blocks);
  NM_clear(columns);
  std::free(columns);
  return A;
}

}  // namespace

bool fits_siconos(const std::vector<percuss::Cone>& cones) {
  return std::ranges::all_of(
      cones, [](const percuss::Cone& cone) { return cone.kind == percuss::ConeKind::coulomb; });
}

LocalPointer to_siconos(const percuss::LocalProblem& problem, Storage storage) {
  NumericsMatrix* W = matrix_of(problem.W);
  if (storage == Storage::blocks) W = blocks_of(W);
  return {frictionContactProblem_new_with_data(3, static_cast<int>(problem.cones.size()), W,
                                               copy_of(problem.u_free), friction_of(problem.cones)),
          frictionContactProblem_free};
}

GlobalPointer to_siconos(const percuss::GlobalProblem& problem) {
  GlobalFrictionContactProblem* made = globalFrictionContactProblem_new();
  made->dimension = 3;
  made->numberOfContacts = static_cast<int>(problem.cones.size());
  // percuss reads one triangle of M; the other may differ by more than the residual forgives (CubeH8).
  made->M = matrix_of(Eigen::SparseMatrix<double>(problem.M.selfadjointView<Eigen::Lower>()));
  made->H = matrix_of(problem.H);
  made->q = copy_of(problem.f);
  made->b = copy_of(problem.w);
  made->mu = friction_of(problem.cones);
  return {made, globalFrictionContact_free};
}

}  // namespace contact_benchmark
