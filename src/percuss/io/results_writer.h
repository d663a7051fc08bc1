#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/io/checkpoint_file.h"
#include "percuss/io/results_layout.h"
#include "percuss/io/shape_table.h"
#include "percuss/simulation/probe.h"
#include "percuss/simulation/run.h"

namespace percuss {

class Hdf5Reader;
class Hdf5Writer;
class ResultsTables;
struct Scene;

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
    std::vector<DrawnShape> shapes = {};
  };

  /// A new file. An old one of this name is replaced, but only once the new one could be made.
  ResultsWriter(const Header& header, const Simulation& simulation);
  /// Continues the file header.path: keeps what it held at `position`, to which `simulation` was restored.
  static std::unique_ptr<ResultsWriter> resume(const Header& header, const Simulation& simulation,
                                               const CheckpointFile& position);
  ~ResultsWriter() override;

  void on_frame(const Simulation& simulation) override;
  void on_impacts(const Simulation& simulation) override;
  void on_accepted(const Simulation& simulation) override;
  void flush(const Simulation& simulation) override;
  /// Writes how the run ended, and closes the file.
  void finish(const Simulation& simulation, const RunOutcome& outcome);

 private:
  struct WallTime {
    double seconds = 0;
    PhaseSeconds phases{};
  };

  ResultsWriter(const Header& header, const Simulation& simulation, const Hdf5Reader* source,
                const RowCounts& kept);
  void make_header(const Header& header, const Simulation& simulation);
  void make_probes(const Simulation& simulation);
  void make_bodies(const System& system);
  void make_run();
  void take_over(const Hdf5Reader& source, const RowCounts& rows);
  void write_tables();
  void write_run(const Simulation& simulation, const WallTime& wall);
  void write_position(const Simulation& simulation) const;

  std::unique_ptr<Hdf5Writer> file_;
  std::unique_ptr<ResultsTables> tables_;  ///< null once the run is finished
  std::vector<double> probe_values_;
  std::string path_, fingerprint_;
  WallTime before_;  ///< of the runs that this one continues
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// What a results file says about the scene it came from.
ResultsWriter::Header results_header(const Scene& scene, const System& system,
                                     const std::string& results_path);

}  // namespace percuss
