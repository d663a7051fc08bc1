#include "percuss/integrators/one_step/compliance.h"

#include <algorithm>

#include "percuss/math/columns.h"
#include "percuss/math/wide.h"

namespace percuss {

namespace {

constexpr long smallest_fill = 5'000;  ///< below it columns cost less than products with a compliance
constexpr size_t most_coordinates = 2'000;
constexpr long most_responses = 2'000'000;  ///< entries that are kept

}  // namespace

Compliance::Compliance(const Assembly& assembly, const SparseLdlt& factor) {
  halfway_.setZero(factor.size());
  const System& system = assembly.system;
  const ContactList& contacts = assembly.interactions.declared;
  if (!system.has_constant_matrices() || system.constraint_count() > 0 || assembly.interactions.is_constant ||
      assembly.interactions.things || factor.fill() < smallest_fill)
    return;
  number_.assign(static_cast<size_t>(system.dof_count()), -1);
  for (const int dof : contacts.dof) include(dof);
  for (const ContactSurface& surface : assembly.interactions.surfaces)
    for (const int node : surface.nodes)
      for (const int dof : system.bodies[static_cast<size_t>(node)].dof) include(dof);
  if (dofs_.size() > most_coordinates) dofs_.clear();
  if (!is_used()) return;
  contacts_.reserve(contacts.contacts.size());
  segments_.reserve(contacts.dof.size());
  place_.reserve(contacts.dof.size());
  entry_.reserve(lanes * contacts.dof.size());
  list_components(factor);
  if (!assembly.steps_vary) list_dense_components(factor);  // otherwise computed for every step size
  if (assembly.steps_vary) has_responses_ = false;
}

/// Of bodies that are reduced, where L has no zeros: a product with A^-1 then costs less than two with L.
void Compliance::list_dense_components(const SparseLdlt& factor) {
  constexpr double most_entries = 1.2;  // of A^-1 for one of L
  double entries = 0;
  for (int first = 0; first < factor.size();) {
    int end = first;
    while (end < factor.size() && factor.component(end) == factor.component(first)) ++end;
    inverse_.push_back({first, end - first, {}});
    entries += 0.5 * (end - first) * (end - first + 1);
    first = end;
  }
  std::vector<int> components;
  for (const InverseBlock& block : inverse_) components.push_back(factor.component(block.first));
  std::ranges::sort(components);
  const bool are_contiguous = std::ranges::adjacent_find(components) == components.end();
  if (!are_contiguous || entries > most_entries * static_cast<double>(factor.fill() + factor.size()))
    inverse_.clear();
}

void Compliance::include(int dof) {
  if (dof < 0 || number_[static_cast<size_t>(dof)] >= 0) return;
  number_[static_cast<size_t>(dof)] = static_cast<int>(dofs_.size());
  dofs_.push_back(dof);
}

void Compliance::list_components(const SparseLdlt& factor) {
  std::ranges::stable_sort(dofs_, {}, [&](int dof) { return factor.component(dof); });
  for (size_t i = 0; i < dofs_.size(); ++i) {
    number_[static_cast<size_t>(dofs_[i])] = static_cast<int>(i);
    if (i == 0 || factor.component(dofs_[i]) != factor.component(dofs_[i - 1]))
      components_.emplace_back().first = static_cast<Eigen::Index>(i);
    component_.push_back(static_cast<int>(components_.size()) - 1);
  }
  const auto count = static_cast<Eigen::Index>(dofs_.size());
  for (size_t k = 0; k < components_.size(); ++k) {
    const Eigen::Index end = k + 1 < components_.size() ? components_[k + 1].first : count;
    components_[k].values.setZero(end - components_[k].first, end - components_[k].first);
    components_[k].expected.reserve(static_cast<size_t>(end - components_[k].first + 1) / 2);
  }
  is_expected_.assign(dofs_.size(), 0);
  t_.assign(lanes * dofs_.size(), 0.0);
  filled_.reserve(components_.size());

  std::vector<int> component_at(static_cast<size_t>(factor.size()),
                                -1);  // by the factor's numbers of components
  for (size_t k = 0; k < components_.size(); ++k)
    component_at[static_cast<size_t>(factor.component(dofs_[static_cast<size_t>(components_[k].first)]))] =
        static_cast<int>(k);
  for (int dof = 0; dof < factor.size(); ++dof)
    if (const int k = component_at[static_cast<size_t>(factor.component(dof))]; k >= 0)
      components_[static_cast<size_t>(k)].members.push_back(dof);
  long entries = 0, longest = 0;
  for (Component& component : components_) {
    entries += std::ssize(component.members) * component.values.cols();
    longest = std::max(longest, static_cast<long>(component.members.size()));
    component.is_contiguous =
        component.members.back() - component.members.front() + 1 == std::ssize(component.members);
  }
  has_responses_ = entries <= most_responses;
  force_.reserve(dofs_.size());
  acting_.reserve(dofs_.size());
  response_.setZero(longest);
}

void Compliance::update(const SparseLdlt& factor) {
  if (version_ == factor.version()) return;
  version_ = factor.version();
  for (Component& component : components_) component.values.setZero();
  if (factor.blocks())
    compute_by_blocks(factor);
  else
    compute_by_rows(factor);
  if (has_responses_) compute_responses(factor);
  compute_inverse(factor);
}

void Compliance::compute_inverse(const SparseLdlt& factor) {
  VectorX unit = VectorX::Zero(factor.size()), x(factor.size());
  for (InverseBlock& block : inverse_) {
    MatrixX values(block.size, block.size);
    for (int j = 0; j < block.size; ++j) {
      solve_by_factors(factor, unit, block.first + j, x);
      values.col(j) = x.segment(block.first, block.size);
    }
    block.values = DenseSymmetric(values);
  }
}

void Compliance::add_inverse_product(const VectorX& b, VectorX& x) const {
  for (const InverseBlock& block : inverse_)
    block.values.add(1, b.data() + block.first, x.data() + block.first);
}

void Compliance::solve(const SparseLdlt& factor, const VectorX& b, VectorX& x) {
  if (inverse_.empty()) {
    factor.forward(b, halfway_);
    factor.backward(halfway_, x);
    return;
  }
  update(factor);
  x.setZero();
  add_inverse_product(b, x);
}

/// x = A^-1 e_i; `unit` is zero before and after.
void Compliance::solve_by_factors(const SparseLdlt& factor, VectorX& unit, int i, VectorX& x) {
  unit[i] = 1;
  factor.forward(unit, halfway_);
  factor.backward(halfway_, x);
  unit[i] = 0;
}

void Compliance::compute_responses(const SparseLdlt& factor) {
  VectorX unit = VectorX::Zero(factor.size()), x(factor.size());
  for (Component& component : components_) {
    component.responses.resize(std::ssize(component.members), component.values.cols());
    for (Eigen::Index a = 0; a < component.values.cols(); ++a) {
      const int dof = dofs_[static_cast<size_t>(component.first + a)];
      solve_by_factors(factor, unit, dof, x);
      component.responses.col(a) = x(component.members);
    }
  }
}

void Compliance::add_response(const VectorX& force, VectorX& x) {
  for (const Component& component : components_) {
    acting_.clear();
    force_.clear();
    for (int a = 0; a < component.values.cols(); ++a) {
      const double f = force[dofs_[static_cast<size_t>(component.first + a)]];
      if (f == 0) continue;
      acting_.push_back(a);
      force_.push_back(f);
    }
    if (acting_.empty()) continue;
    if (component.is_contiguous) {
      add_columns(component.responses, acting_, force_.data(), x.data() + component.members.front());
      continue;
    }
    const Eigen::Index count = std::ssize(component.members);
    response_.head(count).setZero();
    add_columns(component.responses, acting_, force_.data(), response_.data());
    for (Eigen::Index i = 0; i < count; ++i) x[component.members[static_cast<size_t>(i)]] += response_[i];
  }
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
  for (Component& component : components_) {
    std::vector<SparseVector> columns(static_cast<size_t>(component.values.cols()));
    for (size_t a = 0; a < columns.size(); ++a)
      factor.forward_sparse(&dofs_[static_cast<size_t>(component.first) + a], &one, 1, columns[a], work);
    for (size_t a = 0; a < columns.size(); ++a) {
      for (size_t p = 0; p < columns[a].index.size(); ++p)
        dense[columns[a].index[p]] = columns[a].value[p] / factor.pivot(columns[a].index[p]);
      for (size_t b = 0; b < columns.size(); ++b) {
        double sum = 0;
        for (size_t p = 0; p < columns[b].index.size(); ++p)
          sum += columns[b].value[p] * dense[columns[b].index[p]];
        component.values(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) = sum;
      }
      for (const int index : columns[a].index) dense[index] = 0;
    }
  }
}

}  // namespace percuss
