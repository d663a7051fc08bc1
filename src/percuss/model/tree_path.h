#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace percuss {

/// Where a value stands in a scene: `bodies[3].mass`. A chain of parts that lie in the functions which walk
/// through the scene: most values are good, and the text is made for those that need a message.
class TreePath {
 public:
  TreePath() = default;  ///< of the whole scene; its text is empty

  TreePath key(std::string_view name) const& { return {this, name, no_index}; }
  TreePath item(std::size_t index) const& { return {this, {}, index}; }
  TreePath key(std::string_view name) const&& = delete;  // the part outside must outlive this one
  TreePath item(std::size_t index) const&& = delete;

  std::string text() const {
    if (!outer_) return {};
    std::string result = outer_->text();
    if (index_ != no_index) return result + '[' + std::to_string(index_) + ']';
    if (outer_->outer_) result += '.';
    return result += key_;
  }

 private:
  static constexpr std::size_t no_index = static_cast<std::size_t>(-1);

  TreePath(const TreePath* outer, std::string_view key, std::size_t index)
      : outer_(outer), key_(key), index_(index) {}

  const TreePath* outer_ = nullptr;
  std::string_view key_;
  std::size_t index_ = no_index;  ///< of an item
};

}  // namespace percuss
