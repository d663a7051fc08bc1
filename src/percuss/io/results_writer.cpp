#include "percuss/io/results_writer.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/io/hdf5_reader.h"
#include "percuss/io/hdf5_writer.h"
#include "percuss/io/io_error.h"
#include "percuss/io/results_tables.h"
#include "percuss/math/blas_kernel.h"
#include "percuss/simulation/verdict.h"

namespace percuss {
namespace {

constexpr std::size_t message_size = 1024;
constexpr std::size_t verdict_size = 4096;

/// At most `size` bytes, not ending within a character, padded with zeros.
std::vector<std::uint8_t> fixed_text(std::string text, std::size_t size) {
  if (text.size() >= size) {
    std::size_t end = size - 1;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    text.resize(end);
  }
  std::vector<std::uint8_t> bytes(text.begin(), text.end());
  bytes.resize(size);
  return bytes;
}

/// The recording itself is measured by the run loop, which tells at the end.
PhaseSeconds phases_of(const Simulation& simulation, double recording_seconds) {
  const auto wall = simulation.wall_times();
  return {wall.step.forces, wall.step.contacts, wall.step.solver, wall.ledger, recording_seconds};
}

/// A run that goes on elsewhere may meet other kernels.
std::string kernels_used(const Hdf5Reader* before) {
  const std::string now = blas_kernel();
  if (before == nullptr || !before->has_attribute("blas_kernel")) return now;
  const std::string earlier = before->text_attribute("blas_kernel");
  return earlier == now || earlier.ends_with(", then " + now) ? earlier : earlier + ", then " + now;
}

RunStatus status_after(RunEnd end) {
  switch (end) {
    case RunEnd::finished: return RunStatus::finished;
    case RunEnd::stopped: return RunStatus::stopped;
    case RunEnd::failed: return RunStatus::failed;
  }
  return RunStatus::failed;
}

}  // namespace

ResultsWriter::ResultsWriter(const Header& header, const Simulation& simulation)
    : ResultsWriter(header, simulation, nullptr, {}) {}

std::unique_ptr<ResultsWriter> ResultsWriter::resume(const Header& header, const Simulation& simulation,
                                                     const CheckpointFile& position) {
  if (position.fingerprint != header.fingerprint)
    throw IoError::cannot("resume", header.path, "it was made from another scene",
                          "only the end time may differ; run without --resume");
  // Before its first step a run has nothing to continue, and may not even have published its file.
  if (position.frames == 0 || position.checkpoint.state.step == 0)
    return std::make_unique<ResultsWriter>(header, simulation);
  const auto source = Hdf5Reader::open(header.path);
  return std::unique_ptr<ResultsWriter>(new ResultsWriter(header, simulation, source.get(), position));
}

ResultsWriter::ResultsWriter(const Header& header, const Simulation& simulation, const Hdf5Reader* source,
                             const RowCounts& kept)
    : path_(header.path), fingerprint_(header.fingerprint) {
  probe_values_.resize(simulation.probes().size());
  file_ = Hdf5Writer::create(path_);
  make_header(header, simulation);
  file_->attach("/", "blas_kernel", kernels_used(source));
  make_probes(simulation);
  make_bodies(simulation.assembly().system);
  write_shapes(*file_, header.shapes, simulation.assembly().system);
  make_run();
  tables_ = std::make_unique<ResultsTables>(*file_, simulation, header.shapes);
  tables_->append_new_contacts(simulation);
  if (source != nullptr) take_over(*source, kept);
  file_->start_appending();
  write_tables();
  file_->sync();
  // The checkpoint goes first: a kill before publish() leaves the old file with the checkpoint of an empty
  // one, from which a resumed run starts anew. The other order could pair the new file with an old
  // checkpoint.
  if (source == nullptr) write_position(simulation);
  file_->publish();
}

ResultsWriter::~ResultsWriter() {
  try {
    if (tables_) write_tables();
  } catch (...) {  // a run that ended in an error has reported it already; there is nothing else to save
  }
}

void ResultsWriter::make_header(const Header& header, const Simulation& simulation) {
  for (const char* group : {"/scene", "/states", "/energy", "/probes", "/contacts", "/contacts/pairs",
                            "/joints", "/impacts", "/accepted", "/reports", "/bodies", "/run", "/run/totals"})
    file_->make_group(group);
  const TimeOptions& time = simulation.config().time;
  file_->attach("/", "format", std::string(results_format));
  file_->attach("/", "format_version", results_format_version);
  file_->attach("/", "percuss_version", header.version);
  file_->attach("/", "title", header.title);
  file_->attach("/", "scheme", std::string(scheme_name(simulation.config().integrator)));
  file_->attach("/", "time_step", time.step);
  file_->attach("/", "time_start", time.start);
  file_->attach("/", "time_end", time.end);
  file_->make_text("/scene/path", header.scene_path);
  file_->make_text("/scene/text", header.scene_text);
  file_->make_text("/scene/resolved", header.scene_resolved);
  file_->make_text("/scene/overrides", header.overrides);

  std::vector<std::string> energies;
  energies.reserve(ledger_columns.size() + 1);
  for (const auto& column : ledger_columns) energies.emplace_back(column.name);
  energies.emplace_back("total");
  file_->make_strings("/energy/names", energies);
}

void ResultsWriter::make_probes(const Simulation& simulation) {
  std::vector<std::string> names, texts, units;
  for (const auto& [name, text] : simulation.config().record.probes) {
    names.push_back(name);
    texts.push_back(text);
  }
  for (const Probe& probe : simulation.probes()) units.emplace_back(probe.unit());
  file_->make_strings("/probes/names", names);
  file_->make_strings("/probes/units", units);
  file_->make_strings("/probes/texts", texts);
}

void ResultsWriter::make_bodies(const System& system) {
  constexpr std::array kinds = {"translating", "planar",   "spatial",  "natural",
                                "frame",       "flexible", "floating", "shaft"};
  std::vector<std::string> names, kind, q_names, q_units, v_names, v_units;
  std::vector<double> mass, radius, fixed;
  std::vector<std::int32_t> coordinates, velocities;
  for (const BodyData& body : system.bodies) {
    names.push_back(body.name);
    kind.emplace_back(kinds[static_cast<size_t>(body.kind)]);
    mass.push_back(body.mass);
    radius.push_back(body.radius);
    for (int coordinate = 0; coordinate < max_body_coordinates; ++coordinate) {
      velocities.push_back(body.dof[coordinate]);
      const bool is_w = body.kind == BodyKind::spatial && coordinate == 6;
      coordinates.push_back(is_w ? body.quaternion_w : body.dof[coordinate]);
    }
    for (int axis = 0; axis < 3; ++axis) fixed.push_back(body.start[axis]);
  }
  for (const auto& [name, unit] : coordinate_names(system)) q_names.push_back(name), q_units.push_back(unit);
  for (const auto& [name, unit] : velocity_names(system)) v_names.push_back(name), v_units.push_back(unit);
  file_->make_strings("/states/names", q_names);
  file_->make_strings("/states/units", q_units);
  file_->make_strings("/states/velocity_names", v_names);
  file_->make_strings("/states/velocity_units", v_units);
  file_->make_strings("/bodies/names", names);
  file_->make_strings("/bodies/kind", kind);
  file_->make("/bodies/mass", mass);
  file_->attach("/bodies/mass", "unit", "kg");
  file_->make("/bodies/radius", radius);
  file_->attach("/bodies/radius", "unit", "m");
  file_->make_matrix("/bodies/coordinates", coordinates, max_body_coordinates);
  file_->make_matrix("/bodies/velocities", velocities, max_body_coordinates);
  file_->make_matrix("/bodies/fixed", fixed, 3);
  file_->attach("/bodies/fixed", "unit", "m");
  std::vector<std::string> joint_names;
  std::vector<std::int32_t> joint_rows;
  for (const JointData& joint : system.joints.joints) {
    joint_names.push_back(joint.name);
    joint_rows.push_back(joint.first_row);
    joint_rows.push_back(joint.row_count);
  }
  file_->make_strings("/joints/names", joint_names);
  file_->make_matrix("/joints/rows", joint_rows, 2);
}

void ResultsWriter::make_run() {
  file_->make("/run/status", std::vector<std::int32_t>{static_cast<std::int32_t>(RunStatus::running)});
  file_->attach("/run/status", "values", "0 running, 1 finished, 2 stopped, 3 failed");
  file_->make("/run/message", fixed_text("", message_size));
  file_->make("/run/verdict", fixed_text("", verdict_size));
  file_->make("/run/saved", std::vector<std::int64_t>(4));
  file_->attach("/run/saved", "names", "frames, contact rows, impacts, accepted steps");
  file_->make("/run/wall_seconds", std::vector<double>(1));
  file_->attach("/run/wall_seconds", "unit", "s");
  file_->make("/run/phases", std::vector<double>(PhaseSeconds().size()));
  file_->attach("/run/phases", "unit", "s");
  file_->attach("/run/phases", "names", "forces, contacts, solver, ledger, recording");
  for (const char* name :
       {"steps", "iterations", "factorisations", "impacts", "max_iterations", "active_contacts", "fallbacks",
        "accumulations", "rejected", "inaccurate", "accepted", "shortened", "halved", "computed"})
    file_->make(fmt::format("/run/totals/{}", name), std::vector<std::int64_t>(1));
  for (const char* name : {"/run/totals/by_level", "/run/totals/max_by_level"}) {
    file_->make(name, std::vector<std::int64_t>(3));
    file_->attach(name, "names", "smooth, position, velocity");
  }
  for (const char* name : {"residual", "displacement", "force_error", "penetration", "smallest_step",
                           "largest_step", "error", "last_accumulation"})
    file_->make(fmt::format("/run/totals/{}", name), std::vector<double>(1));
  for (const char* name :
       {"/run/totals/smallest_step", "/run/totals/largest_step", "/run/totals/last_accumulation"})
    file_->attach(name, "unit", "s");
  for (const char* name : {"/run/totals/penetration", "/run/totals/displacement"})
    file_->attach(name, "unit", "m");
}

void ResultsWriter::take_over(const Hdf5Reader& source, const RowCounts& rows) {
  before_.seconds = source.read<double>("/run/wall_seconds", 0, 1)[0];
  std::ranges::copy(source.read<double>("/run/phases", 0, std::ssize(before_.phases)),
                    before_.phases.begin());
  tables_->copy(source, rows);
}

void ResultsWriter::on_frame(const Simulation& simulation) {
  for (std::size_t i = 0; i < probe_values_.size(); ++i)
    probe_values_[i] = simulation.probes()[i].value(simulation);
  tables_->append_frame(simulation, probe_values_);
}

void ResultsWriter::on_impacts(const Simulation& simulation) { tables_->append_impacts(simulation); }
void ResultsWriter::on_accepted(const Simulation& simulation) { tables_->append_accepted(simulation); }

void ResultsWriter::write_position(const Simulation& simulation) const {
  write_checkpoint(checkpoint_path(path_), tables_->rows(), simulation.checkpoint(), fingerprint_);
}

void ResultsWriter::write_tables() {
  tables_->write_out();
  file_->flush();
  // Only now, so that a reader who believes these numbers finds all datasets at least as long.
  const RowCounts rows = tables_->rows();
  const std::array saved = {rows.frames, rows.contact_rows, rows.impacts, rows.accepted};
  file_->overwrite<std::int64_t>("/run/saved", saved);
}

void ResultsWriter::write_run(const Simulation& simulation, const WallTime& wall) {
  const auto write = [&](const char* name, auto value) {
    file_->overwrite(name, std::span<const decltype(value)>(&value, 1));
  };
  PhaseSeconds phases = before_.phases;
  for (std::size_t i = 0; i < phases.size(); ++i) phases[i] += wall.phases[i];
  write("/run/wall_seconds", before_.seconds + wall.seconds);
  file_->overwrite<double>("/run/phases", phases);
  const StepStatistics& total = simulation.statistics();
  write("/run/totals/steps", total.steps);
  write("/run/totals/iterations", total.iterations);
  write("/run/totals/factorisations", total.factorisations);
  write("/run/totals/impacts", total.impacts);
  write("/run/totals/max_iterations", std::int64_t{total.max_iterations});
  write("/run/totals/active_contacts", std::int64_t{total.max_active_contacts});
  write("/run/totals/fallbacks", total.fallbacks);
  write("/run/totals/accumulations", total.accumulations);
  write("/run/totals/last_accumulation", total.last_accumulation);
  write("/run/totals/rejected", total.rejected);
  write("/run/totals/inaccurate", total.inaccurate);
  write("/run/totals/accepted", total.accepted);
  write("/run/totals/shortened", total.shortened);
  write("/run/totals/halved", total.halved);
  write("/run/totals/computed", total.computed);
  file_->overwrite<std::int64_t>("/run/totals/by_level", total.by_level);
  std::array<std::int64_t, 3> most;
  std::ranges::copy(total.max_by_level, most.begin());
  file_->overwrite<std::int64_t>("/run/totals/max_by_level", most);
  write("/run/totals/residual", total.max_residual);
  write("/run/totals/displacement", total.max_displacement);
  write("/run/totals/force_error", total.max_force_error);
  write("/run/totals/penetration", total.max_penetration);
  write("/run/totals/smallest_step", total.smallest_step);
  write("/run/totals/largest_step", total.largest_step);
  write("/run/totals/error", total.max_error);
}

void ResultsWriter::flush(const Simulation& simulation) {
  write_tables();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  write_run(simulation, {elapsed.count(), phases_of(simulation, 0)});
  file_->sync();
  // A run with a later end passes neither through a shorter last step nor through a frame that is only there
  // because the run ends; it must go on from an earlier moment.
  const bool on_the_way = is_frame_time(simulation) && !simulation.grid().last_step_is_shorter();
  if (simulation.finished() && !on_the_way) return;
  write_position(simulation);
}

void ResultsWriter::finish(const Simulation& simulation, const RunOutcome& outcome) {
  write_tables();
  write_run(simulation, {outcome.wall_seconds, phases_of(simulation, outcome.recording_seconds)});
  file_->overwrite<std::uint8_t>("/run/message", fixed_text(outcome.message, message_size));
  const std::string verdict =
      fmt::format("{}", fmt::join(verdict_lines(judge_run(simulation, outcome.end)), "\n"));
  file_->overwrite<std::uint8_t>("/run/verdict", fixed_text(verdict, verdict_size));
  // The status comes last: who reads `finished` finds everything.
  const std::array status = {static_cast<std::int32_t>(status_after(outcome.end))};
  file_->overwrite<std::int32_t>("/run/status", status);
  tables_.reset();
  file_->close();
}

}  // namespace percuss
