#include "percuss/io/gmsh_copy.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace percuss {
namespace {

/// The number of Gmsh's node that stands at each place of ours.
struct GmshShape {
  CellShape shape;
  std::vector<int> place;
};

std::optional<GmshShape> gmsh_shape(int type) {
  using enum CellShape;
  switch (type) {
    case 1: return GmshShape{line2, {0, 1}};
    case 2: return GmshShape{tri3, {0, 1, 2}};
    case 3: return GmshShape{quad4, {0, 1, 2, 3}};
    case 4: return GmshShape{tet4, {0, 1, 2, 3}};
    case 5: return GmshShape{hex8, {0, 1, 2, 3, 4, 5, 6, 7}};
    case 8: return GmshShape{line3, {0, 1, 2}};
    case 9: return GmshShape{tri6, {0, 1, 2, 3, 4, 5}};
    case 11: return GmshShape{tet10, {0, 1, 2, 3, 4, 5, 6, 7, 9, 8}};
    case 16: return GmshShape{quad8, {0, 1, 2, 3, 4, 5, 6, 7}};
    case 17: return GmshShape{hex20, {0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15}};
    default: return std::nullopt;
  }
}

}  // namespace

void GmshCopy::copy_nodes() {
  GmshArray<std::size_t> tags;
  GmshArray<double> points, unused;
  session_.call(session_.functions().get_nodes, &tags.data, &tags.size, &points.data, &points.size,
                &unused.data, &unused.size, -1, -1, 0, 0);
  for (std::size_t i = 0; i < tags.size; ++i) {
    target_.nodes.names.push_back({static_cast<std::int64_t>(tags.data[i]), 0});
    target_.nodes.points.emplace_back(points.data[3 * i], points.data[3 * i + 1], points.data[3 * i + 2]);
  }
}

void GmshCopy::copy_cells() {
  for (dimension_ = 3; dimension_ > 0; --dimension_) {
    for (const GmshEntity& entity : session_.entities(dimension_)) {
      cell_tags_.push_back({entity, copy_elements(entity)});
      has_cells_ |= !cell_tags_.back().elements.empty();
    }
    if (has_cells_) return;
    cell_tags_.clear();
  }
}

void GmshCopy::copy_group(const std::string& name, const GmshEntity& group,
                          const std::vector<GmshEntity>& entities) {
  const bool as_nodes = group.dimension < dimension_ - 1;
  auto& set = as_nodes ? target_.node_set(name, 0) : target_.element_set(name, 0);
  for (const GmshEntity& entity : entities) {
    std::vector<MeshDescription::Reference> members;
    if (group.dimension == dimension_)
      members = elements_of(entity);
    else
      members = as_nodes ? nodes_of(entity) : copy_elements_once(entity);
    set.members.insert(set.members.end(), members.begin(), members.end());
  }
}

const GmshCopy::References* GmshCopy::find(const std::vector<EntityElements>& known,
                                           const GmshEntity& entity) {
  const auto found =
      std::ranges::find_if(known, [&](const EntityElements& one) { return one.entity.tag == entity.tag; });
  return found == known.end() ? nullptr : &found->elements;
}

GmshCopy::References GmshCopy::elements_of(const GmshEntity& entity) const {
  const References* known = find(cell_tags_, entity);
  return known == nullptr ? References() : *known;
}

GmshCopy::References GmshCopy::copy_elements_once(const GmshEntity& entity) {
  if (const References* known = find(side_tags_, entity)) return *known;
  side_tags_.push_back({entity, copy_elements(entity)});
  return side_tags_.back().elements;
}

std::unique_ptr<GmshCopy::GmshElements> GmshCopy::get_elements(const GmshEntity& entity) const {
  auto found = std::make_unique<GmshElements>();
  session_.call(session_.functions().get_elements, &found->types.data, &found->types.size, &found->tags.data,
                &found->tag_counts.data, &found->tags.size, &found->nodes.data, &found->node_counts.data,
                &found->nodes.size, entity.dimension, entity.tag);
  return found;
}

GmshCopy::References GmshCopy::copy_elements(const GmshEntity& entity) {
  References members;
  const auto found = get_elements(entity);
  for (std::size_t block = 0; block < found->types.size; ++block) {
    const auto kind = gmsh_shape(found->types.data[block]);
    if (!kind)
      target_.fail(0,
                   fmt::format("element {} is of Gmsh's type {}", found->tags.data[block][0],
                               found->types.data[block]),
                   "line2, tri3, quad4, tet4, tet10, hex8 and hex20 are read (second order: set "
                   "Mesh.SecondOrderIncomplete=1 in Gmsh)");
    auto& elements = target_.of(kind->shape);
    const std::size_t* nodes = found->nodes.data[block];
    for (std::size_t i = 0; i < found->tag_counts.data[block]; ++i, nodes += kind->place.size()) {
      members.push_back({static_cast<std::int64_t>(found->tags.data[block][i]), 0});
      elements.names.push_back(members.back());
      for (const int place : kind->place) elements.nodes.push_back(static_cast<std::int64_t>(nodes[place]));
    }
  }
  return members;
}

GmshCopy::References GmshCopy::nodes_of(const GmshEntity& entity) const {
  References members;
  const auto found = get_elements(entity);
  for (std::size_t block = 0; block < found->types.size; ++block)
    for (std::size_t i = 0; i < found->node_counts.data[block]; ++i)
      members.push_back({static_cast<std::int64_t>(found->nodes.data[block][i]), 0});
  return members;
}

}  // namespace percuss
