#pragma once

#include <cstdint>
#include <string>

namespace percuss {

/// What a process may use that works on a file of unknown origin.
struct ProcessLimits {
  int processor_seconds = 60;
  int waiting_seconds = 600;                     ///< by the clock: the processor may be busy with other work
  std::int64_t memory = std::int64_t{2} << 30;   ///< on top of what the process has already [bytes]
  std::int64_t written = std::int64_t{2} << 30;  ///< the longest file [bytes]
};

/// Sets the limits for this process, for good.
void limit_process(const ProcessLimits& limits);

/// From now on this process can start no program and no other process, use no network, signal no other
/// process, and neither make, change nor remove a file; the descriptors that are open stay usable. Returns
/// false where the system has no such filters.
bool restrict_system_calls();

}  // namespace percuss
