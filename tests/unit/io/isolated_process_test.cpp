#include "percuss/io/isolated_process.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "percuss/io/io_error.h"
#include "support/effort.h"
#include "support/process.h"

namespace percuss {
namespace {

class IsolatedProcess : public ::testing::Test {
 protected:
  IsolatedAnswer run(const std::function<std::string()>& work, const ProcessLimits& limits = {}) {
    return run_isolated({"part.msh", "Library", folder_.path().string(), limits}, work);
  }
  std::string complaint(const std::function<std::string()>& work, const ProcessLimits& limits = {}) {
    try {
      return "no complaint, but: " + run(work, limits).bytes;
    } catch (const IoError& error) {
      return error.what();
    }
  }

  testing::TemporaryDirectory folder_;
};

TEST_F(IsolatedProcess, ReturnsAnswersAndReasons) {
  EXPECT_EQ(run([] { return std::string("done"); }).bytes, "done");
  EXPECT_EQ(run([] { return std::string(); }).bytes, "");
  EXPECT_EQ(complaint([]() -> std::string { throw std::runtime_error("a reason"); }), "a reason");
  EXPECT_EQ(
      complaint([]() -> std::string { ::_exit(0); }),
      "cannot read part.msh: Library crashed; the file is damaged, or needs more than 2048 MB of memory");
}

TEST_F(IsolatedProcess, IsEndedWhenItTakesTooLong) {
  EXPECT_EQ(
      complaint(
          []() -> std::string {
            for (const volatile bool goes_on = true; goes_on;) continue;
            return "";
          },
          {.processor_seconds = 1}),
      "cannot read part.msh: Library was not ready after 1 s of processor time; the file is damaged, or asks "
      "for very many elements");
  EXPECT_EQ(complaint(
                []() -> std::string {
                  for (;;) ::pause();
                },
                {.waiting_seconds = 1}),
            "cannot read part.msh: Library was not ready after 1 s of waiting time; the file is damaged, or "
            "asks for "
            "very many elements");
}

TEST_F(IsolatedProcess, HasItsOwnFolderAndNoEnvironment) {
  ::setenv("PERCUSS_TEST_SECRET", "1", 1);
  const auto work = [] {
    const char* secret = std::getenv("PERCUSS_TEST_SECRET");
    return (secret ? "secret " : "nothing ") + std::string(std::getenv("HOME")) + " " +
           std::filesystem::current_path().string();
  };
  const std::string folder = std::filesystem::canonical(folder_.path()).string();
  EXPECT_EQ(run(work).bytes, "nothing " + folder_.path().string() + " " + folder);
}

TEST_F(IsolatedProcess, HasNoneOfTheOpenFiles) {
  const int opened = ::open("/dev/null", O_RDONLY);
  const int descriptor = ::fcntl(opened, F_DUPFD, 50);  // beyond those that the process has for itself
  ASSERT_GE(descriptor, 50);
  EXPECT_EQ(run([&] { return std::string(::fcntl(descriptor, F_GETFD) < 0 ? "closed" : "open"); }).bytes,
            "closed");
  ::close(descriptor);
  ::close(opened);
}

TEST_F(IsolatedProcess, StartsNothingAndChangesNoFile) {
  testing::write_file(folder_ / "kept", "content");
  const IsolatedAnswer answer = run([] {
    std::string done;
    if (std::system("true") == 0) done += "a program, ";
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    if (child > 0) done += "a child, ";
    if (::socket(AF_INET, SOCK_STREAM, 0) >= 0) done += "a socket, ";
    if (::open("made", O_WRONLY | O_CREAT, 0600) >= 0) done += "a new file, ";
    if (::open("kept", O_RDWR) >= 0) done += "an old file, ";
    if (::unlink("kept") == 0) done += "a removal, ";
    if (::rename("kept", "other") == 0) done += "a new name, ";
    if (::kill(::getppid(), 0) == 0) done += "a signal, ";
    if (::open("kept", O_RDONLY) < 0) done += "no reading, ";
    return done;
  });
  if (!answer.is_restricted) GTEST_SKIP() << "NOT TESTED: this system has no filters of system calls";
  EXPECT_EQ(answer.bytes, "");
}

TEST_F(IsolatedProcess, GetsOnlySoMuchMemory) {
#ifdef PERCUSS_SANITIZED
  GTEST_SKIP() << "the allocator of the sanitizers ends the process instead of refusing";
#endif
  const auto work = [] {
    const auto taken =
        std::unique_ptr<void, decltype(&std::free)>(std::malloc(std::size_t{1} << 28), std::free);
    return std::string(taken ? "taken" : "refused");
  };
  EXPECT_EQ(run(work, {.memory = 1 << 26}).bytes, "refused");
  EXPECT_EQ(run(work).bytes, "taken");
}

}  // namespace
}  // namespace percuss
