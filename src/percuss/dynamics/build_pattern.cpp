#include <algorithm>

#include "percuss/dynamics/build.h"

namespace percuss {
namespace {

/// Visits the dense blocks of the tangents in the order in which forces.cpp fills them.
template <class Visit>
void for_each_block(System& system, Visit&& visit) {
  for (const auto& spring : system.axis_springs)
    visit(system.axis_slots, std::vector<int>(spring.dof.begin(), spring.dof.begin() + spring.count));
  for (const auto& spring : system.distance_springs) {
    std::vector<int> dofs;
    for (const Attached* end : {&spring.to, &spring.from}) {
      if (end->body < 0 || system.bodies[end->body].kind == BodyKind::frame) continue;
      const BodyData& body = system.bodies[end->body];
      dofs.insert(dofs.end(), body.dof.begin(), body.dof.begin() + body.slot_count());
    }
    visit(system.distance_slots, dofs);
  }
  for (const auto& spring : system.coordinate_springs)
    visit(system.coordinate_slots, spring.functions[0].dof);
  for (const int b : system.rotating_bodies) {
    const auto& dof = system.bodies[b].dof;
    visit(system.gyroscopic_slots, std::vector<int>{dof[3], dof[4], dof[5]});
  }
  for (const auto& load : system.loads.attached) {
    const BodyData& body = system.bodies[load.point.body];
    visit(system.load_slots, std::vector<int>(body.dof.begin(), body.dof.begin() + body.slot_count()));
  }
  for (const auto& load : system.loads.coordinate) visit(system.load_slots, load.function.dof);
  for (const auto& beam : system.planar_beams)
    visit(system.planar_beam_slots, std::vector<int>(beam.dof.begin(), beam.dof.end()));
  for (const auto& beam : system.spatial_beams)
    visit(system.spatial_beam_slots, std::vector<int>(beam.dof.begin(), beam.dof.end()));
  for (const auto& coupling : system.spin_couplings)
    visit(system.spin_slots, std::vector<int>(coupling.dof.begin(), coupling.dof.begin() + coupling.dofs()));
  for (const auto& block : system.mass_blocks) visit(system.mass_block_slots, block.dof);
  for (const auto& dofs : system.user_dofs) visit(system.user_slots, dofs);
}

}  // namespace

void build_pattern(System& system) {
  const int n = system.dof_count();
  for (const auto& user : system.user_systems) {
    auto& dofs = system.user_dofs.emplace_back();
    for (int i = 0; i < user.size; ++i) dofs.push_back(user.first + i);
  }
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(n);
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 0.0);
  for_each_block(system, [&](std::vector<BlockSlots>&, const std::vector<int>& dofs) {
    for (const int i : dofs)
      for (const int j : dofs)
        if (j >= 0 && i >= j) entries.emplace_back(i, j, 0.0);
  });
  for (const auto& set : system.solids)
    for (int e = 0; e < set.group.element_count() && !set.group.is_linear(); ++e)
      for (int i = 0; i < set.dofs(); ++i)
        for (int j = 0; j < set.dofs(); ++j) {
          const int row = set.dofs_of(e)[i], column = set.dofs_of(e)[j];
          if (column >= 0 && row >= column) entries.emplace_back(row, column, 0.0);
        }
  ConstantMatrices& constant = system.constant;
  for (auto* part : {&constant.mass, &constant.stiffness, &constant.damping})
    for (int j = 0; j < part->matrix.outerSize(); ++j)
      for (SparseMatrix::InnerIterator it(part->matrix, j); it; ++it) entries.emplace_back(it.row(), j, 0.0);
  system.pattern.resize(n, n);
  system.pattern.setFromTriplets(entries.begin(), entries.end());
  system.pattern.makeCompressed();

  for (auto* part : {&constant.mass, &constant.stiffness, &constant.damping})
    for (int j = 0; j < part->matrix.outerSize(); ++j)
      for (SparseMatrix::InnerIterator it(part->matrix, j); it; ++it)
        part->slot.push_back(entry_of(system.pattern, static_cast<int>(it.row()), j));
  for (auto& set : system.solids) {
    if (set.group.is_linear()) continue;
    set.slot.reserve(set.dof.size() * static_cast<size_t>(set.dofs()));
    for (int e = 0; e < set.group.element_count(); ++e)
      for (int i = 0; i < set.dofs(); ++i)
        for (int j = 0; j < set.dofs(); ++j) {
          const int row = set.dofs_of(e)[i], column = set.dofs_of(e)[j];
          set.slot.push_back(column < 0 || row < column ? -1 : entry_of(system.pattern, row, column));
        }
  }
  for (int i = 0; i < n; ++i) system.mass_slot.push_back(entry_of(system.pattern, i, i));
  for_each_block(system, [&](std::vector<BlockSlots>& list, const std::vector<int>& dofs) {
    auto& slots = list.emplace_back().slot;
    for (const int i : dofs)
      for (const int j : dofs) slots.push_back(j < 0 || i < j ? -1 : entry_of(system.pattern, i, j));
  });
}

}  // namespace percuss
