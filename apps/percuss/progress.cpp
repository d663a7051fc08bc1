#include "progress.h"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace {

constexpr double bar_interval = 0.1;   // s between two pictures of the bar
constexpr double line_interval = 5.0;  // s between two plain lines
constexpr int bar_width = 30;

/// A run goes on if its progress cannot be shown.
template <class... T>
void show(fmt::format_string<T...> format, T&&... values) {
  std::fputs(fmt::format(format, std::forward<T>(values)...).c_str(), stderr);
  std::fflush(stderr);
}

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
  const auto& span = simulation.config().time;
  update((simulation.time() - span.start) / (span.end - span.start),
         fmt::format("t = {:.6g} s  step {}", simulation.time(), simulation.state().step));
}

void Progress::update(double done, const std::string& detail) {
  if (quiet_) return;
  const auto now = Clock::now();
  if (first_done_ < 0) first_done_ = done;
  if (std::chrono::duration<double>(now - last_).count() < (terminal_ ? bar_interval : line_interval)) return;
  last_ = now;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double advanced = done - first_done_;
  const std::string left = advanced > 0 ? duration_text(elapsed * (1 - done) / advanced) + " left" : "";
  if (terminal_) {
    const int filled = static_cast<int>(done * bar_width);
    show("\r[{:=<{}}{: <{}}] {:3.0f} %  {}  {}\033[K", "", filled, "", bar_width - filled, 100 * done, detail,
         left);
    shown_ = true;
  } else {
    show("{:3.0f} %  {}  {}\n", 100 * done, detail, left);
  }
}

void Progress::clear() {
  if (!shown_) return;
  show("\r\033[K");
  shown_ = false;
}
