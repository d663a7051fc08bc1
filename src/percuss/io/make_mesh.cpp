#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_map>

#include <fmt/format.h>

#include "percuss/geometry/mesh_facets.h"
#include "percuss/geometry/mesh_report.h"
#include "percuss/io/io_error.h"
#include "percuss/io/mesh_readers.h"

namespace percuss {
namespace {

using Reference = MeshDescription::Reference;

/// From the numbers of a file to places in an array; a table unless the numbers have large holes.
class NumberToPlace {
 public:
  /// `what` names the things in messages.
  NumberToPlace(const MeshDescription& description, std::string what, std::size_t count)
      : description_(description), what_(std::move(what)), table_(4 * count + 1000, -1) {}

  void add(const Reference& name) {
    const int place = size_++;
    if (name.id < 1) description_.fail(name.line, fmt::format("{} {}: numbers begin with 1", what_, name.id));
    int& slot = in_table(name.id) ? table_[name.id] : others_.try_emplace(name.id, -1).first->second;
    if (slot >= 0)
      description_.fail(name.line, fmt::format("{} {} is there twice", what_, name.id),
                        "if several parts have numbers of their own, write one part or a flat file");
    slot = place;
  }
  /// -1 if there is none.
  int find(std::int64_t id) const {
    if (in_table(id)) return table_[id];
    const auto found = others_.find(id);
    return found == others_.end() ? -1 : found->second;
  }

 private:
  bool in_table(std::int64_t id) const { return id >= 0 && id < std::ssize(table_); }

  const MeshDescription& description_;
  std::string what_;
  std::vector<int> table_;
  std::unordered_map<std::int64_t, int> others_;
  int size_ = 0;
};

/// Where an element is among those of its shape.
struct ElementPlace {
  CellShape shape;
  int index;
};

class MeshMaker {
 public:
  MeshMaker(const MeshDescription& description, double unit_in_metres)
      : description_(description),
        unit_(unit_in_metres),
        nodes_(description, "node", description.nodes.names.size()),
        elements_(description, "element", element_count(description)) {}

  Mesh make() {
    mesh_.notes = description_.notes;
    make_nodes();
    make_cells();
    for (const auto& set : description_.node_sets) make_node_set(set);
    for (const auto& set : description_.element_sets) make_element_set(set);
    for (const auto& surface : description_.surfaces) make_surface(surface);
    if (const auto twice = duplicate_cells(mesh_); !twice.empty())
      mesh_.notes.push_back(fmt::format(
          "{} on the nodes of another one (first: elements {} and {}, numbers from 0): mass and stiffness "
          "count twice there",
          twice.size() == 1 ? "an element lies" : fmt::format("{} elements lie", twice.size()),
          twice[0].first, twice[0].second));
    return std::move(mesh_);
  }

 private:
  using Elements = MeshDescription::Elements;

  static std::size_t element_count(const MeshDescription& description) {
    std::size_t count = 0;
    for (const Elements& elements : description.elements) count += elements.names.size();
    return count;
  }
  const Elements& elements_of(CellShape shape) const {
    return description_.elements[static_cast<std::size_t>(shape)];
  }
  template <class Visit>
  void for_each_shape(const Visit& visit) const {
    for (std::size_t i = 0; i < description_.elements.size(); ++i)
      if (!description_.elements[i].names.empty()) visit(static_cast<CellShape>(i), description_.elements[i]);
  }

  void make_nodes() {
    const auto& [names, points] = description_.nodes;
    if (points.empty()) description_.fail(0, "it has no nodes");
    for (std::size_t i = 0; i < points.size(); ++i) {
      nodes_.add(names[i]);
      mesh_.nodes.emplace_back(unit_ * points[i]);
      if (!mesh_.nodes.back().allFinite())
        description_.fail(names[i].line,
                          fmt::format("node {} is at ({}, {}, {}); coordinates must be finite", names[i].id,
                                      points[i].x(), points[i].y(), points[i].z()));
    }
  }

  int node(std::int64_t id, const Reference& element) const {
    const int place = nodes_.find(id);
    if (place < 0)
      description_.fail(element.line,
                        fmt::format("element {} names node {}, which does not exist", element.id, id));
    return place;
  }

  void make_cells() {
    for_each_shape(
        [&](CellShape shape, const Elements&) { dimension_ = std::max(dimension_, dimension_of(shape)); });
    if (dimension_ == 0)
      description_.fail(0, "it has no cells",
                        "tetrahedra, hexahedra, plane triangles and quadrangles, and lines are read");
    int next_cell = 0;
    for_each_shape([&](CellShape shape, const Elements& elements) {
      const auto size = static_cast<std::size_t>(node_count(shape));
      const bool is_cell = dimension_of(shape) == dimension_;
      if (is_cell && dimension_ < 3 && is_quadratic(shape))
        description_.fail(
            elements.names[0].line,
            fmt::format("element {} is a {}; lines and plane cells must be line2, tri3 or quad4",
                        elements.names[0].id, name_of(shape)));
      CellBlock block{shape, {}};
      block.nodes.reserve(elements.nodes.size());
      for (std::size_t i = 0; i < elements.names.size(); ++i) {
        elements_.add(elements.names[i]);
        places_.push_back({shape, is_cell ? next_cell++ : static_cast<int>(i)});
        for (std::size_t k = 0; k < size; ++k)
          block.nodes.push_back(node(elements.nodes[i * size + k], elements.names[i]));
      }
      (is_cell ? mesh_.blocks : others_).push_back(std::move(block));
    });
  }

  ElementPlace element(const Reference& name, const std::string& owner) const {
    const int place = elements_.find(name.id);
    if (place < 0)
      description_.fail(name.line, fmt::format("{} names element {}, which does not exist", owner, name.id));
    return places_[place];
  }
  std::span<const int> nodes_of(const ElementPlace& place) const {
    if (dimension_of(place.shape) == dimension_) {
      const auto [block, in_block] = locate_cell(mesh_, place.index);
      return mesh_.blocks[block].cell(in_block);
    }
    const auto block = std::ranges::find(others_, place.shape, &CellBlock::shape);
    return block->cell(place.index);
  }

  static void make_ascending(std::vector<int>& numbers) {
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  }

  void require_members(bool empty, int line, const std::string& owner) const {
    if (empty) description_.fail(line, owner + " is empty");
  }

  void make_node_set(const MeshDescription::Set& set) {
    const std::string owner = fmt::format("node set '{}'", set.name);
    require_members(set.members.empty(), set.line, owner);
    auto& numbers = mesh_.node_sets[set.name];
    for (const Reference& member : set.members) {
      numbers.push_back(nodes_.find(member.id));
      if (numbers.back() < 0)
        description_.fail(member.line,
                          fmt::format("{} names node {}, which does not exist", owner, member.id));
    }
    make_ascending(numbers);
  }

  void make_element_set(const MeshDescription::Set& set) {
    const std::string owner = fmt::format("element set '{}'", set.name);
    require_members(set.members.empty(), set.line, owner);
    std::vector<int> cells, nodes;
    std::vector<Facet> facets;
    for (const Reference& member : set.members) {
      const ElementPlace place = element(member, owner);
      const auto corners = nodes_of(place);
      nodes.insert(nodes.end(), corners.begin(), corners.end());
      if (dimension_of(place.shape) == dimension_) cells.push_back(place.index);
      if (dimension_of(place.shape) == dimension_ - 1) facets.push_back(facet(place.shape, corners));
    }
    make_ascending(cells);
    make_ascending(nodes);
    if (!cells.empty()) mesh_.cell_sets[set.name] = std::move(cells);
    if (!facets.empty()) attach(set.name, std::move(facets));
    mesh_.node_sets.try_emplace(set.name, std::move(nodes));
  }

  static Facet facet(CellShape shape, std::span<const int> nodes) {
    Facet result{shape, {}, -1};
    std::ranges::copy(nodes, result.nodes.begin());
    return result;
  }

  void attach(const std::string& name, std::vector<Facet> facets) {
    if (!sides_) sides_ = std::make_unique<CellSides>(mesh_);
    const auto lost =
        std::ranges::count_if(facets, [&](Facet& one) { return !attach_to_cell(mesh_, *sides_, one); });
    if (lost > 0)
      mesh_.notes.push_back(
          fmt::format("surface '{}': {} of {} facets are not the side of a cell", name, lost, facets.size()));
    mesh_.surfaces[name] = std::move(facets);
  }

  void make_surface(const MeshDescription::Surface& surface) {
    const std::string owner = fmt::format("surface '{}'", surface.name);
    require_members(surface.sides.empty(), surface.line, owner);
    auto& facets = mesh_.surfaces[surface.name];
    for (const auto& [name, side] : surface.sides) {
      const ElementPlace place = element(name, owner);
      const auto count = std::ssize(cell_facets(place.shape));
      if (dimension_of(place.shape) != dimension_ || side >= count)
        description_.fail(name.line, fmt::format("{} names side {} of element {}, a {} with {} sides", owner,
                                                 side + 1, name.id, name_of(place.shape), count));
      facets.push_back(facet_of(mesh_, place.index, side));
    }
  }

  const MeshDescription& description_;
  double unit_;
  NumberToPlace nodes_, elements_;
  int dimension_ = 0;
  std::vector<ElementPlace> places_;  ///< index: number of the cell, or place in the block of others_
  std::vector<CellBlock> others_;     ///< elements of lower dimensions
  std::unique_ptr<CellSides> sides_;  ///< made when the first surface needs it
  Mesh mesh_;
};

}  // namespace

void MeshDescription::fail(int line, const std::string& reason, const std::string& advice) const {
  throw IoError::cannot("read", path, line > 0 ? fmt::format("line {}: {}", line, reason) : reason, advice);
}

MeshDescription::Set& MeshDescription::find_or_add(std::vector<Set>& sets, const std::string& name,
                                                   int line) {
  const auto found = std::ranges::find(sets, name, &Set::name);
  if (found != sets.end()) return *found;
  sets.push_back({name, line, {}});
  return sets.back();
}

Mesh make_mesh(const MeshDescription& description, double unit_in_metres) {
  return MeshMaker(description, unit_in_metres).make();
}

}  // namespace percuss
