#include "percuss/simulation/study.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/simulation/probe.h"

namespace percuss {
namespace {

double thread_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// What the threads of a study share.
struct StudyBoard {
  explicit StudyBoard(size_t tasks) : steps_done(tasks) {}

  std::vector<size_t> order;  ///< in which the tasks are begun
  std::atomic<size_t> next = 0;
  std::atomic<bool> stop = false;
  std::vector<std::atomic<std::int64_t>> steps_done;  ///< by task, of the steps of its time grid
  std::mutex mutex;
  std::condition_variable changed;
  size_t finished_runs = 0, idle_threads = 0;  ///< guarded by the mutex
};

void run_steps(const StudyTask& task, StudyBoard& board, std::atomic<std::int64_t>& steps_done,
               StudyRun& result) {
  RunConfig config = task.config;
  config.record.probes.clear();
  for (const auto& text : task.probes)
    config.record.probes.emplace_back(fmt::format("quantity {}", config.record.probes.size()), text);
  Simulation simulation(*task.assembly, config);
  const std::vector<Probe>& probes = simulation.probes();
  const TimeOptions& time = task.config.time;
  Trajectory& trajectory = result.trajectory;
  trajectory.values.resize(probes.size());
  const std::int64_t count = simulation.grid().step_count();
  trajectory.time.reserve(static_cast<size_t>(count) + 1);
  for (auto& values : trajectory.values) values.reserve(static_cast<size_t>(count) + 1);
  const auto look = [&] {
    trajectory.time.push_back(simulation.time());
    for (size_t k = 0; k < probes.size(); ++k) trajectory.values[k].push_back(probes[k].value(simulation));
    result.reached = simulation.time();
    simulation.begin_interval();
  };

  look();
  result.end = RunEnd::finished;
  simulation.stop_when([&board] { return board.stop.load(std::memory_order_relaxed); });
  while (!simulation.finished()) {
    const StepReport report = simulation.step();
    if (report.stopped) {
      result.end = RunEnd::stopped;
      break;
    }
    if (report.status != SolveStatus::converged) {
      result.end = RunEnd::failed;
      result.message = simulation.why_it_failed(report);
      break;
    }
    look();
    const double done = (simulation.time() - time.start) / (time.end - time.start);
    steps_done.store(std::llround(done * static_cast<double>(count)), std::memory_order_relaxed);
    if (board.stop.load(std::memory_order_relaxed) && !simulation.finished()) {
      result.end = RunEnd::stopped;
      break;
    }
  }
  result.statistics = simulation.statistics();
  result.solver_seconds = simulation.wall_times().step.solver;
}

StudyRun run_task(const StudyTask& task, StudyBoard& board, std::atomic<std::int64_t>& steps_done) {
  StudyRun result;
  result.reached = task.config.time.start;
  const double begin = thread_cpu_seconds();
  try {
    run_steps(task, board, steps_done, result);
  } catch (const std::exception& e) {  // no memory, or a user's system that throws: the others go on
    result.end = RunEnd::failed;
    result.message = e.what();
  }
  result.cpu_seconds = thread_cpu_seconds() - begin;
  return result;
}

void work_off(const StudyPlan& plan, StudyBoard& board, std::vector<StudyRun>& results) {
  while (!board.stop) {
    const size_t place = board.next++;
    if (place >= board.order.size()) break;
    const size_t i = board.order[place];
    results[i] = run_task(plan.tasks[i], board, board.steps_done[i]);
    const std::lock_guard lock(board.mutex);
    if (results[i].end != RunEnd::stopped) ++board.finished_runs;
  }
  const std::lock_guard lock(board.mutex);
  ++board.idle_threads;
  board.changed.notify_one();
}

std::int64_t steps_of(const StudyTask& task) { return TimeGrid(task.config.time).step_count(); }

/// The reference first, because nothing can be said without it; then small tasks before large ones, so that a
/// study that is stopped has much to show.
std::vector<size_t> order_of_work(const StudyPlan& plan) {
  std::vector<size_t> order(plan.tasks.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(
      order, {}, [&](size_t i) { return plan.reference == i ? std::int64_t{0} : steps_of(plan.tasks[i]); });
  return order;
}

}  // namespace

double sample_count(const StudyPlan& plan) {
  double count = 0;
  for (const auto& task : plan.tasks)
    count += static_cast<double>(steps_of(task) + 1) * static_cast<double>(task.probes.size() + 1);
  return count;
}

std::vector<StudyRun> run_study(const StudyPlan& plan, int threads, const StudyHooks& hooks) {
  std::vector<StudyRun> results(plan.tasks.size());
  StudyBoard board(plan.tasks.size());
  board.order = order_of_work(plan);
  double all_steps = 0;
  for (const auto& task : plan.tasks) all_steps += static_cast<double>(steps_of(task));

  const size_t workers = std::min(plan.tasks.size(), static_cast<size_t>(std::max(threads, 1)));
  std::vector<std::jthread> pool;
  for (size_t i = 0; i < workers; ++i) pool.emplace_back([&] { work_off(plan, board, results); });
  std::unique_lock lock(board.mutex);
  const auto all_idle = [&] { return board.idle_threads == workers; };
  while (!board.changed.wait_for(lock, std::chrono::milliseconds(50), all_idle)) {
    if (hooks.should_stop && hooks.should_stop()) board.stop = true;
    double steps = 0;
    for (const auto& done : board.steps_done) steps += static_cast<double>(done.load());
    if (hooks.progress) hooks.progress(steps / all_steps, board.finished_runs);
  }
  return results;
}

std::vector<std::vector<double>> study_errors(const std::vector<StudyRun>& runs,
                                              const ReferenceSolution& reference, Norm norm) {
  std::vector<std::vector<double>> errors(runs.size());
  for (size_t i = 0; i < runs.size(); ++i)
    if (runs[i].finished()) errors[i] = errors_of(runs[i].trajectory, reference, norm);
  return errors;
}

}  // namespace percuss
