#include <sys/mount.h>

#include "cli/bad_input.h"
#include "percuss/io/results_reader.h"

// A run that fails, because a disk is full or a number not finite, keeps what was computed.
namespace percuss {
namespace {

using namespace percuss::testing;

// ----------------------------- disks that fill

class FullDisk : public BadInputTest {
 protected:
  static std::vector<std::string> run_to(const std::string& path, bool resume = false) {
    std::vector<std::string> arguments = {"run", "scene.yaml", "-q", "-o", path, "--set", "time.step=1e-3"};
    if (resume) arguments.push_back("--resume");
    return arguments;
  }
  /// `info` reads what the run left, and the run can be continued as if nothing had been.
  void expect_resumable(const std::string& path) const {
    const ProcessResult info = percuss({"info", path});
    expect_exit(info, 0);
    EXPECT_TRUE(contains(info.output, "running or killed")) << info.output;
    expect_exit(percuss(run_to(path, true)), 0);
    expect_exit(percuss(run_to("whole.h5")), 0);
    const ResultsReader resumed((folder_ / path).string()), whole((folder_ / "whole.h5").string());
    for (const auto& name : whole.columns()) EXPECT_EQ(resumed.column(name), whole.column(name)) << name;
  }
};

TEST_F(FullDisk, EndsTheRunWithAMessageAndAGoodFile) {
  // The limit is met while the file is made, at its first frames, and at the end of the run.
  for (const long limit : {0L, 1000L, 5000L, 20'000L, 45'000L, 60'000L, 100'000L, 150'000L}) {
    SCOPED_TRACE(limit);
    SetUp();
    const auto before = content();
    ProcessOptions options;
    options.directory = folder_.path();
    options.file_size_limit = limit;
    const ProcessResult result = run_percuss(run_to("old.h5"), options);
    expect_exit(result, bad_file);
    expect_messages(result, {"cannot write old.h5", "File too large"});
    if (read_file(folder_ / "old.h5") == before.at("old.h5"))
      expect_content(before);
    else
      expect_resumable("old.h5");
    fs::remove(folder_ / "whole.h5");
    fs::remove(folder_ / "whole.h5.checkpoint");
  }
}

/// A file system of this size in memory, if the user may mount one.
class SmallDisk {
 public:
  SmallDisk(std::string path, const char* size) : path_(std::move(path)) {
    fs::create_directory(path_);
    is_mounted_ = ::mount("tmpfs", path_.c_str(), "tmpfs", MS_NODEV | MS_NOSUID | MS_NOEXEC, size) == 0;
  }
  ~SmallDisk() {
    if (is_mounted_) ::umount2(path_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  bool is_mounted() const { return is_mounted_; }

 private:
  std::string path_;
  bool is_mounted_ = false;
};

TEST_F(FullDisk, OfASmallFileSystem) {
  for (const char* size : {"size=8k", "size=64k", "size=128k"}) {
    SCOPED_TRACE(size);
    const SmallDisk disk((folder_ / "disk").string(), size);
    if (!disk.is_mounted()) GTEST_SKIP() << "this user cannot mount";
    const ProcessResult result = percuss(run_to("disk/new.h5"));
    expect_exit(result, bad_file);
    expect_messages(result, {"cannot write disk/new.h5", "No space left on device"});
    EXPECT_FALSE(fs::exists(folder_ / "disk/new.h5.part"));
    if (fs::exists(folder_ / "disk/new.h5")) expect_exit(percuss({"info", "disk/new.h5"}), 0);
  }
}

TEST_F(FullDisk, LeavesNoHalfTableOrPicture) {
  const auto before = content();
  const std::vector<std::vector<std::string>> commands = {{"export", "old.h5", "--csv", "a.csv"},
                                                          {"plot", "old.h5", "-o", "a.png"},
                                                          {"examples", "bouncing_ball"}};
  for (const auto& command : commands) {
    SCOPED_TRACE(command[0]);
    ProcessOptions options;
    options.directory = folder_.path();
    options.file_size_limit = 100;
    const ProcessResult result = run_percuss(command, options);
    expect_exit(result, bad_file);
    expect_messages(result, {"cannot write " + (command.size() > 3 ? command[3] : "bouncing_ball.yaml")});
    expect_content(before);
  }
}

TEST_F(FullDisk, UnderTheStandardOutput) {
  const std::vector<std::vector<std::string>> commands = {{"--help"},
                                                          {"info", "old.h5"},
                                                          {"info", "old.h5", "--json"},
                                                          {"check", "scene.yaml"},
                                                          {"check", "scene.yaml", "--print"},
                                                          {"export", "old.h5", "--csv", "-"},
                                                          {"examples"},
                                                          {"schema"}};
  for (const auto& command : commands) {
    SCOPED_TRACE(command[0] + " " + command.back());
    ProcessOptions options;
    options.directory = folder_.path();
    options.output_file = "/dev/full";
    const ProcessResult result = run_percuss(command, options);
    expect_exit(result, bad_file);
    expect_messages(result, {"No space left on device"});
  }
}

// ----------------------------- numerical failures

struct FailureCase {
  std::string name;
  std::vector<std::string> sets;
  double last_time;  ///< of the frames that are kept; negative if it is not known
  std::vector<std::string> messages;
};
std::ostream& operator<<(std::ostream& stream, const FailureCase& c) { return stream << c.sets[0]; }

class NumericalFailure : public BadInputTest, public ::testing::WithParamInterface<FailureCase> {};

TEST_P(NumericalFailure, KeepsWhatWasComputed) {
  const FailureCase& c = GetParam();
  std::vector<std::string> arguments = {"run", "scene.yaml", "-o", "new.h5", "--set", "time.step=0.0625"};
  for (const auto& set : c.sets) arguments.insert(arguments.end(), {"--set", set});
  const ProcessResult result = percuss(arguments);
  expect_exit(result, numerical_failure);
  expect_messages(result, c.messages);

  const ProcessResult info = percuss({"info", "new.h5"});
  expect_exit(info, 0);
  EXPECT_TRUE(contains(info.output, "failed")) << info.output;
  EXPECT_TRUE(contains(info.output, c.messages[0])) << info.output;
  const ResultsReader results((folder_ / "new.h5").string());
  EXPECT_EQ(results.run().status, RunStatus::failed);
  const auto times = results.column("time");
  ASSERT_FALSE(times.empty());
  if (c.last_time >= 0) {
    EXPECT_EQ(times.back(), c.last_time);
  }
  for (const char* name : {"ball.position.z", "ball.velocity.z", "rider.position.z", "rider.velocity.z"})
    for (const double value : results.column(name)) ASSERT_TRUE(std::isfinite(value)) << name;
}

const std::vector<FailureCase> failures = {
    // Moreau-Jean evaluates the forces in the middle of the step from 0.25 to 0.3125.
    {"PoleInTheMiddleOfAStep",
     {"forces[push].value=[0, 0, 1/(0.28125 - t)]"},
     0.25,
     {"force 'push' is not finite at t = 0.28125 s", "step 5 from t = 0.25 s"}},
    {"LogarithmOfNothing",
     {"forces[push].value=[0, 0, log(0.5 - t)]"},
     0.5,
     {"force 'push' is not finite at t = 0.5 s", "component z", "step 9 "}},
    {"RootOfNegative",
     {"forces[push].value=[sqrt(0.5 - t), 0, 0]"},
     0.5,
     {"force 'push' is not finite", "component x"}},
    {"ExplicitSchemeBlowsUp",
     {"integrator.scheme=moreau-explicit", "parameters.stiffness=1e9", "time.end=1000"},
     -1,
     {"more than ten times the energy that entered it", "smaller time.step"}},
    {"OverflowingForce",
     {"forces[push].value=[0, 0, -1e308]"},
     0,
     {"numbers overflow, because the force 'push' is 1e+308 N"}},
};
INSTANTIATE_TEST_SUITE_P(Cases, NumericalFailure, ::testing::ValuesIn(failures), case_name<FailureCase>);

// ----------------------------- streams and files that others take away

TEST_F(BadInputTest, ClosedStreamsChangeNoResults) {
  for (const std::vector<int>& closed : std::vector<std::vector<int>>{{0}, {1}, {2}, {1, 2}, {0, 1, 2}}) {
    ProcessOptions options;
    options.directory = folder_.path();
    options.closed = closed;
    const ProcessResult result = run_percuss({"run", "scene.yaml", "-o", "closed.h5"}, options);
    expect_exit(result, 0);
    const ResultsReader results((folder_ / "closed.h5").string()), old((folder_ / "old.h5").string());
    EXPECT_EQ(results.run().status, RunStatus::finished);
    for (const auto& name : old.columns()) EXPECT_EQ(results.column(name), old.column(name)) << name;
    EXPECT_FALSE(contains(read_file(folder_ / "closed.h5"), " left\n")) << "progress in the results";
    expect_exit(run_percuss({"info", "absent.h5"}, options), bad_file);
  }
}

TEST_F(BadInputTest, ProgressThatCannotBeShownEndsNothing) {
  ProcessOptions options;
  options.directory = folder_.path();
  const ProcessResult result =
      run_process({"/bin/sh", "-c", "exec " PERCUSS_PROGRAM " run scene.yaml -o x.h5 2>/dev/full"}, options);
  expect_exit(result, 0);
  expect_exit(run_process({"/bin/sh", "-c", "exec " PERCUSS_PROGRAM " info absent 2>/dev/full"}, options),
              bad_file);
}

/// A long run during which `meddle` does something to its results, long.h5.
ProcessResult run_disturbed(const fs::path& folder, const std::function<void(const fs::path&)>& meddle) {
  ProcessOptions options;
  options.directory = folder;
  options.signal = SIGCONT;  // which changes nothing
  options.signal_when = [&] {
    if (!fs::exists(folder / "long.h5")) return false;
    meddle(folder / "long.h5");
    return true;
  };
  return run_percuss(
      {"run", "scene.yaml", "-q", "-o", "long.h5", "--set", "time.end=1e6", "--set", "record.flush=0.05"},
      options);
}

TEST_F(BadInputTest, AResultsFileThatGoesAwayEndsTheRun) {
  const ProcessResult deleted = run_disturbed(folder_.path(), [](const fs::path& file) { fs::remove(file); });
  expect_exit(deleted, bad_file);
  expect_messages(deleted, {"cannot write long.h5: it was deleted, renamed or replaced during the run"});
  const ProcessResult replaced = run_disturbed(
      folder_.path(), [](const fs::path& file) { fs::rename(file.parent_path() / "old.h5", file); });
  expect_exit(replaced, bad_file);
  expect_messages(replaced, {"cannot write long.h5: it was deleted, renamed or replaced during the run"});
  EXPECT_EQ(read_file(folder_ / "long.h5"), old_results().first) << "it is not ours any more";
}

TEST_F(BadInputTest, AResultsFileThatIsCutEndsTheRun) {
  for (const int size : {0, 5000, 40'000}) {
    SCOPED_TRACE(size);
    const ProcessResult cut = run_disturbed(folder_.path(), [&](const fs::path& file) {
      fs::resize_file(file, static_cast<std::uintmax_t>(size));
    });
    expect_exit(cut, bad_file);
    expect_messages(cut, {"cannot write long.h5: another program has shortened it during the run"});
    fs::remove(folder_ / "long.h5");
  }
}

TEST_F(BadInputTest, PreparedNamesOfUnfinishedFilesLeadNowhere) {
  write_file(folder_ / "letter", "Dear Sir");
  for (const char* output : {"x.csv", "x.png", "x.html", "x.xdmf"})
    fs::create_symlink("letter", folder_ / (std::string(output) + ".part"));
  expect_exit(percuss({"export", "old.h5", "--csv", "x.csv", "--xdmf", "x.xdmf"}), 0);
  expect_exit(percuss({"plot", "old.h5", "-o", "x.png"}), 0);
  expect_exit(percuss({"report", "old.h5", "-o", "x.html"}), 0);
  fs::create_hard_link(folder_ / "letter", folder_ / "x.h5.part");
  fs::create_symlink("letter", folder_ / "y.h5.part");
  for (const char* output : {"x.h5", "y.h5"})
    expect_exit(percuss({"run", "scene.yaml", "-q", "-o", output}), bad_file);
  EXPECT_EQ(read_file(folder_ / "letter"), "Dear Sir");
  for (const auto& entry : fs::directory_iterator(folder_.path()))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".percuss-")) << entry.path();
}

}  // namespace
}  // namespace percuss
