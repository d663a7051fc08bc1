#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "percuss/io/mesh_text.h"
#include "percuss/math/shorten.h"

// Input files of Abaqus: keywords *NAME, PARAMETER=VALUE with lines of data behind them. Only what makes up
// the mesh is read. Numbers count through the whole file, so that parts and instances must not repeat them.
namespace percuss {
namespace {

struct AbaqusElement {
  std::string_view name;  ///< that of plain and of hybrid, reduced or incompatible elements begins alike
  CellShape shape;
};
/// Longer names first where one begins with the other.
constexpr std::array<AbaqusElement, 29> abaqus_elements = {{
    {"C3D10", CellShape::tet10},  {"C3D20", CellShape::hex20},  {"C3D4", CellShape::tet4},
    {"C3D8", CellShape::hex8},    {"CPE3", CellShape::tri3},    {"CPE4", CellShape::quad4},
    {"CPE6", CellShape::tri6},    {"CPE8", CellShape::quad8},   {"CPS3", CellShape::tri3},
    {"CPS4", CellShape::quad4},   {"CPS6", CellShape::tri6},    {"CPS8", CellShape::quad8},
    {"SFM3D3", CellShape::tri3},  {"SFM3D4", CellShape::quad4}, {"SFM3D6", CellShape::tri6},
    {"SFM3D8", CellShape::quad8}, {"STRI65", CellShape::tri6},  {"M3D3", CellShape::tri3},
    {"M3D4", CellShape::quad4},   {"S3", CellShape::tri3},      {"S4", CellShape::quad4},
    {"S8", CellShape::quad8},     {"B31", CellShape::line2},    {"B21", CellShape::line2},
    {"T3D2", CellShape::line2},   {"T2D2", CellShape::line2},   {"B32", CellShape::line3},
    {"B22", CellShape::line3},    {"T3D3", CellShape::line3},
}};

/// The rest of the name must be letters that change the formulation, not the nodes: C3D8R, C3D10HS, but not
/// C3D27.
const AbaqusElement* abaqus_element(std::string_view type) {
  const auto matches = [&](const AbaqusElement& element) {
    return type.starts_with(element.name) &&
           type.find_first_not_of("RIHMST", element.name.size()) == type.npos;
  };
  const auto found = std::ranges::find_if(abaqus_elements, matches);
  return found == abaqus_elements.end() ? nullptr : &*found;
}

struct AbaqusKeyword {
  std::string name;                               ///< upper case, without blanks
  std::map<std::string, std::string> parameters;  ///< names in upper case; without a value: empty
  int line = 0;

  bool has(const std::string& parameter) const { return parameters.contains(parameter); }
  std::string value(const std::string& parameter) const {
    return has(parameter) ? parameters.at(parameter) : "";
  }
};

class AbaqusReader {
 public:
  explicit AbaqusReader(const std::string& path) : text_(path, target_) {}

  MeshDescription read() {
    bool has_keyword = false;
    while (text_.next_line()) {
      if (!is_keyword()) continue;  // data of a keyword that is not read
      has_keyword = true;
      read_keyword();
      use_keyword();
    }
    if (!has_keyword) target_.fail(0, "it has no keyword such as *NODE: it is not a file of Abaqus");
    if (!ignored_.empty())
      target_.notes.push_back(fmt::format("ignored keywords: {}", fmt::join(ignored_, ", ")));
    for (const auto& [type, base] : variants_)
      target_.notes.push_back(fmt::format("{} is read as {}: the mesh is the same", type, base));
    return std::move(target_);
  }

 private:
  using Reference = MeshDescription::Reference;
  using Sets = std::vector<MeshDescription::Set>;

  bool is_keyword() const { return text_.line().starts_with('*') && !text_.line().starts_with("**"); }

  /// The next line of data that is no comment; false, and a step back, at the next keyword.
  bool next_data() {
    while (text_.next_line()) {
      if (is_keyword()) {
        text_.step_back();
        return false;
      }
      if (!text_.line().starts_with("**") && !without_blanks(text_.line()).empty()) return true;
    }
    return false;
  }
  /// Words of the current line; a comma at its end adds none.
  const std::vector<std::string_view>& words() {
    split(text_.line(), ',', words_);
    while (!words_.empty() && words_.back().empty()) words_.pop_back();
    return words_;
  }

  void read_keyword() {
    keyword_ = {};
    keyword_.line = text_.line_number();
    std::string whole(text_.line().substr(1));
    while (whole.ends_with(',') && text_.next_line()) whole += text_.line();
    text_.blame(keyword_.line);
    std::vector<std::string_view> parts;
    split(whole, ',', parts);
    for (const char c : upper_case(parts[0]))
      if (c != ' ') keyword_.name += c;
    for (const std::string_view part : std::span(parts).subspan(1)) {
      const std::size_t equals = std::min(part.find('='), part.size());
      std::string_view value = without_blanks(part.substr(std::min(equals + 1, part.size())));
      if (value.size() > 1 && value.front() == '"' && value.back() == '"')
        value = value.substr(1, value.size() - 2);
      keyword_.parameters[upper_case(without_blanks(part.substr(0, equals)))] = value;
    }
  }

  void use_keyword() {
    const std::string& name = keyword_.name;
    const bool has_mesh_data = name == "NODE" || name == "ELEMENT" || name == "NSET" || name == "ELSET";
    if (name == "INCLUDE" || (has_mesh_data && keyword_.has("INPUT")))
      text_.fail(fmt::format("*{} refers to another file", name), "write one file");
    if (name == "NODE") return read_nodes();
    if (name == "ELEMENT") return read_elements();
    if (name == "NSET") return read_set("NSET", target_.node_sets);
    if (name == "ELSET") return read_set("ELSET", target_.element_sets);
    if (name == "SURFACE") return read_surface();
    if (name == "INSTANCE") return read_instance();
    if (name == "PART" || name == "ENDPART" || name == "ASSEMBLY" || name == "ENDASSEMBLY" ||
        name == "ENDINSTANCE")
      return;
    ignored_.insert(shorten("*" + name));
  }

  /// Place of the set in `sets`, which has it afterwards. Abaqus does not tell capitals from small letters.
  std::size_t set_place(Sets& sets, const std::string& name) {
    auto& places = &sets == &target_.node_sets ? node_set_places_ : element_set_places_;
    const auto [found, is_new] = places.try_emplace(upper_case(name), sets.size());
    if (is_new) sets.push_back({name, keyword_.line, {}});
    return found->second;
  }

  void read_nodes() {
    const std::string system = upper_case(keyword_.value("SYSTEM"));
    if (!system.empty() && system != "R")
      text_.fail(fmt::format("SYSTEM={} of *NODE is not read", system),
                 "nodes must have rectangular coordinates (R)");
    const auto first = target_.nodes.names.size();
    while (next_data()) {
      if (words().empty()) continue;
      if (words_.size() < 2) text_.fail("a node needs its number and coordinates");
      target_.nodes.names.push_back({text_.integer(words_[0], "number of a node"), text_.line_number()});
      Vector3 point = Vector3::Zero();
      for (std::size_t i = 1; i < std::min<std::size_t>(words_.size(), 4); ++i)
        if (!words_[i].empty()) point[static_cast<int>(i) - 1] = text_.number(words_[i], "coordinate");
      target_.nodes.points.push_back(point);
    }
    if (!keyword_.has("NSET")) return;
    auto& members = target_.node_sets[set_place(target_.node_sets, keyword_.value("NSET"))].members;
    members.insert(members.end(), target_.nodes.names.begin() + static_cast<std::ptrdiff_t>(first),
                   target_.nodes.names.end());
  }

  CellShape element_shape() {
    const std::string type = upper_case(keyword_.value("TYPE"));
    const AbaqusElement* kind = abaqus_element(type);
    if (kind == nullptr)
      text_.fail(fmt::format("unknown type '{}' of *ELEMENT", shorten(type)),
                 "C3D4, C3D10, C3D8, C3D20, CPE3, CPE4, CPS3, CPS4 and B31 are read, and shells as surfaces");
    if (type != kind->name) variants_.emplace(type, kind->name);
    return kind->shape;
  }

  void read_elements() {
    const CellShape shape = element_shape();
    auto& elements = target_.of(shape);
    const auto first = elements.names.size();
    const auto size = static_cast<std::size_t>(node_count(shape));
    while (next_data()) {
      if (words().empty()) continue;
      const Reference name{text_.integer(words_[0], "number of an element"), text_.line_number()};
      std::size_t count = 0;
      for (std::size_t i = 1;; i = 0) {  // the nodes may go on in the next lines
        for (; i < words_.size(); ++i, ++count) {
          if (count == size)
            text_.fail(
                fmt::format("element {} has more than the {} nodes of a {}", name.id, size, name_of(shape)));
          elements.nodes.push_back(text_.integer(words_[i], "number of a node"));
        }
        if (count == size) break;
        if (!next_data() || words().empty())
          target_.fail(name.line, fmt::format("element {} has {} nodes; a {} has {}", name.id, count,
                                              name_of(shape), size));
      }
      elements.names.push_back(name);
    }
    if (!keyword_.has("ELSET")) return;
    auto& members = target_.element_sets[set_place(target_.element_sets, keyword_.value("ELSET"))].members;
    members.insert(members.end(), elements.names.begin() + static_cast<std::ptrdiff_t>(first),
                   elements.names.end());
  }

  void read_set(const std::string& parameter, Sets& sets) {
    const std::string name = keyword_.value(parameter);
    if (name.empty()) text_.fail(fmt::format("*{0} needs {0}= with the name of the set", parameter));
    const std::size_t place = set_place(sets, name);
    if (parameter == "NSET" && keyword_.has("ELSET"))
      text_.fail("*NSET with ELSET= is not read", "list the nodes");
    while (next_data()) {
      if (words().empty()) continue;
      if (keyword_.has("GENERATE"))
        append_range(sets[place].members);
      else
        for (const auto word : words_) append_member(word, sets, sets[place].members);
    }
  }

  void append_range(std::vector<Reference>& members) {
    if (words_.size() < 2) text_.fail("GENERATE needs first, last and step");
    const auto first = text_.integer(words_[0], "first number"),
               last = text_.integer(words_[1], "last number");
    const auto step = words_.size() > 2 ? text_.integer(words_[2], "step") : 1;
    constexpr std::int64_t most = 100'000'000;
    if (step < 1 || last < first || last - first > most)
      text_.fail(fmt::format("the numbers {} to {} with step {} are no range", first, last, step));
    for (auto id = first; id <= last; id += step) members.push_back({id, text_.line_number()});
  }

  /// A number, or the name of an earlier set.
  void append_member(std::string_view word, const Sets& sets, std::vector<Reference>& members) {
    if (const auto* earlier = find_set(word, sets)) {
      const auto copy = *earlier;
      members.insert(members.end(), copy.begin(), copy.end());
    } else {
      if (!starts_like_number(word))
        text_.fail(fmt::format("'{}' is neither a number nor an earlier set", shorten(word)));
      members.push_back({text_.integer(word, "member of a set"), text_.line_number()});
    }
  }
  static bool starts_like_number(std::string_view word) {
    return !word.empty() && ((word[0] >= '0' && word[0] <= '9') || word[0] == '-');
  }
  const std::vector<Reference>* find_set(std::string_view name, const Sets& sets) const {
    if (starts_like_number(name)) return nullptr;
    const auto& places = &sets == &target_.node_sets ? node_set_places_ : element_set_places_;
    const std::size_t dot = name.rfind('.');  // Part-1-1.Set-1
    const auto found = places.find(upper_case(dot == name.npos ? name : name.substr(dot + 1)));
    return found == places.end() ? nullptr : &sets[found->second].members;
  }

  void read_surface() {
    const std::string name = keyword_.value("NAME"), type = upper_case(keyword_.value("TYPE"));
    if (name.empty()) text_.fail("*SURFACE needs NAME=");
    if (type == "NODE") {
      const std::size_t place = set_place(target_.node_sets, name);
      while (next_data())
        if (!words().empty()) append_member(words_[0], target_.node_sets, target_.node_sets[place].members);
      return;
    }
    if (!type.empty() && type != "ELEMENT") {
      ignored_.insert(shorten("*SURFACE, TYPE=" + type));
      return;
    }
    MeshDescription::Surface surface{name, keyword_.line, {}};
    while (next_data()) {
      if (words().empty()) continue;
      std::vector<Reference> elements;
      append_member(words_[0], target_.element_sets, elements);
      const int side = surface_side(words_.size() > 1 ? words_[1] : std::string_view());
      for (const Reference& element : elements) surface.sides.push_back({element, side});
    }
    target_.surfaces.push_back(std::move(surface));
  }

  int surface_side(std::string_view word) {
    const std::string side = upper_case(word);
    if (side.size() != 2 || side[0] != 'S' || side[1] < '1' || side[1] > '6')
      text_.fail(fmt::format("'{}' is not a side of an element", shorten(word)), "the sides are S1 to S6");
    return side[1] - '1';
  }

  void read_instance() {
    if (next_data())
      text_.fail("this *INSTANCE is moved from the place of its part",
                 "write a flat file, without parts and instances");
  }

  MeshDescription target_;
  MeshText text_;
  AbaqusKeyword keyword_;
  std::vector<std::string_view> words_;
  std::map<std::string, std::size_t> node_set_places_, element_set_places_;  ///< by names in upper case
  std::map<std::string, std::string> variants_;
  std::set<std::string> ignored_;
};

}  // namespace

MeshDescription read_abaqus_mesh(const std::string& path) { return AbaqusReader(path).read(); }

}  // namespace percuss
