#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "percuss/dynamics/pose.h"
#include "percuss/io/drawn_bodies.h"
#include "percuss/io/results_layout.h"
#include "percuss/simulation/checkpoint.h"

namespace percuss {

class Hdf5Reader;
class StoredPoses;

/// Whether a file holds results of percuss, be it in another version of the format.
bool is_results_file(const std::string& path);

/// Reads a results file: of a finished run, of one still running, or of one that was killed.
/// docs/formats/results.md. Whatever is wrong with the file becomes an IoError.
class ResultsReader {
 public:
  explicit ResultsReader(const std::string& path);
  ~ResultsReader();

  struct Info {
    std::string percuss_version, title, scheme;
    std::string blas_kernel;  ///< of dense blocks, blas_kernel() of the run; empty if it had none
    double time_step = 0, time_start = 0, time_end = 0;  ///< [s]
  };
  struct Run {
    RunStatus status = RunStatus::running;
    std::string message;      ///< why it failed
    std::string verdict;      ///< what to think of the results, by lines; empty if the run has not ended
    double wall_seconds = 0;  ///< of all its parts if it was resumed
    PhaseSeconds phases{};
    StepStatistics total;
  };
  struct BodyInfo {
    std::string name;
    double mass = 0, radius = 0;      ///< [kg], [m]
    std::array<int, 3> coordinate{};  ///< index into q, or -1
    Vector3 fixed;                    ///< its place along the axes on which it cannot move [m]
  };
  struct ContactName {
    std::string body, obstacle;
  };
  struct ContactRow {
    int contact = 0;  ///< index into contacts()
    ContactStatus status = ContactStatus::open;
    double gap = 0;                    ///< [m]
    Vector3 point, normal, tangent;    ///< [m], [1], [1]
    Vector3 velocity, force, impulse;  ///< N, T1, T2 [m/s], [N], [N s]
    double work = 0;                   ///< [J]
    Vector3 moment = Vector3::Zero();  ///< about N, T1, T2 [N m]
  };

  const std::string& path() const;
  const Info& info() const { return info_; }
  const std::vector<BodyInfo>& bodies() const { return bodies_; }
  const std::vector<ContactName>& contacts() const { return contacts_; }
  const std::vector<FlexibleInfo>& flexibles() const { return flexibles_; }
  std::int64_t frames() const { return rows_.frames; }  ///< those that are complete
  std::vector<double> times() const;                    ///< of the frames [s]
  std::int64_t impact_count() const { return rows_.impacts; }
  Run run() const;
  std::string scene_path() const;
  std::string scene_text() const;
  std::string scene_resolved() const;
  std::string overrides() const;

  /// Names of everything with one number per frame: probes, `time`, `energy`, `energy.kinetic`, ...,
  /// `ball.position.z`, `ball.velocity.z`, ... A probe hides what has the same name.
  std::vector<std::string> columns() const;
  const std::vector<std::string>& probe_names() const { return probe_names_; }
  /// Throws ProbeError if there is no such column.
  std::vector<double> column(const std::string& name) const;
  std::string unit(const std::string& name) const;
  /// One number for each frame from /reports: residual, penetration or drift.
  std::vector<double> report(const std::string& name) const;
  std::vector<Impact> impacts() const;
  std::vector<AcceptedStep> accepted() const;  ///< steps that miss their tolerance
  std::vector<ContactRow> contact_rows(std::int64_t frame) const;
  std::vector<DrawnShape> shapes() const;
  /// By body, without velocities; of nodes of flexible bodies without rotations.
  std::vector<PoseAndVelocity> poses(std::int64_t frame) const;
  Mesh mesh(const FlexibleInfo& body) const;
  std::vector<Vector3> displacements(const FlexibleInfo& body, std::int64_t frame) const;

 private:
  struct Column {
    std::string name, unit, dataset;  ///< no dataset: constant
    std::int64_t index = 0;
    double value = 0;  ///< the constant, or what is added to the dataset
  };
  void read_info();
  void read_sizes();
  void read_bodies();
  void list_columns();
  void list_node_columns(const FlexibleInfo& body);
  void add_column(Column column);
  const Column& find(const std::string& name) const;
  [[noreturn]] void damaged(const std::string& what) const;

  std::unique_ptr<Hdf5Reader> file_;
  bool has_poses_ = false;              ///< and moments of contacts; a file of version 7 has none
  std::unique_ptr<StoredPoses> poses_;  ///< if it has
  Info info_;
  std::vector<BodyInfo> bodies_;
  std::vector<ContactName> contacts_;
  std::vector<FlexibleInfo> flexibles_;
  std::vector<Column> columns_;
  std::vector<std::string> probe_names_;
  std::unordered_map<std::string, size_t> column_index_;
  RowCounts rows_;
};

}  // namespace percuss
