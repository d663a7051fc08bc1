#include "percuss/model/flexible.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "percuss/geometry/box_mesh.h"
#include "percuss/math/rotation.h"
#include "percuss/model/shaft.h"

namespace percuss {
namespace {

/// A point names the node that lies there, up to this part of the size of the mesh.
constexpr double point_tolerance = 1e-6;

/// What `validate` complains about has no mesh.
bool can_be_meshed(const MeshBox& box) {
  const bool flat = box.size.z() == 0;
  double cells = 1;
  for (int axis = 0; axis < (flat ? 2 : 3); ++axis) {
    if (!(box.size[axis] > 0) || box.divisions[static_cast<size_t>(axis)] < 1) return false;
    cells *= box.divisions[static_cast<size_t>(axis)];
  }
  if (!can_tell_apart(finest_edge(box), box.corner)) return false;
  return cells <= max_elements && flat == (box.cells == MeshCell::quad4 || box.cells == MeshCell::tri3);
}

std::vector<int> node_at(const Mesh& mesh, const Vector3& place, double tolerance) {
  double nearest = std::numeric_limits<double>::infinity();
  Vector3 low = Vector3::Constant(nearest), high = -low;
  int found = -1;
  for (size_t i = 0; i < mesh.nodes.size(); ++i) {
    low = low.cwiseMin(mesh.nodes[i]);
    high = high.cwiseMax(mesh.nodes[i]);
    const double distance = (mesh.nodes[i] - place).norm();
    if (distance >= nearest) continue;
    nearest = distance;
    found = static_cast<int>(i);
  }
  if (found < 0 || nearest > tolerance * (high - low).norm()) return {};
  return {found};
}

/// Nodes from `from` to `to` at these parts of the way.
std::shared_ptr<const Mesh> line_mesh(const SlenderBody& body, const std::vector<double>& parts) {
  auto mesh = std::make_shared<Mesh>();
  CellBlock block{CellShape::line2, {}};
  for (const double s : parts) {
    const int i = static_cast<int>(mesh->nodes.size());
    mesh->nodes.push_back((1 - s) * body.from + s * body.to);
    if (i > 0) block.nodes.insert(block.nodes.end(), {i - 1, i});
  }
  mesh->blocks.push_back(std::move(block));
  mesh->node_sets["first"] = {0};
  mesh->node_sets["last"] = {static_cast<int>(mesh->nodes.size()) - 1};
  auto& all = mesh->node_sets["all"];
  all.resize(mesh->nodes.size());
  std::iota(all.begin(), all.end(), 0);
  return mesh;
}

}  // namespace

SectionProperties properties_of(const BeamSection& section) {
  using std::numbers::pi;
  SectionProperties p;
  double factor = 5.0 / 6.0;
  if (section.circle || section.tube) {
    const double outer = section.circle ? *section.circle : (*section.tube)[0];
    const double inner = section.circle ? 0.0 : (*section.tube)[1];
    p.area = pi * (outer * outer - inner * inner);
    p.inertia = p.second_inertia = pi / 4 * (std::pow(outer, 4) - std::pow(inner, 4));
    p.torsion = 2 * p.inertia;
    factor = section.circle ? 0.9 : 0.5;
  } else if (section.rectangle) {
    const auto [width, height] = *section.rectangle;
    p.area = width * height;
    p.inertia = width * height * height * height / 12;
    p.second_inertia = height * width * width * width / 12;
    // Saint-Venant's series for a rectangle, cut after its first term: 0.5 % off at most.
    const double a = std::max(width, height), b = std::min(width, height);
    p.torsion = a * b * b * b * (1.0 / 3 - 0.21 * b / a * (1 - std::pow(b / a, 4) / 12));
  }
  if (section.area) p.area = *section.area;
  if (section.inertia) p.inertia = *section.inertia;
  if (section.area) p.second_inertia = p.inertia;
  if (section.second_inertia) p.second_inertia = *section.second_inertia;
  if (section.area) p.torsion = p.inertia + p.second_inertia;
  if (section.torsion) p.torsion = *section.torsion;
  const double radius = section.circle ? *section.circle : section.tube ? (*section.tube)[0] : 0;
  p.edge = radius > 0 ? radius : std::sqrt(3 * p.inertia / p.area);
  p.second_edge = radius > 0 ? radius : std::sqrt(3 * p.second_inertia / p.area);
  p.shear_area = p.area * section.shear_factor.value_or(factor);
  return p;
}

Matrix3 section_axes(const Beam& beam) {
  const Vector3 along = (beam.to - beam.from).normalized();
  Vector3 up;
  if (beam.planar)
    up = Vector3::UnitZ().cross(along);
  else if (beam.up)
    up = *beam.up;
  else
    up = std::abs(along.z()) > 0.9 ? Vector3::UnitY() : Vector3::UnitZ();
  const Vector3 across = along.cross(up).normalized();
  Matrix3 axes;
  axes << along, across.cross(along), across;
  return axes;
}

bool can_tell_apart(double edge, const Vector3& place) {
  constexpr double rounding = 1e-12;
  return std::isfinite(edge) && edge > rounding * place.lpNorm<Eigen::Infinity>();
}

double finest_edge(const MeshBox& box) {
  double finest = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < (box.size.z() == 0 ? 2 : 3); ++axis)  // cells of second order have nodes between
    finest = std::min(finest, box.size[axis] / (2.0 * box.divisions[static_cast<size_t>(axis)]));
  return finest;
}

double finest_edge(const SlenderBody& body) { return body.length() / body.elements; }

double finest_edge(const Shaft& shaft) {
  std::vector<double> places = shaft.stations;
  places.insert(places.end(), {0, shaft.length()});
  std::ranges::sort(places);
  double finest = shaft.length() / shaft.elements;
  for (size_t i = 1; i < places.size(); ++i) finest = std::min(finest, places[i] - places[i - 1]);
  return finest;
}

std::shared_ptr<const Mesh> mesh_of(const SlenderBody& body) {
  if (body.elements < 1 || body.elements > max_elements) return nullptr;
  std::vector<double> parts;
  for (int i = 0; i <= body.elements; ++i) parts.push_back(static_cast<double>(i) / body.elements);
  return line_mesh(body, parts);
}

std::shared_ptr<const Mesh> mesh_of(const Shaft& shaft) {
  if (shaft.elements < 1 || shaft.elements > max_elements || !(shaft.length() > 0)) return nullptr;
  std::vector<double> parts = {0};
  for (double station : shaft.stations) {
    if (!(station > 0 && station < shaft.length())) return nullptr;  // `validate` complains
    parts.push_back(station / shaft.length());
  }
  parts.push_back(1);
  std::sort(parts.begin(), parts.end());
  std::vector<double> all = {0};
  for (size_t k = 1; k < parts.size(); ++k) {
    const double length = parts[k] - parts[k - 1];
    if (!(length > 0)) return nullptr;
    const int count = std::max(1, static_cast<int>(std::ceil(length * shaft.elements - point_tolerance)));
    for (int i = 1; i < count; ++i) all.push_back(parts[k - 1] + length * i / count);
    all.push_back(parts[k]);
  }
  return line_mesh(shaft, all);
}

Matrix3 shaft_axes(const Shaft& shaft) {
  const Vector3 along = (shaft.to - shaft.from).normalized();
  const Vector3 up = std::abs(along.z()) > 0.9 ? Vector3::UnitY() : Vector3::UnitZ();
  const Vector3 second = up.cross(along).normalized();
  Matrix3 axes;
  axes << along, second, along.cross(second);
  return axes;
}

bool is_linear(SolidFormulation formulation) {
  return formulation == SolidFormulation::small_strain || formulation == SolidFormulation::floating;
}

bool can_have_incompatible_modes(CellShape shape) {
  return shape == CellShape::hex8 || shape == CellShape::quad4;
}

bool has_incompatible_modes(const Solid& solid, CellShape shape) {
  return is_linear(solid.formulation) && can_have_incompatible_modes(shape) &&
         solid.incompatible_modes.value_or(true);
}

std::shared_ptr<const Mesh> mesh_of(const Solid& body) {
  if (body.mesh.box && body.mesh.file) return nullptr;
  if (body.cells || !body.mesh.box) return body.cells;
  const MeshBox& box = *body.mesh.box;
  if (!can_be_meshed(box)) return nullptr;
  if (box.size.z() == 0)
    return std::make_shared<Mesh>(
        rectangle_mesh(box.corner.head<2>(), box.size.head<2>(), {box.divisions[0], box.divisions[1]},
                       box.cells == MeshCell::tri3 ? CellShape::tri3 : CellShape::quad4));
  const CellShape shape = box.cells == MeshCell::hex20   ? CellShape::hex20
                          : box.cells == MeshCell::tet4  ? CellShape::tet4
                          : box.cells == MeshCell::tet10 ? CellShape::tet10
                                                         : CellShape::hex8;
  return std::make_shared<Mesh>(box_mesh(box.corner, box.size, box.divisions, shape));
}

std::vector<int> find_nodes(const FlexibleBody& body, const Mesh& mesh, const std::string& name) {
  if (const auto set = mesh.node_sets.find(name); set != mesh.node_sets.end()) return set->second;
  if (const Vector3* place = find_named(body.points, name))
    return node_at(mesh, *place, body.carries_points ? 1.0 : point_tolerance);
  int number = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size()) return {};
  if (number < 0 || number >= static_cast<int>(mesh.nodes.size())) return {};
  return {number};
}

bool names_nodes(const FlexibleBody& body, const Mesh& mesh, const std::string& name) {
  const Vector3* place = mesh.node_sets.contains(name) ? nullptr : find_named(body.points, name);
  return place ? !node_at(mesh, *place, point_tolerance).empty() : !find_nodes(body, mesh, name).empty();
}

}  // namespace percuss
