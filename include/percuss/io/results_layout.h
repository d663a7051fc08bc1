#pragma once

#include <array>
#include <cstdint>

/// What the writer and the reader of results files must agree on, beside docs/formats/results.md.
namespace percuss {

inline constexpr const char* results_format = "percuss-results";
inline constexpr std::int64_t results_format_version = 8;
/// Files from this version on can be read. Version 7 has all its contacts from the beginning, without ids,
/// no poses and no moments of contacts.
inline constexpr std::int64_t oldest_results_version = 7;
inline constexpr std::int64_t first_version_with_poses = 8;

/// How a run stands. A run that was killed stays `running`.
enum class RunStatus { running = 0, finished = 1, stopped = 2, failed = 3 };

/// Wall time of forces, contacts, solver, ledger and recording [s].
using PhaseSeconds = std::array<double, 5>;

/// A place in a results file.
struct RowCounts {
  std::int64_t frames = 0;
  std::int64_t contact_rows = 0;  ///< of /contacts
  std::int64_t impacts = 0;
  std::int64_t accepted = 0;  ///< steps that miss their tolerance
};

}  // namespace percuss
