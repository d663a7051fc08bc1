#include "forked_run.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <system_error>

#include <fcntl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "percuss/nonsmooth/judge.h"

namespace contact_benchmark {
namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> x) {
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  return *middle;
}

/// Ends this process by SIGPROF after this much CPU time; by SIGALRM if it sleeps for ever.
void limit_time(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - std::floor(seconds)));
  setitimer(ITIMER_PROF, &timer, nullptr);
  alarm(static_cast<unsigned>(20 * seconds + 60));
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
    limit_time(limits.seconds);
    const double start = cpu_seconds();
    const Answer answer = solve();
    times.push_back(cpu_seconds() - start);
    total += times.back();
    if (times.size() == 1) {
      run.residual = percuss::judge(task.local, answer.r).relative;
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
  const bool received = read(ends[0], &run, sizeof run) == static_cast<ssize_t>(sizeof run);
  close(ends[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  if (received && (run.end == RunEnd::not_applicable || run.seconds <= limits.seconds)) return run;
  run = {};
  run.residual = run.unscaled = std::numeric_limits<double>::infinity();
  const bool out_of_time =
      received || (WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM));
  run.end = out_of_time ? RunEnd::time_limit : RunEnd::crashed;
  return run;
}

}  // namespace contact_benchmark
