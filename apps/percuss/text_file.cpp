#include "text_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <unistd.h>

#include "percuss/io/io_error.h"

using percuss::IoError;

TextFile::TextFile(const std::string& path) : path_(path) {
  if (path == "-") {
    stream_ = stdout;
    return;
  }
  part_.emplace(path);
  const int descriptor = dup(part_->descriptor());  // the stream closes its own
  stream_ = descriptor < 0 ? nullptr : fdopen(descriptor, "w");
  if (!stream_) fail();
}

TextFile::~TextFile() {
  if (stream_ && stream_ != stdout) std::fclose(stream_);
}

void TextFile::write(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stream_) != text.size()) fail();
}

void TextFile::close() {
  if (std::fflush(stream_) != 0) fail();
  if (stream_ == stdout) return;
  if (std::fclose(std::exchange(stream_, nullptr)) != 0) fail();
  part_->publish();
}

void TextFile::fail() const { throw IoError::cannot("write", path_, std::strerror(errno)); }
