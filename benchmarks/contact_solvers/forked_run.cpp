#include "forked_run.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <ctime>
#include <limits>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "percuss/nonsmooth/residual.h"

namespace contact_benchmark {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double allowed_for_preparation = 1.0;  // [s] of CPU time

double seconds_on(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double cpu_seconds() { return seconds_on(CLOCK_PROCESS_CPUTIME_ID); }

double median(std::vector<double> x) {
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  return *middle;
}

/// Siconos prints whatever its verbosity.
void silence() {
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
}

Run run_here(const Contender& contender, const Task& task, double tolerance, double goal,
             const RunLimits& limits) {
  Run run;
  std::vector<double> times;
  double total = 0.0;
  do {
    const Solve solve = contender.prepare(task, tolerance);
    if (!solve) {
      run.end = RunEnd::not_applicable;
      return run;
    }
    const double start = cpu_seconds();
    const Answer answer = solve();
    times.push_back(cpu_seconds() - start);
    total += times.back();
    if (times.size() == 1) {
      run.residual = percuss::residual_of(task.local, answer.r).relative;
      run.unscaled = percuss::unscaled_residual(task.local, answer.r);
      run.claims_success = answer.claims_success;
    }
  } while (run.residual <= goal && total < limits.repeated_seconds);
  run.end = RunEnd::finished;
  run.seconds = median(times);
  return run;
}

[[noreturn]] void child(int pipe_end, const Contender& contender, const Task& task, double tolerance,
                        double goal, const RunLimits& limits) {
  silence();
  Run run;
  try {
    run = run_here(contender, task, tolerance, goal, limits);
  } catch (const std::exception&) {
    _exit(1);
  }
  const bool sent = write(pipe_end, &run, sizeof run) == static_cast<ssize_t>(sizeof run);
  _exit(sent ? 0 : 1);
}

/// False if the time is over first. The parent watches, because Linux coarsens a process' CPU clock to ticks
/// as soon as a CPU timer or limit is set on it.
bool receive(int pipe_end, pid_t pid, const RunLimits& limits, Run& run) {
  clockid_t clock{};
  if (clock_getcpuclockid(pid, &clock) != 0) clock = CLOCK_MONOTONIC;
  const double limit = limits.seconds + limits.repeated_seconds + allowed_for_preparation;
  const double wall_limit = seconds_on(CLOCK_MONOTONIC) + 20 * limit;  // it may sleep for ever
  pollfd waiting{.fd = pipe_end, .events = POLLIN, .revents = 0};
  while (poll(&waiting, 1, 20) == 0)
    if (seconds_on(clock) > limit || seconds_on(CLOCK_MONOTONIC) > wall_limit) return false;
  if (read(pipe_end, &run, sizeof run) != static_cast<ssize_t>(sizeof run)) {
    run = {};
    run.residual = run.unscaled = infinity;
  }
  return run.seconds <= limits.seconds;
}

}  // namespace

Run run_forked(const Contender& contender, const Task& task, double tolerance, double goal,
               const RunLimits& limits) {
  int ends[2];
  if (pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const pid_t pid = fork();
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid == 0) child(ends[1], contender, task, tolerance, goal, limits);
  close(ends[1]);
  Run run;
  if (!receive(ends[0], pid, limits, run)) {
    run = {.end = RunEnd::time_limit, .residual = infinity, .unscaled = infinity};
    kill(pid, SIGKILL);
  }
  close(ends[0]);
  waitpid(pid, nullptr, 0);
  return run;
}

}  // namespace contact_benchmark
