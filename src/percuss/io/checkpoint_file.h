#pragma once

#include <string>

#include "percuss/io/results_layout.h"
#include "percuss/simulation/simulation.h"

namespace percuss {

/// A moment of a run together with its place in the results file. docs/formats/results.md
struct CheckpointFile : RowCounts {
  Checkpoint checkpoint;
  std::string fingerprint;  ///< of the scene, the end time left out
};

/// Where the checkpoint of a results file lies.
inline std::string checkpoint_path(const std::string& results_path) { return results_path + ".checkpoint"; }

/// Replaces the file in one stroke: after a crash it holds either the old or the new checkpoint. Throws
/// IoError.
void write_checkpoint(const std::string& path, const RowCounts& rows, const Checkpoint& checkpoint,
                      const std::string& fingerprint);
inline void write_checkpoint(const std::string& path, const CheckpointFile& file) {
  write_checkpoint(path, file, file.checkpoint, file.fingerprint);
}

/// Throws IoError if the file is missing, no checkpoint, of a newer format, truncated or damaged.
CheckpointFile read_checkpoint(const std::string& path);

}  // namespace percuss
