#include <algorithm>

#include "percuss/dynamics/build.h"

namespace percuss {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// Adds the elements of one flexible body after the other, and collects the constant matrices.
class ElementBuilder {
 public:
  ElementBuilder(const Model& model, System& system) : model_(model), system_(system) {}

  void add(const Bar& bar) {
    const FlexibleData& data = begin(bar);
    const Material& material = *find_named(model_.materials, bar.material);
    const double length = bar.length() / bar.elements, stiffness = *material.young * bar.area / length;
    const double mass = *material.density * bar.area * length;
    for (int e = 0; e < bar.elements; ++e) {
      const int first = data.first_node + e;
      if (bar.mass_matrix == MassMatrix::consistent)
        for (int axis = 0; axis < 3; ++axis)
          couple_masses(first, first + 1, axis, mass / 6, bar.damping.mass);
      if (bar.law == BarLaw::linear) {
        int axis = 0;
        (bar.to - bar.from).cwiseAbs().maxCoeff(&axis);
        add_linear_spring(first, first + 1, axis, stiffness, bar.damping.stiffness);
      } else {
        system_.distance_springs.push_back({{first, Vector3::Zero()},
                                            {first + 1, Vector3::Zero()},
                                            length,
                                            stiffness,
                                            bar.damping.stiffness * stiffness});
      }
    }
  }

  void add(const Beam& beam) {
    const FlexibleData& data = begin(beam);
    const Material& material = *find_named(model_.materials, beam.material);
    const SectionProperties section = properties_of(beam.section);
    const double length = beam.length() / beam.elements, young = *material.young;
    const double shear = young / (2 * (1 + material.poisson));
    const double line = *material.density * length;
    for (int e = 0; e < beam.elements; ++e) {
      const int first = data.first_node + e;
      if (beam.mass_matrix == MassMatrix::consistent) {
        for (int axis = 0; axis < 3; ++axis)
          couple_masses(first, first + 1, axis, line * section.area / 6, beam.damping.mass);
        if (beam.planar) couple_masses(first, first + 1, 5, line * section.inertia / 6, beam.damping.mass);
      }
      if (beam.planar)
        add_planar(beam, first, length,
                   {young * section.area, shear * section.shear_area, young * section.inertia});
      else
        add_spatial(beam, first, length,
                    {young * section.area, shear * section.shear_area, shear * section.shear_area,
                     shear * section.torsion, young * section.second_inertia, young * section.inertia});
    }
    system_.element_stiffness = std::max(system_.element_stiffness, 2 * young * section.area / length);
  }

  void add(const Shaft& shaft) { add_shaft_elements(model_, shaft, system_, {mass_, stiffness_, damping_}); }

  void add(const Solid& solid) {
    if (const auto& reduction = find_flexible(system_, solid.name)->reduction)
      return add_reduced(solid.damping, *reduction);
    const FlexibleData& data = begin(solid);
    const int index = static_cast<int>(&data - system_.flexibles.data());
    for (auto& set : system_.solids)
      if (set.flexible == index) add_solids(solid, data, set);
  }

  template <class Other>
  void add(const Other&) {}

  void finish() {
    const int n = system_.dof_count();
    const auto fill = [&](ConstantMatrices::Part& part, const Triplets& entries) {
      SparseMatrix matrix(n, n);
      matrix.setFromTriplets(entries.begin(), entries.end());
      matrix.makeCompressed();
      part = ConstantMatrices::Part(std::move(matrix));
    };
    ConstantMatrices& constant = system_.constant;
    fill(constant.mass, mass_);
    fill(constant.stiffness, stiffness_);
    fill(constant.damping, damping_);
    constant.find_viscosity();
    constant.reference = system_.initial.q.head(n);
    if (stiffness_.empty()) return;
    const VectorX diagonal = constant.stiffness.matrix.diagonal();
    for (const auto& [begin, end] : system_.summed)
      system_.element_stiffness =
          std::max(system_.element_stiffness, diagonal.segment(begin, end - begin).maxCoeff());
  }

 private:
  /// Damping per mass acts on the diagonal of M here; what couples nodes comes with the elements.
  const FlexibleData& begin(const FlexibleBody& body) {
    const FlexibleData& data = *find_flexible(system_, body.name);
    if (body.damping.mass > 0)
      for (int node = data.first_node; node < data.first_node + data.node_count(); ++node)
        for (const int dof : system_.bodies[static_cast<size_t>(node)].dof)
          if (dof >= 0) damping_.emplace_back(dof, dof, body.damping.mass * system_.mass[dof]);
    return data;
  }

  int dof_of(int body, int coordinate) const {
    return system_.bodies[static_cast<size_t>(body)].dof[static_cast<size_t>(coordinate)];
  }
  static void add_lower(Triplets& entries, int i, int j, double value) {
    if (i >= 0 && j >= 0) entries.emplace_back(std::max(i, j), std::min(i, j), value);
  }
  void couple_masses(int first, int second, int coordinate, double mass, double damping) {
    add_lower(mass_, dof_of(first, coordinate), dof_of(second, coordinate), mass);
    if (damping > 0)
      add_lower(damping_, dof_of(first, coordinate), dof_of(second, coordinate), damping * mass);
  }
  void add_linear_spring(int first, int second, int coordinate, double stiffness, double viscosity) {
    const int i = dof_of(first, coordinate), j = dof_of(second, coordinate);
    for (const auto& [row, column, sign] : {std::tuple(i, i, 1), std::tuple(j, j, 1), std::tuple(i, j, -1)}) {
      add_lower(stiffness_, row, column, sign * stiffness);
      if (viscosity > 0) add_lower(damping_, row, column, sign * viscosity * stiffness);
    }
  }

  void add_planar(const Beam& beam, int first, double length, const Vector3& stiffness) {
    PlanarBeam element;
    element.node = {first, first + 1};
    for (int end = 0; end < 2; ++end) {
      const BodyData& node = system_.bodies[static_cast<size_t>(first + end)];
      const int coordinates[3] = {0, 1, 5};
      for (int i = 0; i < 3; ++i) element.dof[3 * end + i] = node.dof[coordinates[i]];
      element.start.segment<3>(3 * end) << node.start.x(), node.start.y(), 0;
    }
    element.length = length;
    element.direction = std::atan2(beam.to.y() - beam.from.y(), beam.to.x() - beam.from.x());
    element.stiffness = stiffness;
    element.viscosity = beam.damping.stiffness;
    system_.planar_beams.push_back(element);
  }

  void add_spatial(const Beam& beam, int first, double length, const SpatialBeam::Vector6& stiffness) {
    SpatialBeam element;
    element.node = {first, first + 1};
    for (int end = 0; end < 2; ++end)
      for (int coordinate = 0; coordinate < 6; ++coordinate)
        element.dof[6 * end + coordinate] = dof_of(first + end, coordinate);
    element.length = length;
    element.stiffness = stiffness;
    element.viscosity = beam.damping.stiffness;
    system_.spatial_beams.push_back(element);
  }

  void add_solids(const Solid& solid, const FlexibleData& data, SolidSet& set) {
    const SolidGroup& group = set.group;
    const int n = group.nodes_per_element(), dofs = group.dofs_per_element(), dimension = dofs / n;
    set.dof.reserve(static_cast<size_t>(group.element_count()) * static_cast<size_t>(dofs));
    for (int e = 0; e < group.element_count(); ++e)
      for (int a = 0; a < n; ++a)
        for (int axis = 0; axis < dimension; ++axis) {
          set.dof.push_back(dof_of(data.first_node + group.nodes(e)[a], axis));
          set.rest.push_back(data.mesh->nodes[static_cast<size_t>(group.nodes(e)[a])][axis]);
        }
    if (solid.mass_matrix == MassMatrix::consistent) couple_solid_masses(solid, set, dimension);
    MatrixX K(dofs, dofs);
    for (int e = 0; e < group.element_count(); ++e) {
      group.stiffness(e, set.rest.data() + static_cast<size_t>(e) * static_cast<size_t>(dofs), K);
      if (!set.is_floating)
        system_.element_stiffness = std::max(system_.element_stiffness, 4 * K.diagonal().maxCoeff());
      if (!group.is_linear()) continue;
      for (int i = 0; i < dofs; ++i)
        for (int j = 0; j <= i; ++j) {
          add_lower(stiffness_, set.dofs_of(e)[i], set.dofs_of(e)[j], K(i, j));
          if (solid.damping.stiffness > 0)
            add_lower(damping_, set.dofs_of(e)[i], set.dofs_of(e)[j], solid.damping.stiffness * K(i, j));
        }
    }
  }

  /// Dense blocks in the place of elements (MR-2).
  void add_reduced(const RayleighDamping& damping, const Reduction& reduction) {
    for (int i = 0; i < reduction.size(); ++i)
      for (int j = 0; j <= i; ++j) {
        const double mass = reduction.mass(i, j), stiffness = reduction.stiffness(i, j);
        const int row = reduction.first + i, column = reduction.first + j;
        if (i == j)
          system_.mass[row] = mass;
        else if (mass != 0)
          add_lower(mass_, row, column, mass);
        if (stiffness != 0) add_lower(stiffness_, row, column, stiffness);
        const double viscosity = damping.mass * mass + damping.stiffness * stiffness;
        if (viscosity != 0) add_lower(damping_, row, column, viscosity);
      }
  }

  void couple_solid_masses(const Solid& solid, const SolidSet& set, int dimension) {
    const int n = set.group.nodes_per_element();
    MatrixX mass(n, n);
    for (int e = 0; e < set.group.element_count(); ++e) {
      set.group.consistent_mass(e, mass);
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < a; ++b)
          for (int axis = 0; axis < dimension; ++axis) {
            const int i = set.dofs_of(e)[a * dimension + axis], j = set.dofs_of(e)[b * dimension + axis];
            add_lower(mass_, i, j, mass(a, b));
            if (solid.damping.mass > 0) add_lower(damping_, i, j, solid.damping.mass * mass(a, b));
          }
    }
  }

  const Model& model_;
  System& system_;
  Triplets mass_, stiffness_, damping_;
};

}  // namespace

void add_elements(const Model& model, System& system) {
  if (system.flexibles.empty()) return;
  ElementBuilder builder(model, system);
  for (const auto& body : model.bodies) std::visit([&](const auto& given) { builder.add(given); }, body);
  builder.finish();
  for (auto& frame : system.floating) finish_frame(system, frame);
}

}  // namespace percuss
