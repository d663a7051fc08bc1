#pragma once

#include <stdexcept>
#include <string>

namespace percuss {

/// A file could not be read or written: which file, what happened and what to do about it.
class IoError : public std::runtime_error {
 public:
  IoError(std::string path, const std::string& what_happened, const std::string& what_to_do = "")
      : std::runtime_error(what_to_do.empty() ? what_happened : what_happened + "; " + what_to_do),
        path_(std::move(path)) {}

  /// "cannot write /x/y.h5: No space left on device; free some space".
  static IoError cannot(const std::string& verb, const std::string& path, const std::string& reason,
                        const std::string& what_to_do = "") {
    return {path, "cannot " + verb + " " + path + ": " + reason, what_to_do};
  }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace percuss
