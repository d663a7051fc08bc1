#include "gnuplot_process.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

/// A file in memory: gnuplot reads the script from one and writes its complaints into another, so neither
/// side waits for the other.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("percuss", MFD_CLOEXEC)) {}
  ~MemoryFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }
  /// False if there is no memory.
  bool fill(const std::string& text) const {
    for (size_t done = 0; done < text.size();) {
      const ssize_t written =
          pwrite(descriptor_, text.data() + done, text.size() - done, static_cast<off_t>(done));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      done += static_cast<size_t>(written);
    }
    return descriptor_ >= 0;
  }

 private:
  int descriptor_;
};

/// The last `count` bytes of a file.
std::string tail_of(int descriptor, off_t count) {
  const off_t size = std::max<off_t>(0, lseek(descriptor, 0, SEEK_END));
  std::string bytes(static_cast<size_t>(std::min(size, count)), '\0');
  const ssize_t got = pread(descriptor, bytes.data(), bytes.size(), size - static_cast<off_t>(bytes.size()));
  bytes.resize(static_cast<size_t>(std::max<ssize_t>(0, got)));
  return bytes;
}

/// gnuplot does not notice a full disk, but the end of the picture is then missing.
bool is_whole(int picture) {
  const std::string tail = tail_of(picture, 16);
  return tail.find("IEND") != tail.npos || tail.find("</svg>") != tail.npos;
}

std::string last_line(std::string text) {
  text.erase(text.find_last_not_of(" \r\n") + 1);
  return text.substr(text.find_last_of('\n') + 1);
}

/// Returns the process, or -1 with errno.
pid_t start(int script, int picture, int complaints) {
  std::string program = "gnuplot", settings = "-d";
  std::array<char*, 3> arguments = {program.data(), settings.data(), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, script, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, picture, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, complaints, STDERR_FILENO);
  pid_t process = -1;
  errno = posix_spawnp(&process, program.c_str(), &files, nullptr, arguments.data(), environ);
  const int error = errno;
  posix_spawn_file_actions_destroy(&files);
  errno = error;
  return error == 0 ? process : -1;
}

int wait_for(pid_t process) {
  int status = -1;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

}  // namespace

GnuplotEnd feed_gnuplot(const std::string& script, int picture) {
  const MemoryFile input, complaints;
  if (!input.fill(script) || complaints.descriptor() < 0) return {.error = errno};
  const pid_t process = start(input.descriptor(), picture, complaints.descriptor());
  if (process < 0) return {.error = errno};
  const bool is_good = wait_for(process) == 0 && is_whole(picture);
  return {.has_finished = is_good, .message = last_line(tail_of(complaints.descriptor(), 1000))};
}
