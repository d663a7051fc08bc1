#include "percuss/dynamics/build.h"

namespace percuss {

void build_pattern(System& system) {
  const int n = system.dof_count();
  Pools& pools = system;
  for_each_pool(pools, [&](auto& pool) { pool.list_blocks(system.bodies); });
  for (const MassBlock& block : system.mass_blocks) system.mass_block_entries.add(block.dof);

  Blocks::Positions positions;
  positions.reserve(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) positions.emplace_back(i, i, 0.0);
  for_each_pool(pools, [&](const auto& pool) { pool.add_positions(positions); });
  system.mass_block_entries.add_positions(positions);
  system.pattern.resize(n, n);
  system.pattern.setFromTriplets(positions.begin(), positions.end());
  system.pattern.makeCompressed();

  for_each_pool(pools, [&](auto& pool) { pool.find_entries(system.pattern); });
  system.mass_block_entries.find_entries(system.pattern);
  for (int i = 0; i < n; ++i) system.mass_entry.push_back(entry_of(system.pattern, i, i));
}

void ask_pools(System& system) {
  System::PoolFacts& facts = system.facts;
  for_each_filled_pool(system, [&](const auto& pool) {
    facts.constant_tangents &= pool.has_constant_tangents(system.bodies);
    facts.dampers |= pool.has_dampers();
    facts.gyroscopic |= pool.is_gyroscopic();
    facts.poses |= pool.needs_poses();
  });
}

}  // namespace percuss
