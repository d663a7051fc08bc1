#include "percuss/integrators/one_step/compliance.h"

#include <algorithm>

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
  std::ranges::stable_sort(dofs_, {}, [&](int dof) { return factor.tree(dof); });
  for (size_t i = 0; i < dofs_.size(); ++i) {
    number_[static_cast<size_t>(dofs_[i])] = static_cast<int>(i);
    if (i == 0 || factor.tree(dofs_[i]) != factor.tree(dofs_[i - 1]))
      trees_.push_back({static_cast<Eigen::Index>(i), {}});
    tree_.push_back(static_cast<int>(trees_.size()) - 1);
  }
  const auto count = static_cast<Eigen::Index>(dofs_.size());
  for (size_t k = 0; k < trees_.size(); ++k) {
    const Eigen::Index end = k + 1 < trees_.size() ? trees_[k + 1].first : count;
    trees_[k].values.setZero(end - trees_[k].first, end - trees_[k].first);
  }
  t_.setZero(count, 3);
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
        entry(columns[a], columns[b]) += value;
        if (a != b) entry(columns[b], columns[a]) += value;
      }
  });
}

void Compliance::compute_by_rows(const SparseLdlt& factor) {
  auto work = factor.make_forward_work();
  VectorX dense = VectorX::Zero(factor.size());
  constexpr double one = 1;
  for (Tree& tree : trees_) {
    std::vector<SparseVector> columns(static_cast<size_t>(tree.values.cols()));
    for (size_t a = 0; a < columns.size(); ++a)
      factor.forward_sparse(&dofs_[static_cast<size_t>(tree.first) + a], &one, 1, columns[a], work);
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

void Compliance::multiply(const Directions& contact) {
  for (const int k : filled_) {
    const Tree& tree = trees_[static_cast<size_t>(k)];
    t_.middleRows(tree.first, tree.values.rows()).setZero();
  }
  filled_.clear();
  for (int i = 0; i < contact.count; ++i) {
    const int number = number_[static_cast<size_t>(contact.dofs[i])];
    const int k = tree_[static_cast<size_t>(number)];
    if (std::find(filled_.begin(), filled_.end(), k) == filled_.end()) filled_.push_back(k);
    const Tree& tree = trees_[static_cast<size_t>(k)];
    for (int row = 0; row < contact.rows; ++row) {
      const double entry = contact.entries[row * contact.count + i];
      if (entry != 0)
        t_.col(row).segment(tree.first, tree.values.rows()) += entry * tree.values.col(number - tree.first);
    }
  }
}

void Compliance::dot(const Directions& contact, double products[9]) const {
  std::fill_n(products, 9, 0.0);
  for (int i = 0; i < contact.count; ++i) {
    const int number = number_[static_cast<size_t>(contact.dofs[i])];
    const double t[3] = {t_(number, 0), t_(number, 1), t_(number, 2)};
    for (int b = 0; b < contact.rows; ++b) {
      const double entry = contact.entries[b * contact.count + i];
      for (int a = 0; a < 3; ++a) products[3 * a + b] += entry * t[a];
    }
  }
}

}  // namespace percuss
