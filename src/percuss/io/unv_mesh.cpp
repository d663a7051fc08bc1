#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "percuss/io/mesh_text.h"

// Universal files of I-DEAS: datasets between lines "-1", each with a number for its kind.
namespace percuss {
namespace {

/// The place in the file of each node; quadratic elements list their nodes along the edges.
struct UnvElement {
  CellShape shape;
  std::vector<int> place;
};

const UnvElement* unv_element(std::int64_t type) {
  using enum CellShape;
  static const std::map<std::int64_t, UnvElement> table = [] {
    std::map<std::int64_t, UnvElement> kinds;
    for (const int rod : {11, 21, 22}) kinds[rod] = {line2, {0, 1}};
    for (const int curved : {23, 24}) kinds[curved] = {line3, {0, 2, 1}};
    for (const int family : {40, 50, 60, 80, 90}) {  // plane stress, plane strain, plate, axisymmetric, shell
      kinds[family + 1] = {tri3, {0, 1, 2}};
      kinds[family + 2] = {tri6, {0, 2, 4, 1, 3, 5}};
      kinds[family + 4] = {quad4, {0, 1, 2, 3}};
      kinds[family + 5] = {quad8, {0, 2, 4, 6, 1, 3, 5, 7}};
    }
    kinds[111] = {tet4, {0, 1, 2, 3}};
    kinds[118] = {tet10, {0, 2, 4, 9, 1, 3, 5, 6, 7, 8}};
    kinds[115] = {hex8, {0, 1, 2, 3, 4, 5, 6, 7}};
    kinds[116] = {hex20, {0, 2, 4, 6, 12, 14, 16, 18, 1, 3, 5, 7, 13, 15, 17, 19, 8, 9, 10, 11}};
    return kinds;
  }();
  const auto found = table.find(type);
  return found == table.end() ? nullptr : &found->second;
}

class UnvReader {
 public:
  explicit UnvReader(const std::string& path) : text_(path, target_) {}

  MeshDescription read() {
    bool has_dataset = false;
    while (text_.next_line()) {
      if (without_blanks(text_.line()).empty()) continue;
      if (!ends_dataset()) text_.fail("a dataset must begin with a line -1");
      require_line("the kind of a dataset");
      has_dataset = true;
      read_dataset(without_blanks(text_.line()));
    }
    if (!has_dataset) target_.fail(0, "it has no datasets");
    if (!ignored_.empty())
      target_.notes.push_back(fmt::format("ignored datasets: {}", fmt::join(ignored_, ", ")));
    return std::move(target_);
  }

 private:
  bool ends_dataset() const { return without_blanks(text_.line()) == "-1"; }
  void require_line(const char* what) {
    if (!text_.next_line()) text_.fail(fmt::format("the file ends where {} is expected", what));
  }
  /// False at the end of the dataset.
  bool next_record() {
    require_line("the end of a dataset (-1)");
    return !ends_dataset();
  }

  void read_dataset(std::string_view kind) {
    if (kind == "2411" || kind == "781") return read_nodes();
    if (kind == "2412") return read_elements();
    if (kind == "2467" || kind == "2477" || kind == "2452" || kind == "2435") return read_groups();
    ignored_.emplace(kind);
    while (next_record()) continue;
  }

  /// The words of the current line, at least `count`.
  void read_words(std::size_t count, const char* what) {
    split_at_blanks(without_blanks(text_.line()), words_);
    if (words_.size() < count)
      text_.fail(fmt::format("{} needs {} numbers, here are {}", what, count, words_.size()));
  }

  void read_nodes() {
    while (next_record()) {
      read_words(1, "a node");
      target_.nodes.names.push_back({text_.integer(words_[0], "number of a node"), text_.line_number()});
      require_line("the coordinates of a node");
      read_words(3, "a point");
      Vector3 point;
      for (int axis = 0; axis < 3; ++axis) point[axis] = text_.number(words_[axis], "coordinate");
      target_.nodes.points.push_back(point);
    }
  }

  void read_elements() {
    while (next_record()) {
      read_words(6, "an element");
      const MeshDescription::Reference name{text_.integer(words_[0], "number of an element"),
                                            text_.line_number()};
      const auto type = text_.integer(words_[1], "type of an element");
      const auto count = text_.integer(words_[5], "number of nodes");
      const UnvElement* kind = unv_element(type);
      if (kind == nullptr || count != std::ssize(kind->place))
        text_.fail(fmt::format("element {} is of type {} with {} nodes", name.id, type, count),
                   "tetrahedra (111, 118), bricks (115, 116), plane and shell elements and beams are read");
      if (dimension_of(kind->shape) == 1) require_line("the orientation of a beam");
      append_element(*kind, name);
    }
  }

  void append_element(const UnvElement& kind, const MeshDescription::Reference& name) {
    listed_.clear();
    while (listed_.size() < kind.place.size()) {
      require_line("nodes of an element");
      if (ends_dataset()) text_.fail(fmt::format("nodes of element {} are missing", name.id));
      read_words(1, "an element");
      for (const auto word : words_) listed_.push_back(text_.integer(word, "number of a node"));
    }
    auto& elements = target_.of(kind.shape);
    elements.names.push_back(name);
    for (const int place : kind.place) elements.nodes.push_back(listed_[place]);
  }

  void read_groups() {
    while (next_record()) {
      read_words(8, "a group");
      const int line = text_.line_number();
      const auto count = text_.integer(words_[7], "number of members");
      require_line("the name of a group");
      const std::string name(without_blanks(text_.line()));
      std::int64_t others = 0;
      for (std::int64_t read = 0; read < count;) {
        require_line("members of a group");
        if (ends_dataset())
          text_.fail(fmt::format("group '{}' has {} members, it should have {}", name, read, count));
        read_words(4, "a member");
        for (std::size_t i = 0; i + 3 < words_.size(); i += 4, ++read) {
          const auto kind = text_.integer(words_[i], "kind of a member");
          const MeshDescription::Reference member{text_.integer(words_[i + 1], "member"),
                                                  text_.line_number()};
          if (kind == 7)
            target_.node_set(name, line).members.push_back(member);
          else if (kind == 8)
            target_.element_set(name, line).members.push_back(member);
          else
            ++others;
        }
      }
      if (count == 0) target_.fail(line, fmt::format("group '{}' is empty", name));
      if (others > 0)
        target_.notes.push_back(
            fmt::format("group '{}': {} members are neither nodes nor elements", name, others));
    }
  }

  MeshDescription target_;
  MeshText text_;
  std::vector<std::string_view> words_;
  std::vector<std::int64_t> listed_;
  std::set<std::string> ignored_;
};

}  // namespace

MeshDescription read_unv_mesh(const std::string& path) { return UnvReader(path).read(); }

}  // namespace percuss
