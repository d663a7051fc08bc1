#include <map>

#include <fmt/format.h>

#include "percuss/dynamics/build.h"
#include "percuss/dynamics/coordinate_list.h"
#include "percuss/model/locking.h"

namespace percuss {
namespace {

/// What a node carries of the mass of its elements.
struct NodeMass {
  double share = 0;     ///< for weight and potential energy; their sum is the mass of the body [kg]
  double diagonal = 0;  ///< entry of M [kg]
  Vector3 rotary = Vector3::Zero();  ///< of beams: entries of M of the rotations [kg m^2]
};

const Material& material_of_flexible(const Model& model, const FlexibleBody& body) {
  return *find_named(model.materials, body.material);
}

/// Adds the nodes of one flexible body after the other.
class NodeBuilder {
 public:
  NodeBuilder(const Model& model, System& system, CoordinateList& list)
      : model_(model), system_(system), list_(list) {}

  void add(const Bar& bar) {
    const auto masses = line_masses(bar, bar.area, Vector3::Zero(), false);
    Translations free = bar.translations;
    if (bar.law == BarLaw::linear) {
      int axis = 0;
      (bar.to - bar.from).cwiseAbs().maxCoeff(&axis);
      free = axis == 0 ? Translations::x : axis == 1 ? Translations::y : Translations::z;
    }
    add_nodes(bar, masses, BodyKind::translating, free, Matrix3::Identity());
  }

  void add(const Beam& beam) {
    const SectionProperties section = properties_of(beam.section);
    const Vector3 rotary(section.inertia + section.second_inertia, section.second_inertia, section.inertia);
    const auto masses = line_masses(beam, section.area, rotary, beam.planar);
    system_.flexibles.back().section = section;
    add_nodes(beam, masses, beam.planar ? BodyKind::planar : BodyKind::spatial,
              beam.planar ? Translations::xy : Translations::xyz, section_axes(beam));
  }

  void add(const Shaft& shaft) {
    begin(shaft, mesh_of(shaft));
    add_shaft_nodes(model_, shaft, system_, list_);
  }

  void add(const Solid& solid) {
    const auto mesh = begin(solid, mesh_of(solid));
    const Material& material = material_of_flexible(model_, solid);
    std::vector<NodeMass> masses(mesh->nodes.size());
    for (const auto& block : mesh->blocks) {
      SolidOptions options;
      options.shape = solid_shape(block.shape);
      options.law = law_of(solid.formulation);
      options.plane = static_cast<PlaneState>(solid.plane);
      options.thickness = solid.thickness;
      options.young = *material.young;
      options.poisson = material.poisson;
      options.density = *material.density;
      options.viscosity = solid.damping.stiffness;
      options.incompatible_modes = has_incompatible_modes(solid, block.shape);
      SolidSet& set =
          system_.solids.elements.emplace_back(SolidSet{SolidGroup(options, block.nodes, mesh->nodes),
                                                        static_cast<int>(system_.flexibles.size()) - 1,
                                                        solid.formulation == SolidFormulation::floating,
                                                        {},
                                                        {}});
      add_masses(set.group, solid.mass_matrix, options.density, masses);
    }
    system_.flexibles.back().thickness = solid.thickness;
    for (auto& note : locking_notes(solid, *mesh, material)) locking_[std::move(note)].push_back(solid.name);
    const auto reduction = solid.reduction ? reduce_solid(model_, solid) : nullptr;
    system_.flexibles.back().reduction = reduction;
    const bool plane = mesh->dimension() == 2, floating = solid.formulation == SolidFormulation::floating;
    const int first = list_.count();
    add_nodes(solid, masses, floating ? BodyKind::floating : BodyKind::translating,
              plane ? Translations::xy : Translations::xyz, Matrix3::Identity());
    if (!floating) return;
    FloatingFrame& frame = system_.floating.emplace_back();
    frame.nodal = list_.count() - first;
    if (reduction) {
      reduction->first = first;
      for (int mode = 0; mode < reduction->size() - reduction->nodal(); ++mode) list_.add(1, 0, 0);
      frame.linear_momenta = reduction->linear_momenta;
    }
    frame.flexible = static_cast<int>(system_.flexibles.size()) - 1;
    frame.body = system_.flexibles.back().body;
    frame.first = first;
    frame.size = list_.count() - first;
    frame.dimension = plane ? 2 : 3;
    const bool is_full = solid.rotational_forces.value_or(RotationalForces::full) == RotationalForces::full;
    if (reduction && is_full)
      system_.notes.push_back(fmt::format(
          "'{}' is reduced: its rotational forces are those of the undeformed body (`rotational_forces: "
          "reduced`)",
          solid.name));
    if (reduction && solid.reduction->modes && reduction->values.size() > *solid.reduction->modes)
      system_.notes.push_back(
          fmt::format("'{}' has {} modes instead of {}: the last ones have one frequency, and only together "
                      "they are as symmetric as the body",
                      solid.name, reduction->values.size(), *solid.reduction->modes));
    frame.is_exact = is_full && !reduction;
    frame.asked_forces = solid.rotational_forces;
    frame.origin = system_.bodies[static_cast<size_t>(frame.body)].start;
  }

  template <class Other>
  void add(const Other&) {}

  /// One note for all solids with the same trouble.
  void note_locking() {
    for (const auto& [note, solids] : locking_) {
      const size_t others = solids.size() - 1;
      system_.notes.push_back(fmt::format(
          "'{}'{}: {}", solids[0],
          others > 0 ? fmt::format(" and {} other solid{}", others, others > 1 ? "s" : "") : "", note));
    }
  }

 private:
  static SolidLaw law_of(SolidFormulation formulation) {
    switch (formulation) {
      case SolidFormulation::st_venant_kirchhoff: return SolidLaw::st_venant_kirchhoff;
      case SolidFormulation::neo_hooke: return SolidLaw::neo_hooke;
      case SolidFormulation::small_strain:
      case SolidFormulation::floating: break;
    }
    return SolidLaw::small_strain;
  }
  static SolidShape solid_shape(CellShape shape) {
    switch (shape) {
      case CellShape::tet4: return SolidShape::tet4;
      case CellShape::tet10: return SolidShape::tet10;
      case CellShape::hex20: return SolidShape::hex20;
      case CellShape::tri3: return SolidShape::tri3;
      case CellShape::quad4: return SolidShape::quad4;
      default: return SolidShape::hex8;
    }
  }

  static void add_masses(const SolidGroup& group, MassMatrix kind, double density,
                         std::vector<NodeMass>& masses) {
    const int n = group.nodes_per_element();
    MatrixX consistent(n, n);
    VectorX lumped(n), weights(n);
    for (int e = 0; e < group.element_count(); ++e) {
      group.body_force_weights(e, weights.data());
      if (kind == MassMatrix::consistent) {
        group.consistent_mass(e, consistent);
        lumped = consistent.diagonal();
      } else {
        group.lumped_mass(e, lumped.data());
        weights = lumped / density;
      }
      for (int a = 0; a < n; ++a) {
        NodeMass& mass = masses[static_cast<size_t>(group.nodes(e)[a])];
        mass.share += density * weights[a];
        mass.diagonal += lumped[a];
      }
    }
  }

  /// Of bars and beams (B-10). The rotary inertia of spatial nodes is lumped always: their M would depend on
  /// the attitudes.
  std::vector<NodeMass> line_masses(const SlenderBody& body, double area, const Vector3& section,
                                    bool constant_rotary) {
    const auto mesh = begin(body, mesh_of(body));
    const double density = *material_of_flexible(model_, body).density;
    const double length = body.length() / body.elements;
    const bool consistent = body.mass_matrix == MassMatrix::consistent;
    std::vector<NodeMass> masses(mesh->nodes.size());
    for (size_t i = 0; i < masses.size(); ++i) {
      const int neighbours = i == 0 || i + 1 == masses.size() ? 1 : 2;
      const double line = density * length * neighbours;
      masses[i].share = line * area / 2;
      masses[i].diagonal = line * area / (consistent ? 3 : 2);
      masses[i].rotary = line * section / (consistent && constant_rotary ? 3 : 2);
    }
    return masses;
  }
  std::shared_ptr<const Mesh> begin(const FlexibleBody& body, std::shared_ptr<const Mesh> mesh) {
    system_.flexibles.push_back({body,
                                 system_.body_index.at(body.name),
                                 static_cast<int>(system_.bodies.size()),
                                 mesh,
                                 *material_of_flexible(model_, body).young,
                                 {},
                                 1});
    return mesh;
  }

  void add_nodes(const FlexibleBody& given, std::vector<NodeMass> masses, BodyKind kind, Translations free,
                 const Matrix3& axes) {
    const Mesh& mesh = *system_.flexibles.back().mesh;
    for (const auto& [name, mass] : given.masses)
      for (const int node : find_nodes(given, mesh, name)) {
        masses[static_cast<size_t>(node)].share += mass;
        masses[static_cast<size_t>(node)].diagonal += mass;
      }
    std::vector<std::array<bool, 3>> held(mesh.nodes.size(), {false, false, false});
    for (const auto& [name, directions] : given.held)
      for (const int node : find_nodes(given, mesh, name))
        for (int axis = 0; axis < 3; ++axis)
          if (moves_along(directions, axis))
            held[static_cast<size_t>(node)][static_cast<size_t>(axis)] = true;
    const auto& reduction = system_.flexibles.back().reduction;
    for (size_t i = 0; i < held.size() && reduction; ++i)
      if (!reduction->keeps(static_cast<int>(i))) held[i] = {true, true, true};
    Vector3 middle = Vector3::Zero();
    for (const auto& node : mesh.nodes) middle += node / static_cast<double>(mesh.nodes.size());
    if (kind == BodyKind::floating) middle = centre_of_mass(mesh, masses);
    double total = 0;
    for (size_t i = 0; i < mesh.nodes.size(); ++i) {
      BodyData body;
      body.name = fmt::format("{}.{}", given.name, i);
      body.kind = kind;
      body.start = mesh.nodes[i];
      if (reduction && held[i][0]) {
        body.reduction = reduction;
        body.node = static_cast<int>(i);
      }
      body.mass = masses[i].share;
      total += masses[i].share;
      const Vector3 velocity = given.velocity + given.angular_velocity.cross(mesh.nodes[i] - middle);
      for (int axis = 0; axis < 3; ++axis)
        if (moves_along(free, axis) && !held[i][static_cast<size_t>(axis)])
          body.dof[static_cast<size_t>(axis)] =
              kind == BodyKind::floating ? list_.add(masses[i].diagonal, 0, velocity[axis])
                                         : list_.add(masses[i].diagonal, mesh.nodes[i][axis], velocity[axis],
                                                     masses[i].share * model_.gravity[axis]);
      if (kind == BodyKind::planar) {
        body.inertia(2, 2) = masses[i].rotary[2];
        body.dof[5] = list_.add(masses[i].rotary[2], 0, given.angular_velocity.z());
      } else if (kind == BodyKind::spatial) {
        body.inertia = masses[i].rotary.asDiagonal();
        list_.add_rotation(Quaternion(axes), axes.transpose() * given.angular_velocity, masses[i].rotary,
                           body);
      }
      list_.finish(std::move(body));
    }
    BodyData& whole = system_.bodies[static_cast<size_t>(system_.flexibles.back().body)];
    whole.start = middle;
    whole.mass = total;
  }

  static Vector3 centre_of_mass(const Mesh& mesh, const std::vector<NodeMass>& masses) {
    Vector3 moment = Vector3::Zero();
    double total = 0;
    for (size_t i = 0; i < masses.size(); ++i) {
      moment += masses[i].share * mesh.nodes[i];
      total += masses[i].share;
    }
    return moment / total;
  }

  const Model& model_;
  System& system_;
  CoordinateList& list_;
  std::map<std::string, std::vector<std::string>> locking_;  ///< solids by what locks in them
};

}  // namespace

void add_nodes(const Model& model, System& system, CoordinateList& list) {
  NodeBuilder builder(model, system, list);
  for (const auto& body : model.bodies) std::visit([&](const auto& given) { builder.add(given); }, body);
  builder.note_locking();
}

}  // namespace percuss
