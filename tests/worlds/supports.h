// What worlds of several tests have in common.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "worlds/world_scene.h"

namespace percuss::testing {

/// What things stand on.
struct Support {
  std::vector<std::string> obstacles, bodies;
  double top;  ///< [m]
  std::string name;
};
inline std::vector<Support> supports() {
  return {{{"{half_space: floor, material: stone}"}, {}, 0, "floor"},
          {{"{obstacle: table, shape: {box: [2, 2, 0.4]}, position: [0.1, 0.2, 0.8], material: stone}"},
           {},
           1,
           "table"},
          {{"{half_space: floor, material: stone}"},
           {rigid("slab", "{box: [0.9, 0.8, 0.2]}", {0.05, 0, 0.1})},
           0.2,
           "slab"}};
}

inline std::set<ContactId> closed_contacts(const Simulation& s) {
  std::set<ContactId> closed;
  for (const Contact& contact : s.contact_list().contacts)
    if (s.contact_status(contact.id) != ContactStatus::open) closed.insert(contact.id);
  return closed;
}
inline std::set<ContactId> listed_contacts(const Simulation& s) {
  std::set<ContactId> listed;
  for (const Contact& contact : s.contact_list().contacts) listed.insert(contact.id);
  return listed;
}

/// Runs to the end; in each step there must be the same contacts.
inline void run_with_the_same_contacts(Simulation& s, std::set<ContactId> (*contacts)(const Simulation&)) {
  std::set<ContactId> first;
  while (!s.finished()) {
    const StepReport report = s.step();
    ASSERT_EQ(report.status, SolveStatus::converged) << s.why_it_failed(report);
    if (first.empty()) first = contacts(s);
    ASSERT_EQ(contacts(s), first) << s.time();
  }
}

inline double weight_of(const Simulation& s, const std::string& body) {
  return 9.81 * s.assembly().system.bodies[static_cast<size_t>(s.body(body).index)].mass;
}

/// A run that goes on from one of its steps has the same bits.
inline void expect_resumes_change_no_bit(const auto& scene, std::int64_t every = 90) {
  Simulation through = scene.simulation(), resumed = scene.simulation();
  while (!through.finished()) {
    ASSERT_EQ(through.step().status, SolveStatus::converged);
    if (through.state().step % every != 0) continue;
    resumed = scene.simulation();
    resumed.restore(through.checkpoint());
  }
  while (!resumed.finished()) ASSERT_EQ(resumed.step().status, SolveStatus::converged);
  EXPECT_EQ(through.state().q, resumed.state().q);
  EXPECT_EQ(through.state().v, resumed.state().v);
  EXPECT_EQ(through.statistics().impacts, resumed.statistics().impacts);
}

}  // namespace percuss::testing
