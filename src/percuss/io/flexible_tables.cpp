#include "percuss/io/flexible_tables.h"

#include <algorithm>

#include <fmt/format.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/dynamics/stresses.h"
#include "percuss/io/hdf5_writer.h"

namespace percuss {
namespace {

void make_mesh_datasets(const SeriesMaker& make, const Mesh& mesh) {
  std::vector<double> nodes;
  for (const Vector3& node : mesh.nodes) nodes.insert(nodes.end(), node.begin(), node.end());
  make.file.make_matrix(make.group + "nodes", nodes, 3);
  make.file.attach(make.group + "nodes", "unit", "m");
  std::vector<std::string> shapes;
  for (const CellBlock& block : mesh.blocks) {
    const std::vector<std::int32_t> cells(block.nodes.begin(), block.nodes.end());
    make.file.make_matrix(fmt::format("{}cells{}", make.group, shapes.size()), cells,
                          node_count(block.shape));
    shapes.emplace_back(name_of(block.shape));
  }
  make.file.make_strings(make.group + "blocks", shapes);
}

/// The reaction acts at the point `b`. What touches a surface between nodes has none.
bool has_second_point(ContactKind kind) {
  return kind == ContactKind::plane || kind == ContactKind::spheres || kind == ContactKind::pin_in_hole ||
         kind == ContactKind::convex;
}

void append_row(const std::vector<Vector3>& vectors, Hdf5Series& series) {
  static_assert(sizeof(Vector3) == 3 * sizeof(double));
  series.append(vectors.data(), std::ssize(vectors));
}

}  // namespace

std::string flexible_group(const std::string& body) { return fmt::format("/flexible/{}/", body); }

FlexibleTables::FlexibleTables(const SeriesMaker& make, const FlexibleData& body, int index)
    : index_(index),
      first_node_(body.first_node),
      node_count_(body.node_count()),
      displacement_(make.node_vectors("displacement", node_count_, "m")),
      velocity_(make.node_vectors("velocity", node_count_, "m/s")),
      contact_force_(make.node_vectors("contact_force", node_count_, "N")),
      stress_(make.vectors("stress", static_cast<std::size_t>(body.mesh->cell_count()), "Pa")) {
  make_mesh_datasets(make, *body.mesh);
  for (auto* vectors : {&displacements_, &velocities_, &forces_})
    vectors->assign(static_cast<std::size_t>(node_count_), Vector3::Zero());
}

void FlexibleTables::add_force(const Contact& contact, const ContactReport& report) {
  const Vector3 &N = report.view.normal, &T1 = report.view.tangent;
  const Vector3 force = report.force[0] * N + report.force[1] * T1 + report.force[2] * N.cross(T1);
  if (contact.next_a < 0) add_force(contact.a.body, force);  // otherwise between two nodes
  if (has_second_point(contact.kind)) add_force(contact.b.body, -force);
}

void FlexibleTables::add_force(int body, const Vector3& force) {
  if (body < first_node_ || body >= first_node_ + node_count_) return;
  forces_[static_cast<std::size_t>(body - first_node_)] += force;
}

void FlexibleTables::append(const Simulation& simulation) {
  const System& system = simulation.assembly().system;
  const FlexibleData& flexible = system.flexibles[static_cast<std::size_t>(index_)];
  const State& state = simulation.state();
  place_all_nodes(system, flexible, state, displacements_, velocities_);
  for (std::size_t node = 0; node < displacements_.size(); ++node)
    displacements_[node] -= flexible.mesh->nodes[node];
  append_row(displacements_, displacement_);
  append_row(velocities_, velocity_);
  append_row(forces_, contact_force_);
  std::ranges::fill(forces_, Vector3::Zero());
  element_stresses(system, flexible, state, stresses_);
  stress_.append(stresses_.data(), std::ssize(stresses_));
}

}  // namespace percuss
