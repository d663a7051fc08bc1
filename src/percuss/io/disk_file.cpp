#include "percuss/io/disk_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "percuss/io/io_error.h"

namespace percuss {
namespace {

/// Locks belong to the open file, not to the process, and other HDF5 programs, whose locks are of another
/// kind, do not notice them. Where there are no locks nobody is seen.
struct flock whole_file() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}
/// True if another process writes the file.
bool is_locked(int descriptor) {
  struct flock lock = whole_file();
  return ::fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}
/// False if another process was faster.
bool take_lock(int descriptor) {
  struct flock lock = whole_file();
  return ::fcntl(descriptor, F_OFD_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES);
}

bool is_locked(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const bool locked = descriptor >= 0 && is_locked(descriptor);
  if (descriptor >= 0) ::close(descriptor);
  return locked;
}

/// The open file has this name.
bool is_named(int descriptor, const std::string& path) {
  struct stat named {};
  struct stat opened {};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}
/// A file with a second name may be something precious.
bool is_only_ours(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1;
}

[[noreturn]] void refuse_locked(const std::string& path) {
  throw IoError::cannot("write", path, "another run is writing it",
                        "wait for its end or choose another name");
}

/// A link stays a link, and the file it leads to is replaced.
std::string follow_link(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const auto target = std::filesystem::canonical(path, error);
  return error ? path : target.string();
}

/// Waits until the new name of a file is on the disk. Some file systems cannot do it; that is no error.
void sync_directory_of(const std::string& path) {
  const auto slash = path.rfind('/');
  const std::string parent = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int directory = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  ::fsync(directory);
  ::close(directory);
}

}  // namespace

/// False if the file ceased to be `path`.part between opening and locking: its writer published or gave up.
bool DiskFile::open_part() {
  const std::string part = target_ + ".part";
  descriptor_ = ::open(part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor_ < 0) throw IoError::cannot("write", path_, std::strerror(errno));
  if (!take_lock(descriptor_)) refuse_locked(path_);
  if (is_named(descriptor_, part)) {
    if (!is_only_ours(descriptor_))
      throw IoError::cannot("write", path_, part + " is in the way", "remove it");
    part_ = part;
    return true;
  }
  ::close(std::exchange(descriptor_, -1));
  return false;
}

std::shared_ptr<DiskFile> DiskFile::create(const std::string& path) {
  std::shared_ptr<DiskFile> file(new DiskFile(path));
  file->target_ = follow_link(path);
  file->writable_ = true;
  struct stat old {};
  if (::stat(path.c_str(), &old) == 0 && !S_ISREG(old.st_mode))
    throw IoError::cannot("write", path,
                          S_ISDIR(old.st_mode) ? "Is a directory" : "it exists and is not a regular file");
  while (!file->open_part()) continue;
  // Who holds the lock on the new name may look at the old one: nobody else can publish any more.
  if (is_locked(file->target_)) refuse_locked(path);
  file->resize(0);  // a killed run may have left something
  file->throw_if_failed();
  return file;
}

std::shared_ptr<DiskFile> DiskFile::open(const std::string& path, const std::string& advice) {
  std::shared_ptr<DiskFile> file(new DiskFile(path));
  file->descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe would block
  if (file->descriptor_ < 0)
    throw IoError::cannot("read", path, std::strerror(errno), errno == ENOENT ? advice : "");
  return file;
}

DiskFile::~DiskFile() { close(); }

void DiskFile::close() noexcept {
  // In this order: once the lock is gone, another process may have made the file of the temporary name.
  if (!part_.empty()) ::unlink(part_.c_str());
  part_.clear();
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void DiskFile::throw_if_failed() const {
  if (error_ != 0)
    throw IoError::cannot(writable_ ? "write" : "read", path_, reason_ ? reason_ : std::strerror(error_));
}

void DiskFile::fail_if(bool failed) noexcept {
  if (failed && error_ == 0) error_ = errno;
}

void DiskFile::lose(const char* reason) noexcept {
  if (error_ != 0) return;
  error_ = EIO;
  reason_ = reason;
}

/// Our writes would make a file long again that another program has cut, and leave a hole of zeros in it.
void DiskFile::look_for_losses() noexcept {
  if (size() < end_) lose("another program has shortened it during the run; start the run again");
}

std::int64_t DiskFile::size() const noexcept {
  struct stat status {};
  return ::fstat(descriptor_, &status) == 0 ? status.st_size : 0;
}

void DiskFile::resize(std::int64_t size) noexcept {
  look_for_losses();
  if (has_failed()) return;
  fail_if(::ftruncate(descriptor_, size) != 0);
  if (!has_failed()) end_ = size;
}

void DiskFile::write(std::int64_t address, const char* bytes, std::size_t count) noexcept {
  look_for_losses();
  while (count > 0 && !has_failed()) {
    errno = ENOSPC;  // for the case that nothing is written and nothing said
    const ssize_t written = ::pwrite(descriptor_, bytes, count, address);
    if (written < 0 && errno == EINTR) continue;
    fail_if(written <= 0);
    if (written <= 0) continue;
    bytes += written;
    count -= static_cast<std::size_t>(written);
    address += written;
    end_ = std::max(end_, address);
  }
}

std::size_t DiskFile::read(std::int64_t address, char* bytes, std::size_t count) noexcept {
  look_for_losses();
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got =
        ::pread(descriptor_, bytes + done, count - done, address + static_cast<std::int64_t>(done));
    if (got < 0 && errno == EINTR) continue;
    fail_if(got < 0);
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

void DiskFile::sync() noexcept {
  if (writable_ && part_.empty() && !is_named(descriptor_, target_))
    lose("it was deleted, renamed or replaced during the run; start the run again");
  if (has_failed()) return;
  int result = 0;
  do result = ::fdatasync(descriptor_);
  while (result != 0 && errno == EINTR);
  fail_if(result != 0 && errno != EINVAL && errno != ENOTSUP);  // file systems that cannot do it
}

void DiskFile::publish() {
  if (has_failed()) return;
  fail_if(::rename(part_.c_str(), target_.c_str()) != 0);
  if (has_failed()) return;
  part_.clear();
  sync_directory_of(target_);
}

std::string read_whole_file(const std::string& path) {
  const auto disk = DiskFile::open(path);
  std::string content(static_cast<std::size_t>(disk->size()), '\0');
  content.resize(disk->read(0, content.data(), content.size()));
  disk->throw_if_failed();
  if (content.empty()) throw IoError::cannot("read", path, "it is empty");
  return content;
}

}  // namespace percuss
