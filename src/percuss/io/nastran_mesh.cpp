#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "percuss/io/mesh_text.h"

// Bulk data of Nastran: cards of a name and fields, which are 8 or 16 columns wide or separated by commas. A
// line that begins with a blank field, + or * continues the card.
namespace percuss {
namespace {

struct NastranCard {
  std::string name;
  std::vector<std::string_view> fields;  ///< without the name
};

/// From the number of nodes to the shape.
using NastranShapes = std::map<std::size_t, CellShape>;

const NastranShapes* nastran_element(const std::string& name) {
  using enum CellShape;
  static const std::map<std::string, NastranShapes> table = {{"CTETRA", {{4, tet4}, {10, tet10}}},
                                                             {"CHEXA", {{8, hex8}, {20, hex20}}},
                                                             {"CTRIA3", {{3, tri3}}},
                                                             {"CTRIAR", {{3, tri3}}},
                                                             {"CTRIA6", {{6, tri6}}},
                                                             {"CQUAD4", {{4, quad4}}},
                                                             {"CQUADR", {{4, quad4}}},
                                                             {"CQUAD8", {{8, quad8}}},
                                                             {"CROD", {{2, line2}}},
                                                             {"CBAR", {{2, line2}}},
                                                             {"CBEAM", {{2, line2}}}};
  const auto found = table.find(name);
  return found == table.end() ? nullptr : &found->second;
}

class NastranReader {
 public:
  explicit NastranReader(const std::string& path) : text_(path, target_) {}

  MeshDescription read() {
    skip_to_bulk();
    while (read_card() && card_.name != "ENDDATA") use_card();
    for (auto& [id, set] : properties_) target_.element_sets.push_back(std::move(set));
    if (!ignored_.empty())
      target_.notes.push_back(fmt::format("ignored cards: {}", fmt::join(ignored_, ", ")));
    return std::move(target_);
  }

 private:
  bool is_nothing() const {
    const auto line = without_blanks(text_.line());
    return line.empty() || line.front() == '$';
  }

  /// Before BEGIN BULK there are commands; without it the file is bulk data alone.
  void skip_to_bulk() {
    while (text_.next_line())
      if (upper_case(without_blanks(text_.line()).substr(0, 5)) == "BEGIN") return;
    text_.rewind();
  }

  bool read_card() {
    do
      if (!text_.next_line()) return false;
    while (is_nothing());
    const int first_line = text_.line_number();
    card_.fields.clear();
    const std::string_view name = append_fields();
    card_.name = upper_case(name);
    while (text_.next_line()) {
      if (is_nothing()) continue;
      const char first = text_.line().front();
      if (first != '+' && first != '*' && first != ',' && !text_.line().starts_with("        ") &&
          first != '\t') {
        text_.step_back();
        break;
      }
      append_fields();
    }
    text_.blame(first_line);
    return true;
  }

  /// Appends the fields of the current line and returns the name in front of them, without its star.
  std::string_view append_fields() {
    const std::string_view line = text_.line();
    if (line.find(',') != line.npos) return append_free(line);
    if (line.find('\t') != line.npos) text_.fail("a tab between fields", "use blanks or commas");
    std::string_view name = without_blanks(line.substr(0, 8));
    const bool wide = name.find('*') != name.npos;
    const std::size_t width = wide ? 16 : 8, count = wide ? 4 : 8;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t begin = 8 + i * width;
      card_.fields.push_back(begin < line.size() ? without_blanks(line.substr(begin, width))
                                                 : std::string_view());
    }
    return name.substr(0, name.find('*'));
  }

  std::string_view append_free(std::string_view line) {
    split(line, ',', words_);
    const std::size_t count = words_[0].find('*') != line.npos ? 4 : 8;
    words_.resize(count + 1);
    card_.fields.insert(card_.fields.end(), words_.begin() + 1, words_.end());
    return words_[0].substr(0, words_[0].find('*'));
  }

  void use_card() {
    const NastranShapes* shapes = nastran_element(card_.name);
    if (card_.name == "GRID")
      read_grid();
    else if (shapes != nullptr)
      read_element(*shapes);
    else if (card_.name == "CPENTA" || card_.name.starts_with("CPYR"))
      text_.fail(fmt::format("{} is not read", card_.name), "solid cells must be CTETRA or CHEXA");
    else if (card_.name.starts_with("INCLUDE"))
      text_.fail("INCLUDE is not followed", "write one file");
    else
      ignored_.insert(card_.name);
  }

  void read_grid() {
    const auto system = field(1);
    if (!system.empty() && system != "0")
      text_.fail(fmt::format("a node in the coordinate system {}", system),
                 "only the basic system (0) is read");
    target_.nodes.names.push_back({text_.integer(field(0), "number of a node"), text_.line_number()});
    Vector3 point = Vector3::Zero();
    for (int axis = 0; axis < 3; ++axis)
      if (!field(2 + axis).empty()) point[axis] = text_.number(field(2 + axis), "coordinate");
    target_.nodes.points.push_back(point);
  }

  void read_element(const NastranShapes& shapes) {
    const MeshDescription::Reference name{text_.integer(field(0), "number of an element"),
                                          text_.line_number()};
    std::size_t given = 0;
    for (std::size_t i = 0; i < shapes.rbegin()->first; ++i)
      if (!field(2 + i).empty()) given = i + 1;
    const auto shape = shapes.find(given);
    if (shape == shapes.end()) {
      std::vector<std::size_t> allowed;
      for (const auto& [count, unused] : shapes) allowed.push_back(count);
      text_.fail(fmt::format("{} {} has {} nodes; it must have {}", card_.name, name.id, given,
                             fmt::join(allowed, " or ")));
    }
    auto& elements = target_.of(shape->second);
    elements.names.push_back(name);
    for (std::size_t i = 0; i < given; ++i)
      elements.nodes.push_back(text_.integer(field(2 + place_in_card(shape->second, i)), "number of a node"));
    const auto property = field(1).empty() ? name.id : text_.integer(field(1), "number of a property");
    auto& set = properties_[property];
    if (set.members.empty()) set = {fmt::format("property_{}", property), name.line, {}};
    set.members.push_back(name);
  }

  /// The vertical edges of a brick come before those of the top.
  static std::size_t place_in_card(CellShape shape, std::size_t node) {
    if (shape != CellShape::hex20 || node < 12) return node;
    return node < 16 ? node + 4 : node - 4;
  }

  std::string_view field(std::size_t i) const {
    return i < card_.fields.size() ? card_.fields[i] : std::string_view();
  }

  MeshDescription target_;
  MeshText text_;
  NastranCard card_;
  std::vector<std::string_view> words_;
  std::map<std::int64_t, MeshDescription::Set> properties_;
  std::set<std::string> ignored_;
};

}  // namespace

MeshDescription read_nastran_mesh(const std::string& path) { return NastranReader(path).read(); }

}  // namespace percuss
