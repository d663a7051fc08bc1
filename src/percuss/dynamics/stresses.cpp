#include "percuss/dynamics/stresses.h"

#include <algorithm>
#include <cmath>

namespace percuss {
namespace {

bool belongs(const FlexibleData& body, int node) {
  return node >= body.first_node && node < body.first_node + body.node_count();
}

/// Of a normal force and two bending moments, at the edge where all add up.
double edge_stress(const SectionProperties& section, double force, double moment, double second_moment) {
  return std::abs(force) / section.area + std::abs(moment) * section.edge / section.inertia +
         std::abs(second_moment) * section.second_edge / section.second_inertia;
}

/// Coordinates of all nodes of a reduced body in its frame.
VectorX recovered_places(const FlexibleData& body, const VectorX& q) {
  const Reduction& reduction = *body.reduction;
  VectorX places = reduction.of_all_nodes(q);
  const int d = reduction.dimension;
  for (int node = 0; node < body.node_count(); ++node)
    places.segment(node * d, d) += body.mesh->nodes[static_cast<size_t>(node)].head(d);
  return places;
}

void gather_nodes(const SolidGroup& group, int e, const VectorX& places, double* x) {
  const int nodes = group.nodes_per_element(), d = group.dofs_per_element() / nodes;
  for (int a = 0; a < nodes; ++a)
    for (int axis = 0; axis < d; ++axis) x[a * d + axis] = places[group.nodes(e)[a] * d + axis];
}

/// Of bending at both ends of the elements of a shaft; the larger counts.
void shaft_stresses(const System& system, const FlexibleData& body, const State& state,
                    std::vector<double>& stresses) {
  for (int i = 0; i + 1 < body.node_count(); ++i) {
    const auto& rest = body.mesh->nodes;
    const double l = (rest[static_cast<size_t>(i) + 1] - rest[static_cast<size_t>(i)]).norm();
    double largest = 0;
    for (const double end : {0.0, 1.0}) {
      Eigen::Vector2d curvature = Eigen::Vector2d::Zero();
      for (const int plane : {0, 1}) {
        const auto value = [&](int node, int coordinate) {
          const int dof = system.bodies[static_cast<size_t>(body.first_node + node)].dof[coordinate];
          return dof < 0 ? 0.0 : state.q[dof];
        };
        const int across = 1 + plane, turn = 5 - plane;
        const double sign = plane == 0 ? 1 : -1;
        curvature[plane] = (12 * end - 6) / (l * l) * (value(i, across) - value(i + 1, across)) +
                           sign * ((6 * end - 4) * value(i, turn) + (6 * end - 2) * value(i + 1, turn)) / l;
      }
      largest = std::max(largest, curvature.norm());
    }
    stresses.push_back(body.young * body.section.edge * largest);
  }
}

}  // namespace

void element_stresses(const System& system, const FlexibleData& body, const State& state,
                      std::vector<double>& stresses) {
  stresses.clear();
  for (const auto& beam : system.planar_beams) {
    if (!belongs(body, beam.node[0])) continue;
    const Vector3 n = beam.section_forces(beam.strain(beam.gather(state.q)), beam.velocity(state.v));
    stresses.push_back(edge_stress(body.section, n[0], n[2], 0));
  }
  for (const auto& beam : system.spatial_beams) {
    if (!belongs(body, beam.node[0])) continue;
    const auto n = beam.section_forces(beam.gather(system.bodies, state.q, state.v));
    stresses.push_back(edge_stress(body.section, n[0], n[5], n[4]));
  }
  for (const auto& set : system.solids) {
    if (&system.flexibles[static_cast<size_t>(set.flexible)] != &body) continue;
    double x[SolidSet::max_dofs];
    const VectorX places = body.reduction ? recovered_places(body, state.q) : VectorX();
    for (int e = 0; e < set.group.element_count(); ++e) {
      if (body.reduction)
        gather_nodes(set.group, e, places, x);
      else
        set.gather(e, state.q, x);
      stresses.push_back(von_mises(set.group.cauchy_stress(e, x)));
    }
  }
  if (system.bodies[static_cast<size_t>(body.first_node)].kind == BodyKind::shaft)
    shaft_stresses(system, body, state, stresses);
  if (!stresses.empty()) return;
  for (int i = 0; i + 1 < body.node_count(); ++i) {  // a bar
    const auto place = [&](int node) {
      const BodyData& data = system.bodies[static_cast<size_t>(body.first_node + node)];
      Vector3 x = data.start;
      for (int axis = 0; axis < 3; ++axis)
        if (data.dof[axis] >= 0) x[axis] = state.q[data.dof[axis]];
      return x;
    };
    const auto& rest = body.mesh->nodes;
    const double length = (rest[static_cast<size_t>(i) + 1] - rest[static_cast<size_t>(i)]).norm();
    stresses.push_back(body.young * std::abs((place(i + 1) - place(i)).norm() / length - 1));
  }
}

std::vector<double> element_stresses(const System& system, const FlexibleData& body, const State& state) {
  std::vector<double> stresses;
  element_stresses(system, body, state, stresses);
  return stresses;
}

}  // namespace percuss
