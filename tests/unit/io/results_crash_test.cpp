#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <functional>
#include <iostream>
#include <random>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "percuss/io/io_error.h"
#include "results_fixture.h"
#include "support/effort.h"

/// Kills, full disks and damaged files.
namespace {

/// Called before each change of a file. The change fails with the errno that it returns, unless that is 0.
std::function<int()> before_change;

template <class Change>
auto intercept(Change change) -> decltype(change()) {
  const int error = before_change ? before_change() : 0;
  if (error == 0) return change();
  errno = error;
  return -1;
}

}  // namespace

// In this program these take the place of the functions of the C library.
extern "C" {
ssize_t pwrite(int file, const void* bytes, size_t count, off_t address) {
  // One page at a time: between two pages the kernel lets a kill cut a write.
  const size_t page = before_change ? std::min<size_t>(count, 4096 - address % 4096) : count;
  return intercept([&] { return syscall(SYS_pwrite64, file, bytes, page, address); });
}
int ftruncate(int file, off_t size) noexcept {
  return intercept([&] { return static_cast<int>(syscall(SYS_ftruncate, file, size)); });
}
int rename(const char* from, const char* to) noexcept {
  return intercept([&] { return static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0)); });
}
int fdatasync(int file) {  // slow, and of no consequence for what other processes see
  return before_change ? 0 : static_cast<int>(syscall(SYS_fdatasync, file));
}
int fsync(int file) { return before_change ? 0 : static_cast<int>(syscall(SYS_fsync, file)); }
}

namespace percuss {
namespace {

namespace fs = std::filesystem;

class CrashTest : public ResultsTest {
 protected:
  ~CrashTest() override { before_change = nullptr; }

  /// The whole of short_settings(), with a flush every 20 steps, to `file`.
  void run_with_flushes(const std::string& file) const {
    Simulation simulation(bouncing_ball(), short_settings());
    ResultsWriter writer(header(file), simulation);
    writer.on_frame(simulation);
    simulation.begin_interval();
    while (!simulation.finished()) {
      ASSERT_EQ(simulation.step().status, SolveStatus::converged);
      writer.on_impacts(simulation);
      writer.on_frame(simulation);
      simulation.begin_interval();
      if (simulation.state().step % 20 == 0) writer.flush(simulation);
    }
    writer.finish(simulation, {});
  }
};

void expect_beginning_of(const std::vector<double>& whole, const std::vector<double>& part) {
  ASSERT_LE(part.size(), whole.size());
  EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin()));
}

/// What programs other than ours rely on.
void expect_rows_that_are_promised(const std::string& path) {
  const auto file = Hdf5Reader::open(path);
  const auto saved = file->read<std::int64_t>("/run/saved");
  for (const char* name : {"/time", "/states/v", "/probes/values", "/contacts/first_row", "/reports/impacts",
                           "/flexible/rod/displacement", "/flexible/rod/stress"})
    EXPECT_GE(file->shape(name).rows, saved[0]) << name;
  EXPECT_GE(file->shape("/contacts/work").rows, saved[1]);
  EXPECT_GE(file->shape("/impacts/work").rows, saved[2]);
  EXPECT_GE(file->shape("/accepted/contact").rows, saved[3]);
}

TEST_F(CrashTest, AKillBetweenAnyTwoWritesLosesNothingThatWasSafe) {
  run_with_flushes(path("whole.h5"));
  const auto expected = ResultsReader(path("whole.h5")).column("height");
  struct Remains {
    std::string results, checkpoint;
    bool operator==(const Remains&) const = default;
  };
  std::vector<Remains> kills;
  before_change = [&] {
    Remains now = {bytes_of(path()), bytes_of(checkpoint_path(path()))};
    if (kills.empty() || now != kills.back()) kills.push_back(std::move(now));
    return 0;
  };
  run_with_flushes(path());
  before_change = [] { return 0; };
  ASSERT_GT(kills.size(), 300u);
  ASSERT_TRUE(kills[0].results.empty());

  std::int64_t frames = 0;
  for (size_t i = 1; i < kills.size(); ++i) {
    const bool is_new_checkpoint = kills[i].checkpoint != kills[i - 1].checkpoint;
    if (i % testing::stride(10) != 0 && !is_new_checkpoint && i + 1 < kills.size()) continue;
    fs::remove(path());
    if (!kills[i].results.empty()) write_bytes(path(), kills[i].results);
    write_bytes(checkpoint_path(path()), kills[i].checkpoint);
    const auto position = read_checkpoint(checkpoint_path(path()));
    if (fs::exists(path())) {
      expect_rows_that_are_promised(path());
      const ResultsReader reader(path());
      expect_beginning_of(expected, reader.column("height"));
      for (const auto& name : reader.columns()) ASSERT_EQ(std::ssize(reader.column(name)), reader.frames());
      EXPECT_GE(reader.frames(), std::max(frames, position.frames)) << i;
      frames = reader.frames();
    }
    if (i % (20 * testing::stride(5)) != 0 && !is_new_checkpoint) continue;
    resume(path(), short_settings());
    expect_same_results(path("whole.h5"), path());
  }
  EXPECT_EQ(frames, std::ssize(expected));
}

TEST_F(CrashTest, AKilledProcessCanBeResumed) {
  RunConfig config = settings();
  config.time.step = 1e-4 * testing::stride(5);
  config.time.end = std::max(0.5, 0.2 * testing::repetitions(10));  // with an impact
  config.record.every.reset();
  config.record.flush = 4e-3;
  run_to_file(path("whole.h5"), config);
  for (const int milliseconds : {0, 7, 25}) {
    fs::remove(path());
    const pid_t child = fork();
    if (child == 0) {
      run_to_file(path(), config);
      _exit(0);
    }
    for (int i = 0; i < 10000 && !fs::exists(path()); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_GE(ResultsReader(path()).frames(), read_checkpoint(checkpoint_path(path())).frames);
    resume(path(), config);
    expect_same_results(path("whole.h5"), path());
  }
}

TEST_F(CrashTest, AFullDiskAtAnyWriteIsAnErrorAndNothingWorse) {
  run_to_file(path("old.h5"), settings());
  run_with_flushes(path("whole.h5"));
  const auto expected = ResultsReader(path("whole.h5")).column("height");
  const std::string old = bytes_of(path("old.h5"));
  bool complete = false;
  for (int room = 0; !complete; room += 17 * testing::stride(10)) {
    write_bytes(path(), old);
    int changes = 0;
    before_change = [&] { return ++changes > room ? ENOSPC : 0; };
    try {
      run_with_flushes(path());
      complete = true;
    } catch (const IoError& error) {
      const std::string what = error.what();
      EXPECT_TRUE(what.starts_with("cannot write " + path())) << what;
      EXPECT_TRUE(what.ends_with(": No space left on device")) << what;
    }
    before_change = nullptr;
    EXPECT_FALSE(fs::exists(path() + ".part"));
    if (bytes_of(path()) == old) continue;
    expect_beginning_of(expected, ResultsReader(path()).column("height"));
  }
  expect_same_results(path("whole.h5"), path());
}

/// A limit on the size of files stands for a real full disk, seen by a real process to its end.
TEST_F(CrashTest, AProcessSurvivesAFullDisk) {
  run_with_flushes(path("whole.h5"));
  const auto expected = ResultsReader(path("whole.h5")).column("height");
  const auto run_with_limit = [&](rlim_t limit) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit size = {limit, limit};
    setrlimit(RLIMIT_FSIZE, &size);
    try {
      run_with_flushes(path());
    } catch (const IoError& error) {
      std::cerr << error.what();
    }
    std::exit(0);
  };
  const auto whole = static_cast<rlim_t>(fs::file_size(path("whole.h5")));
  for (const rlim_t limit : {rlim_t{2000}, whole / 2, whole * 4 / 5, whole - 1}) {
    fs::remove(path());
    EXPECT_EXIT(run_with_limit(limit), ::testing::ExitedWithCode(0),
                "cannot write .*run.h5.*: File too large");
    if (fs::exists(path())) expect_beginning_of(expected, ResultsReader(path()).column("height"));
  }
}

/// Opens the file and reads everything in it. The result does not matter, only that nothing worse than an
/// IoError happens.
bool can_be_read(const std::string& path) {
  try {
    const ResultsReader reader(path);
    for (const auto& name : reader.columns()) reader.column(name);
    reader.impacts();
    reader.run();
    reader.scene_text();
    for (std::int64_t frame = 0; frame < reader.frames(); frame += 40) reader.contact_rows(frame);
    const auto file = Hdf5Reader::open(path);
    for (const FlexibleInfo& body : reader.flexibles())
      for (const char* name : {"nodes", "displacement", "velocity", "contact_force", "stress"}) {
        const Hdf5Shape shape = file->shape(body.group + name);
        file->read<double>(body.group + name, 0, shape.rows, shape.width);
      }
    return true;
  } catch (const IoError&) {
    return false;
  }
}

TEST_F(CrashTest, TruncatedFilesAreRefused) {
  run_with_flushes(path());
  const std::string good = bytes_of(path());
  ASSERT_TRUE(can_be_read(path()));
  for (size_t part = 0; part < 60; part += testing::stride(4)) {
    write_bytes(path("cut.h5"), good.substr(0, good.size() * part / 60));
    EXPECT_FALSE(can_be_read(path("cut.h5"))) << part;
  }
}

TEST_F(CrashTest, TruncatedFilesOfKilledRunsAreRefused) {
  Simulation simulation(bouncing_ball(), settings());
  ResultsWriter writer(header(path()), simulation);
  for (int i = 0; i < 300; ++i) simulation.step(), writer.on_frame(simulation);
  writer.flush(simulation);
  ASSERT_TRUE(can_be_read(path()));
  EXPECT_EQ(ResultsReader(path()).frames(), 300);
  const std::string good = bytes_of(path());
  int refused = 0;
  for (size_t part = 0; part < 40; ++part) {
    write_bytes(path("cut.h5"), good.substr(0, good.size() * part / 40));
    refused += can_be_read(path("cut.h5")) ? 0 : 1;
  }
  EXPECT_GT(refused, 35);  // the last dataset may lie before the last page
}

/// In a process that ends without a search for leaks: HDF5 1.10 loses memory when a checksum is wrong.
TEST_F(CrashTest, FlippedBitsDoNoHarm) {
  run_with_flushes(path());
  const std::string good = bytes_of(path());
  const auto flip_and_read = [&] {
    std::mt19937 random(3);
    for (int i = 0; i < 60 + 200 / testing::stride(4); ++i) {
      const bool in_superblock = i < 60;
      std::string bad = good;
      bad[in_superblock ? i : random() % good.size()] ^= static_cast<char>(1 << random() % 8);
      write_bytes(path("flipped.h5"), bad);
      can_be_read(path("flipped.h5"));
    }
    _exit(0);
  };
  EXPECT_EXIT(flip_and_read(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace percuss
