#pragma once

#include <filesystem>
#include <string>

/// Where an output file really is: a link stays, and the file behind it is replaced.
inline std::string behind_link(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const auto target = std::filesystem::weakly_canonical(path, error);
  return error ? path : target.string();
}
