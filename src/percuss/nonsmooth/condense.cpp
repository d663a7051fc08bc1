#include <algorithm>
#include <stdexcept>

#include "percuss/math/sparse_ldlt.h"
#include "percuss/nonsmooth/global_problem.h"

namespace percuss {
namespace {

SparseMatrix compressed(const SparseMatrix& A) {
  SparseMatrix copy = A;
  copy.makeCompressed();
  return copy;
}

void factorise_mass(const SparseMatrix& M, SparseLdlt& mass) {
  mass.analyse(M);
  if (!mass.factorise(M)) throw std::invalid_argument("GlobalProblem.M: not positive definite");
}

VectorX as_vector(const std::vector<double>& x) {
  return Eigen::Map<const VectorX>(x.data(), static_cast<Eigen::Index>(x.size()));
}

/// y_i = L^-1 P H_i, column after column: W_ij = y_i^T D^-1 y_j.  docs/theory/moreau.md (M-7)
struct HalfSolvedColumns {
  SparseVector y;
  std::vector<int> begin = {0};  ///< of a column among the entries

  HalfSolvedColumns(const SparseLdlt& mass, const SparseMatrix& H) {
    SparseLdlt::ForwardWork work = mass.make_forward_work();
    for (int i = 0; i < H.cols(); ++i) {
      const int first = H.outerIndexPtr()[i], count = H.outerIndexPtr()[i + 1] - first;
      mass.forward_sparse(H.innerIndexPtr() + first, H.valuePtr() + first, count, y, work);
      begin.push_back(static_cast<int>(y.index.size()));
    }
  }
};

/// Cones that touch a common component of M, itself among them, ascending: the blocks of W that are not zero.
class Neighbours {
 public:
  Neighbours(const std::vector<Cone>& cones, const SparseMatrix& H, const SparseLdlt& mass)
      : cones_of_component_(mass.size()) {
    int row = 0;
    for (int c = 0; c < static_cast<int>(cones.size()); ++c) {
      const int first = row;
      row += cones[c].rows();
      for (int k = H.outerIndexPtr()[first]; k < H.outerIndexPtr()[row]; ++k)
        components_.push_back(mass.component(H.innerIndexPtr()[k]));
      const auto own = components_.begin() + component_begin_.back();
      std::sort(own, components_.end());
      components_.erase(std::unique(own, components_.end()), components_.end());
      for (int t = component_begin_.back(); t < static_cast<int>(components_.size()); ++t)
        cones_of_component_[components_[t]].push_back(c);
      component_begin_.push_back(static_cast<int>(components_.size()));
    }
  }

  /// Blocks of W with zeros.
  void append_pattern(BlockMatrix& W) {
    for (int c = 0; c < W.cones(); ++c) {
      find(c);
      for (const int d : found_) W.append(d);
      W.end_cone();
    }
  }

 private:
  void find(int c) {
    found_.assign(1, c);
    for (int t = component_begin_[c]; t < component_begin_[c + 1]; ++t)
      found_.insert(found_.end(), cones_of_component_[components_[t]].begin(),
                    cones_of_component_[components_[t]].end());
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  }

  std::vector<int> component_begin_ = {0}, components_, found_;
  std::vector<std::vector<int>> cones_of_component_;
};

/// The blocks of the upper triangle, each stored twice.
void fill_delassus(const SparseLdlt& mass, const HalfSolvedColumns& columns, BlockMatrix& W) {
  const auto& [y, begin] = columns;
  std::vector<double> dense(mass.size(), 0.0);
  for (int c = 0; c < W.cones(); ++c)
    for (int i = 0; i < W.rows_of(c); ++i) {
      const int row = W.first_row(c) + i;
      for (int p = begin[row]; p < begin[row + 1]; ++p)
        dense[y.index[p]] = y.value[p] / mass.pivot(y.index[p]);
      for (int k = W.own(c); k < W.end(c); ++k) {
        const int d = W.other(k), width = W.rows_of(d);
        double* mirrored = W.block(W.find(d, c));
        for (int j = 0; j < width; ++j) {
          const int column = W.first_row(d) + j;
          double w = 0.0;
          for (int p = begin[column]; p < begin[column + 1]; ++p) w += y.value[p] * dense[y.index[p]];
          W.block(k)[i * width + j] = mirrored[j * W.rows_of(c) + i] = w;
        }
      }
      for (int p = begin[row]; p < begin[row + 1]; ++p) dense[y.index[p]] = 0.0;
    }
}

BlockMatrix form_delassus(const std::vector<Cone>& cones, const SparseMatrix& H, const SparseLdlt& mass,
                          const HalfSolvedColumns& columns) {
  BlockMatrix W;
  W.add_cones(cones);
  Neighbours(cones, H, mass).append_pattern(W);
  fill_delassus(mass, columns, W);
  return W;
}

}  // namespace

LocalProblem condense(const GlobalProblem& problem) {
  problem.validate();
  const SparseMatrix H = compressed(problem.H);
  SparseLdlt mass;
  factorise_mass(compressed(problem.M), mass);
  const HalfSolvedColumns columns(mass, H);
  LocalProblem local{form_delassus(problem.cones, H, mass, columns), problem.w, problem.cones};
  VectorX z(mass.size());
  mass.forward(as_vector(problem.f), z);
  for (int i = 0; i < problem.size(); ++i)
    for (int p = columns.begin[i]; p < columns.begin[i + 1]; ++p) {
      const int k = columns.y.index[p];
      local.u_free[i] += columns.y.value[p] * z[k] / mass.pivot(k);
    }
  return local;
}

MatrixFreeProblem::MatrixFreeProblem(const GlobalProblem& problem)
    : H_(compressed(problem.H)), cones_(problem.cones), u_free_(problem.w) {
  factorise_mass(compressed(problem.M), mass_);
  W_.emplace(H_, mass_, cones_);
  VectorX half(mass_.size()), v(mass_.size());
  mass_.forward(as_vector(problem.f), half);
  mass_.backward(half, v);
  Eigen::Map<VectorX>(u_free_.data(), std::ssize(u_free_)) += H_.transpose() * v;
}

LocalProblem MatrixFreeProblem::condensed() const {
  return {form_delassus(cones_, H_, mass_, HalfSolvedColumns(mass_, H_)), u_free_, cones_};
}

std::vector<double> velocities(const GlobalProblem& problem, const std::vector<double>& r) {
  SparseLdlt mass;
  factorise_mass(compressed(problem.M), mass);
  VectorX z(mass.size()), v(mass.size());
  mass.forward(problem.H * as_vector(r) + as_vector(problem.f), z);
  mass.backward(z, v);
  return {v.begin(), v.end()};
}

}  // namespace percuss
