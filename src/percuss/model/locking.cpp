#include "percuss/model/locking.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "percuss/geometry/facet_weights.h"
#include "percuss/geometry/mesh_facets.h"
#include "percuss/geometry/mesh_report.h"

namespace percuss {
namespace {

/// From here on a note is worth reading.
constexpr double notable_excess = 0.1;
/// Above it the bulk modulus is ten times the shear modulus and more.
constexpr double nearly_incompressible = 0.45;

double longest_edge(const Mesh& mesh) {
  double longest = 0;
  for_each_cell(mesh, [&](int, CellShape shape, std::span<const int> nodes) {
    for (const auto& [a, b] : cell_edges(shape)) {
      const auto place = [&](int corner) {
        return mesh.nodes[static_cast<size_t>(nodes[static_cast<size_t>(corner)])];
      };
      longest = std::max(longest, (place(b) - place(a)).norm());
    }
  });
  return longest;
}

/// The smallest edge of the bounding box. No box has less than a third of it as 2 V/A; a body with less has
/// walls of that thickness.
double thickness_of(const Mesh& mesh) {
  Vector3 low = mesh.nodes[0], high = low;
  for (const Vector3& node : mesh.nodes) {
    low = low.cwiseMin(node);
    high = high.cwiseMax(node);
  }
  const double extent = (high - low).head(mesh.dimension()).minCoeff();
  double volume = 0;
  for_each_cell(mesh, [&](int, CellShape shape, std::span<const int> nodes) {
    volume += cell_volume(mesh, shape, nodes);
  });
  const auto shares = facet_weights(mesh, boundary_facets(mesh));
  const double walls = 2 * volume / std::accumulate(shares.begin(), shares.end(), 0.0);
  return walls < 0.99 * extent / 3 ? walls : extent;
}

}  // namespace

double bending_excess(const Mesh& mesh, double poisson) {
  const double slenderness = longest_edge(mesh) / thickness_of(mesh);
  return slenderness * slenderness / (2 * (1 + poisson));
}

std::vector<std::string> locking_notes(const Solid& solid, const Mesh& mesh, const Material& material) {
  const bool plain = std::ranges::any_of(mesh.blocks, [&](const CellBlock& block) {
    return can_have_incompatible_modes(block.shape) && !has_incompatible_modes(solid, block.shape);
  });
  const auto constant_strain = std::ranges::find_if(mesh.blocks, [](const CellBlock& block) {
    return block.shape == CellShape::tet4 || block.shape == CellShape::tri3;
  });
  const bool plane = mesh.dimension() == 2;
  const std::string better =
      plane ? "quad4 cells with `formulation: small-strain` or `floating`, which have incompatible modes"
      : is_linear(solid.formulation)
          ? "hex8 cells with incompatible modes, hex20 or tet10 cells"
          : "hex20 or tet10 cells, or `formulation: floating`, whose hex8 cells have incompatible modes";
  std::vector<std::string> notes;
  if (constant_strain != mesh.blocks.end())
    notes.push_back(
        fmt::format("{} cells have constant strain and are much too stiff in bending and if the material is "
                    "hardly compressible; take {}",
                    name_of(constant_strain->shape),
                    solid.mesh.cell_size ? "`cells: tet10` beside `cell_size`" : better));
  if (!plain) return notes;
  const std::string_view cells = plane ? "quad4" : "hex8";
  if (const double excess = bending_excess(mesh, material.poisson); excess > notable_excess)
    notes.push_back(fmt::format(
        "plain {} cells, long for the thickness of the body, make the bending stiffness {} too large; take "
        "shorter cells, or {}",
        cells,
        excess < 1 ? fmt::format("up to {:.2g} %", 100 * excess) : fmt::format("{:.2g} times", 1 + excess),
        better));
  if (material.poisson > nearly_incompressible)
    notes.push_back(
        fmt::format("plain {} cells keep their volume at each integration point and are too stiff with "
                    "Poisson's ratio {:g}; take {}",
                    cells, material.poisson, better));
  return notes;
}

}  // namespace percuss
