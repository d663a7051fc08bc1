#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "percuss/io/checkpoint_file.h"
#include "percuss/simulation/probe.h"
#include "percuss/simulation/run.h"

namespace percuss {

class Hdf5File;

/// Writes a run to an HDF5 file that survives a kill at any moment, and its checkpoint beside it.
/// docs/formats/results.md. Trouble is an IoError; the file then ends with the last frame that was safe.
class ResultsWriter final : public Recorder {
 public:
  /// What the simulation does not know about itself.
  struct Header {
    std::string path;  ///< of the results file
    std::string title;
    std::string scene_path, scene_text;
    std::string scene_resolved;  ///< with all defaults and overrides
    std::string overrides;       ///< the texts of --set, a line each
    std::string version;         ///< of percuss
    std::string fingerprint;     ///< of everything that must not change when a run is resumed
  };

  /// A new file. An old one of this name is replaced, but only once the new one could be made.
  ResultsWriter(const Header& header, const Simulation& simulation);
  /// Continues the file header.path: keeps what it held at `position`, to which `simulation` was restored.
  static std::unique_ptr<ResultsWriter> resume(const Header& header, const Simulation& simulation,
                                               const CheckpointFile& position);
  ~ResultsWriter() override;

  void on_frame(const Simulation& simulation) override;
  void on_impact(const Impact& impact) override;
  void flush(const Simulation& simulation) override;
  /// Writes how the run ended, and closes the file.
  void finish(const Simulation& simulation, const RunOutcome& outcome);

 private:
  struct Tables;
  struct WallTime {
    double seconds = 0;
    std::array<double, 5> phases{};  ///< forces, contacts, solver, ledger, recording
  };

  ResultsWriter(const Header& header, const Simulation& simulation, const CheckpointFile* position);
  void make_header(const Header& header, const Simulation& simulation);
  void make_bodies(const Assembly& assembly);
  void make_run();
  void append_contacts(const Simulation& simulation);
  void write_tables();
  void write_run(const Simulation& simulation, double seconds, double recording_seconds);
  CheckpointFile position(const Checkpoint& checkpoint) const;

  std::unique_ptr<Hdf5File> file_;
  std::unique_ptr<Tables> tables_;
  std::vector<Probe> probes_;
  std::vector<double> probe_values_;
  std::string path_, fingerprint_;
  WallTime before_;  ///< of the runs that this one continues
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace percuss
