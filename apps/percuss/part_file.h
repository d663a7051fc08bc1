#pragma once

#include <string>

/// Where an output file really is: a link stays, and the file behind it is replaced.
std::string behind_link(const std::string& path);

/// A file that appears under its name, in one stroke, when it is complete. Until then it is beside it under a
/// name that nobody can know or have made before. Throws IoError.
class PartFile {
 public:
  explicit PartFile(const std::string& path);
  ~PartFile();  ///< what was not published disappears
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  int descriptor() const { return descriptor_; }  ///< to write; it stays open as long as this object
  void publish();

 private:
  std::string path_, part_;
  int descriptor_ = -1;
};
