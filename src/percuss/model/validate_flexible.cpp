#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <span>

#include "percuss/geometry/mesh_report.h"
#include "percuss/math/rotation.h"
#include "percuss/model/validate_checks.h"

namespace percuss {
namespace {

void check_material(ModelChecks& check, const std::string& path, const FlexibleBody& body) {
  check.material(path, body.material);
  const Material* material = find_named(check.model.materials, body.material);
  if (!material) return;
  if (material->density && material->young) return;
  for (const Body& other : check.model.bodies) {  // the first body speaks for all of the material
    const FlexibleBody* first = flexible(other);
    if (!first || first->material != body.material) continue;
    if (first != &body) return;
    break;
  }
  check.complaints.push_back(
      {path + ".material",
       fmt::format("'{}' has no {}{}{}, which the flexible body '{}' needs", body.material,
                   material->density ? "" : "`density`",
                   material->density || material->young ? "" : " and no ", material->young ? "" : "`young`",
                   body.name),
       fmt::format("materials.{}.{}", body.material, material->young ? "density" : "young")});
}

/// A name of a point must not hide or be hidden by what probes and other references mean already.
std::string fault_of_point(const Mesh* mesh, const std::string& name) {
  static const std::set<std::string_view> quantities = {"position", "velocity", "displacement", "speed",
                                                        "stress",   "rotation", "deformation"};
  if (!is_plain_name(name)) return bad_name(name);
  if (quantities.contains(name))
    return fmt::format("'{}' is not allowed as a name; it has a meaning of its own in probes", name);
  if (name.find_first_not_of("0123456789") == name.npos)
    return fmt::format("'{}' is not allowed as a name; it is the number of a node", name);
  if (mesh && mesh->node_sets.contains(name))
    return fmt::format("'{}' is not allowed as a name; the mesh has a node set of that name", name);
  return {};
}

/// Names of nodes in `held`, `masses` and `points`.
void check_nodes(ModelChecks& check, const std::string& path, const FlexibleBody& body) {
  for (const auto& [name, directions] : body.held)
    check.nodes(fmt::format("{}.held.{}", path, name), body.name + "." + name);
  for (const auto& [name, mass] : body.masses) {
    const std::string where = fmt::format("{}.masses.{}", path, name);
    check.nodes(where, body.name + "." + name);
    if (!(mass > 0)) check.complain(where, fmt::format("{} is not allowed; a mass must be > 0", mass));
  }
  for (const auto& [name, place] : body.points) {
    const std::string where = fmt::format("{}.points.{}", path, name);
    if (const std::string fault = fault_of_point(check.mesh_of_body(body.name), name); !fault.empty())
      check.complain(where, fault);
    else
      check.nodes(where, body.name + "." + name);
  }
}

/// Says that nodes of a mesh coincide up to rounding.
void complain_of_edge(ModelChecks& check, const std::string& path, double edge, const Vector3& place) {
  check.complain(path,
                 fmt::format("nodes {:.3g} m apart cannot be told from each other at {}; take fewer and "
                             "longer elements, or move the model to the origin",
                             edge, text_of(place)));
}

template <class Line>
bool check_line(ModelChecks& check, const std::string& path, const Line& body) {
  check_material(check, path, body);
  if (body.elements > max_elements)
    check.complain(path + ".elements",
                   fmt::format("{} is not allowed; at most {}", body.elements, max_elements));
  if (body.elements < 1 || body.elements > max_elements) return false;
  if (!(body.length() > 0)) {
    check.complain(path + ".to", "it is the same place as `from`; a bar or beam needs a length");
    return false;
  }
  const Vector3 farthest = body.from.cwiseAbs().cwiseMax(body.to.cwiseAbs()).cwiseMax(body.length());
  if (!farthest.allFinite()) return false;  // the range has been complained about
  if (const double edge = finest_edge(body); !can_tell_apart(edge, farthest)) {
    complain_of_edge(check, path + ".to", edge, farthest);
    return false;
  }
  check_nodes(check, path, body);
  return true;
}

void check_section(ModelChecks& check, const std::string& path, const BeamSection& section) {
  const int shapes = section.circle.has_value() + section.tube.has_value() + section.rectangle.has_value();
  const bool by_numbers = section.area || section.inertia;
  if (shapes + by_numbers != 1)
    return check.complain(path, "give exactly one of circle, tube, rectangle, or `area` with `inertia`");
  if (by_numbers && !(section.area && section.inertia))
    return check.complain(path, fmt::format("`{}` is missing: give both `area` and `inertia`, or a shape "
                                            "instead (circle, tube or rectangle)",
                                            section.area ? "inertia" : "area"));
  if (section.rectangle) check.components(path, "rectangle", *section.rectangle, allow::positive);
  if (section.tube && !((*section.tube)[1] > 0 && (*section.tube)[0] > (*section.tube)[1]))
    check.complain(path + ".tube",
                   fmt::format("[{}, {}] is not allowed; the outer radius comes first and is larger than the "
                               "inner one, which is > 0",
                               (*section.tube)[0], (*section.tube)[1]));
}

void check_mesh(ModelChecks& check, const std::string& path, const Solid& solid) {
  const MeshSource& mesh = solid.mesh;
  if (mesh.box.has_value() == mesh.file.has_value())
    return check.complain(path, "give either `box` or `file`");
  if (mesh.file) {
    if (!mesh.unit)
      check.complain(path,
                     "the key 'unit' is missing: the length unit of the file, such as mm; a mesh file "
                     "does not say it");
    if (mesh.cells && *mesh.cells != MeshCell::tet4 && *mesh.cells != MeshCell::tet10)
      check.complain(
          path + ".cells",
          fmt::format("'{}' is not allowed; geometry is filled with tet4 or tet10", enum_name(*mesh.cells)));
    return;
  }
  if (mesh.unit)
    check.complain(path + ".unit", "it belongs to a `file`; the lengths of a box are in m: leave it out");
  if (mesh.cell_size)
    check.complain(path + ".cell_size", "it belongs to a `file`; a box has `divisions`: leave it out");
  if (mesh.cells) check.complain(path + ".cells", "it belongs to a `file`; those of a box are `box.cells`");
  const MeshBox& box = *mesh.box;
  const bool flat = box.size.z() == 0;
  const int axes = flat ? 2 : 3;
  if (!(box.size.head(axes).minCoeff() > 0))
    check.complain(path + ".box.size",
                   fmt::format("{} is not allowed; each edge must be > 0 (only z may be 0, for a plane mesh)",
                               text_of(box.size)));
  const auto divisions = std::span(box.divisions).first(static_cast<size_t>(axes));
  const double cells = std::accumulate(divisions.begin(), divisions.end(), 1.0, std::multiplies<>());
  if (*std::ranges::min_element(divisions) < 1)
    check.complain(path + ".box.divisions", fmt::format("[{}] is not allowed; each number must be at least 1",
                                                        fmt::join(box.divisions, ", ")));
  else if (cells > max_elements)
    check.complain(path + ".box.divisions",
                   fmt::format("[{}] is not allowed; these are {:.3g} cells, at most {} are",
                               fmt::join(box.divisions, ", "), cells, max_elements));
  if (const double edge = finest_edge(box); edge > 0 && cells > 0 && !can_tell_apart(edge, box.corner))
    complain_of_edge(check, path + ".box.corner", edge, box.corner);
  const bool plane_cells = box.cells == MeshCell::quad4 || box.cells == MeshCell::tri3;
  if (flat != plane_cells)
    check.complain(path + ".box.cells", fmt::format("'{}' does not fit; {}", enum_name(box.cells),
                                                    flat ? "a plane mesh has quad4 or tri3"
                                                         : "a box has hex8, hex20, tet4 or tet10"));
}

/// "12, 15, 16 and 4 more"
std::string some_of(const std::vector<int>& numbers) {
  constexpr size_t few = 5;
  const size_t shown = std::min(few, numbers.size());
  std::string text =
      fmt::format("{}", fmt::join(numbers.begin(), numbers.begin() + static_cast<long>(shown), ", "));
  if (shown < numbers.size()) text += fmt::format(" and {} more", numbers.size() - shown);
  return text;
}

/// Of a mesh that was read from a file.
void check_cells(ModelChecks& check, const std::string& path, const Mesh& mesh) {
  const MeshReport report = mesh_report(mesh);
  for (const auto& block : mesh.blocks)
    if (block.shape == CellShape::line2)
      return check.complain(path,
                            "it has lines only; a solid needs tetrahedra, hexahedra, or triangles and "
                            "quadrilaterals in the x-y plane (bars and beams are made from `from` and `to`)");
  if (!report.cells_with_repeated_nodes.empty())
    return check.complain(
        path, fmt::format("{} the same node twice: {} (numbers from 0, in the order of the file)",
                          report.cells_with_repeated_nodes.size() == 1 ? "an element has" : "elements have",
                          some_of(report.cells_with_repeated_nodes)));
  if (!report.inverted_cells.empty())
    check.complain(path, fmt::format("{} inside out or folded: {}; mesh it again, or turn the nodes of these "
                                     "elements around (numbers from 0, in the order of the file)",
                                     report.inverted_cells.size() == 1
                                         ? "1 element is"
                                         : fmt::format("{} elements are", report.inverted_cells.size()),
                                     some_of(report.inverted_cells)));
  if (!report.unused_nodes.empty())
    check.complain(path, fmt::format("{} to no element: {}; take them out of the file (numbers from 0, in "
                                     "the order of the file)",
                                     report.unused_nodes.size() == 1
                                         ? "1 node belongs"
                                         : fmt::format("{} nodes belong", report.unused_nodes.size()),
                                     some_of(report.unused_nodes)));
  if (!report.mixed_orders.empty())
    check.complain(
        path, fmt::format(
                  "linear elements share {} sides with quadratic ones (first: elements {} and {}); the mesh "
                  "would gape there: use one order",
                  report.mixed_orders.size(), report.mixed_orders[0].first, report.mixed_orders[0].second));
  if (report.cell_counts.empty()) check.complain(path, "it has no elements");
}

}  // namespace

void check_body(ModelChecks& check, const std::string& path, const Bar& bar) {
  if (!check_line(check, path, bar)) return;
  if (bar.law != BarLaw::linear) return;
  const Vector3 along = (bar.to - bar.from).normalized();
  int axis = 0;
  if (along.cwiseAbs().maxCoeff(&axis) < 1 - 1e-12)
    return check.complain(path + ".to",
                          fmt::format("the direction {} is not allowed; a linear bar lies along x, y or "
                                      "z (`law: truss` moves in all directions)",
                                      text_of(along)));
  if (!moves_along(bar.translations, axis))
    check.complain(path + ".translations",
                   fmt::format("'{}' is not allowed; this bar lies along {} and moves in no other direction "
                               "(`law: truss` does)",
                               enum_name(bar.translations), "xyz"[axis]));
  for (const auto& [name, directions] : bar.held)
    if (!moves_along(directions, axis))
      check.complain(fmt::format("{}.held.{}", path, name),
                     fmt::format("'{}' holds nothing; a linear bar along {} moves in no other direction",
                                 enum_name(directions), "xyz"[axis]));
}

void check_body(ModelChecks& check, const std::string& path, const Beam& beam) {
  check_section(check, path + ".section", beam.section);
  if (!check_line(check, path, beam)) return;
  if (beam.planar && beam.from.z() != beam.to.z())
    check.complain(
        path + ".to",
        fmt::format("{} is not allowed; a beam with `in_plane: true` lies in a plane z = constant, "
                    "and `from` has z = {}",
                    text_of(beam.to), beam.from.z()));
  if (beam.planar && beam.up)
    return check.complain(path + ".up", "it has no meaning for a planar beam; leave it out");
  if (beam.up && beam.up->norm() == 0) return check.direction(path + ".up", *beam.up);
  if (beam.up && beam.up->cross(beam.to - beam.from).norm() <= 1e-9 * beam.up->norm() * beam.length())
    check.complain(path + ".up",
                   fmt::format("{} is not allowed; it must not lie along the beam", text_of(*beam.up)));
}

namespace {

void check_reduction(ModelChecks& check, const std::string& path, const Solid& solid) {
  const ModelReduction& reduction = *solid.reduction;
  if (solid.formulation != SolidFormulation::floating)
    return check.complain(path,
                          fmt::format("only a body with `formulation: floating` can be reduced; this one "
                                      "has '{}'",
                                      enum_name(solid.formulation)));
  if (reduction.modes.has_value() == reduction.frequency.has_value())
    check.complain(path, reduction.modes
                             ? "give either `modes` or `frequency`, not both"
                             : "give `modes`, their number, or `frequency`, up to which they are taken");
  for (size_t i = 0; i < reduction.keep.size(); ++i)
    check.nodes(fmt::format("{}.keep[{}]", path, i), solid.name + "." + reduction.keep[i]);
}

void check_incompatible_modes(ModelChecks& check, const std::string& path, const Solid& solid) {
  const auto complain = [&](const char* why) { check.complain(path + ".incompatible_modes", why); };
  if (!is_linear(solid.formulation))
    return complain(
        "it needs `formulation: small-strain` or `floating`; with large strains use hex20 or tet10 cells");
  const Mesh* mesh = check.mesh_of_body(solid.name);
  if (mesh && !std::ranges::any_of(mesh->blocks, [](const CellBlock& block) {
        return can_have_incompatible_modes(block.shape);
      }))
    complain("it is for hex8 and quad4 cells, and the mesh has none; leave it out");
}

}  // namespace

void check_body(ModelChecks& check, const std::string& path, const Shaft& shaft) {
  check_section(check, path + ".section", shaft.section);
  if (shaft.section.rectangle)
    check.complain(path + ".section.rectangle",
                   "a shaft is round: give circle, tube, or `area` with `inertia`");
  if (shaft.section.second_inertia)
    check.complain(path + ".section.second_inertia", "a shaft bends alike in all directions; leave it out");
  if (shaft.mass_matrix != MassMatrix::consistent)
    check.complain(path + ".mass_matrix", "'lumped' is not allowed; the masses of a shaft are consistent");
  if (shaft.damping.stiffness != 0)
    check.complain(
        path + ".damping.stiffness",
        "it has no meaning for a shaft: damping in the material turns with the spin; give `mass` or "
        "`torsional_damping`");
  for (const double station : shaft.stations)
    if (!(station > 0 && station < shaft.length()) ||
        std::count(shaft.stations.begin(), shaft.stations.end(), station) > 1)
      return check.complain(path + ".stations",
                            fmt::format("{} is not allowed; a station lies between 0 and the length {}, and "
                                        "is given once",
                                        station, shaft.length()));
  if (!check_line(check, path, shaft)) return;
  const Vector3 along = (shaft.to - shaft.from).normalized();
  if (std::abs(along.dot(shaft.velocity)) > 1e-12 * shaft.velocity.norm())
    check.complain(path + ".velocity", fmt::format("{} is not allowed; a shaft does not move along its line",
                                                   text_of(shaft.velocity)));
  for (const auto& [name, directions] : shaft.held)
    if (directions != Translations::xyz && along.cwiseAbs().maxCoeff() < 1 - 1e-12)
      check.complain(fmt::format("{}.held.{}", path, name),
                     fmt::format("'{}' is not allowed; a shaft that does not lie along x, y or z can be held "
                                 "by `xyz` only",
                                 enum_name(directions)));
  const Mesh* mesh = check.mesh_of_body(shaft.name);
  const auto require_nodes = [&](const char* list, const std::string& name) {
    if (mesh && !find_nodes(shaft, *mesh, name).empty() && !names_nodes(shaft, *mesh, name))
      check.complain(fmt::format("{}.{}.{}", path, list, name),
                     fmt::format("there is no node at the point '{}'; add its distance from `from` to "
                                 "`stations`",
                                 name));
  };
  for (const auto& [name, directions] : shaft.held) require_nodes("held", name);
  for (const auto& [name, mass] : shaft.masses) require_nodes("masses", name);
  for (const auto& [name, disc] : shaft.discs) {
    check.nodes(fmt::format("{}.discs.{}", path, name), shaft.name + "." + name);
    require_nodes("discs", name);
  }
}

void check_body(ModelChecks& check, const std::string& path, const Solid& solid) {
  check_material(check, path, solid);
  const size_t before = check.complaints.size();
  check_mesh(check, path + ".mesh", solid);
  check_orientation(check, path, solid.orientation);
  if (solid.mesh.box && (!solid.position.isZero(0) || !solid.orientation.matrix().isIdentity(0)))
    check.complain(path + (solid.position.isZero(0) ? ".orientation" : ".position"),
                   "it belongs to a mesh from a `file`; a box stands at `mesh.box.corner`, along the axes");
  if (check.complaints.size() > before) return;
  const bool floats = solid.formulation == SolidFormulation::floating;
  if (floats && !solid.held.empty())
    check.complain(
        path + ".held",
        "a body in a floating frame cannot be held; tie its nodes to the ground (joint kind `tie`), "
        "or take `formulation: small-strain`");
  if (!floats && !solid.reduction && solid.rotational_forces == RotationalForces::reduced)
    check.complain(path + ".rotational_forces",
                   "it has a meaning for `formulation: floating` only: other bodies turn as their nodes do");
  if (solid.incompatible_modes.value_or(false)) check_incompatible_modes(check, path, solid);
  if (solid.reduction) check_reduction(check, path + ".reduction", solid);
  if (solid.cells) check_cells(check, path + ".mesh.file", *solid.cells);
  if (const Mesh* mesh = check.mesh_of_body(solid.name); mesh && mesh->dimension() == 3) {
    if (solid.thickness != 1)
      check.complain(path + ".thickness",
                     fmt::format("{} has no meaning for a mesh in space; leave it out", solid.thickness));
    if (solid.plane != PlaneAssumption::strain)
      check.complain(path + ".plane", fmt::format("'{}' has no meaning for a mesh in space; leave it out",
                                                  enum_name(solid.plane)));
  }
  check_nodes(check, path, solid);
}

}  // namespace percuss
