#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

// A target reads whatever it gets and must end with a result or with a message for the user: SceneError,
// IoError, ExpressionError. Every other exception, a crash, a leak, undefined behaviour, more than 25 s or 2
// GB is a fault. docs/howto/fuzzing.md
namespace percuss::fuzzing {

/// A folder of this process in memory.
inline const std::filesystem::path& folder() {
  static const std::filesystem::path made = [] {
    std::string name =
        std::filesystem::exists("/dev/shm") ? "/dev/shm/percuss-fuzz-XXXXXX" : "/tmp/percuss-fuzz-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    static std::filesystem::path kept = name;
    std::atexit([] { std::filesystem::remove_all(kept); });
    return std::filesystem::path(name);
  }();
  return made;
}

/// The input as a file of this name.
inline std::string write_input(const std::string& name, const void* data, std::size_t size) {
  const std::string path = (folder() / name).string();
  std::ofstream(path, std::ios::binary)
      .write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  return path;
}

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace percuss::fuzzing
