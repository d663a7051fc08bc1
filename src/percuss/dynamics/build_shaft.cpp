#include <algorithm>

#include <fmt/format.h>

#include "percuss/dynamics/build.h"
#include "percuss/dynamics/coordinate_list.h"

/// Nodes and elements of shafts.  docs/theory/shaft.md
namespace percuss {
namespace {

/// What the elements are made of, one after the other.
std::vector<ShaftPiece> shaft_pieces(const Model& model, const Shaft& shaft, const Mesh& mesh) {
  const Material& material = *find_named(model.materials, shaft.material);
  const SectionProperties section = properties_of(shaft.section);
  const double shear_modulus = *material.young / (2 * (1 + material.poisson));
  std::vector<ShaftPiece> pieces;
  for (size_t i = 0; i + 1 < mesh.nodes.size(); ++i)
    pieces.push_back({.length = (mesh.nodes[i + 1] - mesh.nodes[i]).norm(),
                      .line_mass = *material.density * section.area,
                      .line_inertia = *material.density * section.inertia,
                      .bending_stiffness = *material.young * section.inertia,
                      .torsion_stiffness = shear_modulus * section.torsion});
  return pieces;
}

/// Diagonal entries of M of a node, and its share of the weight.
struct ShaftNodeMass {
  double share = 0, deflection = 0;  ///< [kg]
  double transverse = 0, polar = 0;  ///< [kg m^2]
  double weight_arm = 0;             ///< moment of the weight on the slope per g [kg m]

  void add_mass(double mass) {
    share += mass;
    deflection += mass;
  }
  void add_half(const ShaftPiece& piece, int end) {
    const BendingMatrices bending = bending_matrices(piece);
    share += piece.line_mass * bending.weight[2 * end];
    weight_arm += piece.line_mass * bending.weight[2 * end + 1];
    deflection += bending.M(2 * end, 2 * end);
    transverse += bending.M(2 * end + 1, 2 * end + 1);
    polar += 2 * piece.line_inertia * piece.length / 3;
  }
};

std::vector<ShaftNodeMass> node_masses(const Model& model, const Shaft& shaft, const Mesh& mesh) {
  std::vector<ShaftNodeMass> nodes(mesh.nodes.size());
  const auto pieces = shaft_pieces(model, shaft, mesh);
  for (size_t e = 0; e < pieces.size(); ++e)
    for (size_t end = 0; end < 2; ++end) nodes[e + end].add_half(pieces[e], static_cast<int>(end));
  for (const auto& [name, mass] : shaft.masses)
    for (const int node : find_nodes(shaft, mesh, name)) nodes[static_cast<size_t>(node)].add_mass(mass);
  for (const auto& [name, disc] : shaft.discs)
    for (const int node : find_nodes(shaft, mesh, name)) {
      ShaftNodeMass& carrier = nodes[static_cast<size_t>(node)];
      carrier.add_mass(disc.mass);
      carrier.polar += disc.polar;
      carrier.transverse += disc.transverse_inertia();
    }
  return nodes;
}

/// Whether `held` keeps a node from moving along a direction across the shaft.
bool is_held(const Shaft& shaft, const Mesh& mesh, int node, const Vector3& direction) {
  int axis = 0;
  direction.cwiseAbs().maxCoeff(&axis);
  return std::any_of(shaft.held.begin(), shaft.held.end(), [&](const auto& held) {
    const auto nodes = find_nodes(shaft, mesh, held.first);
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end() && moves_along(held.second, axis);
  });
}

int shaft_dof(const System& system, int body, int coordinate) {
  return system.bodies[static_cast<size_t>(body)].dof[static_cast<size_t>(coordinate)];
}

void add_entry(std::vector<Eigen::Triplet<double>>& entries, int i, int j, double value) {
  if (i >= 0 && j >= 0) entries.emplace_back(std::max(i, j), std::min(i, j), value);
}

/// Bending in two planes, torsion, and what couples the planes when the shaft spins (SH-3 to SH-5).
void add_piece(const Shaft& shaft, const ShaftPiece& piece, int first, System& system,
               ConstantEntries& entries) {
  const auto dof = [&](int end, int coordinate) { return shaft_dof(system, first + end, coordinate); };
  const BendingMatrices bending = bending_matrices(piece);
  // Deflections along the second axis go with rotations about the third, and along the third with rotations
  // about the second, which are slopes of the opposite sign.
  const std::array<int, 4> planes[2] = {{dof(0, 1), dof(0, 5), dof(1, 1), dof(1, 5)},
                                        {dof(0, 2), dof(0, 4), dof(1, 2), dof(1, 4)}};
  for (size_t plane = 0; plane < 2; ++plane)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j <= i; ++j) {
        const int row = planes[plane][static_cast<size_t>(i)], column = planes[plane][static_cast<size_t>(j)];
        const double sign = plane == 1 && (i + j) % 2 == 1 ? -1 : 1;
        add_entry(entries.stiffness, row, column, sign * bending.K(i, j));
        if (i != j) add_entry(entries.mass, row, column, sign * bending.M(i, j));
        if (shaft.damping.mass > 0)
          add_entry(entries.damping, row, column, sign * shaft.damping.mass * bending.M(i, j));
      }
  add_entry(entries.mass, dof(0, 3), dof(1, 3), 2 * piece.line_inertia * piece.length / 6);
  const double torsion = piece.torsion_stiffness / piece.length;
  const double viscosity = shaft.torsional_damping * shaft.length() / piece.length;
  for (const auto& [i, j, sign] : {std::tuple(0, 0, 1), std::tuple(1, 1, 1), std::tuple(0, 1, -1)}) {
    add_entry(entries.stiffness, dof(i, 3), dof(j, 3), sign * torsion);
    if (viscosity > 0) add_entry(entries.damping, dof(i, 3), dof(j, 3), sign * viscosity);
  }
  SpinCoupling coupling = spin_coupling_of_element(piece);
  std::copy(planes[0].begin(), planes[0].end(), coupling.dof.begin());
  std::copy(planes[1].begin(), planes[1].end(), coupling.dof.begin() + 4);
  coupling.dof[8] = dof(0, 3);
  coupling.dof[9] = dof(1, 3);
  system.spin_couplings.push_back(coupling);
}

}  // namespace

void add_shaft_nodes(const Model& model, const Shaft& shaft, System& system, CoordinateList& list) {
  FlexibleData& flexible = system.flexibles.back();
  flexible.section = properties_of(shaft.section);
  const Mesh& mesh = *flexible.mesh;
  const auto masses = node_masses(model, shaft, mesh);
  const Matrix3 axes = shaft_axes(shaft);
  const Vector3 middle = 0.5 * (shaft.from + shaft.to), omega = axes.transpose() * shaft.angular_velocity,
                gravity = axes.transpose() * model.gravity;
  BodyData& whole = system.bodies[static_cast<size_t>(flexible.body)];
  whole.start = middle;
  whole.mass = 0;
  for (const auto& node : masses) whole.mass += node.share;
  for (size_t i = 0; i < masses.size(); ++i) {
    const ShaftNodeMass& mass = masses[i];
    BodyData body;
    body.name = fmt::format("{}.{}", shaft.name, i);
    body.kind = BodyKind::shaft;
    body.start = mesh.nodes[i];
    body.axes = axes;
    body.mass = mass.share;
    body.inertia.diagonal() << mass.polar, mass.transverse, mass.transverse;
    const Vector3 velocity =
        axes.transpose() * (shaft.velocity + shaft.angular_velocity.cross(mesh.nodes[i] - middle));
    for (const int coordinate : {1, 2})
      if (!is_held(shaft, mesh, static_cast<int>(i), axes.col(coordinate)))
        body.dof[static_cast<size_t>(coordinate)] =
            list.add(mass.deflection, 0, velocity[coordinate], mass.share * gravity[coordinate]);
    body.dof[3] = list.add(mass.polar, 0, omega[0]);
    body.dof[4] = list.add(mass.transverse, 0, omega[1], -mass.weight_arm * gravity[2]);
    body.dof[5] = list.add(mass.transverse, 0, omega[2], mass.weight_arm * gravity[1]);
    for (const auto& [name, place] : shaft.points)
      if (find_nodes(shaft, mesh, name).front() == static_cast<int>(i))
        body.points.emplace_back(name, axes.transpose() * (place - mesh.nodes[i]));
    list.finish(std::move(body));
  }
}

void add_shaft_elements(const Model& model, const Shaft& shaft, System& system, ConstantEntries entries) {
  const FlexibleData& data = *find_flexible(system, shaft.name);
  const auto pieces = shaft_pieces(model, shaft, *data.mesh);
  for (size_t e = 0; e < pieces.size(); ++e)
    add_piece(shaft, pieces[e], data.first_node + static_cast<int>(e), system, entries);
  for (const auto& [name, disc] : shaft.discs)
    for (const int node : data.nodes(name)) {
      if (disc.polar == 0) continue;
      SpinCoupling coupling = spin_coupling_of_disc(disc.polar);
      coupling.dof = {shaft_dof(system, node, 4), shaft_dof(system, node, 5), shaft_dof(system, node, 3)};
      system.spin_couplings.push_back(coupling);
    }
}

}  // namespace percuss
