#include "progress.h"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace {

constexpr double bar_interval = 0.1;   // s between two pictures of the bar
constexpr double line_interval = 5.0;  // s between two plain lines
constexpr int bar_width = 30;

}  // namespace

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  if (seconds < 60) return fmt::format("{:.3g} s", seconds);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

Progress::Progress(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}
Progress::~Progress() { clear(); }

void Progress::update(const percuss::Simulation& simulation) {
  if (quiet_) return;
  const auto now = Clock::now();
  if (first_time_ < 0) first_time_ = simulation.time();
  if (std::chrono::duration<double>(now - last_).count() < (terminal_ ? bar_interval : line_interval)) return;
  last_ = now;
  const auto& span = simulation.config().time;
  const double done = (simulation.time() - span.start) / (span.end - span.start);
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double advanced = simulation.time() - first_time_;
  const std::string left =
      advanced > 0 ? duration_text(elapsed * (span.end - simulation.time()) / advanced) + " left" : "";
  if (terminal_) {
    const int filled = static_cast<int>(done * bar_width);
    fmt::print(stderr, "\r[{:=<{}}{: <{}}] {:3.0f} %  t = {:.4g} s  {}\033[K", "", filled, "",
               bar_width - filled, 100 * done, simulation.time(), left);
    std::fflush(stderr);
    shown_ = true;
  } else {
    fmt::print(stderr, "{:3.0f} %  t = {:.6g} s  step {}  {}\n", 100 * done, simulation.time(),
               simulation.state().step, left);
  }
}

void Progress::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}
