#include "part_file.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include "percuss/io/io_error.h"

namespace fs = std::filesystem;
using percuss::IoError;

namespace {

void refuse_what_is_no_file(const std::string& path) {
  std::error_code ignored;
  const auto status = fs::status(path, ignored);
  const auto folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, ignored))
    throw IoError::cannot("write", path, "there is no such folder");
  if (fs::is_directory(status)) throw IoError::cannot("write", path, "Is a directory");
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw IoError::cannot("write", path, "it is there and no regular file");
}

/// In the same folder, or it could not be renamed; short, because names of files are limited.
std::string unknown_name_beside(const std::string& path) {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number)
    throw IoError::cannot("write", path, std::strerror(errno));
  return (fs::path(path).parent_path() / fmt::format(".percuss-{:016x}.part", number)).string();
}

}  // namespace

std::string behind_link(const std::string& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  const auto target = fs::weakly_canonical(path, error);
  return error ? path : target.string();
}

PartFile::PartFile(const std::string& path) : path_(behind_link(path)) {
  refuse_what_is_no_file(path);
  part_ = unknown_name_beside(path_);
  descriptor_ = open(part_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw IoError::cannot("write", path, std::strerror(errno));
}

PartFile::~PartFile() {
  if (!part_.empty()) unlink(part_.c_str());
  close(descriptor_);
}

void PartFile::publish() {
  if (std::rename(part_.c_str(), path_.c_str()) != 0)
    throw IoError::cannot("write", path_, std::strerror(errno));
  part_.clear();
}
