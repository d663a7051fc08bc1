#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include "part_file.h"

/// A text file that appears under its name only when it is complete; `-` is the standard output. Throws
/// IoError.
class TextFile {
 public:
  explicit TextFile(const std::string& path);
  ~TextFile();
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  void write(const std::string& text);
  void close();

 private:
  [[noreturn]] void fail() const;
  std::string path_;
  std::optional<PartFile> part_;  ///< nothing for the standard output
  std::FILE* stream_ = nullptr;
};
