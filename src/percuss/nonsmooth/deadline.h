#pragma once

#include <chrono>
#include <optional>

namespace percuss {

/// The moment at which iterations end. A moment and not a duration: the methods that one solve tries share
/// it.
class Deadline {
 public:
  Deadline() = default;  ///< never passes
  /// Seconds from now; never passes if that is beyond what the clock can count.
  static Deadline in(double seconds) {
    Deadline deadline;
    constexpr double longest = 1e9;  // [s], thirty years
    if (seconds < longest)
      deadline.moment_ =
          Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    return deadline;
  }
  bool passed() const { return moment_ && Clock::now() >= *moment_; }

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> moment_;
};

}  // namespace percuss
