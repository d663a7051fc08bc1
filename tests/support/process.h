#pragma once

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/// Runs programs without a shell, for the tests of the command line.
namespace percuss::testing {

/// A new folder that is removed, with everything in it, at the end of its scope.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (parent() / "percuss-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a folder " + name);
    path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  /// In memory if possible: every run waits until its files are on the disk.
  static std::filesystem::path parent() {
    const bool has_memory = !std::getenv("TMPDIR") && ::access("/dev/shm", W_OK | X_OK) == 0;
    return has_memory ? "/dev/shm" : std::filesystem::temp_directory_path();
  }

  std::filesystem::path path_;
};

inline std::string read_file(const std::filesystem::path& path) {
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return std::move(bytes).str();
}
inline void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream stream(path, std::ios::binary);
  stream << bytes;
  if (!stream.flush()) throw std::runtime_error("cannot write " + path.string());
}

struct ProcessOptions {
  std::filesystem::path directory = ".";  ///< where the program is started
  std::chrono::milliseconds timeout = std::chrono::seconds(60);
  std::optional<long> file_size_limit;  ///< a file that would grow beyond fails with EFBIG [bytes]
  std::vector<int> closed;              ///< descriptors that the program does not get
  std::string output_file;              ///< takes the standard output, which is not captured then
  int signal = 0;                       ///< sent to the program once `signal_when` is true
  std::function<bool()> signal_when;    ///< asked every millisecond
};

struct ProcessResult {
  int exit_code = -1;  ///< -1 if a signal ended the program
  int signal = 0;
  bool timed_out = false, signal_sent = false;
  std::string output, errors;
};

namespace detail {

/// In the child, between fork and exec.
[[noreturn]] inline void become(char* const* arguments, const ProcessOptions& options, int output,
                                int errors) {
  const int input = ::open("/dev/null", O_RDONLY);
  if (!options.output_file.empty()) output = ::open(options.output_file.c_str(), O_WRONLY | O_CREAT, 0666);
  bool ready = ::dup2(input, 0) == 0 && ::dup2(output, 1) == 1 && ::dup2(errors, 2) == 2 &&
               ::setpgid(0, 0) == 0 && ::chdir(options.directory.c_str()) == 0;
  if (options.file_size_limit) {
    const auto bytes = static_cast<rlim_t>(*options.file_size_limit);
    const rlimit limit = {bytes, bytes};
    ready = ready && ::setrlimit(RLIMIT_FSIZE, &limit) == 0 && std::signal(SIGXFSZ, SIG_IGN) != SIG_ERR;
  }
  for (const int descriptor : options.closed) ::close(descriptor);
  if (ready) ::execv(arguments[0], arguments);
  const char* reason = std::strerror(errno);
  if (::write(2, reason, std::strlen(reason)) < 0) ::_exit(126);
  ::_exit(127);
}

/// The reading end of a pipe from the child.
class Stream {
 public:
  Stream() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  }
  ~Stream() { close_end(0), close_end(1); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  int write_end() const { return ends_[1]; }
  void close_end(size_t which) {
    if (ends_[which] >= 0) ::close(std::exchange(ends_[which], -1));
  }
  bool is_open() const { return ends_[0] >= 0; }
  pollfd poll_entry() const { return {ends_[0], POLLIN, 0}; }
  void read_some(std::string& text) {
    std::array<char, 65536> buffer;
    const ssize_t count = ::read(ends_[0], buffer.data(), buffer.size());
    if (count > 0) text.append(buffer.data(), static_cast<size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR)) close_end(0);
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

}  // namespace detail

/// Runs a program (its full path, then its arguments) to its end.
inline ProcessResult run_process(std::vector<std::string> command, const ProcessOptions& options = {}) {
  std::vector<char*> arguments;
  for (auto& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  detail::Stream output, errors;
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) detail::become(arguments.data(), options, output.write_end(), errors.write_end());
  output.close_end(1);
  errors.close_end(1);

  ProcessResult result;
  const auto deadline = std::chrono::steady_clock::now() + options.timeout;
  while (output.is_open() || errors.is_open()) {
    if (options.signal != 0 && !result.signal_sent && options.signal_when()) {
      ::kill(child, options.signal);
      result.signal_sent = true;
    }
    if (!result.timed_out && std::chrono::steady_clock::now() > deadline) {
      result.timed_out = true;
      ::kill(-child, SIGKILL);  // the child leads a group of its own
    }
    std::array<pollfd, 2> entries = {output.poll_entry(), errors.poll_entry()};
    const bool is_waiting_to_signal = options.signal != 0 && !result.signal_sent;
    ::poll(entries.data(), entries.size(), is_waiting_to_signal ? 1 : 20);
    if (entries[0].revents != 0) output.read_some(result.output);
    if (entries[1].revents != 0) errors.read_some(result.errors);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

/// Runs percuss.
inline ProcessResult run_percuss(const std::vector<std::string>& arguments,
                                 const ProcessOptions& options = {}) {
  std::vector<std::string> command = {PERCUSS_PROGRAM};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_process(std::move(command), options);
}
inline ProcessResult run_percuss_in(const TemporaryDirectory& folder,
                                    const std::vector<std::string>& arguments) {
  ProcessOptions options;
  options.directory = folder.path();
  return run_percuss(arguments, options);
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

/// Whatever the input was, this must hold.
inline void expect_no_crash(const ProcessResult& result) {
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.signal, 0);
  for (const auto* text : {&result.output, &result.errors})
    for (const char* mark : {"internal error", "Sanitizer", "runtime error:", "terminate called"})
      EXPECT_FALSE(contains(*text, mark)) << *text;
}

/// Ended by itself with this exit code.
inline void expect_exit(const ProcessResult& result, int exit_code) {
  expect_no_crash(result);
  EXPECT_EQ(result.exit_code, exit_code) << result.output << result.errors;
}

}  // namespace percuss::testing
