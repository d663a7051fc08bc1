#include "percuss/io/isolated_process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "percuss/io/io_error.h"

namespace percuss {
namespace {

constexpr char done_mark = 'd', failed_mark = 'f';

class SharedMemory {
 public:
  SharedMemory() : descriptor_(::memfd_create("percuss", MFD_CLOEXEC)) {}
  ~SharedMemory() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  bool write(const std::string& bytes) const {
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t written = ::write(descriptor_, bytes.data() + done, bytes.size() - done);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      done += static_cast<std::size_t>(written);
    }
    return true;
  }
  std::string read() const {
    std::string bytes(static_cast<std::size_t>(std::max<off_t>(0, ::lseek(descriptor_, 0, SEEK_END))), '\0');
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t got =
          ::pread(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      done += static_cast<std::size_t>(got);
    }
    bytes.resize(done);
    return bytes;
  }

 private:
  int descriptor_;
};

/// The new process: silent, and gone when its parent is gone or the user presses Ctrl-C.
[[noreturn]] void work_and_exit(int limit, const std::function<std::string()>& work,
                                const SharedMemory& memory) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int number : {SIGINT, SIGTERM, SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGXCPU})
    std::signal(number, SIG_DFL);
  rlimit seconds{};
  ::getrlimit(RLIMIT_CPU, &seconds);
  seconds.rlim_cur = std::min(static_cast<rlim_t>(limit), seconds.rlim_max);
  ::setrlimit(RLIMIT_CPU, &seconds);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere >= 0) {
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
  }
  std::string answer;
  try {
    answer = done_mark + work();
  } catch (const std::exception& error) {
    answer = failed_mark + std::string(error.what());
  }
  ::_exit(memory.write(answer) ? 0 : 1);
}

/// The signal that ended a process; 0 if it ended by itself or nobody knows.
int wait_for(pid_t process) {
  int status = 0;
  pid_t ended = 0;
  do ended = ::waitpid(process, &status, 0);
  while (ended < 0 && errno == EINTR);
  return ended == process && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

}  // namespace

std::string run_isolated(const std::string& path, const std::string& library, int limit,
                         const std::function<std::string()>& work) {
  const SharedMemory memory;
  if (!memory.is_open()) throw IoError::cannot("read", path, std::strerror(errno));
  const pid_t process = ::fork();
  if (process < 0) throw IoError::cannot("read", path, std::strerror(errno));
  if (process == 0) work_and_exit(limit, work, memory);
  const int death = wait_for(process);
  std::string answer = memory.read();
  if (death == SIGXCPU)
    throw IoError::cannot("read", path,
                          fmt::format("{} was not ready after {} s of processor time", library, limit),
                          "the file is damaged, or asks for very many elements");
  if (death != 0 || answer.empty())
    throw IoError::cannot("read", path,
                          library + " crashed" + (death == 0 ? "" : fmt::format(" ({})", ::strsignal(death))),
                          "the file is damaged, or the memory does not suffice");
  const char mark = answer.front();
  answer.erase(0, 1);
  if (mark == failed_mark) throw IoError(path, answer);
  return answer;
}

}  // namespace percuss
