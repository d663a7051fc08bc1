#include "text_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "output_path.h"
#include "percuss/io/io_error.h"

using percuss::IoError;

TextFile::TextFile(const std::string& path) : path_(behind_link(path)), part_(path_ + ".part") {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status)) throw IoError::cannot("write", path, "Is a directory");
  if (path != "-" && std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw IoError::cannot("write", path, "it is there and no regular file", "use - for the standard output");
  errno = 0;
  stream_ = path == "-" ? stdout : std::fopen(part_.c_str(), "w");
  if (!stream_) fail();
}

TextFile::~TextFile() {
  if (stream_ && stream_ != stdout) {
    std::fclose(stream_);
    std::remove(part_.c_str());
  }
}

void TextFile::write(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stream_) != text.size()) fail();
}

void TextFile::close() {
  if (std::fflush(stream_) != 0) fail();
  if (stream_ == stdout) return;
  std::FILE* stream = std::exchange(stream_, nullptr);
  if (std::fclose(stream) != 0 || std::rename(part_.c_str(), path_.c_str()) != 0) {
    const int error = errno;
    std::remove(part_.c_str());
    errno = error;
    fail();
  }
}

void TextFile::fail() const { throw IoError::cannot("write", path_, std::strerror(errno)); }
