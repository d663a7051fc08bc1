#include "percuss/dynamics/reduction.h"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "percuss/math/dense.h"

namespace percuss {
namespace {

auto symmetric(const SparseMatrix& lower) { return lower.selfadjointView<Eigen::Lower>(); }

MatrixX symmetric_part(const MatrixX& A) { return 0.5 * (A + A.transpose()); }

/// The coordinates of a body in two groups: those of kept nodes, and the others.
struct Partition {
  std::vector<int> kept, inner;
  std::vector<int> place;  ///< in its group

  Partition(const FullBody& body, const std::vector<int>& nodes) {
    std::vector<char> is_kept(static_cast<size_t>(body.matrices.size()), 0);
    for (const int node : nodes)
      for (int axis = 0; axis < body.dimension; ++axis)
        is_kept[static_cast<size_t>(node * body.dimension + axis)] = 1;
    for (int i = 0; i < body.matrices.size(); ++i) {
      auto& group = is_kept[static_cast<size_t>(i)] ? kept : inner;
      place.push_back(static_cast<int>(group.size()));
      group.push_back(i);
    }
    in_inner_.assign(is_kept.begin(), is_kept.end());
    for (auto& flag : in_inner_) flag = !flag;
  }
  bool is_inner(Eigen::Index i) const { return in_inner_[static_cast<size_t>(i)]; }
  int at(Eigen::Index i) const { return place[static_cast<size_t>(i)]; }

  /// Lower triangle of the block of the inner coordinates; they keep their order.
  SparseMatrix inner_block(const SparseMatrix& A) const {
    std::vector<Eigen::Triplet<double>> entries;
    for (int j = 0; j < A.outerSize(); ++j)
      for (SparseMatrix::InnerIterator it(A, j); it; ++it)
        if (is_inner(it.row()) && is_inner(j)) entries.emplace_back(at(it.row()), at(j), it.value());
    SparseMatrix block(static_cast<Eigen::Index>(inner.size()), static_cast<Eigen::Index>(inner.size()));
    block.setFromTriplets(entries.begin(), entries.end());
    return block;
  }
  /// Rows of inner, columns of kept coordinates.
  MatrixX coupling(const SparseMatrix& A) const {
    MatrixX block = MatrixX::Zero(std::ssize(inner), std::ssize(kept));
    for (int j = 0; j < A.outerSize(); ++j)
      for (SparseMatrix::InnerIterator it(A, j); it; ++it) {
        if (is_inner(it.row()) && !is_inner(j)) block(at(it.row()), at(j)) = it.value();
        if (!is_inner(it.row()) && is_inner(j)) block(at(j), at(it.row())) = it.value();
      }
    return block;
  }

 private:
  std::vector<char> in_inner_;
};

double square_of_hertz(double frequency) {
  const double omega = 2 * std::numbers::pi * frequency;
  return omega * omega;
}

/// The lowest modes, and those that have the frequency of the last one: bodies with symmetries have pairs and
/// triples of modes, and half of a pair is not symmetric (MR-9).
Eigenmodes lowest_whole_multiplets(const StiffnessAndMass& matrices, int count, int most) {
  constexpr double same_value = 1e-6;
  if (count == 0) return lowest_eigenmodes(matrices, 0);
  for (int ahead = 6;; ahead *= 2) {
    const int asked = std::min(count + ahead, most);
    Eigenmodes modes = lowest_eigenmodes(matrices, asked);
    if (!modes.converged) return modes;
    int end = count;
    while (end < asked && modes.values[end] <= (1 + same_value) * modes.values[end - 1]) ++end;
    if (end == asked && asked < most) continue;  // the gap lies higher
    modes.values.conservativeResize(end);
    modes.shapes.conservativeResize(Eigen::NoChange, end);
    return modes;
  }
}

/// The chosen modes besides `extra` ones at the bottom, which are given too.
Eigenmodes chosen_modes(const StiffnessAndMass& matrices, const ModeChoice& choice, int extra, int most,
                        std::string& fault) {
  if (choice.count && *choice.count > most) {
    fault = fmt::format("{} modes are not allowed; with these nodes kept there are at most {}", *choice.count,
                        most);
    return {};
  }
  Eigenmodes modes = choice.count
                         ? lowest_whole_multiplets(matrices, *choice.count + extra, most + extra)
                         : eigenmodes_up_to(matrices, square_of_hertz(*choice.frequency), most + extra);
  if (modes.converged) return modes;
  fault = choice.count ? fmt::format("the {} lowest modes cannot be computed", *choice.count)
                       : fmt::format(
                             "{} Hz is not allowed; there are more than {} modes up to it, or they "
                             "cannot be computed",
                             *choice.frequency, most);
  return modes;
}

/// The static modes as computed have rounding errors; the rigid motions are to follow from the kept nodes
/// exactly (MR-5).
void make_rigid_motions_exact(const MatrixX& rigid, const MatrixX& rigid_kept, MatrixX& shapes) {
  const MatrixX inverse = solve_symmetric(rigid_kept.transpose() * rigid_kept, rigid_kept.transpose());
  const MatrixX error = rigid - shapes * rigid_kept;
  shapes += error * inverse;
}

Reduction finish(const FullBody& body, const std::vector<int>& kept, MatrixX basis, VectorX values) {
  Reduction result;
  result.dimension = body.dimension;
  result.kept = kept;
  result.mass = symmetric_part(basis.transpose() * (symmetric(body.matrices.M) * basis));
  result.stiffness = symmetric_part(basis.transpose() * (symmetric(body.matrices.K) * basis));
  result.basis = std::move(basis);
  result.values = std::move(values);
  return result;
}

/// Columns that vanish at the kept nodes, as modes of their own: N^T M N = I, N^T K N diagonal. Those that
/// depend on others are left out.
void make_modes_of(const StiffnessAndMass& matrices, MatrixX& N) {
  const VectorX norms = (N.transpose() * (symmetric(matrices.M) * N)).diagonal().cwiseSqrt();
  for (Eigen::Index i = 0; i < N.cols(); ++i)
    if (norms[i] > 0) N.col(i) /= norms[i];
  const SymmetricModes masses = symmetric_modes(symmetric_part(N.transpose() * (symmetric(matrices.M) * N)));
  const VectorX& size = masses.values;
  const auto dependent =
      std::count_if(size.begin(), size.end(), [&](double s) { return s <= 1e-12 * size[size.size() - 1]; });
  const auto rank = N.cols() - dependent;
  N = (N * masses.vectors.rightCols(rank) * size.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal()).eval();
  N = (N * symmetric_modes(symmetric_part(N.transpose() * (symmetric(matrices.K) * N))).vectors).eval();
}

/// Displacements under unit forces at the kept coordinates, without rigid motions and the given modes: what
/// these leave out of the flexibility (MR-6). K + s M is the preconditioner of an iteration that is over
/// after a few steps, because s lies far below the modes that are left.
MatrixX residual_flexibility(const FullBody& body, const std::vector<int>& kept, const MatrixX& left_out) {
  const ShiftedStiffness inverse(body.matrices);
  const MatrixX momenta = symmetric(body.matrices.M) * left_out;
  MatrixX result(body.matrices.size(), std::ssize(kept));
  VectorX force(body.matrices.size()), residual(force.size()), correction(force.size()), x(force.size());
  for (size_t k = 0; k < kept.size(); ++k) {
    force.setZero();
    force[kept[k]] = 1;
    force -= momenta * left_out.row(kept[k]).transpose();
    x.setZero();
    constexpr int steps = 6;
    for (int step = 0; step < steps; ++step) {
      residual = force - symmetric(body.matrices.K) * x;
      inverse.solve(residual, correction);
      x += correction;
      x -= left_out * (momenta.transpose() * x).eval();
    }
    result.col(static_cast<Eigen::Index>(k)) = x;
  }
  return result;
}

MatrixX normalised(const MatrixX& fields, const SparseMatrix& M) {
  const MatrixX mass = fields.transpose() * (symmetric(M) * fields);
  DenseCholesky factors;
  factors.factorise(symmetric_part(mass));
  return factors.forward_columns(fields.transpose()).transpose();
}

}  // namespace

bool Reduction::keeps(int node) const { return std::binary_search(kept.begin(), kept.end(), node); }

ReductionOutcome reduce_with_fixed_interface(const FullBody& body, const std::vector<int>& kept,
                                             const ModeChoice& choice) {
  const Partition split(body, kept);
  const StiffnessAndMass inner{split.inner_block(body.matrices.K), split.inner_block(body.matrices.M)};
  ReductionOutcome outcome;
  const Eigenmodes modes = chosen_modes(inner, choice, 0, most_eigenmodes(inner.size()), outcome.fault);
  if (!modes.converged) return outcome;
  SparseLdlt factors;
  factors.analyse(inner.K);
  if (!factors.factorise(inner.K)) {
    outcome.fault = "parts of the mesh are not connected to the nodes that are kept";
    return outcome;
  }
  const auto n_kept = std::ssize(split.kept), n_inner = std::ssize(split.inner);
  const MatrixX coupling = split.coupling(body.matrices.K);
  MatrixX shapes = MatrixX::Zero(body.matrices.size(), n_kept);  // (I, Psi)
  VectorX halfway(n_inner), x(n_inner), force(n_inner);
  for (Eigen::Index k = 0; k < n_kept; ++k) {
    shapes(split.kept[static_cast<size_t>(k)], k) = 1;
    force = coupling.col(k);
    if (n_inner == 0 || force.isZero(0)) continue;
    factors.forward(force, halfway);
    factors.backward(halfway, x);
    shapes(split.inner, k) = -x;
  }
  make_rigid_motions_exact(body.rigid, body.rigid(split.kept, Eigen::all), shapes);
  MatrixX basis = MatrixX::Zero(body.matrices.size(), n_kept + modes.count());
  basis.leftCols(n_kept) = shapes;
  basis(split.inner, Eigen::seqN(n_kept, modes.count())) = modes.shapes;
  outcome.reduction = finish(body, kept, std::move(basis), modes.values);
  // Static modes do no work on modes with held nodes, and these are orthonormal: what differs is rounding.
  MatrixX &K = outcome.reduction->stiffness, &M = outcome.reduction->mass;
  K.topRightCorner(n_kept, modes.count()).setZero();
  K.bottomLeftCorner(modes.count(), n_kept).setZero();
  K.bottomRightCorner(modes.count(), modes.count()) = modes.values.asDiagonal();
  M.bottomRightCorner(modes.count(), modes.count()).setIdentity();
  return outcome;
}

ReductionOutcome reduce_with_free_interface(const FullBody& body, const std::vector<int>& kept,
                                            const ModeChoice& choice) {
  const Partition split(body, kept);
  const int n_rigid = static_cast<int>(body.rigid.cols()), n_kept = static_cast<int>(split.kept.size());
  const int most =
      std::max(0, std::min(most_eigenmodes(body.matrices.size()), body.matrices.size() - n_kept) - n_rigid);
  ReductionOutcome outcome;
  const Eigenmodes modes = chosen_modes(body.matrices, choice, n_rigid, most, outcome.fault);
  if (!modes.converged) return outcome;
  const int n_modes = std::max(0, modes.count() - n_rigid);
  const MatrixX elastic = modes.shapes.rightCols(n_modes);
  MatrixX left_out(body.matrices.size(), n_rigid + n_modes);
  left_out << normalised(body.rigid, body.matrices.M), elastic;
  const MatrixX A = residual_flexibility(body, split.kept, left_out);
  DenseCholesky A_kept;
  if (!A_kept.factorise(symmetric_part(A(split.kept, Eigen::all)))) {
    outcome.fault =
        "the modes leave no flexibility to the kept nodes; take fewer modes, or `fixed-interface`";
    return outcome;
  }
  MatrixX shapes = A_kept.solve_columns(A.transpose()).transpose();
  MatrixX N(body.matrices.size(), n_rigid + n_modes);
  N << body.rigid, elastic;
  N -= shapes * N(split.kept, Eigen::all).eval();
  for (const int i : split.kept) N.row(i).setZero();
  make_rigid_motions_exact(body.rigid, body.rigid(split.kept, Eigen::all), shapes);
  for (int k = 0; k < n_kept; ++k) shapes.row(split.kept[static_cast<size_t>(k)]) = VectorX::Unit(n_kept, k);
  make_modes_of(body.matrices, N);
  MatrixX basis(body.matrices.size(), n_kept + N.cols());
  basis << shapes, N;
  outcome.reduction = finish(body, kept, std::move(basis), modes.values.tail(n_modes));
  return outcome;
}

}  // namespace percuss
