#include "percuss/io/private_copy.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "percuss/io/io_error.h"

namespace percuss {

PrivateCopy::PrivateCopy(const std::string& path, const std::string& content, const std::string& name)
    : original_(path), name_(name) {
  std::error_code error;
  std::string folder = std::filesystem::temp_directory_path(error) / "percuss-XXXXXX";
  if (error) folder = "/tmp/percuss-XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr)
    throw IoError::cannot("make", folder, std::strerror(errno),
                          "a copy of " + path + " is needed there; TMPDIR names another folder");
  folder_ = folder;
  std::ofstream copy(file(), std::ios::binary);
  copy.write(content.data(), static_cast<std::streamsize>(content.size()));
  copy.close();
  if (copy.fail()) {
    const std::string reason = std::strerror(errno);
    std::filesystem::remove_all(folder_, error);
    throw IoError::cannot("write", file(), reason,
                          "it is a copy of " + path + "; TMPDIR names another folder");
  }
}

PrivateCopy::~PrivateCopy() {
  std::error_code error;
  std::filesystem::remove_all(folder_, error);
}

}  // namespace percuss
