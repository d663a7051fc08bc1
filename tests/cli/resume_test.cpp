#include <sys/stat.h>

#include "percuss/io/checkpoint_file.h"
#include "percuss/io/results_reader.h"
#include "support/process.h"
#include "support/same_statistics.h"
#include "support/scenes.h"

// A run that was stopped, killed or finished too early goes on as if nothing had happened, bit for bit.
namespace percuss {
namespace {

namespace fs = std::filesystem;
using namespace percuss::testing;

/// Small steps and an end that no machine reaches; a checkpoint every 10 ms.
const std::vector<std::string> endless = {"time.step=1e-6", "time.end=1e5", "record.every=2e-3",
                                          "record.flush=0.01"};

bool same_bytes(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// Everything that was computed is the same; wall times and factorisations may differ.
void expect_same_results(const fs::path& path, const fs::path& other_path) {
  const ResultsReader results(path.string()), other(other_path.string());
  EXPECT_EQ(results.run().status, RunStatus::finished);
  EXPECT_EQ(results.run().status, other.run().status);
  EXPECT_EQ(results.info().time_end, other.info().time_end);
  ASSERT_EQ(results.frames(), other.frames());
  ASSERT_EQ(results.columns(), other.columns());
  for (const auto& name : results.columns())
    EXPECT_TRUE(same_bytes(results.column(name), other.column(name))) << name;
  const auto total = results.run().total, other_total = other.run().total;
  expect_same_statistics(total, other_total);

  const auto impacts = results.impacts(), other_impacts = other.impacts();
  ASSERT_EQ(impacts.size(), other_impacts.size());
  for (size_t i = 0; i < impacts.size(); ++i) {
    const Impact &a = impacts[i], &b = other_impacts[i];
    EXPECT_TRUE(same_bytes({a.time, a.u_before, a.u_after, a.impulse, a.work},
                           {b.time, b.u_before, b.u_after, b.impulse, b.work}))
        << "impact " << i;
  }
  for (std::int64_t frame = 0; frame < results.frames(); frame += 1 + results.frames() / 40) {
    const auto rows = results.contact_rows(frame), other_rows = other.contact_rows(frame);
    ASSERT_EQ(rows.size(), other_rows.size()) << "frame " << frame;
    for (size_t i = 0; i < rows.size(); ++i)
      EXPECT_TRUE(same_bytes(
          {rows[i].gap, rows[i].impulse[0], rows[i].work, rows[i].force[0]},
          {other_rows[i].gap, other_rows[i].impulse[0], other_rows[i].work, other_rows[i].force[0]}))
          << "frame " << frame;
  }
}

/// True once a file has been replaced so many times, its making included.
std::function<bool()> replaced(const fs::path& path, int times) {
  struct stat status {};
  const ino_t inode_before = ::stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
  return [path, times, inode = inode_before, count = 0]() mutable {
    struct stat now {};
    if (::stat(path.c_str(), &now) == 0 && now.st_ino != inode) inode = now.st_ino, ++count;
    return count >= times;
  };
}
std::function<bool()> after(std::chrono::milliseconds delay) {
  return
      [time = std::chrono::steady_clock::now() + delay] { return std::chrono::steady_clock::now() >= time; };
}

/// Runs of a scene in one folder, interrupted at moments that depend on the speed of the machine; the end is
/// chosen afterwards, so that the same run can be made without interruption.
class Interruption : public ::testing::TestWithParam<std::string> {
 protected:
  std::vector<std::string> run_command(const std::string& output, bool resume, const std::string& end) const {
    std::vector<std::string> arguments = {"run", scene_path(GetParam()), "-o", output};
    for (const auto& set : endless) arguments.insert(arguments.end(), {"--set", set});
    if (!end.empty()) arguments.insert(arguments.end(), {"--set", "time.end=" + end});
    if (resume) arguments.push_back("--resume");
    return arguments;
  }
  ProcessResult run(bool resume, int signal, std::function<bool()> signal_when) const {
    ProcessOptions options;
    options.directory = folder_.path();
    options.signal = signal;
    options.signal_when = std::move(signal_when);
    return run_percuss(run_command("a.h5", resume, ""), options);
  }
  /// Sends the signal once the run has got further by a few checkpoints.
  ProcessResult run_until(bool resume, int signal, int checkpoints) const {
    return run(
        resume, signal,
        [results = folder_ / "a.h5", enough = replaced(folder_ / "a.h5.checkpoint", checkpoints)]() mutable {
          return enough() && fs::exists(results);
        });
  }
  std::string info() const {
    const ProcessResult result = run_percuss_in(folder_, {"info", "a.h5"});
    expect_exit(result, 0);
    return result.output;
  }
  std::int64_t frames() const { return ResultsReader((folder_ / "a.h5").string()).frames(); }
  /// Those that a resumed run keeps.
  std::int64_t safe_frames() const { return read_checkpoint((folder_ / "a.h5.checkpoint").string()).frames; }

  void expect_resumes_to_the_same() const {
    const std::string end = std::to_string(2e-3 * static_cast<double>(frames() + 5));
    const ProcessResult resumed = run_percuss_in(folder_, run_command("a.h5", true, end));
    expect_exit(resumed, 0);
    EXPECT_TRUE(contains(resumed.output, "resuming a.h5 at t = ")) << resumed.output;
    EXPECT_TRUE(contains(info(), "finished"));
    expect_exit(run_percuss_in(folder_, run_command("whole.h5", false, end)), 0);
    expect_same_results(folder_ / "a.h5", folder_ / "whole.h5");
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      EXPECT_NE(entry.path().extension(), ".part") << entry.path() << " was left behind";
  }

  TemporaryDirectory folder_;
};

TEST_P(Interruption, BySignalsEndsCleanlyAndCanBeResumed) {
  bool resume = false;
  for (const int signal : {SIGINT, SIGTERM, SIGINT}) {
    SCOPED_TRACE(signal);
    const ProcessResult stopped = run_until(resume, signal, 3);
    expect_exit(stopped, 128 + signal);
    EXPECT_TRUE(contains(stopped.errors, "stopped at t = ")) << stopped.errors;
    EXPECT_TRUE(contains(stopped.errors, "continue with --resume")) << stopped.errors;
    EXPECT_TRUE(contains(info(), "status                      stopped"));
    resume = true;
  }
  expect_resumes_to_the_same();
}

TEST_P(Interruption, ByKillsLosesNothingThatWasSafe) {
  bool resume = false;
  for (const int checkpoints : {1, 2, 3, 2, 1}) {
    SCOPED_TRACE(checkpoints);
    const auto frames_before = resume ? safe_frames() : 0;
    const ProcessResult killed = run_until(resume, SIGKILL, checkpoints);
    EXPECT_EQ(killed.signal, SIGKILL);
    EXPECT_EQ(killed.errors, "");
    EXPECT_TRUE(contains(info(), "running or killed"));
    EXPECT_GE(frames(), frames_before);
    resume = true;
  }
  expect_resumes_to_the_same();
}

TEST_P(Interruption, ByKillsWhileItBeginsLeavesAGoodFile) {
  expect_exit(run_until(false, SIGINT, 3), 130);
  const auto frames_before = safe_frames();
  for (const bool resume : {true, false}) {
    for (int milliseconds = 1; milliseconds < 30; milliseconds += 4) {
      SCOPED_TRACE(milliseconds);
      const ProcessResult killed = run(resume, SIGKILL, after(std::chrono::milliseconds(milliseconds)));
      EXPECT_EQ(killed.signal, SIGKILL);
      EXPECT_EQ(killed.errors, "");
      EXPECT_GE(frames(), resume ? frames_before : 0);
    }
  }
  expect_resumes_to_the_same();
}

TEST_P(Interruption, IsNotNeededToLookAtARun) {
  std::string seen;
  ProcessResult second;
  const auto look = [&, enough = replaced(folder_ / "a.h5.checkpoint", 3)]() mutable {
    if (!enough()) return false;
    seen = info();
    second = run_percuss_in(folder_, run_command("a.h5", false, "0.1"));
    return true;
  };
  const ProcessResult first = run(false, SIGINT, look);
  EXPECT_TRUE(contains(seen, "running or killed")) << seen;
  expect_exit(second, 3);
  EXPECT_TRUE(contains(second.errors, "cannot write a.h5: another run is writing it")) << second.errors;
  expect_exit(first, 130);
  expect_resumes_to_the_same();
}

INSTANTIATE_TEST_SUITE_P(Scenes, Interruption, ::testing::Values("bouncing_ball", "vertical_oscillator"),
                         [](const auto& scene) { return scene.param; });

// ----------------------------- runs to their end

/// Runs of the bouncing ball in one folder.
class Repetition : public ::testing::Test {
 protected:
  void run(const std::string& output, std::vector<std::string> sets, bool resume = false) const {
    std::vector<std::string> arguments = {"run", scene_path("bouncing_ball"), "-q", "-o", output};
    for (const auto& set : sets) arguments.insert(arguments.end(), {"--set", set});
    if (resume) arguments.push_back("--resume");
    expect_exit(run_percuss_in(folder_, arguments), 0);
  }
  TemporaryDirectory folder_;
};

TEST_F(Repetition, GivesTheSameBytes) {
  for (const char* output : {"a.h5", "b.h5"}) run(output, {});
  expect_same_results(folder_ / "a.h5", folder_ / "b.h5");
  EXPECT_EQ(read_file(folder_ / "a.h5.checkpoint"), read_file(folder_ / "b.h5.checkpoint"));
}

TEST_F(Repetition, OfAFinishedRunByResumingChangesNothing) {
  run("a.h5", {});
  run("b.h5", {});
  for (int i = 0; i < 2; ++i) run("a.h5", {}, true);
  expect_same_results(folder_ / "a.h5", folder_ / "b.h5");
}

struct LaterEnd {
  std::string name, first_end;
  std::vector<std::string> ends, sets;
};
std::ostream& operator<<(std::ostream& stream, const LaterEnd& c) { return stream << c.name; }
class Continuation : public Repetition, public ::testing::WithParamInterface<LaterEnd> {};

TEST_P(Continuation, ToALaterEndEqualsARunToThatEnd) {
  const LaterEnd& c = GetParam();
  const auto sets_to = [&](const std::string& end) {
    auto sets = c.sets;
    sets.push_back("time.end=" + end);
    return sets;
  };
  run("a.h5", sets_to(c.first_end));
  for (const auto& end : c.ends) run("a.h5", sets_to(end), true);
  run("b.h5", sets_to(c.ends.back()));
  expect_same_results(folder_ / "a.h5", folder_ / "b.h5");
}

const std::vector<LaterEnd> later_ends = {
    {"WholeSteps", "0.5", {"1"}, {}},
    {"InTwoGoes", "0.5", {"1", "1.5"}, {}},
    {"WholeIntervals", "0.5", {"1"}, {"record.every=0.01"}},
    {"FromBetweenTwoSteps", "0.5005", {"1"}, {}},
    {"ToBetweenTwoSteps", "0.5", {"1.0005"}, {}},
    {"FromBetweenTwoFrames", "0.505", {"1"}, {"record.every=0.01"}},
    {"FromBetweenTwoStepsAndFrames", "0.5055", {"0.7003", "1"}, {"record.every=0.01"}},
    {"EventDriven", "0.5", {"1"}, {"integrator.scheme=event-driven", "record.every=0.01"}},
};
/// Both kernels can be executed by every processor of the last fifteen years.
TEST(DenseKernels, AreNamedInTheResultsAndAfterAResumeBoth) {
  const TemporaryDirectory folder;
  const auto run = [&](const char* kernel, const std::string& end, bool resume) {
    ::setenv("OPENBLAS_CORETYPE", kernel, 1);
    std::vector<std::string> arguments = {
        "run",   scene_path("reduced_plank"), "-q", "-o", "a.h5", "--set", "time.end=" + end,
        "--set", "record.every=1e-5"};
    if (resume) arguments.push_back("--resume");
    expect_exit(run_percuss_in(folder, arguments), 0);
    ::unsetenv("OPENBLAS_CORETYPE");
    return ResultsReader((folder / "a.h5").string()).info().blas_kernel;
  };
  const std::string first = run("Prescott", "2e-5", false);
  if (!first.starts_with("OpenBLAS")) GTEST_SKIP() << "there is no OpenBLAS";
  EXPECT_EQ(first, "OpenBLAS Prescott");
  EXPECT_EQ(run("Prescott", "3e-5", true), first);
  EXPECT_EQ(run("Nehalem", "4e-5", true), "OpenBLAS Prescott, then OpenBLAS Nehalem");
  EXPECT_TRUE(contains(run_percuss_in(folder, {"info", "a.h5"}).output,
                       "dense kernels               OpenBLAS Prescott, then OpenBLAS Nehalem"));
}

INSTANTIATE_TEST_SUITE_P(Ends, Continuation, ::testing::ValuesIn(later_ends),
                         [](const auto& end) { return end.param.name; });

}  // namespace
}  // namespace percuss
