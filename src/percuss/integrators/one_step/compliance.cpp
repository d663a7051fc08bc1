#include "percuss/integrators/one_step/compliance.h"

#include <algorithm>
#include <unordered_map>

namespace percuss {

namespace {

constexpr long smallest_fill = 5'000;  ///< below it columns cost less than products with a compliance
constexpr size_t most_coordinates = 2'000;

}  // namespace

Compliance::Compliance(const Assembly& assembly, const SparseLdlt& factor) {
  const System& system = assembly.system;
  const ContactSet& contacts = assembly.contacts;
  if (!system.has_constant_matrices() || system.constraint_count() > 0 || contacts.is_constant ||
      factor.fill() < smallest_fill)
    return;
  number_.assign(static_cast<size_t>(system.dof_count()), -1);
  for (const int dof : contacts.dof) include(dof);
  for (const ContactSurface& surface : contacts.surfaces)
    for (const int node : surface.nodes)
      for (const int dof : system.bodies[static_cast<size_t>(node)].dof) include(dof);
  if (dofs_.size() > most_coordinates) dofs_.clear();
  if (is_used()) list_trees(factor);
}

void Compliance::include(int dof) {
  if (dof < 0 || number_[static_cast<size_t>(dof)] >= 0) return;
  number_[static_cast<size_t>(dof)] = static_cast<int>(dofs_.size());
  dofs_.push_back(dof);
}

void Compliance::list_trees(const SparseLdlt& factor) {
  tree_.resize(dofs_.size());
  place_.resize(dofs_.size());
  t_.assign(dofs_.size(), 0.0);
  std::unordered_map<int, int> known;
  for (size_t i = 0; i < dofs_.size(); ++i) {
    const auto [found, is_new] = known.emplace(factor.tree(dofs_[i]), static_cast<int>(trees_.size()));
    if (is_new) trees_.emplace_back();
    auto& members = trees_[static_cast<size_t>(found->second)].members;
    tree_[i] = found->second;
    place_[i] = static_cast<int>(members.size());
    members.push_back(static_cast<int>(i));
  }
  for (Tree& tree : trees_) {
    const auto size = static_cast<Eigen::Index>(tree.members.size());
    tree.values.setZero(size, size);
  }
  filled_.reserve(trees_.size());
}

void Compliance::update(const SparseLdlt& factor) {
  if (version_ == factor.version()) return;
  version_ = factor.version();
  for (Tree& tree : trees_) tree.values.setZero();
  if (factor.blocks())
    compute_by_blocks(factor);
  else
    compute_by_rows(factor);
}

void Compliance::compute_by_blocks(const SparseLdlt& factor) {
  blocks_.clear();
  constexpr double one = 1;
  for (const int dof : dofs_) blocks_.add(&dof, &one, 1);
  blocks_.eliminate(*factor.blocks());
  blocks_.for_each_gram([&](const int* columns, int count, const double* gram) {
    for (int a = 0; a < count; ++a)
      for (int b = a; b < count; ++b) {
        const double value =
            gram[static_cast<size_t>(a) * static_cast<size_t>(count) + static_cast<size_t>(b)];
        const int tree = tree_[static_cast<size_t>(columns[a])];
        entry(tree, columns[a], columns[b]) += value;
        if (a != b) entry(tree, columns[b], columns[a]) += value;
      }
  });
}

void Compliance::compute_by_rows(const SparseLdlt& factor) {
  auto work = factor.make_forward_work();
  VectorX dense = VectorX::Zero(factor.size());
  constexpr double one = 1;
  for (size_t k = 0; k < trees_.size(); ++k) {
    Tree& tree = trees_[k];
    std::vector<SparseVector> columns(tree.members.size());
    for (size_t a = 0; a < columns.size(); ++a)
      factor.forward_sparse(&dofs_[static_cast<size_t>(tree.members[a])], &one, 1, columns[a], work);
    for (size_t a = 0; a < columns.size(); ++a) {
      for (size_t p = 0; p < columns[a].index.size(); ++p)
        dense[columns[a].index[p]] = columns[a].value[p] / factor.pivot(columns[a].index[p]);
      for (size_t b = 0; b < columns.size(); ++b) {
        double sum = 0;
        for (size_t p = 0; p < columns[b].index.size(); ++p)
          sum += columns[b].value[p] * dense[columns[b].index[p]];
        tree.values(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) = sum;
      }
      for (const int index : columns[a].index) dense[index] = 0;
    }
  }
}

void Compliance::multiply(const int* dofs, const double* values, int count) {
  for (const int k : filled_)
    for (const int member : trees_[static_cast<size_t>(k)].members) t_[static_cast<size_t>(member)] = 0;
  filled_.clear();
  for (int i = 0; i < count; ++i) {
    if (values[i] == 0) continue;
    const auto number = static_cast<size_t>(number_[static_cast<size_t>(dofs[i])]);
    const int k = tree_[number];
    if (std::find(filled_.begin(), filled_.end(), k) == filled_.end()) filled_.push_back(k);
    const Tree& tree = trees_[static_cast<size_t>(k)];
    const double* column = tree.values.col(place_[number]).data();
    for (size_t m = 0; m < tree.members.size(); ++m)
      t_[static_cast<size_t>(tree.members[m])] += values[i] * column[m];
  }
}

}  // namespace percuss
