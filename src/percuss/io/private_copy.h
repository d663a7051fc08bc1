#pragma once

#include <filesystem>
#include <string>

namespace percuss {

/// A file in a folder of its own that nobody else can enter, so that a library that looks for companions of a
/// file finds none. Both disappear with the object.
class PrivateCopy {
 public:
  /// `path`: the original, for messages.
  PrivateCopy(const std::string& path, const std::string& content, const std::string& name);
  ~PrivateCopy();
  PrivateCopy(const PrivateCopy&) = delete;
  PrivateCopy& operator=(const PrivateCopy&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  const std::string& original() const { return original_; }
  std::string file() const { return (folder_ / name_).string(); }

 private:
  std::string original_, name_;
  std::filesystem::path folder_;
};

}  // namespace percuss
