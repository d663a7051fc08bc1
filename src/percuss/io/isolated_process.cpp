#include "percuss/io/isolated_process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "percuss/io/io_error.h"

namespace percuss {
namespace {

// The first two bytes of an answer.
constexpr char restricted_mark = 'r', free_mark = 'n';
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
  void move_to(int descriptor) {
    if (descriptor != descriptor_) descriptor_ = ::dup2(descriptor_, descriptor);
  }
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

/// Of this process only the answer and the three standard streams, which lead nowhere, stay open.
void close_other_files(SharedMemory& memory) {
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (nowhere >= 0) ::dup2(nowhere, stream);
  memory.move_to(STDERR_FILENO + 1);
  ::syscall(SYS_close_range, STDERR_FILENO + 2, ~0U, 0);
}

/// Libraries read their settings from the home of the user and from the environment.
void leave_home(const std::string& folder) {
  ::clearenv();
  for (const char* name : {"HOME", "TMPDIR"}) ::setenv(name, folder.c_str(), 1);
  if (::chdir(folder.c_str()) != 0) throw IoError::cannot("enter", folder, std::strerror(errno));
}

/// The new process: silent, and gone when its parent is gone or the user presses Ctrl-C.
[[noreturn]] void work_and_exit(const IsolatedWork& how, const std::function<std::string()>& work,
                                SharedMemory& memory) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int number : {SIGINT, SIGTERM, SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGXCPU, SIGALRM, SIGXFSZ})
    std::signal(number, SIG_DFL);
  close_other_files(memory);
  std::string answer;
  bool restricted = false;
  try {
    leave_home(how.folder);
    limit_process(how.limits);
    restricted = restrict_system_calls();
    answer = done_mark + work();
  } catch (const std::exception& error) {
    answer = failed_mark + std::string(error.what());
  }
  answer.insert(answer.begin(), restricted ? restricted_mark : free_mark);
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

[[noreturn]] void refuse_death(const IsolatedWork& how, int death) {
  const auto& [path, library, folder, limits] = how;
  if (death == SIGXCPU || death == SIGALRM)
    throw IoError::cannot("read", path,
                          fmt::format("{} was not ready after {} s of {} time", library,
                                      death == SIGXCPU ? limits.processor_seconds : limits.waiting_seconds,
                                      death == SIGXCPU ? "processor" : "waiting"),
                          "the file is damaged, or asks for very many elements");
  throw IoError::cannot(
      "read", path, library + " crashed" + (death == 0 ? "" : fmt::format(" ({})", ::strsignal(death))),
      fmt::format("the file is damaged, or needs more than {} MB of memory", limits.memory >> 20));
}

}  // namespace

IsolatedAnswer run_isolated(const IsolatedWork& how, const std::function<std::string()>& work) {
  SharedMemory memory;
  if (!memory.is_open()) throw IoError::cannot("read", how.path, std::strerror(errno));
  const pid_t process = ::fork();
  if (process < 0) throw IoError::cannot("read", how.path, std::strerror(errno));
  if (process == 0) work_and_exit(how, work, memory);
  const int death = wait_for(process);
  std::string answer = memory.read();
  if (death != 0 || answer.size() < 2) refuse_death(how, death);
  const bool restricted = answer[0] == restricted_mark, failed = answer[1] == failed_mark;
  answer.erase(0, 2);
  if (failed) throw IoError(how.path, answer);
  return {std::move(answer), restricted};
}

}  // namespace percuss
