#include "percuss/io/source_tree.h"

#include <algorithm>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "percuss/io/printable.h"
#include "percuss/io/unclosed_bracket.h"
#include "percuss/math/shorten.h"

namespace percuss {

void SourceNode::detach() {
  if (kind != Kind::copy) return;
  SourceNode own = *original;
  own.scope = std::move(scope);
  *this = std::move(own);
}

SourceNode* SourceNode::find(std::string_view key) {
  return const_cast<SourceNode*>(static_cast<const SourceNode*>(this)->find(key));
}
const SourceNode* SourceNode::find(std::string_view key) const {
  const auto found = std::find(keys.begin(), keys.end(), key);
  return found == keys.end() ? nullptr : &items[found - keys.begin()];
}
SourceNode& SourceNode::add(const std::string& key, const Location& where) {
  kind = Kind::map;
  keys.push_back(key);
  key_locations.push_back(where);
  items.emplace_back();
  items.back().location = where;
  return items.back();
}
void SourceNode::remove(std::string_view key) {
  const auto found = std::find(keys.begin(), keys.end(), key);
  if (found == keys.end()) return;
  const auto at = found - keys.begin();
  keys.erase(found);
  key_locations.erase(key_locations.begin() + at);
  items.erase(items.begin() + at);
}

std::string_view describe(const SourceNode& node) {
  switch (node.kind) {
    case SourceNode::Kind::null: return "nothing";
    case SourceNode::Kind::scalar: return "a single value";
    case SourceNode::Kind::list: return "a list";
    case SourceNode::Kind::map: return "a mapping";
    case SourceNode::Kind::broken: return "something with a fault";
    case SourceNode::Kind::copy: return describe(node.content());
  }
  return "";
}

namespace {

/// A list or mapping stands where a key is expected, which happens also if a bracket is not closed.
class KeyError : public SourceError {
  using SourceError::SourceError;
};

/// Builds the tree from the parser's events: no recursion, and limits are checked as the text is read.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string override_text) : override_text_(std::move(override_text)) {}

  SourceNode take_root() { return std::move(root_); }
  bool has_root() const { return has_root_; }
  const Location& start() const { return start_; }

  void OnDocumentStart(const YAML::Mark& mark) override { start_ = where(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add_leaf(SourceNode::Kind::null, "", mark, anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    const bool plain_null = tag == "?" && (value == "~" || value == "null");
    add_leaf(plain_null ? SourceNode::Kind::null : SourceNode::Kind::scalar, value, mark, anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end())
      throw SourceError("an alias refers to something that contains it: this would never end", where(mark));
    count(mark, sizes_[anchor]);
    put(SourceNode(found->second), mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(SourceNode::Kind::list, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(SourceNode::Kind::map, mark, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    SourceNode node;
    YAML::anchor_t anchor;
    long first_node;
    bool has_key = false;
    std::string key;
    std::unordered_set<std::string> keys;  ///< of a map, so far
    Location key_location;
  };

  Location where(const YAML::Mark& mark) const { return {mark.line + 1, mark.column + 1, override_text_}; }

  void count(const YAML::Mark& mark, long more) {
    nodes_ += more;
    if (nodes_ > SourceLimits::nodes)
      throw SourceError(
          fmt::format("more than {} values; use `repeat:` for large models", SourceLimits::nodes),
          where(mark));
  }
  void add_leaf(SourceNode::Kind kind, const std::string& value, const YAML::Mark& mark,
                YAML::anchor_t anchor) {
    count(mark, 1);
    refuse_control(value, mark);
    SourceNode node;
    node.kind = kind;
    node.scalar = value;
    node.location = where(mark);
    remember(anchor, node, 1);
    put(std::move(node), mark);
  }
  /// YAML spells them "\0" or "\e". A key is on one line, a formula may be on several.
  void refuse_control(const std::string& text, const YAML::Mark& mark) const {
    const bool is_key =
        !stack_.empty() && stack_.back().node.kind == SourceNode::Kind::map && !stack_.back().has_key;
    if (const auto at = find_control(text, is_key ? "" : "\n\r\t"); at != text.npos)
      throw SourceError(fmt::format("'{}' has a control character; leave it out", shorten(printable(text))),
                        where(mark));
  }
  void open(SourceNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    count(mark, 1);
    if (static_cast<int>(stack_.size()) >= SourceLimits::depth)
      throw SourceError(fmt::format("nested more than {} levels deep", SourceLimits::depth), where(mark));
    if (!stack_.empty() && stack_.back().node.kind == SourceNode::Kind::map && !stack_.back().has_key)
      throw KeyError("a key must be a single word", where(mark));
    Open next;
    next.node.kind = kind;
    next.node.location = where(mark);
    next.anchor = anchor;
    next.first_node = nodes_;
    stack_.push_back(std::move(next));
  }
  void close() {
    Open done = std::move(stack_.back());
    stack_.pop_back();
    remember(done.anchor, done.node, nodes_ - done.first_node + 1);
    put(std::move(done.node), YAML::Mark::null_mark());
  }
  void remember(YAML::anchor_t anchor, const SourceNode& node, long size) {
    if (anchor == 0) return;
    anchors_[anchor] = node;
    sizes_[anchor] = size;
  }
  void put(SourceNode node, const YAML::Mark& mark) {
    if (stack_.empty()) {
      root_ = std::move(node);
      has_root_ = true;
      return;
    }
    Open& parent = stack_.back();
    if (parent.node.kind == SourceNode::Kind::list) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.has_key) {
      if (node.kind != SourceNode::Kind::scalar) throw KeyError("a key must be a single word", where(mark));
      parent.has_key = true;
      parent.key = node.scalar;
      parent.key_location = node.location;
    } else {
      if (!parent.keys.insert(parent.key).second)
        throw SourceError(fmt::format("the key '{}' stands twice in the same mapping", parent.key),
                          parent.key_location);
      parent.node.keys.push_back(parent.key);
      parent.node.key_locations.push_back(parent.key_location);
      if (node.kind == SourceNode::Kind::null) node.location = parent.key_location;  // there is nothing else
      parent.node.items.push_back(std::move(node));
      parent.has_key = false;
    }
  }

  std::string override_text_;
  std::vector<Open> stack_;
  std::unordered_map<YAML::anchor_t, SourceNode> anchors_;
  std::unordered_map<YAML::anchor_t, long> sizes_;
  SourceNode root_;
  Location start_;
  bool has_root_ = false;
  long nodes_ = 0;
};

void refuse_binary(const std::string& text, const std::string& override_text) {
  int line = 1;
  size_t next = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\n') ++line;
    if (at == next) {
      const size_t length = utf8_length(text, at);
      if (length == 0)
        throw SourceError(fmt::format("the byte 0x{:02x} does not belong in UTF-8 text; is this a scene?",
                                      static_cast<unsigned char>(c)),
                          {line, 1, override_text});
      next += length;
    }
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 && c != '\n' && c != '\r' && c != '\t')
      throw SourceError(
          fmt::format("the byte 0x{:02x} does not belong in a text file; is this a scene?", byte),
          {line, 1, override_text});
  }
}

/// YAML knows no tabs before the first word of a line, and its parser does not say so.
void blame_tab(const std::string& text, const std::string& override_text) {
  int line = 1;
  bool is_indentation = true;
  for (const char c : text) {
    if (is_indentation && c == '\t')
      throw SourceError("a tab stands before the first word of this line; YAML wants spaces there",
                        {line, 1, override_text});
    is_indentation = c == '\n' || (is_indentation && c == ' ');
    line += c == '\n';
  }
}

/// Throws a better explanation of a fault that an unclosed bracket has led to, if there is one.
void blame_unclosed_bracket(const std::string& text, const std::string& override_text) {
  if (const auto found = find_unclosed_bracket(text))
    throw SourceError(fmt::format("this is not valid YAML: the bracket '{}' is not closed", found->bracket),
                      {found->line, found->column, override_text});
}

}  // namespace

SourceNode parse_source(const std::string& text, const std::string& override_text) {
  refuse_binary(text, override_text);
  TreeBuilder builder(override_text);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    const bool found = parser.HandleNextDocument(builder);
    if (!found || !builder.has_root()) throw SourceError("there is nothing in it", {1, 1, override_text});
    SourceNode root = builder.take_root();
    TreeBuilder second(override_text);
    if (parser.HandleNextDocument(second))
      throw SourceError("a second document begins; a scene file has only one", second.start());
    return root;
  } catch (const KeyError&) {
    blame_unclosed_bracket(text, override_text);
    throw;
  } catch (const YAML::Exception& e) {
    blame_tab(text, override_text);
    blame_unclosed_bracket(text, override_text);
    throw SourceError("this is not valid YAML: " + e.msg,
                      {std::max(e.mark.line, 0) + 1, std::max(e.mark.column, 0) + 1, override_text});
  }
}

}  // namespace percuss
